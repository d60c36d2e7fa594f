"""The gate on the share of cited claims that can be checked, which must not fall."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_webretrieval.gates.baseline import Accepted, Checked, Costs
from pytest_webretrieval.gates.claims import claims_checked
from pytest_webretrieval.gates.gate import RunView
from pytest_webretrieval.records.row import Row

ROW = Row(
    node="c.yaml::A", case="A", stratum="s", trial=0, expect="success", label="success", tags=(), reason="", required=1,
    matched=1, cited_facts=1, checked=1, supported=1, unknown=0, extra_unsupported=0, max_extra_claims=3, fresh=True,
    duration_s=0.1, requests=1, browser=0, over=(), served=1, fetched=1, cited=1, said=1,
)  # fmt: skip
COSTS = Costs(requests=1, retries=0, escalations=0, bytes=1, duration_s=1.0)


def view(*rows: Row, **accepted: Checked | None) -> RunView:
    known = {
        f"c::{name}": Accepted(
            accepted="2026-11-28", run="r", labels={"success": 1}, most=COSTS, claims=claims
        )
        for name, claims in accepted.items()
    }
    return RunView(rows=rows, outcomes=(), planned=len(rows), accepted=known)


def cited(case: str, **counts: Any) -> Row:
    return replace(ROW, case=case, corpus="c", **counts)


@pytest.mark.parametrize(
    ("unknown", "broken"),
    [(10, False), (12, False), (30, True), (40, True)],
)
def test_a_share_that_falls_beyond_chance_breaks_the_gate(unknown: int, broken: bool) -> None:
    now = cited("A", claims=40, claims_unknown=unknown)
    finding = claims_checked(view(now, A=Checked(cited=40, unknown=10)))
    assert (finding.broken, finding.judged) == (broken, 40)
    assert finding.figures == f"{40 - unknown} of 40 cited claims could be checked, 30 of 40 when accepted"


def test_without_accepted_claims_there_is_nothing_to_judge() -> None:
    assert claims_checked(view(cited("A", claims=5, claims_unknown=5), A=None)).judged == 0
    assert claims_checked(view(cited("B", claims=5), A=Checked(cited=4, unknown=0))).judged == 0
