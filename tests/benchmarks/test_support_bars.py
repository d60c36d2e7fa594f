"""Bars of the support yardsticks: a grader that says nothing, or chooses no better than word overlap, does not pass."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from benchmarks.yardsticks import support
from benchmarks.yardsticks.measured import Measured
from benchmarks.yardsticks.overlap import beside
from pytest_webretrieval.grade.support import CONTRADICTED, NONE, UNKNOWN, Support

STANCES = ("completely-support", "refute", "irrelevant", "irrelevant")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with rows of the one set that has refuted claims, and no others."""
    (tmp_path / "citation").mkdir()
    rows = [
        {"claim": f"Claim {at}.", "evidence": f"Text {at}.", "stance": STANCES[at % 4]} for at in range(80)
    ]
    lines = "\n".join(map(json.dumps, rows))
    (tmp_path / "citation" / "factcheck-gpt.stance.jsonl").write_text(lines)
    (tmp_path / "citation" / "wice.claim.dev.jsonl").write_text(
        json.dumps({"meta": {"id": "1"}, "claim": "Claim.", "evidence": ["Text."], "label": "not_supported"})
    )
    for name in ("domain", "rand"):
        answer = {"claims": [{"claim_string": "Claim.", "evidence": ["1\n\nText."], "support": "Complete"}]}
        (tmp_path / "citation" / f"expertqa.{name}_val.jsonl").write_text(
            json.dumps({"question": "Q?", "answers": {"a": answer}})
        )
    return tmp_path


@pytest.mark.parametrize(
    ("says", "below"),
    [
        (lambda *_: Support(UNKNOWN, "x"), {"full is supported", "contradicted is refuted", "not unknown"}),
        (lambda *_: Support(NONE, "x"), {"full is supported", "contradicted is refuted"}),
        (lambda *_: Support(CONTRADICTED, "x"), {"full is supported", "contradicted is refuted"}),
    ],
)
def test_a_grader_that_proves_nothing_is_below(
    data: Path, monkeypatch: pytest.MonkeyPatch, says: Callable[..., Support], below: set[str]
) -> None:
    monkeypatch.setattr(support, "weigh", says)
    failed = {
        measured.name.partition(", ")[2]
        for measured in support.measure(data)
        if measured.name.startswith("Factcheck-GPT") and measured.verdict == "BELOW"
    }
    assert {name for name in failed if not name.startswith("held-out")} == below


def compared(ours: Sequence[int], line: Sequence[int]) -> Measured:
    """Rows are numbers, the even ones are right."""
    rows = list(range(1000, 1400))
    return beside(
        "x",
        [rows[at] for at in ours],
        [rows[at] for at in line],
        lambda chosen: sum(row % 2 == 0 for row in chosen),
    )


def test_better_must_be_shown_on_the_rows_that_are_not_shared() -> None:
    shared = list(range(0, 20, 2))
    assert compared(shared, shared).verdict == "not shown"
    assert compared([*shared, 100], [*shared, 101]).verdict == "not shown"
    assert compared([*shared, *range(100, 140, 2)], [*shared, *range(101, 141, 2)]).verdict == "holds"
    assert compared([*shared, 101], [*shared, 100]).verdict == "BELOW"


def test_a_figure_without_a_bar_has_no_verdict() -> None:
    assert Measured(name="x", value=0.0, n=1, low=0.0, high=1.0).verdict == ""
