"""Reliability by stratum, and the smallest drop that a run could see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_webretrieval.gates.baseline import Accepted, Costs
from pytest_webretrieval.gates.outcome import Outcome
from pytest_webretrieval.gates.trials import drop_of, reliability
from pytest_webretrieval.records.row import Row

from .test_hard import GOOD

MOST = Costs(requests=1, retries=0, escalations=0, bytes=10, duration_s=0.1)


def rows(case: str, *labels: str, stratum: str = "search") -> list[Row]:
    return [
        replace(GOOD, node=f"c.yaml::{case}", case=case, stratum=stratum, trial=number, label=label)
        for number, label in enumerate(labels)
    ]


def test_each_stratum_has_the_means_of_its_cases() -> None:
    both = [
        *rows("A", "success", "success", "success"),
        *rows("B", "no_answer", "success", "no_answer"),
        *rows("C", "no_answer", "no_answer", "no_answer", stratum="auth"),
    ]
    search, auth = reliability(both, 3)
    assert (search.stratum, search.cases, search.trials) == ("search", 2, 6)
    assert (search.pass_1, search.pass_at_k, search.pass_all_k) == (pytest.approx(2 / 3), 1.0, 0.5)
    assert (auth.pass_1, auth.pass_at_k, auth.pass_all_k) == (0.0, 0.0, 0.0)


def test_trials_that_were_run_because_one_failed_do_not_count() -> None:
    (only,) = reliability(rows("A", "no_answer", "success", *["no_answer"] * 4), 2)
    assert (only.trials, only.pass_1) == (2, 0.5)


def test_a_case_that_was_not_run_to_its_end_is_left_out() -> None:
    assert reliability(rows("A", "success"), 2) == ()


def outcome(case: str, accepted: Accepted | None = None) -> Outcome:
    return Outcome(
        name=f"c::{case}", state="passed", expect="success", labels=("success",), accepted=accepted
    )


def test_the_drop_is_from_all_unless_less_was_accepted() -> None:
    drop = drop_of([outcome(f"C{number}") for number in range(30)])
    assert drop is not None
    assert (drop.cases, drop.rate, drop.accepted) == (30, 1.0, False)
    assert drop.drop == pytest.approx(0.0522, abs=1e-4)
    half = Accepted(accepted="2026-11-28", run="r", labels={"success": 1, "partial": 1}, most=MOST)
    drop = drop_of([outcome("A", half), outcome("B"), outcome("B")])
    assert drop is not None
    assert (drop.cases, drop.rate, drop.accepted) == (2, 0.75, True)
    assert drop_of([]) is None
