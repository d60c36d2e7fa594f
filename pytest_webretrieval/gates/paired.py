"""A night against the nights before it, case by case: shifts with intervals, and how much nights vary by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from math import atan, ceil, cos, inf, isfinite, pi, sin, sqrt
from random import Random
from statistics import median, stdev

from .statistics import at_most

# One run as (part, whole): 1 of 1 success, 3 of 4 claims borne out, dollars for one success.
Run = tuple[float, float]
Runs = Sequence[Run]
# The runs of one case: tonight's, and those of the nights before.
Pair = tuple[Runs, Runs]
# The mean run of each.
Means = tuple[Run, Run]

RESAMPLES = 1000
_TAIL = 0.025
_STEPS = 60


def means(pairs: Sequence[Pair]) -> list[Means]:
    """Every case once, however often it ran."""
    return [(_mean(now), _mean(before)) for now, before in pairs]


def _mean(runs: Runs) -> Run:
    return sum(part for part, _ in runs) / len(runs), sum(whole for _, whole in runs) / len(runs)


def clustered(
    pairs: Sequence[Pair], shift: Callable[[Sequence[Means]], float], seed: int
) -> tuple[float, float]:
    """95 % percentile interval of ``shift``: cases are drawn anew, then the runs within each, as runs of one case are
    not independent (Davison and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8)."""
    draw, n = Random(seed), len(pairs)
    drawers = [(_drawer(now, draw), _drawer(before, draw)) for now, before in pairs]
    found = sorted(
        shift([(now(), before()) for now, before in draw.choices(drawers, k=n)]) for _ in range(RESAMPLES)
    )
    return found[ceil(_TAIL * RESAMPLES) - 1], found[ceil((1 - _TAIL) * RESAMPLES) - 1]


def _drawer(runs: Runs, draw: Random) -> Callable[[], Run]:
    """Draws the mean of as many runs, with repetition."""
    if len(set(runs)) == 1:
        only = runs[0]
        return lambda: only
    return lambda: _mean(draw.choices(runs, k=len(runs)))


def hodges_lehmann(differences: Sequence[float]) -> float:
    """The median of all averages of two differences, each with itself too: what a typical pair moved by."""
    return median(_walsh(differences))


def hodges_lehmann_interval(differences: Sequence[float]) -> tuple[float, float]:
    """Its 95 % interval by the exact distribution of Wilcoxon's signed ranks (Hollander, Wolfe and Chicken,
    Nonparametric Statistical Methods, 2014, section 3.3). Fewer than six pairs bound nothing."""
    n = len(differences)
    ways = [1]
    for rank in range(1, n + 1):
        longer = [*ways, *[0] * rank]
        for at, count in enumerate(ways):
            longer[at + rank] += count
        ways = longer
    below, place = 0, 0
    while (below + ways[place]) / 2**n <= _TAIL:
        below += ways[place]
        place += 1
    if place == 0:
        return -inf, inf
    averages = _walsh(differences)
    return averages[place - 1], averages[-place]


def _walsh(differences: Sequence[float]) -> list[float]:
    return sorted((x + y) / 2 for x, y in combinations_with_replacement(differences, 2))


def apart(own: Sequence[float]) -> float:
    """How far one more night must be from those before it to be none of them: half of a 95 % prediction interval
    (Student's t). ``own`` is, for each night before, its shift from the others of them; with fewer than two nothing is
    far enough."""
    n = len(own)
    if n < 2 or not all(map(isfinite, own)):
        return inf
    # A night is part of the mean that tonight is compared with, but not of the mean of the others.
    spread = stdev(own) * (n - 1) / n
    return student(n - 1) * spread * sqrt(1 + 1 / n)


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t, for whole degrees of freedom of 1 or more."""
    low, high = 0.0, 13.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < 1 - 2 * _TAIL else (low, middle)
    return high


def _within(t: float, freedom: int) -> float:
    """The chance of -t to t (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4)."""
    angle = atan(t / sqrt(freedom))
    term = total = cos(angle) if freedom % 2 else 1.0
    for at in range(3 if freedom % 2 else 2, freedom - 1, 2):
        term *= cos(angle) ** 2 * (at - 1) / at
        total += term
    if freedom % 2 == 0:
        return sin(angle) * total
    return 2 / pi * (angle + (sin(angle) * total if freedom > 1 else 0.0))


def p95(values: Sequence[float]) -> tuple[float, float] | None:
    """The nearest-rank p95, and the value that it is below with 95 % confidence whatever the distribution (Wilks,
    1941). None under 59 values: there even the largest bounds nothing."""
    ordered, n = sorted(values), len(values)
    bound = next((k for k in range(ceil(0.95 * n), n + 1) if at_most(k - 1, n, 0.95) >= 0.95), None)
    return None if bound is None else (ordered[ceil(0.95 * n) - 1], ordered[bound - 1])
