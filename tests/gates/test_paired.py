"""Shifts between nights against published figures, and against what must hold."""

from __future__ import annotations

from math import inf
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.gates.intervals import runs_for_bound
from pytest_webretrieval.gates.paired import (
    apart,
    clustered,
    hodges_lehmann,
    hodges_lehmann_interval,
    p95,
    student,
)

# Hamilton's depression scale before and after a tranquilliser (Hollander and Wolfe, table 3.1).
BEFORE = (1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30)
AFTER = (0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29)


def test_hodges_and_lehmann_agree_with_hollander_and_wolfe() -> None:
    moved = [after - before for before, after in zip(BEFORE, AFTER, strict=True)]
    assert hodges_lehmann(moved) == pytest.approx(-0.46, abs=0.001)
    assert hodges_lehmann_interval(moved) == pytest.approx((-0.786, -0.010), abs=0.001)


def test_five_pairs_bound_nothing_and_six_do() -> None:
    assert hodges_lehmann_interval([1.0, 2.0, 3.0, 4.0, 5.0]) == (-inf, inf)
    assert hodges_lehmann_interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) == (1.0, 6.0)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        (1, 12.7062),
        (2, 4.3027),
        (3, 3.1824),
        (4, 2.7764),
        (9, 2.2622),
        (19, 2.0930),
        (30, 2.0423),
        (100, 1.9840),
    ],
)
def test_students_quantiles_are_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=5e-5)


@given(st.lists(st.floats(-10, 10), min_size=3, max_size=12, unique=True))
def test_what_is_apart_is_a_prediction_interval_about_the_mean(levels: list[float]) -> None:
    n = len(levels)
    own = [level - (sum(levels) - level) / (n - 1) for level in levels]
    expected = student(n - 1) * stdev(levels) * (1 + 1 / n) ** 0.5
    assert apart(own) == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_nothing_is_apart_from_one_night() -> None:
    assert apart([]) == apart([0.1]) == inf


def test_a_p95_has_a_bound_from_59_values_on() -> None:
    assert runs_for_bound(1) == 59
    assert p95(range(58)) is None
    assert p95(range(59)) == (56, 58)
    assert p95(range(93)) == (88, 91)


def test_cases_are_drawn_and_not_runs() -> None:
    """Ten runs of one case say no more than one where they are always alike: the interval of two cases that differ
    goes from the one to the other."""
    pairs = [([(1.0, 1.0)] * 10, [(0.0, 1.0)] * 10), ([(0.0, 1.0)] * 10, [(0.0, 1.0)] * 10)]
    low, high = clustered(pairs, lambda drawn: sum(part for (part, _), _ in drawn) / len(drawn), 0)
    assert (low, high) == (0.0, 1.0)
