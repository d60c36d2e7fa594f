"""A judge of relevance grades each result of a search once; the figures are those of the order."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from pytest_webretrieval.grade.replies import Result
from pytest_webretrieval.judges.asking import Bench, live
from pytest_webretrieval.judges.lock import lock_for
from pytest_webretrieval.judges.serving import Order, Served, judge_results, order_of

from .loopback import Model

LOCK = lock_for("some-model", 0.0)
RECORD = {"case": "A", "key": {"trial": 0}, "query": "price of the ferry"}


def served(model: Model, folder: Path, searches: dict[int, list[Result]]) -> list[Served]:
    """What a judge says whose grade is the digit that a result ends in."""

    def say(inputs: dict[str, str]) -> str:
        grade = inputs["result"][-1]
        return json.dumps({"verdict": grade, "quote": inputs["result"], "reason": "So."})

    model.say = say
    bench = Bench(LOCK, live(LOCK, model.url, "k"), folder)
    return list(judge_results([RECORD], lambda _: searches.items(), partial(bench.judge, "relevance")))


def test_each_result_is_graded_and_the_same_one_once(model: Model, tmp_path: Path) -> None:
    same = Result("https://a.test/", "about ferries 1")
    found = served(
        model,
        tmp_path,
        {1: [same, Result("https://b.test/", ""), Result("https://c.test/", "the price 4")], 7: [same]},
    )
    assert [(item.attempt, item.rank, item.url, item.verdict) for item in found] == [
        (1, 1, "https://a.test/", "1"),
        (1, 2, "https://c.test/", "4"),
        (7, 1, "https://a.test/", "1"),
    ]
    assert len(model.requests) == 2
    assert {body["messages"][1]["content"].partition('", ')[0] for body in model.requests} == {
        '{"query": "price of the ferry'
    }


def test_the_order_of_what_was_served_is_measured(model: Model, tmp_path: Path) -> None:
    results = [Result(f"https://{grade}.test/", f"says {grade}") for grade in (1, 4, 0)]
    order = order_of(served(model, tmp_path, {1: results}))
    assert order is not None
    # 1/log2(2) + 4/log2(3) over 4/log2(2) + 1/log2(3)
    assert order == Order(
        searches=1,
        first_helps=0.0,
        one_of_five_helps=1.0,
        reciprocal_rank=0.5,
        ndcg_at_10=pytest.approx(0.76091, abs=1e-4),
    )


def test_a_search_with_a_result_that_nobody_could_grade_has_no_figure(model: Model, tmp_path: Path) -> None:
    found = served(model, tmp_path, {1: [Result("https://a.test/", "what? 9")]})
    assert [item.verdict for item in found] == ["ungraded"]
    assert order_of(found) is None
    assert order_of([]) is None
