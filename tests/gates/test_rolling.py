"""Nights in a row, as the history has them, through the gates that look back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pytest_webretrieval.configuration import Threshold
from pytest_webretrieval.gates import paired
from pytest_webretrieval.gates.gate import GateResult
from pytest_webretrieval.gates.rolling import acceptance, rolling_gates
from pytest_webretrieval.records.history import Night, append_night, read_nights
from pytest_webretrieval.records.quarantine import Quarantine, open_quarantines, quarantine

from .nights import CASES, night_of, with_cases

pytestmark = pytest.mark.usefixtures("fewer_resamples")

GATES = ("success", "citation_support", "latency", "cost")


def judged(night: Night, nights: Sequence[Night], min_runs: int = 5) -> dict[str, GateResult]:
    """The gates by name, with the thresholds that are examples."""
    gates = rolling_gates(
        night,
        nights,
        success=Threshold(change=0.05, example=True),
        citation_support=Threshold(change=0.05, example=True),
        latency=Threshold(change=0.20, example=False),
        cost=Threshold(change=0.15, example=True),
        min_runs=min_runs,
    )
    return {gate.name: gate for gate in gates}


def verdicts(gates: dict[str, GateResult]) -> dict[str, str]:
    return {name: gate.verdict for name, gate in gates.items()}


def all_of(verdict: str) -> dict[str, str]:
    return dict.fromkeys(GATES, verdict)


@pytest.fixture
def fewer_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asserted is far from the ends of the intervals, and many nights are judged here."""
    monkeypatch.setattr(paired, "RESAMPLES", 200)


@pytest.fixture(scope="module")
def before() -> tuple[Night, ...]:
    return tuple(night_of(number) for number in range(1, 9))


def test_twelve_nights_calibrate_pass_fail_and_leave_a_quarantined_probe_out(tmp_path: Path) -> None:
    drop = dict.fromkeys(CASES[:12], "no_answer")
    came_to: dict[int, dict[str, GateResult]] = {}
    for number in range(1, 13):
        now = night_of(number).observed_at
        if number == 11:  # D01 has vanished: the lane says probe_invalid, and puts it away
            found = Quarantine(
                case="D01", corpus="web-v1", since=now, until=now + timedelta(days=7), run="r", reason="404"
            )
            assert quarantine(tmp_path, found)
        away = frozenset(one.case for one in open_quarantines(tmp_path, "web-v1", now))
        labels = drop if number == 10 else {"D01": "probe_invalid"} if number == 11 else {}
        if number == 12:  # it is back, with wrong answers; nobody has released it
            labels = {"D01": "contradicted"}
        night = night_of(number, labels=labels, quarantined=away)
        came_to[number] = judged(night, read_nights(tmp_path, "web-v1"))
        accepted, why = acceptance(night, list(came_to[number].values()))
        assert append_night(tmp_path, replace(night, accepted=accepted, why=why))
    told = "\n".join(
        f"{n} {g.name} {g.verdict}: {g.line}" for n, gates in came_to.items() for g in gates.values()
    )

    for number in (1, 2, 3, 4, 5):
        assert verdicts(came_to[number]) == all_of("calibrating"), told
        assert came_to[number]["success"].line == f"{number - 1} of 5 accepted runs to compare with"
    for number in (6, 7, 8, 9):
        assert verdicts(came_to[number]) == all_of("pass"), told
    assert verdicts(came_to[10]) == all_of("pass") | {"success": "fail", "cost": "fail"}, told
    for number in (11, 12):
        assert verdicts(came_to[number]) == all_of("pass"), told
        assert "29 cases" in came_to[number]["success"].line, told
        assert came_to[number]["success"].line.endswith("; left out: D01 (quarantined)"), told

    nights = read_nights(tmp_path, "web-v1")
    assert [night.accepted for night in nights] == [number != 10 for number in range(1, 13)]
    assert nights[9].why == "failed success, cost"
    # The figures of the twelfth night are those of a history in which the probe was never seen.
    without = [
        replace(night, cases=tuple(one for one in night.cases if one.case != "D01")) for night in nights
    ]
    bare = judged(without[11], without)
    for name in GATES:
        assert came_to[12][name].line.removesuffix("; left out: D01 (quarantined)") == bare[name].line


