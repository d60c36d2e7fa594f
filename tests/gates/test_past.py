"""Each case against its own past: what too few nights have arms nothing, whatever the history of others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from pytest_webretrieval.configuration import Threshold
from pytest_webretrieval.gates.gate import GateResult
from pytest_webretrieval.gates.rolling import acceptance, rolling_gates
from pytest_webretrieval.records.history import Night

from .nights import CASES, night_of

FIGURES = ("success", "citation_support", "latency", "cost")


def judged(night: Night, nights: Iterable[Night]) -> dict[str, GateResult]:
    gates = rolling_gates(
        night,
        tuple(nights),
        success=Threshold(change=0.05, example=True),
        citation_support=Threshold(change=0.05, example=True),
        latency=Threshold(change=0.20, example=True),
        cost=Threshold(change=0.15, example=True),
    )
    return {gate.name: gate for gate in gates}


def only(night: Night, cases: Iterable[str]) -> Night:
    """The night as one of a selection."""
    wanted = set(cases)
    return replace(
        night,
        cases=tuple(run for run in night.cases if run.case in wanted),
        unasked=tuple(run.case for run in night.cases if run.case not in wanted),
    )


def of_cases(night: Night, count: int) -> Night:
    """The night of a corpus of so many cases."""
    return replace(night, cases=night.cases[:count])


@pytest.fixture(scope="module")
def before() -> tuple[Night, ...]:
    return tuple(night_of(number) for number in range(1, 7))


def test_the_history_of_one_case_arms_no_gate_of_all(before: tuple[Night, ...]) -> None:
    bad = of_cases(night_of(9, labels=dict.fromkeys(CASES[1:], "no_answer")), 5)
    gates = judged(bad, (only(night, CASES[:1]) for night in before))
    for name in FIGURES:
        assert (gates[name].verdict, gates[name].line) == (
            "calibrating",
            "4 of 5 cases have fewer than 5 accepted runs to compare with: K02, K03, K04, K05",
        )


def test_a_case_that_is_new_is_named_and_not_compared(before: tuple[Night, ...]) -> None:
    fresh, rest = CASES[-1], CASES[:-1]
    old = [*(only(night, rest) for night in before[:3]), *before[3:]]
    gate = judged(night_of(9, labels=dict.fromkeys(CASES, "success") | {fresh: "no_answer"}), old)["success"]
    assert gate.verdict == "pass"
    assert gate.line.startswith("1.000 of "), gate
    assert ", 29 cases)" in gate.line
    assert gate.line.endswith(f"; too few accepted runs to compare with: {fresh} (3 of 5)")


def test_a_fifth_of_the_cases_may_be_new_and_no_more(before: tuple[Night, ...]) -> None:
    found = [
        judged(night_of(9), (only(night, CASES[:known]) for night in before))["success"].verdict
        for known in (24, 23)
    ]
    assert found == ["pass", "calibrating"]


def test_a_night_of_which_most_cases_say_nothing_does_not_pass(before: tuple[Night, ...]) -> None:
    gone = night_of(9, labels=dict.fromkeys(CASES[1:], "probe_invalid"))
    away = night_of(9, quarantined=frozenset(CASES[1:]))
    for night in (gone, away):
        gates = judged(night, before)
        for name in FIGURES:
            assert gates[name].verdict == "inconclusive", gates[name]
            assert gates[name].line.startswith("only 1 of 30 cases count; ")
    enough = night_of(9, labels=dict.fromkeys(CASES[24:], "probe_invalid"))
    assert judged(enough, before)["latency"].verdict == "pass"
    drop = night_of(
        9, labels=dict.fromkeys(CASES[:20], "no_answer") | dict.fromkeys(CASES[20:], "probe_invalid")
    )
    assert judged(drop, before)["success"].verdict == "fail", "what is left may still tell a drop"


def test_a_part_of_the_corpus_is_no_baseline_by_itself(before: tuple[Night, ...]) -> None:
    part = only(night_of(9), CASES[:3])
    gates = judged(part, before)
    assert all(
        gate.line.endswith("; partial: 3 of 30 cases, which makes no baseline") for gate in gates.values()
    )
    assert acceptance(part, list(gates.values())) == (False, "partial: 3 of 30 cases")


def test_nights_of_a_few_cases_do_not_tell_how_nights_vary(before: tuple[Night, ...]) -> None:
    """A person may accept them; one case that failed is then no night on which all was lost."""
    few = [
        only(replace(night_of(number, labels={"K01": "no_answer"}), accepted=True), CASES[:1])
        for number in (7, 8)
    ]
    bad = night_of(9, right=0.6)
    said = [
        judged(bad, nights)["success"].line.partition("accepted runs vary by")[0][-2:]
        for nights in (before, (*before, *few))
    ]
    assert said == ["6 ", "6 "]
    assert judged(bad, (*before, *few))["success"].verdict == "fail"


def test_on_another_target_or_truth_a_case_begins_anew(before: tuple[Night, ...]) -> None:
    night = night_of(9)
    moved = replace(night, cases=(replace(night.cases[0], terms="now"), *night.cases[1:]))
    gate = judged(moved, before)["success"]
    assert gate.verdict == "pass"
    assert "too few accepted runs to compare with: K01 (0 of 5)" in gate.line
    assert gate.line.endswith("; runs on another target or truth not compared: K01")
    everywhere = replace(night, cases=tuple(replace(run, terms="now") for run in night.cases))
    gate = judged(everywhere, before)["success"]
    assert gate.verdict == "calibrating"
    assert gate.line.startswith("0 of 5 accepted runs to compare with; runs on another target or truth"), gate
