"""Two sets of runs compared: rates, pairs, ranks, and many comparisons at once. Exact where the sizes allow it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb, erfc, sqrt

from .statistics import at_most, wilson


def difference(right: int, n: int, other_right: int, other_n: int) -> tuple[float, float]:
    """95 % interval of ``right / n - other_right / other_n``, independent rates (Newcombe, Statistics in Medicine 17,
    1998, page 873, method 10)."""
    rate, other = right / n, other_right / other_n
    (low, high), (other_low, other_high) = wilson(right, n), wilson(other_right, other_n)
    below = sqrt((rate - low) ** 2 + (other_high - other) ** 2)
    above = sqrt((high - rate) ** 2 + (other - other_low) ** 2)
    return rate - other - below, rate - other + above


def mcnemar(one_way: int, other_way: int) -> float:
    """The exact two-sided p of a paired comparison in which so many cases flipped one way and the other."""
    flips = one_way + other_way
    return min(1.0, 2 * at_most(min(one_way, other_way), flips, 0.5)) if flips else 1.0


def mcnemar_chi2(one_way: int, other_way: int) -> tuple[float, float]:
    """McNemar's statistic without continuity correction, and its p at one degree of freedom; for many flips."""
    statistic = (one_way - other_way) ** 2 / (one_way + other_way)
    return statistic, erfc(sqrt(statistic / 2))


def mann_whitney(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float]:
    """U of ``xs`` and the exact two-sided p over all ways to deal the values out; for small samples without ties."""
    pooled = sorted((*xs, *ys))
    ranks = {value: rank for rank, value in enumerate(pooled, 1)}
    least = len(xs) * (len(xs) + 1) / 2
    u = sum(ranks[value] for value in xs) - least
    middle = len(xs) * len(ys) / 2
    dealt = [sum(chosen) - least for chosen in combinations(range(1, len(pooled) + 1), len(xs))]
    extreme = sum(abs(one - middle) >= abs(u - middle) for one in dealt)
    return u, extreme / comb(len(pooled), len(xs))


def sign_flips(differences: Sequence[int]) -> tuple[int, int]:
    """Fisher's paired randomisation: in how many ways to sign the differences their sum is as far from 0 as it is,
    and how many ways there are."""
    sums = _signed_sums(differences)
    seen = abs(sum(differences))
    return sum(ways for total, ways in sums.items() if abs(total) >= seen), 2 ** len(differences)


def signed_ranks(differences: Sequence[float]) -> tuple[float, float]:
    """Wilcoxon's smaller sum of signed ranks and its exact two-sided p; differences of 0 or of one size are refused."""
    sizes = sorted(abs(value) for value in differences)
    if len(set(sizes)) < len(sizes) or 0 in sizes:
        raise ValueError("signed ranks are exact only where no difference is 0 and no two are of one size")
    ranks = {size: rank for rank, size in enumerate(sizes, 1)}
    total = len(sizes) * (len(sizes) + 1) // 2
    positive = sum(ranks[abs(value)] for value in differences if value > 0)
    smaller = min(positive, total - positive)
    sums = _signed_sums(list(ranks.values()))
    extreme = sum(ways for signed, ways in sums.items() if abs(signed) >= total - 2 * smaller)
    return float(smaller), extreme / 2 ** len(sizes)


def _signed_sums(values: Iterable[int]) -> Counter[int]:
    """How many ways of signing the values come to each sum."""
    sums = Counter({0: 1})
    for value in values:
        following: Counter[int] = Counter()
        for total, ways in sums.items():
            following[total + value] += ways
            following[total - value] += ways
        sums = following
    return sums


def discoveries(ps: Sequence[float], rate: float = 0.05) -> int:
    """How many of the smallest p-values are rejected at a false discovery rate (Benjamini, Hochberg, JRSS B, 1995)."""
    ranked = enumerate(sorted(ps), 1)
    return max((rank for rank, p in ranked if p <= rank * rate / len(ps)), default=0)


def rejected_by_bonferroni(ps: Sequence[float], rate: float = 0.05) -> int:
    """How many p-values are rejected where one false rejection is one too many."""
    return sum(p <= rate / len(ps) for p in ps)
