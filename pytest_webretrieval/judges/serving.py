"""A judge's word on what searches brought, and how good their order was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_webretrieval.grade.ranking import hit_at, ndcg_at, precision_at, reciprocal_rank
from pytest_webretrieval.grade.replies import Result

from .parsing import UNGRADED
from .settling import Opine

# A part of what is asked, at least: what is on the subject and no help does not count as found.
HELPS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One result of one search (the attempt of that number), ``rank`` from 1; ``verdict`` is ``0`` to ``4`` or
    ``ungraded``."""

    case: str
    trial: int
    attempt: int
    rank: int
    url: str
    verdict: str
    quote: str
    reason: str


def judge_results(
    records: Iterable[Mapping[str, Any]],
    searches: Callable[[Mapping[str, Any]], Iterable[tuple[int, Sequence[Result]]]],
    opine: Opine,
) -> Iterator[Served]:
    """Every result of every search, asked with the case's question as ``query`` and what the reply says of the page as
    ``result``. ``searches`` gives the results of each search of a record, by the number of the attempt; those of
    which the reply says nothing are passed over. Raises JudgeError where the judge cannot be asked."""
    for record in records:
        for attempt, found in searches(record):
            told = [result for result in found if result.text]
            for rank, result in enumerate(told, 1):
                opinion = opine({"query": record["query"], "result": result.text})
                yield Served(
                    case=record["case"],
                    trial=record["key"]["trial"],
                    attempt=attempt,
                    rank=rank,
                    url=result.url,
                    verdict=opinion.verdict,
                    quote=opinion.quote,
                    reason=opinion.reason,
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Means over searches. nDCG is against the best order of what each search brought, so that it says nothing of what
    none brought."""

    searches: int
    first_helps: float
    one_of_five_helps: float
    reciprocal_rank: float
    ndcg_at_10: float


def order_of(served: Iterable[Served]) -> Order | None:
    """How good the orders were, over the searches of which every result was graded; None where there is none."""
    searches: dict[tuple[str, int, int], list[Served]] = {}
    for item in served:
        searches.setdefault((item.case, item.trial, item.attempt), []).append(item)
    graded = [found for found in searches.values() if all(item.verdict != UNGRADED for item in found)]
    if not graded:
        return None
    figures = [_figures(found) for found in graded]
    means = [sum(column) / len(figures) for column in zip(*figures, strict=True)]
    return Order(
        searches=len(graded),
        first_helps=means[0],
        one_of_five_helps=means[1],
        reciprocal_rank=means[2],
        ndcg_at_10=means[3],
    )


def _figures(found: Sequence[Served]) -> tuple[float, float, float, float]:
    ranking = [item.url for item in found]
    grades: dict[str, int] = {}
    for item in found:
        grades[item.url] = max(int(item.verdict), grades.get(item.url, 0))
    helps = {url: int(grade >= HELPS) for url, grade in grades.items()}
    return (
        precision_at(1, ranking, helps),
        hit_at(5, ranking, helps),
        reciprocal_rank(ranking, helps),
        ndcg_at(10, ranking, grades),
    )
