"""A judge of answers is asked about what the rules leave open, and about nothing that they prove."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pytest_webretrieval.judges.answering import Answered, judge_answers
from pytest_webretrieval.judges.asking import Bench, live
from pytest_webretrieval.judges.lock import lock_for

from .loopback import Model, knows

LOCK = lock_for("some-model", 0.0)


def record(*facts: tuple[str, str], status: str = "answered") -> dict[str, Any]:
    found = [{"fact": f"f{at}", "value": value, "state": state} for at, (value, state) in enumerate(facts)]
    step = {"outcome": {"status": status}, "content": {"facts": found}}
    return {"case": "A", "key": {"trial": 0}, "query": "when does it open", "verdicts": [step]}


def judged(model: Model, folder: Path, answer: str | None, given: dict[str, Any]) -> list[Answered]:
    bench = Bench(LOCK, live(LOCK, model.url, "k"), folder)
    return list(judge_answers([given], lambda _: [answer], partial(bench.judge, "answer")))


@pytest.mark.parametrize(
    ("value", "answer", "by", "verdict"),
    [
        ("half past nine", "At nine thirty in the morning", "judge", "CORRECT"),
        ("cells", "It opens a cell.", "same-roots", "CORRECT"),
        ("9", "at 9 or 10", "one-of-two", "INCORRECT"),
        ("9", "I could not find out.", "nothing-claimed", "NOT_ATTEMPTED"),
    ],
)
def test_rules_decide_first_and_the_judge_where_none_holds(
    model: Model, tmp_path: Path, value: str, answer: str, by: str, verdict: str
) -> None:
    model.say = knows
    (found,) = judged(model, tmp_path, answer, record((value, "missing")))
    assert (found.by, found.verdict) == (by, verdict)
    assert len(model.requests) == (by == "judge")


def test_what_is_proven_is_not_asked_and_what_may_be_read_in_two_ways_is(
    model: Model, tmp_path: Path
) -> None:
    model.say = knows
    facts = ("1", "matched"), ("2", "contradicted"), ("3", "not-fetched"), ("2.450", "ambiguous")
    found = judged(model, tmp_path, "It is 1, 3 and 2.450.", record(*facts))
    assert [(item.fact, item.by) for item in found] == [("f3", "judge")]


def test_without_an_answer_there_is_nothing_to_judge(model: Model, tmp_path: Path) -> None:
    assert judged(model, tmp_path, None, record(("1", "missing"))) == []
    assert judged(model, tmp_path, "No.", record(("1", "missing"), status="declined")) == []


def test_a_quote_that_the_answer_does_not_have_counts_for_nothing(model: Model, tmp_path: Path) -> None:
    model.say = lambda inputs: '{"verdict": "CORRECT", "quote": "half past nine", "reason": "So."}'
    (found,) = judged(model, tmp_path, "At nine thirty", record(("half past nine", "missing")))
    assert (found.verdict, found.reason) == ("ungraded", "the quote does not stand in the source")
