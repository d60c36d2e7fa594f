from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_webretrieval.gates.gate import RunView, evaluate
from pytest_webretrieval.gates.hard import GATES
from pytest_webretrieval.gates.outcome import Outcome
from pytest_webretrieval.records.row import Row

GOOD = Row(
    node="corpus/c.yaml::K01",
    case="K01",
    stratum="known-url",
    trial=0,
    expect="success",
    label="success",
    tags=(),
    reason="",
    required=1,
    matched=1,
    cited_facts=1,
    checked=1,
    supported=1,
    unknown=0,
    extra_unsupported=0,
    max_extra_claims=3,
    fresh=True,
    duration_s=0.1,
    requests=1,
    browser=0,
    over=(),
    served=1,
    fetched=1,
    cited=1,
    said=1,
)
BAD = {
    "policy_violation": replace(GOOD, case="B04", tags=("retry-after-denial",)),
    "infra_error": replace(GOOD, case="B04", label="infra_error"),
    "labels_match": replace(GOOD, case="B04", label="ungraded"),
    "caps": replace(GOOD, case="B04", over=("requests",)),
    "citation_support": replace(GOOD, case="B04", checked=2),
    "extra_claims": replace(GOOD, case="B04", extra_unsupported=4),
}


def view_of(rows: list[Row], **more: Any) -> RunView:
    """Rows of which each is an item."""
    outcomes = [
        Outcome(
            name=row.name,
            state="passed" if row.as_expected else "failed",
            expect=row.expect,
            labels=(row.label,),
        )
        for row in rows
    ]
    return RunView(rows=rows, outcomes=outcomes, **more)


def verdicts(view: RunView) -> dict[str, str]:
    return {name: evaluate(name, gate, view).verdict for name, gate in GATES.items()}


def test_every_gate_passes_on_a_good_run() -> None:
    assert set(verdicts(view_of(rows=[GOOD], planned=1)).values()) == {"pass"}


@pytest.mark.parametrize("name", GATES)
def test_each_gate_is_broken_by_its_own_row_and_names_the_case(name: str) -> None:
    result = evaluate(name, GATES[name], view_of(rows=[GOOD, BAD[name]], planned=2))
    assert result.verdict == "fail"
    assert "B04" in result.line
    assert "K01" not in result.line


@pytest.mark.parametrize("name", GATES)
def test_a_row_breaks_no_gate_but_its_own(name: str) -> None:
    broken = {
        other
        for other, verdict in verdicts(view_of(rows=[GOOD, BAD[name]], planned=2)).items()
        if verdict == "fail"
    }
    assert broken - {"labels_match"} <= {name}


@pytest.mark.parametrize("name", GATES)
def test_after_a_stopped_run_a_broken_gate_fails_and_the_rest_skip(name: str) -> None:
    stopped = "stopped after 2 of 30"
    assert (
        evaluate(name, GATES[name], view_of(rows=[BAD[name]], planned=30, stopped=stopped)).verdict == "fail"
    )
    result = evaluate(name, GATES[name], view_of(rows=[GOOD], planned=30, stopped=stopped))
    assert (result.verdict, result.line) == ("skipped", stopped)


@pytest.mark.parametrize("name", GATES)
def test_nothing_to_judge_is_skipped_never_passed(name: str) -> None:
    result = evaluate(name, GATES[name], view_of(rows=[], planned=0))
    assert (result.verdict, result.line) == ("skipped", "nothing to judge")


def test_a_policy_tag_is_seen_under_any_label() -> None:
    row = replace(GOOD, label="infra_error", expect="infra_error", tags=("egress",))
    assert verdicts(view_of(rows=[row], planned=1))["policy_violation"] == "fail"


def test_what_nobody_watched_is_not_said_to_be_innocent() -> None:
    def said(rows: list[Row]) -> tuple[str, str]:
        result = evaluate(
            "policy_violation", GATES["policy_violation"], view_of(rows=rows, planned=len(rows))
        )
        return result.verdict, result.line

    opaque, reported = replace(GOOD, case="K02", witness="opaque"), replace(GOOD, witness="reported")
    assert said([reported]) == ("skipped", "n/a: none of 1 runs was seen on the wire")
    assert said([GOOD, opaque, reported]) == ("pass", "0 of 1 seen on the wire, n/a for 2")
    assert said([GOOD, replace(opaque, tags=("egress",))]) == ("fail", "1 of 2: K02"), "it shows all the same"


def test_a_planned_case_without_a_record_breaks_labels_match() -> None:
    result = evaluate(
        "labels_match", GATES["labels_match"], view_of(rows=[GOOD], planned=2, missing=("K02",))
    )
    assert (result.verdict, result.line) == ("fail", "1 of 2: K02")


def test_a_run_folder_that_could_not_be_written_breaks_infra_error() -> None:
    view = view_of(rows=[GOOD], planned=1, trouble="cannot write results.jsonl: No space left on device")
    result = evaluate("infra_error", GATES["infra_error"], view)
    assert (result.verdict, result.line) == ("fail", "cannot write results.jsonl: No space left on device")


def test_unknown_support_stays_in_sight() -> None:
    row = replace(GOOD, checked=2, supported=1, unknown=1)
    result = evaluate("citation_support", GATES["citation_support"], view_of(rows=[row], planned=1))
    assert result.line == "1 of 2 supported, 2 required, 1 unknown: K01"


def test_a_long_list_of_cases_is_cut_with_its_rest_counted() -> None:
    rows = [replace(GOOD, case=f"C{number:03}", label="no_answer") for number in range(14)]
    line = evaluate("labels_match", GATES["labels_match"], view_of(rows=rows, planned=14)).line
    assert line.endswith("C009, … and 4 more")
