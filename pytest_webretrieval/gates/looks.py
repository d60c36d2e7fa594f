"""Boundaries for looking at growing data several times with one error rate (group sequential tests, two-sided)."""

from __future__ import annotations

from math import exp, pi, sqrt
from statistics import NormalDist

_NORMAL = NormalDist()
_GRID = 200  # points of the density between the boundaries
_STEPS = 40


def pocock(looks: int, alpha: float = 0.05) -> tuple[float, ...]:
    """One boundary for z at every look (Pocock, Biometrika 64, 1977)."""
    return _scaled([1.0] * looks, alpha)


def obrien_fleming(looks: int, alpha: float = 0.05) -> tuple[float, ...]:
    """Boundaries for z that are high at first (O'Brien and Fleming, Biometrics 35, 1979)."""
    return _scaled([sqrt(looks / look) for look in range(1, looks + 1)], alpha)


def _scaled(shape: list[float], alpha: float) -> tuple[float, ...]:
    low, high = 0.5, 8.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _crossed([middle * one for one in shape]) > alpha else (low, middle)
    return tuple(high * one for one in shape)


def _crossed(boundaries: list[float]) -> float:
    """The chance that a random walk with equal steps leaves the boundaries at some look (Armitage, McPherson and Rowe,
    JRSS A 132, 1969): the density of the walk that stayed inside, look by look."""
    out = 2 * (1 - _NORMAL.cdf(boundaries[0]))
    edge = boundaries[0]
    points = _grid(edge)
    density = [exp(-x * x / 2) / sqrt(2 * pi) for x in points]
    for look, boundary in enumerate(boundaries[1:], 2):
        weights = _simpson(len(points), points[1] - points[0])
        inside = [weight * value for weight, value in zip(weights, density, strict=True)]
        edge = boundary * sqrt(look)  # of the sum of steps
        out += sum(
            mass * (_NORMAL.cdf(x - edge) + _NORMAL.cdf(-edge - x))
            for mass, x in zip(inside, points, strict=True)
        )
        if look < len(boundaries):
            following = _grid(edge)
            density = [
                sum(mass * exp(-((y - x) ** 2) / 2) for mass, x in zip(inside, points, strict=True))
                / sqrt(2 * pi)
                for y in following
            ]
            points = following
    return out


def _grid(edge: float) -> list[float]:
    return [-edge + 2 * edge * at / _GRID for at in range(_GRID + 1)]


def _simpson(size: int, step: float) -> list[float]:
    return [step / 3 * (1 if at in (0, size - 1) else 4 if at % 2 else 2) for at in range(size)]
