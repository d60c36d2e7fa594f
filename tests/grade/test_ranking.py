from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.grade.ranking import distinct, hit_at, ndcg_at, precision_at, reciprocal_rank

RELEVANCE = {"a": 2, "b": 1, "c": 0}


def test_measures_by_hand() -> None:
    ranking = ("x", "b", "a")
    assert precision_at(1, ranking, RELEVANCE) == 0
    assert precision_at(5, ranking, RELEVANCE) == 2 / 5
    assert reciprocal_rank(ranking, RELEVANCE) == 1 / 2
    assert (hit_at(1, ranking, RELEVANCE), hit_at(2, ranking, RELEVANCE)) == (0, 1)
    assert ndcg_at(5, ranking, RELEVANCE) == pytest.approx(
        (1 / 1.584962500721156 + 2 / 2) / (2 + 1 / 1.584962500721156)
    )


def test_nothing_returned_or_nothing_relevant_is_0() -> None:
    for ranking, relevance in (((), RELEVANCE), (("x", "c"), RELEVANCE), (("a",), {"a": 0})):
        for measure in (precision_at, hit_at, ndcg_at):
            assert measure(5, ranking, relevance) == 0
        assert reciprocal_rank(ranking, relevance) == 0


@given(st.lists(st.sampled_from("abcxyz")))
def test_a_document_that_comes_twice_counts_once(ranking: list[str]) -> None:
    assert ndcg_at(5, ranking, RELEVANCE) == ndcg_at(5, distinct(ranking), RELEVANCE) <= 1
    assert reciprocal_rank(ranking, RELEVANCE) == reciprocal_rank(distinct(ranking), RELEVANCE)
