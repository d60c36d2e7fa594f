"""Comparisons, intervals, looks and drift, on figures that can be worked out by hand or are in textbooks."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.gates import comparison, drift, intervals, looks


def test_five_flips_one_way_are_chance_and_six_are_not() -> None:
    assert comparison.mcnemar(0, 5) == pytest.approx(0.0625)
    assert comparison.mcnemar(6, 0) == pytest.approx(0.03125)
    assert comparison.mcnemar(0, 0) == comparison.mcnemar(4, 4) == 1.0


def test_a_difference_of_nothing_from_nothing_is_not_certain() -> None:
    assert comparison.difference(0, 10, 0, 10) == pytest.approx((-0.2775, 0.2775), abs=5e-5)
    low, high = comparison.difference(9, 10, 3, 10)
    assert low < 0.6 < high
    assert comparison.difference(3, 10, 9, 10) == pytest.approx((-high, -low))


def test_the_ranks_of_separate_samples_are_the_rarest() -> None:
    assert comparison.mann_whitney([1, 2, 3], [4, 5, 6]) == (0.0, pytest.approx(2 / 20))
    assert comparison.mann_whitney([4, 5, 6], [1, 2, 3]) == (9.0, pytest.approx(2 / 20))


def test_signs_are_flipped_in_every_way() -> None:
    assert comparison.sign_flips([1, 2, 3]) == (2, 8)
    assert comparison.sign_flips([1, -1]) == (4, 4)
    assert comparison.signed_ranks([1, 2, 3]) == (0.0, 0.25)
    with pytest.raises(ValueError, match="exact only where"):
        comparison.signed_ranks([1, -1])


def test_discoveries_are_more_than_bonferroni_allows() -> None:
    ps = [0.01, 0.02, 0.03, 0.04, 0.05]
    assert comparison.discoveries(ps) == 5
    assert comparison.rejected_by_bonferroni(ps) == 1
    assert comparison.discoveries([0.5, 0.9]) == 0


@given(st.integers(1, 100).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_exact_interval_holds_its_rate_and_the_plain_one(counts: tuple[int, int]) -> None:
    right, n = counts
    low, high = intervals.clopper_pearson(right, n)
    assert low <= right / n <= high
    corrected = intervals.wilson_corrected(right, n)
    assert 0 <= corrected[0] <= right / n <= corrected[1] <= 1


def test_a_maximum_bounds_the_median_from_five_runs_on() -> None:
    """1 - 0.5 ** 5 is the first power above 95 %."""
    assert intervals.runs_for_bound(1, quantile=0.5) == 5
    assert intervals.runs_for_bound(1) == math.ceil(math.log(0.05) / math.log(0.95)) == 59


def test_one_look_is_the_plain_test() -> None:
    assert looks.pocock(1) == pytest.approx((1.95996,), abs=1e-4)
    assert looks.obrien_fleming(1) == pytest.approx((1.95996,), abs=1e-4)
    first, last = looks.obrien_fleming(2)
    assert first == pytest.approx(last * math.sqrt(2))


def _noisy(levels: list[float], length: int = 30) -> list[float]:
    draw = Random(3)
    return [draw.gauss(level, 1) for level in levels for _ in range(length)]


def test_a_step_is_found_where_it_is() -> None:
    assert drift.steps(_noisy([10, 20])) == [30]
    assert drift.change_points(_noisy([10, 20, 10], 20)) == [20, 40]


def test_a_level_series_has_no_step() -> None:
    assert drift.steps(_noisy([10, 10])) == drift.steps([5.0] * 60) == []
    assert drift.change_points([5.0] * 30) == []


def test_one_level_series_in_twenty_seems_to_change() -> None:
    """The error rate is what it says: 8 of 60 or more would come by chance in one of a hundred such tests."""
    draw = Random(5)
    series = [[draw.gauss(10, 1) for _ in range(20)] for _ in range(60)]
    assert sum(bool(drift.change_points(one, permutations=39)) for one in series) < 8


def test_a_step_needs_what_follows_it() -> None:
    series = _noisy([10, 20])
    assert drift.steps(series[:41]) == []
    assert drift.steps(series[:43]) == [30]
