"""The few statistics that gates and summaries use, from counts alone; no normal approximation at small n."""

from __future__ import annotations

from bisect import bisect_right
from math import comb, exp, lgamma, log, log1p, sqrt

ALPHA, POWER = 0.05, 0.8
_Z95 = 1.959963984540054
_STEPS = 60  # of a bisection: 1 / 2**60 is finer than a float near 1


def wilson(right: int, n: int, z: float = _Z95) -> tuple[float, float]:
    """Wilson's score interval for a proportion, at 95 %, without continuity correction (E. B. Wilson, JASA 22, 1927;
    method 3 of Newcombe, Statistics in Medicine 17, 1998). ``n`` is at least 1."""
    share, extra = right / n, z * z / n
    middle = (share + extra / 2) / (1 + extra)
    half = z * sqrt(share * (1 - share) / n + extra / (4 * n)) / (1 + extra)
    return max(0.0, middle - half), min(1.0, middle + half)


def at_most(right: int, n: int, rate: float) -> float:
    """The probability of ``right`` successes or fewer in ``n`` independent trials at ``rate`` (exact binomial)."""
    if right < 0:
        return 0.0
    if right >= n or rate <= 0:
        return 1.0
    if rate >= 1:
        return 0.0
    chance, against = log(rate), log1p(-rate)
    ways = lgamma(n + 1)
    terms = (
        exp(ways - lgamma(k + 1) - lgamma(n - k + 1) + k * chance + (n - k) * against)
        for k in range(right + 1)
    )
    return min(1.0, sum(terms))


def pass_at(k: int, n: int, right: int) -> float:
    """pass@k, the chance that at least one of ``k`` trials passes, from ``right`` passes in ``n`` >= ``k`` trials:
    ``1 - C(n - right, k) / C(n, k)``. Unbiased (Chen et al., Evaluating Large Language Models Trained on Code, 2021,
    equation 1)."""
    return 1 - comb(n - right, k) / comb(n, k)


def pass_all(k: int, n: int, right: int) -> float:
    """pass^k, the chance that all of ``k`` trials pass: ``C(right, k) / C(n, k)``. Unbiased (Yao et al., tau-bench,
    2024, section 3)."""
    return comb(right, k) / comb(n, k)


def smallest_drop(n: int, rate: float, alpha: float = ALPHA, power: float = POWER) -> float | None:
    """The smallest fall from ``rate`` that ``n`` independent outcomes would show with probability ``power``, by a
    one-sided exact binomial test at ``alpha``; ``rate`` is taken as it stands. None where no outcome would show one.

    Null hypothesis: the rate is ``rate``. It is rejected at ``c`` successes or fewer, the largest c with
    ``P(X <= c | rate) <= alpha``; the answer is ``rate - p`` with ``P(X <= c | p) = power`` (e.g. Chow, Shao, Wang,
    Sample Size Calculations in Clinical Research, chapter 5).
    """
    limit = bisect_right(range(n), alpha, key=lambda right: at_most(right, n, rate)) - 1
    if limit < 0:
        return None
    low, high = 0.0, rate
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if at_most(limit, n, middle) >= power:
            low = middle
        else:
            high = middle
    return rate - low
