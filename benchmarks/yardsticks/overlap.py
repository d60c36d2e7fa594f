"""A grader's choice of rows beside as many that another line would choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pytest_webretrieval.gates.comparison import difference
from pytest_webretrieval.gates.statistics import wilson

from .measured import Measured

T = TypeVar("T")


def beside(
    name: str, ours: Sequence[T], line: Sequence[T], right: Callable[[Sequence[T]], int], note: str = ""
) -> Measured:
    """The share of our rows that are right, with that of the line's as its bar. Rows that both chose are the same on
    either side and cancel; of the others none is paired with one of the line's, so that two independent rates are
    compared (Newcombe's interval). Better is shown where that interval is above 0."""
    n = len(ours)
    shared = {id(row) for row in ours} & {id(row) for row in line}
    own = [row for row in ours if id(row) not in shared]
    theirs = [row for row in line if id(row) not in shared]
    low, high = difference(right(own), len(own), right(theirs), len(theirs)) if own and theirs else (0.0, 0.0)
    told = (
        f"overlap here {right(line) / n:.3f}; {len(shared)} of {n} rows shared, of the others {right(own)} and "
        f"{right(theirs)} of {len(own)}, not paired: [{low:+.2f}, {high:+.2f}]; {note}"
    )
    bounds = wilson(right(ours), n)
    return Measured(
        name=name, value=right(ours) / n, n=n, low=bounds[0], high=bounds[1], bar=right(line) / n,
        note=told, is_shown=low > 0,
    )  # fmt: skip
