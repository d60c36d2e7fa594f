"""Ranking measures beside trec_eval's own figures, and beside its Python build on random rankings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from pytest_webretrieval.grade.ranking import hit_at, ndcg_at, precision_at, reciprocal_rank

from .measured import Measured, every

RANKINGS, SEED = 10_000, 7
EQUAL = 1e-9
MEASURED = {"P.1,5", "recip_rank", "success.1,5,10", "ndcg_cut.5,10"}
MEASURES: dict[str, Callable[[Sequence[str], Mapping[str, int]], float]] = {
    "P_1": lambda ranking, relevance: precision_at(1, ranking, relevance),
    "P_5": lambda ranking, relevance: precision_at(5, ranking, relevance),
    "recip_rank": reciprocal_rank,
    "success_1": lambda ranking, relevance: hit_at(1, ranking, relevance),
    "success_5": lambda ranking, relevance: hit_at(5, ranking, relevance),
    "success_10": lambda ranking, relevance: hit_at(10, ranking, relevance),
    "ndcg_cut_5": lambda ranking, relevance: ndcg_at(5, ranking, relevance),
    "ndcg_cut_10": lambda ranking, relevance: ndcg_at(10, ranking, relevance),
}


def measure(data: Path) -> Iterator[Measured]:
    yield _printed(data / "ir")
    yield _random()


def _printed(folder: Path) -> Measured:
    """The values that trec_eval printed for its own test files, to its four places."""
    relevance: dict[str, dict[str, int]] = defaultdict(dict)
    for line in (folder / "qrels.test").read_text(encoding="ascii").splitlines():
        query, _, name, grade = line.split()
        relevance[query][name] = int(grade)
    scored: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for line in (folder / "results.test").read_text(encoding="ascii").splitlines():
        query, _, name, _, score, _ = line.split()
        scored[query].append((float(score), name))
    # Equal scores: by descending name, as trec_eval has it; the rank that is written in the file does not count.
    rankings = {query: [name for _, name in sorted(pairs, reverse=True)] for query, pairs in scored.items()}
    rows = (folder / "expected.trec_eval.txt").read_text(encoding="ascii").split("\n")
    expected = [line.split() for line in rows if line and line.split()[1] != "all"]
    wrong = [
        f"{name} of {query}"
        for name, query, value in expected
        if abs(MEASURES[name](rankings[query], relevance[query]) - float(value)) > 5.1e-5
    ]
    return every("trec_eval's own test files", len(expected), wrong)


def _random() -> Measured:
    import pytrec_eval

    draw = Random(SEED)
    relevance: dict[str, dict[str, int]] = {}
    rankings: dict[str, list[str]] = {}
    for number in range(RANKINGS):
        pool = [f"d{at}" for at in range(draw.randint(1, 40))]
        judged = draw.sample(pool, draw.randint(1, len(pool)))
        relevance[f"q{number}"] = {name: draw.choice((0, 0, 0, 1, 1, 2, 3)) for name in judged}
        rankings[f"q{number}"] = draw.sample(pool, draw.randint(0, len(pool)))
    # Scores fall with the rank, so that no two are equal.
    scores = {
        query: {name: float(len(names) - at) for at, name in enumerate(names)}
        for query, names in rankings.items()
    }
    evaluated = pytrec_eval.RelevanceEvaluator(relevance, MEASURED).evaluate(scores)
    wrong = [
        f"{name} of {query}"
        for query, names in rankings.items()
        for name, compute in MEASURES.items()
        # A query without results is missing from its answer, and counts as 0.
        if abs(compute(names, relevance[query]) - (evaluated[query][name] if names else 0.0)) > EQUAL
    ]
    return every(f"pytrec_eval on random rankings, {len(MEASURES)} measures", RANKINGS * len(MEASURES), wrong)