def test_a_line_tells_figures_n_interval_threshold_and_how_nights_vary(before: Sequence[Night]) -> None:
    bad = night_of(9, right=0.6)
    assert judged(bad, before)["success"].line == (
        "0.600 of 0.983 before (18 of 30 runs, 30 cases), -38.3 points [-58.3, -21.2]; "
        "Wilson [0.423, 0.754] tonight; Newcombe [-56.0, -22.7]; "
        "allowed -5.0 (example threshold); 8 accepted runs vary by [-5.7, +1.9], the next within -6.3"
    )


def test_each_figure_fails_for_itself(before: Sequence[Night]) -> None:
    assert verdicts(judged(night_of(9), before)) == all_of("pass")
    slow = judged(night_of(9, slower=1.5), before)
    assert verdicts(slow) == all_of("pass") | {"latency": "fail"}, slow
    loose = judged(night_of(9, borne_out=0.7), before)
    assert verdicts(loose) == all_of("pass") | {"citation_support": "fail"}, loose
    dear = judged(night_of(9, dearer=1.6), before)
    assert verdicts(dear) == all_of("pass") | {"cost": "fail"}, dear


def test_a_cheaper_night_does_not_make_up_for_a_worse_one(before: Sequence[Night]) -> None:
    gates = judged(night_of(9, right=0.5, dearer=0.2), before)
    assert (gates["success"].verdict, gates["cost"].verdict) == ("fail", "pass"), gates


def test_it_is_inconclusive_where_a_few_cases_cannot_tell(before: Sequence[Night]) -> None:
    night = night_of(9, labels=dict.fromkeys(CASES, "success") | dict.fromkeys(CASES[:3], "no_answer"))
    gate = judged(night, before)["success"]
    assert gate.verdict == "inconclusive", gate
    assert (
        judged(night_of(9, slower=1.5), [*before[:4], night_of(5, slower=1.9)])["latency"].verdict
        == "inconclusive"
    )


def test_nights_that_vary_more_than_the_threshold_do_not_arm_the_gate() -> None:
    """The same system on a network that is 30 % faster or slower from night to night: its cases all move together, so
    that the interval over cases alone would find a change in most nights."""
    restless = [night_of(number, mood=0.3) for number in range(1, 21)]
    found = [judged(night, restless[:at])["latency"] for at, night in enumerate(restless) if at >= 8]
    beyond = [gate for gate in found if gate.verdict != "pass"]
    assert [gate for gate in found if gate.verdict == "fail"] == [], found
    assert beyond, "nights so restless are beyond the threshold now and then"
    assert all("accepted runs vary by" in gate.line for gate in beyond)


def test_what_is_not_graded_or_not_run_fails_by_name(before: Sequence[Night]) -> None:
    night = night_of(9, labels={"K03": "ungraded", "S02": "infra_error"})
    gates = judged(replace(night, missing=("B06",)), before)
    assert verdicts(gates) == all_of("fail")
    assert gates["success"].line == "not graded, so that no rate is one of all cases: K03, S02, B06"
    assert acceptance(night, []) == (False, "not graded: K03, S02")
    quarantined = night_of(9, labels={"K03": "ungraded"}, quarantined=frozenset({"K03"}))
    assert verdicts(judged(quarantined, before)) == all_of("pass")


