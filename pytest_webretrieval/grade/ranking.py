"""Measures of one ranked list against graded relevance, as trec_eval defines them; 0 where nothing was returned.

A ranking is the documents in order of rank; a relevance of 1 or more is relevant, and what is not judged is not. A
document that is listed twice counts once, at its best rank: what came twice is for the caller to count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2


def distinct(ranking: Sequence[str]) -> tuple[str, ...]:
    """The documents of a ranking, each at its best rank."""
    return tuple(dict.fromkeys(ranking))


def precision_at(k: int, ranking: Sequence[str], relevance: Mapping[str, int]) -> float:
    """P@k: the share of the first ``k`` ranks that hold a relevant document; an empty rank holds none."""
    return sum(relevance.get(name, 0) > 0 for name in distinct(ranking)[:k]) / k


def reciprocal_rank(ranking: Sequence[str], relevance: Mapping[str, int]) -> float:
    """1 over the rank of the first relevant document, however deep."""
    ranks = (rank for rank, name in enumerate(distinct(ranking), 1) if relevance.get(name, 0) > 0)
    first = next(ranks, None)
    return 1 / first if first is not None else 0.0


def hit_at(k: int, ranking: Sequence[str], relevance: Mapping[str, int]) -> float:
    """Success at ``k``: 1 where one of the first ``k`` documents is relevant."""
    return float(any(relevance.get(name, 0) > 0 for name in distinct(ranking)[:k]))


def ndcg_at(k: int, ranking: Sequence[str], relevance: Mapping[str, int]) -> float:
    """nDCG at ``k`` with linear gain: relevance over log2(rank + 1), by the same of the best ranking there can be."""
    best = _dcg(sorted(relevance.values(), reverse=True)[:k])
    return _dcg([relevance.get(name, 0) for name in distinct(ranking)[:k]]) / best if best else 0.0


def _dcg(gains: Sequence[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1) if gain > 0)
