"""What ``truth check`` finds by asking the grader itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pytest_webretrieval.cases.case import Location
from pytest_webretrieval.cases.truth import Budget, Fact, Step, Truth
from pytest_webretrieval.cli.gradable import grading_faults


def truth_of(*facts: Fact, wrong: tuple[Fact, ...] = ()) -> Truth:
    return Truth(
        case_id="T01",
        valid_at=datetime(2026, 1, 1, tzinfo=UTC),
        recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
        steps=(Step(expected_facts=facts, wrong_values=wrong),),
        allowed_sources=("fixture://vendor/a/*", "https://www.rfc-editor.org/rfc/*"),
        forbidden_actions=("use-stale-cache", "egress"),
        freshness_window_s=60.0,
        max_budget=Budget(),
        reason="a test",
        adjudicated_by="human",
        where=Location(Path("t.yaml"), 3),
    )


GOOD = truth_of(
    Fact(id="v", value="v3.2", draw="version", aliases=("3.2",)),
    Fact(id="d", value="2026-08-21", match="date", draw="date"),
    Fact(id="n", value="37.4%", match="number", draw="percent"),
    Fact(id="t", value="The Weight of Small Harbours", match="text", draw="title"),
    Fact(id="u", value="fixture://vendor/a/b", match="url"),
    wrong=(Fact(id="w", value="v3.1", draw="before:v"),),
)


def test_what_the_grader_can_use() -> None:
    assert grading_faults(GOOD) == []


@pytest.mark.parametrize(
    ("truth", "first"),
    [
        (
            replace(GOOD, forbidden_actions=("egres",)),
            "t.yaml:3: case T01: unknown forbidden action `egres`; did you mean `egress`?",
        ),
        (replace(GOOD, known_copies=("https://*.example/",)), "t.yaml:3: case T01: 'https://*.example/'"),
        (
            truth_of(
                Fact(id="n", value="37", match="number"), wrong=(Fact(id="w", value="37.0", match="number"),)
            ),
            "t.yaml:3: case T01: seed 0: the wrong value `37.0` of w is found in `37` of n",
        ),
        (
            truth_of(Fact(id="n", value="some 20 or 30", match="number")),
            "t.yaml:3: case T01: seed 0: fact n: ",
        ),
    ],
)
def test_what_it_cannot(truth: Truth, first: str) -> None:
    faults = grading_faults(truth)
    assert faults
    assert faults[0].startswith(first)
