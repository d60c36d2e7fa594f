"""Caps learned from an accepted run: a margin, a least addition, and the usual trial rather than each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_webretrieval.gates.baseline import Accepted, Costs
from pytest_webretrieval.gates.gate import RunView, evaluate
from pytest_webretrieval.gates.learned import DURATION_FROM, learned_caps, limits
from pytest_webretrieval.records.row import Row

from .test_hard import GOOD

MOST = Costs(requests=10, retries=0, escalations=0, bytes=1_000_000, cost_usd=0.02, duration_s=2.0)
CASE = Accepted(accepted="2026-11-28", run="r", labels={"success": 5}, most=MOST)
ROW = replace(GOOD, corpus="c-v1", case="A", requests=10, bytes=1_000_000, cost_usd=0.02, duration_s=9.0)


def verdict(*rows: Row, accepted: Accepted = CASE) -> tuple[str, str]:
    result = evaluate(
        "learned_caps",
        learned_caps,
        RunView(rows=rows, outcomes=(), planned=1, accepted={"c-v1::A": accepted}),
    )
    return result.verdict, result.line


def test_a_limit_is_half_as_much_again_and_never_less_than_the_least_addition() -> None:
    assert limits(CASE) == {
        "requests": 15,
        "retries": 1,
        "escalations": 1,
        "bytes": 1_500_000,
        "cost_usd": pytest.approx(0.03),
    }
    small = replace(MOST, requests=1, bytes=10, cost_usd=0.0)
    assert limits(replace(CASE, most=small))["requests"] == 2
    assert limits(replace(CASE, most=small))["bytes"] == 10_010
    assert limits(replace(CASE, most=small))["cost_usd"] == pytest.approx(0.001)


def test_what_was_not_measured_has_no_limit_and_a_time_needs_many_trials() -> None:
    assert "cost_usd" not in limits(replace(CASE, most=replace(MOST, cost_usd=None)))
    assert "duration_s" not in limits(replace(CASE, labels={"success": DURATION_FROM - 1}))
    assert limits(replace(CASE, labels={"success": DURATION_FROM}))["duration_s"] == 3.0


def test_a_case_is_held_to_its_limits() -> None:
    assert verdict(ROW) == ("pass", "1 of 1 within what was accepted, times 1.5")
    assert verdict(replace(ROW, requests=15))[0] == "pass"
    failed, line = verdict(replace(ROW, requests=16, browser=2))
    assert failed == "fail"
    assert line.endswith(": A (requests 16 of 15, escalations 2 of 1)")


def test_one_long_trial_of_many_breaks_nothing() -> None:
    assert verdict(ROW, replace(ROW, trial=1, requests=99), replace(ROW, trial=2))[0] == "pass"
    assert verdict(ROW, replace(ROW, trial=1, requests=99), replace(ROW, trial=2, requests=99))[0] == "fail"


def test_a_case_that_was_not_accepted_has_no_limit() -> None:
    assert verdict(replace(ROW, case="B", requests=99)) == ("skipped", "nothing to judge")
