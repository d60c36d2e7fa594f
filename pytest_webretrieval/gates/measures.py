"""What the rolling gates measure, each for itself: one run's figure, a night's shift, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, expm1, inf, log, log1p
from statistics import fmean, median

from pytest_webretrieval.records.history import CaseNight

from .comparison import difference
from .paired import Means, Pair, clustered, hodges_lehmann, hodges_lehmann_interval, means, p95
from .statistics import wilson

SEED = 0
# A rise counts only where it is this much too: a large share of next to nothing is nothing.
LATENCY_FLOOR_S, COST_FLOOR_USD = 0.5, 0.001
_SHORTEST_S = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """``of`` is one run's (part, whole), None where it has none. ``worse`` is how much worse tonight is than before, by
    ``interval`` with 95 %: points of a rate, or a share of what it was. ``matters``: it is more than a trifle.
    ``figures`` say the level, ``beside`` what else is to be read with it. ``unit`` and ``sign`` are those that shifts
    are written with; ``even`` puts them on a scale on which as much better and as much worse are as far apart, and
    ``uneven`` takes them back. ``needs_all``: without the figure of every run there is none of the night."""

    name: str
    of: Callable[[CaseNight], tuple[float, float] | None]
    worse: Callable[[Sequence[Pair]], float]
    interval: Callable[[Sequence[Pair]], tuple[float, float]]
    matters: Callable[[Sequence[Pair]], bool]
    figures: Callable[[Sequence[Pair]], str]
    beside: Callable[[Sequence[Pair]], str]
    unit: str
    sign: int
    even: Callable[[float], float] = float
    uneven: Callable[[float], float] = float
    needs_all: bool = False


def _drop(cases: Sequence[Means]) -> float:
    return sum(
        part_before / before - part_now / now for (part_now, now), (part_before, before) in cases
    ) / len(cases)


def _rates(pairs: Sequence[Pair], what: str) -> str:
    now, before = (fmean(case[side][0] / case[side][1] for case in means(pairs)) for side in (0, 1))
    part, whole = _sums(pairs, 0)
    return f"{now:.3f} of {before:.3f} before ({part:g} of {whole:g} {what}, {len(pairs)} cases)"


def _sums(pairs: Sequence[Pair], side: int) -> tuple[float, float]:
    runs = [run for pair in pairs for run in pair[side]]
    return sum(part for part, _ in runs), sum(whole for _, whole in runs)


def _independent(pairs: Sequence[Pair]) -> str:
    """Of tonight's rate, and of the difference, as if all runs were independent: to be read beside the interval that
    knows better."""
    (part, whole), (other, other_whole) = _sums(pairs, 0), _sums(pairs, 1)
    least, most = wilson(round(part), round(whole))
    low, high = difference(round(part), round(whole), round(other), round(other_whole))
    return f"Wilson [{least:.3f}, {most:.3f}] tonight; Newcombe [{100 * low:+.1f}, {100 * high:+.1f}]"


def _logs(pairs: Sequence[Pair]) -> list[float]:
    return [log(max(now, _SHORTEST_S) / max(before, _SHORTEST_S)) for now, before in _medians(pairs)]


def _medians(pairs: Sequence[Pair]) -> list[tuple[float, float]]:
    return [(median(s for s, _ in now), median(s for s, _ in before)) for now, before in pairs]


def _slower(pairs: Sequence[Pair]) -> float:
    return exp(hodges_lehmann(_logs(pairs))) - 1


def _slower_interval(pairs: Sequence[Pair]) -> tuple[float, float]:
    low, high = hodges_lehmann_interval(_logs(pairs))
    return exp(low) - 1, exp(high) - 1 if high < inf else inf


def _times(pairs: Sequence[Pair]) -> str:
    now = median(now for now, _ in _medians(pairs))
    before = median(before for _, before in _medians(pairs))
    return f"median {now:.2f} s of {before:.2f} s before ({len(pairs)} cases)"


def _tail(pairs: Sequence[Pair]) -> str:
    """The maximum, as no p95 is known under 59 runs; from there on the p95 and its bound."""
    said = []
    for side, word in ((0, ""), (1, " before")):
        times = [seconds for pair in pairs for seconds, _ in pair[side]]
        said.append(f"max {max(times):.2f} s{word}")
        if (known := p95(times)) is not None:
            said.append(f"p95 {known[0]:.2f} s, at most {known[1]:.2f} s (n = {len(times)}){word}")
    return ", ".join(said)


def _logarithm(rise: float) -> float:
    return log1p(rise) if rise > -1 else -inf


def _price(cases: Sequence[Means], side: int) -> float:
    """US dollars a success. Without a success, what was spent has no bound."""
    spent, right = sum(case[side][0] for case in cases), sum(case[side][1] for case in cases)
    return spent / right if right else inf if spent else 0.0


def _dearer(cases: Sequence[Means]) -> float:
    now, before = _price(cases, 0), _price(cases, 1)
    if now == before:
        return 0.0
    return inf if before == 0 else -1.0 if before == inf else now / before - 1


def _prices(pairs: Sequence[Pair]) -> str:
    now, before = (_price(means(pairs), side) for side in (0, 1))
    return f"{now:.4f} USD a success of {before:.4f} before ({len(pairs)} cases)"


SUCCESS = Measure(
    name="success",
    of=lambda run: (float(run.as_expected), 1.0),
    worse=lambda pairs: _drop(means(pairs)),
    interval=partial(clustered, shift=_drop, seed=SEED),
    matters=lambda pairs: True,
    figures=lambda pairs: _rates(pairs, "runs"),
    beside=_independent,
    unit="points",
    sign=-1,
)
CITATION_SUPPORT = Measure(
    name="citation_support",
    of=lambda run: (float(run.supported), float(run.checked)) if run.checked else None,
    worse=lambda pairs: _drop(means(pairs)),
    interval=partial(clustered, shift=_drop, seed=SEED),
    matters=lambda pairs: True,
    figures=lambda pairs: _rates(pairs, "claims"),
    beside=_independent,
    unit="points",
    sign=-1,
)
LATENCY = Measure(
    name="latency",
    of=lambda run: (run.duration_s, 1.0),
    worse=_slower,
    interval=_slower_interval,
    matters=lambda pairs: hodges_lehmann([now - before for now, before in _medians(pairs)]) > LATENCY_FLOOR_S,
    figures=_times,
    beside=_tail,
    unit="%",
    sign=1,
    even=_logarithm,
    uneven=expm1,
)
COST = Measure(
    name="cost",
    of=lambda run: None if run.cost_usd is None else (run.cost_usd, float(run.as_expected)),
    worse=lambda pairs: _dearer(means(pairs)),
    interval=partial(clustered, shift=_dearer, seed=SEED),
    matters=lambda pairs: _price(means(pairs), 0) - _price(means(pairs), 1) > COST_FLOOR_USD,
    figures=_prices,
    beside=lambda pairs: "",
    unit="%",
    sign=1,
    even=_logarithm,
    uneven=expm1,
    needs_all=True,
)