def test_a_probe_that_is_invalid_is_on_neither_side(before: Sequence[Night]) -> None:
    gone = [
        replace(night, cases=night_of(at, labels={"D01": "probe_invalid"}).cases)
        for at, night in enumerate(before, 1)
    ]
    gate = judged(night_of(9), gone)["success"]
    assert "29 cases" in gate.line, gate
    gate = judged(night_of(9, labels={"D01": "probe_invalid"}), before)["success"]
    assert "29 cases" in gate.line, gate
    assert gate.line.endswith("; left out: D01 (probe_invalid)"), gate


def test_only_accepted_runs_of_the_same_kind_are_pooled(before: Sequence[Night]) -> None:
    night = night_of(9)
    others = [
        replace(before[0], fingerprint="f2"),
        replace(before[1], region="us-east"),
        replace(before[2], identity="sha256:2"),
        replace(before[3], lane="fixture"),
        replace(before[4], accepted=False),
        *before[5:],
    ]
    gate = judged(night, others)["success"]
    assert gate.verdict == "calibrating"
    assert gate.line == (
        "3 of 5 accepted runs to compare with; runs not comparable: "
        "fingerprint f2 (1), region us-east (1), another corpus (1), the fixture lane (1)"
    )


def test_neither_a_run_nor_what_came_after_it_is_its_own_baseline(before: Sequence[Night]) -> None:
    assert judged(before[4], before)["success"].line.startswith("4 of 5")


def test_of_one_run_nobody_knows_how_runs_vary(before: Sequence[Night]) -> None:
    assert judged(before[1], before, min_runs=1)["success"].line.startswith("1 of 2 accepted runs")


def test_a_cost_that_nobody_knows_is_neither_passed_nor_a_baseline(before: Sequence[Night]) -> None:
    night = night_of(9)
    free = replace(night, cases=(replace(night.cases[0], cost_usd=None), *night.cases[1:]))
    gate = judged(free, before)["cost"]
    assert (gate.verdict, gate.line) == ("skipped", "not known of K01")
    assert judged(night, [with_cases(one, cost_usd=None) for one in before])["cost"].verdict == "calibrating"
    assert (
        judged(with_cases(night, cost_usd=0.0), [with_cases(one, cost_usd=0.0) for one in before])[
            "cost"
        ].verdict
        == "pass"
    )


def test_a_night_without_a_success_has_a_price_without_bound(before: Sequence[Night]) -> None:
    gates = judged(night_of(9, right=0.0), before)
    assert (gates["success"].verdict, gates["cost"].verdict) == ("fail", "fail"), gates
    assert gates["cost"].line.startswith("inf USD a success"), gates


def test_a_large_share_of_next_to_nothing_is_nothing(before: Sequence[Night]) -> None:
    quick = [with_cases(night, duration_s=0.02) for night in before]
    assert judged(with_cases(night_of(9), duration_s=0.09), quick)["latency"].verdict == "pass"


def test_there_is_no_p95_under_59_runs(before: Sequence[Night]) -> None:
    line = judged(night_of(9), before[:5])["latency"].line
    assert "; max " in line, line
    assert "p95" not in line.partition(" before,")[0], line
    twice = night_of(9)
    twice = replace(twice, cases=(*twice.cases, *(replace(case, trial=1) for case in twice.cases)))
    assert "(n = 60)" in judged(twice, before[:5])["latency"].line


def test_a_stopped_run_is_skipped_and_no_baseline(before: Sequence[Night]) -> None:
    threshold = Threshold(change=0.05, example=True)
    gates = rolling_gates(
        night_of(9),
        before,
        success=threshold,
        citation_support=threshold,
        latency=threshold,
        cost=threshold,
        stopped="stopped after 3 of 30",
    )
    assert {(gate.verdict, gate.line) for gate in gates} == {("skipped", "stopped after 3 of 30")}
    assert acceptance(night_of(9), gates, "stopped after 3 of 30") == (False, "stopped after 3 of 30")


def test_the_same_nights_give_the_same_lines(before: Sequence[Night]) -> None:
    assert judged(night_of(9), before) == judged(night_of(9), tuple(reversed(before)))
