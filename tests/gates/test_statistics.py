"""The statistics against published figures, and against what must hold for any counts."""

from __future__ import annotations

import json
import os
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webretrieval.gates.statistics import (
    ALPHA,
    POWER,
    at_most,
    pass_all,
    pass_at,
    smallest_drop,
    wilson,
)

DATA = Path(os.environ.get("WEBRETRIEVAL_DATA") or Path(__file__).parents[3] / "shared" / "data")
ANSWERS = DATA / "stats" / "known-answers.json"

counts = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
rates = st.floats(0, 1)


@pytest.fixture(scope="module")
def known() -> dict[str, Any]:
    if not ANSWERS.is_file():
        pytest.skip(f"{ANSWERS.name} is not here; WEBRETRIEVAL_DATA names its folder")
    loaded: dict[str, Any] = json.loads(ANSWERS.read_text(encoding="utf-8"))
    return loaded


def test_wilson_is_newcombes_third_method(known: dict[str, Any]) -> None:
    for right, n, low, high in known["wilson_no_cc"]["cases"]:
        assert wilson(right, n) == pytest.approx((low, high), abs=5e-5)


def test_the_binomial_tail_is_clopper_and_pearsons(known: dict[str, Any]) -> None:
    """At the upper limit of their exact interval, as few successes as these have a chance of 2.5 %."""
    for right, n, low, high in known["clopper_pearson"]:
        assert at_most(right, n, high - 5e-5) > 0.025 > at_most(right, n, high + 5e-5)
        if right:
            assert at_most(right - 1, n, low - 5e-5) > 0.975 > at_most(right - 1, n, low + 5e-5)


def test_the_binomial_tail_is_mcnemars_exact_test(known: dict[str, Any]) -> None:
    for fewer, more, p in known["mcnemar"]["exact"]:
        assert 2 * at_most(fewer, fewer + more, 0.5) == pytest.approx(p)


def test_below_59_runs_no_maximum_bounds_a_p95(known: dict[str, Any]) -> None:
    """Wilks: the chance that none of n lies above the 95th percentile is at most 5 % from n = 59 on."""
    first, second = known["wilks_min_n_for_95_95_upper_bound"]["order 1..5 from the top"][:2]
    for order, n in ((0, first), (1, second)):
        assert at_most(order, n, 0.05) <= 0.05 < at_most(order, n - 1, 0.05)


@settings(deadline=None)
@given(counts, rates)
def test_the_tail_is_the_sum_of_its_terms(count: tuple[int, int], rate: float) -> None:
    right, n = count
    terms = sum(comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(right + 1))
    assert at_most(right, n, rate) == pytest.approx(terms, abs=1e-9)


@settings(deadline=None)
@given(counts)
def test_wilson_holds_the_share_and_is_symmetric(count: tuple[int, int]) -> None:
    right, n = count
    low, high = wilson(right, n)
    assert 0 <= low <= right / n + 1e-12
    assert right / n - 1e-12 <= high <= 1
    assert wilson(n - right, n) == pytest.approx((1 - high, 1 - low))


@settings(deadline=None)
@given(st.integers(1, 8).flatmap(lambda k: st.tuples(st.just(k), st.integers(k, 10))), rates)
def test_the_estimators_have_no_bias(sizes: tuple[int, int], rate: float) -> None:
    """Their mean over what n trials may come to is the chance itself: 1 - (1 - p)^k and p^k."""
    k, n = sizes
    chances = [comb(n, right) * rate**right * (1 - rate) ** (n - right) for right in range(n + 1)]
    mean_any = sum(chance * pass_at(k, n, right) for right, chance in enumerate(chances))
    mean_all = sum(chance * pass_all(k, n, right) for right, chance in enumerate(chances))
    assert mean_any == pytest.approx(1 - (1 - rate) ** k, abs=1e-9)
    assert mean_all == pytest.approx(rate**k, abs=1e-9)


def test_the_smallest_drop_from_all_is_where_one_failure_becomes_likely() -> None:
    """From 100 % one failure is enough, so the rate that shows one with 80 % is 0.2 ** (1 / n)."""
    for n in (1, 5, 30, 90, 10_000):
        assert smallest_drop(n, 1.0) == pytest.approx(1 - (1 - POWER) ** (1 / n), abs=1e-9)


@settings(deadline=None)
@given(st.integers(1, 120), st.floats(0.05, 1))
def test_the_smallest_drop_is_seen_with_the_power_and_never_by_chance(n: int, rate: float) -> None:
    drop = smallest_drop(n, rate)
    limits = [c for c in range(n) if at_most(c, n, rate) <= ALPHA]
    if drop is None:
        assert not limits
    else:
        assert 0 < drop <= rate
        assert at_most(limits[-1], n, rate - drop) == pytest.approx(POWER, abs=1e-6)


def test_too_few_cases_see_no_drop() -> None:
    assert smallest_drop(3, 0.5) is None
