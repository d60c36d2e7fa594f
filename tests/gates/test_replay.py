"""Enough of what asks the model must have been replayed, or the run says too little."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_webretrieval.gates.gate import GateResult, RunView, evaluate
from pytest_webretrieval.gates.replay import replay

from .test_hard import GOOD


def judged(replayed: int, diverged: int, of_no_turn: int = 0, stopped: str | None = None) -> GateResult:
    rows = [replace(GOOD, turns=2)] * replayed + [GOOD] * of_no_turn
    nodes = tuple(f"corpus/c.yaml::S{number:02}" for number in range(diverged))
    view = RunView(rows=rows, outcomes=(), planned=len(rows) + diverged, diverged=nodes, stopped=stopped)
    return evaluate("replay", replay, view)


@pytest.mark.parametrize(
    ("replayed", "diverged", "verdict"),
    [(5, 0, "pass"), (4, 1, "pass"), (8, 2, "pass"), (3, 1, "fail"), (79, 20, "fail"), (0, 1, "fail")],
)
def test_four_in_five_are_enough(replayed: int, diverged: int, verdict: str) -> None:
    assert judged(replayed, diverged).verdict == verdict


def test_its_line_has_the_count_and_the_names() -> None:
    assert judged(1, 2).line == "1 of 3 replayed, 80% required: S00, S01"


def test_runs_that_ask_no_model_do_not_count() -> None:
    assert judged(0, 0, of_no_turn=3).verdict == "skipped"
    assert judged(3, 1, of_no_turn=6).verdict == "fail"


def test_a_run_that_was_stopped_passes_nothing() -> None:
    assert judged(5, 0, stopped="stopped after 5 of 9").verdict == "skipped"
