"""Intervals beside Wilson's: exact ones for rates, resampled ones for a mean, and when a maximum bounds a quantile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, sqrt
from random import Random
from statistics import NormalDist, fmean

from .statistics import at_most

_NORMAL = NormalDist()
_TAIL = 0.025
_Z95 = 1.959963984540054
_STEPS = 60


def wilson_corrected(right: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval with continuity correction (Newcombe, Statistics in Medicine 17, 1998, method 4)."""
    z, rate = _Z95, right / n
    scale = 2 * (n + z * z)
    low = (2 * right + z * z - 1 - z * sqrt(z * z - 2 - 1 / n + 4 * rate * (n * (1 - rate) + 1))) / scale
    high = (2 * right + z * z + 1 + z * sqrt(z * z + 2 - 1 / n + 4 * rate * (n * (1 - rate) - 1))) / scale
    return (0.0 if right == 0 else low), (1.0 if right == n else high)


def clopper_pearson(right: int, n: int) -> tuple[float, float]:
    """The exact 95 % interval of a rate."""
    low = 0.0 if right == 0 else _where(lambda rate: at_most(right - 1, n, rate) > 1 - _TAIL)
    high = 1.0 if right == n else _where(lambda rate: at_most(right, n, rate) > _TAIL)
    return low, high


def _where(holds: Callable[[float], bool]) -> float:
    """The rate up to which a condition holds."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def runs_for_bound(order: int, quantile: float = 0.95, confidence: float = 0.95) -> int:
    """The fewest runs of which the ``order``-th largest is above the quantile with this confidence (Wilks, 1941)."""
    n = order
    while at_most(n - order, n, quantile) < confidence:
        n += 1
    return n


def mean_intervals(xs: Sequence[float], resamples: int, seed: int) -> dict[str, tuple[float, float]]:
    """95 % bootstrap intervals of the mean: ``basic``, ``percentile`` and ``BCa`` (Efron, JASA 82, 1987)."""
    draw, n, mean = Random(seed), len(xs), fmean(xs)
    means = sorted(sum(draw.choices(xs, k=n)) / n for _ in range(resamples))
    low, high = _at(means, _TAIL), _at(means, 1 - _TAIL)
    bias = _NORMAL.inv_cdf(sum(one < mean for one in means) / resamples)
    left_out = [(n * mean - x) / (n - 1) for x in xs]
    spread = [fmean(left_out) - one for one in left_out]
    acceleration = sum(d**3 for d in spread) / (6 * sum(d * d for d in spread) ** 1.5)

    def adjusted(tail: float) -> float:
        z = bias + _NORMAL.inv_cdf(tail)
        return _at(means, _NORMAL.cdf(bias + z / (1 - acceleration * z)))

    return {
        "basic": (2 * mean - high, 2 * mean - low),
        "percentile": (low, high),
        "BCa": (adjusted(_TAIL), adjusted(1 - _TAIL)),
    }


def _at(ordered: Sequence[float], share: float) -> float:
    """The nearest-rank quantile."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]
