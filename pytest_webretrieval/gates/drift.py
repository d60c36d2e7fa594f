"""Where a series of measurements over time changed its level."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf, sqrt
from random import Random


def steps(
    series: Sequence[float], *, back: tuple[int, int] = (12, 24), ahead: int = 12, threshold: float = 7.0
) -> list[int]:
    """Positions at which the level moves, by the rule of Mozilla's Perfherder.

    There the t statistic between up to ``back[1]`` points before (at least ``back[0]``; the nearer, the heavier) and
    ``ahead`` points from there on is above the threshold and no smaller than at both neighbours.
    """
    least, most = back
    scores = [0.0] * len(series)
    quiet = 0  # points since the last score above the threshold: a new level has no long past
    for at in range(1, len(series)):
        reach = min(max(quiet, least), most)
        before, after = series[max(0, at - reach) : at][::-1], series[at : at + ahead]
        scores[at] = abs(_t(before, after))
        quiet = 0 if scores[at] > threshold else quiet + 1
    return [
        at
        for at in range(least, len(series) - ahead)
        if scores[at] > threshold and scores[at] >= max(scores[at - 1], scores[at + 1])
    ]


def _t(before: Sequence[float], after: Sequence[float]) -> float:
    """Welch's t of two windows, of which the points count the less the farther they are from the border."""
    means, errors = [], []
    for window in (before, after):
        weights = [(len(window) - at) / len(window) for at in range(len(window))]
        mean = sum(w * x for w, x in zip(weights, window, strict=True)) / sum(weights)
        means.append(mean)
        squares = sum((x - mean) ** 2 for x in window)
        errors.append(squares / (len(window) - 1) / len(window) if len(window) > 1 else 0.0)
    move = means[1] - means[0]
    if move == 0:
        return 0.0
    return move / sqrt(sum(errors)) if any(errors) else inf


def change_points(
    series: Sequence[float], *, permutations: int = 199, seed: int = 0, alpha: float = 0.05
) -> list[int]:
    """Positions at which the distribution changes, in order: E-divisive means (Matteson, James, JASA 109, 2014).

    The split with the greatest energy distance counts, as long as a permutation test within the segments finds it
    significant; ``seed`` is of the permutations."""
    draw = Random(seed)
    found: list[int] = []
    while True:
        bounds = [0, *sorted(found), len(series)]
        segments = [series[low:high] for low, high in pairwise(bounds)]
        energy, at = _best(segments, bounds)
        if at is None:
            break
        beaten = sum(
            _best([draw.sample(segment, len(segment)) for segment in segments], bounds)[0] >= energy
            for _ in range(permutations)
        )
        if (beaten + 1) / (permutations + 1) > alpha:
            break
        found.append(at)
    return sorted(found)


def _best(segments: Sequence[Sequence[float]], bounds: Sequence[int]) -> tuple[float, int | None]:
    best: tuple[float, int | None] = (0.0, None)
    for segment, start in zip(segments, bounds, strict=False):
        for at, energy in enumerate(_energies(segment)):
            if energy > best[0]:
                best = energy, start + at
    return best


def _energies(segment: Sequence[float]) -> list[float]:
    """The scaled energy distance of the two parts for a split before each position; 0 beside the ends."""
    n = len(segment)
    whole = sum(abs(x - y) for i, x in enumerate(segment) for y in segment[:i])
    left, energies = 0.0, [0.0] * n
    across = 0.0  # distances between the parts
    for at in range(1, n):
        point = segment[at - 1]
        to_left = sum(abs(point - y) for y in segment[: at - 1])
        to_right = sum(abs(point - y) for y in segment[at:])
        left += to_left
        across += to_right - to_left
        right = whole - left - across
        if 2 <= at <= n - 2:
            m, k = at, n - at
            distance = 2 * across / (m * k) - 2 * left / (m * (m - 1)) - 2 * right / (k * (k - 1))
            energies[at] = m * k / (m + k) * distance
    return energies
