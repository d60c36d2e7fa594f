"""A judged rate put right by what people say of a sample: never the judge's own count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A rate with its interval at 95 %, of ``n`` rows that people judged."""

    rate: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """Rows to which the judge gave one verdict: how many there are, how many people judged, and how many of those they
    call right."""

    size: int
    judged: int
    right: int


def prediction_powered(strata: Mapping[str, Stratum]) -> Corrected:
    """The rate that people would give to all rows, from a sample stratified by the judge's verdicts: the judge's rate
    plus the mean of what people find different (Angelopoulos et al., Science 382, 2023), which for a judge that is
    constant in each stratum is the stratified mean. A stratum's variance is that of (right + 1) / (judged + 2), so that
    a small sample in agreement is not taken for certainty. Raises ValueError where a stratum has no sample."""
    empty = [name for name, stratum in strata.items() if stratum.size and not stratum.judged]
    if empty or not strata:
        raise ValueError(f"nobody judged a row of {', '.join(empty) or 'any verdict'}")
    total = sum(stratum.size for stratum in strata.values())
    rate = variance = 0.0
    for stratum in strata.values():
        if not stratum.size:
            continue
        weight = stratum.size / total
        share = (stratum.right + 1) / (stratum.judged + 2)
        unseen = 1 - stratum.judged / stratum.size
        rate += weight * stratum.right / stratum.judged
        variance += weight**2 * share * (1 - share) / stratum.judged * unseen
    half = _Z95 * sqrt(variance)
    return Corrected(
        rate=rate,
        low=max(0.0, rate - half),
        high=min(1.0, rate + half),
        n=sum(stratum.judged for stratum in strata.values()),
    )


def rogan_gladen(
    apparent: float, n: int, sensitivity: tuple[float, int], specificity: tuple[float, int]
) -> Corrected | None:
    """The true rate behind an apparent one of ``n`` rows, by a judge of known sensitivity and specificity (each with
    the number of rows that it was measured on): ``(apparent + specificity - 1) / (sensitivity + specificity - 1)``
    (Rogan and Gladen, American Journal of Epidemiology 107, 1978; interval by the delta method). None
    where the judge is no better than chance: then it tells nothing."""
    (sens, positives), (spec, negatives) = sensitivity, specificity
    skill = sens + spec - 1
    if skill <= 0 or not (n and positives and negatives):
        return None
    rate = min(1.0, max(0.0, (apparent + spec - 1) / skill))
    variance = (
        apparent * (1 - apparent) / n
        + rate**2 * sens * (1 - sens) / positives
        + (1 - rate) ** 2 * spec * (1 - spec) / negatives
    ) / skill**2
    half = _Z95 * sqrt(variance)
    return Corrected(
        rate=rate, low=max(0.0, rate - half), high=min(1.0, rate + half), n=positives + negatives
    )


def carried_over(
    right: int, n: int, sensitivity: tuple[float, int], specificity: tuple[float, int]
) -> Corrected | None:
    """The true rate of ``n`` rows that people have not judged, of which the judge calls ``right`` right, by what they
    say of the same judge elsewhere: Rogan and Gladen's rate, since sensitivity and specificity do not move with the
    rate of what is right as the worth of a verdict does. The interval is that of Lang and Reiczigel (Preventive
    Veterinary Medicine 113, 2014), which a perfect score of a few rows does not close. None as in ``rogan_gladen``."""
    known = rogan_gladen(right / n, n, sensitivity, specificity) if n else None
    if known is None:
        return None
    (sens, positives), (spec, negatives) = sensitivity, specificity
    z2 = _Z95**2
    rows, apparent = n + z2, (right + z2 / 2) / (n + z2)
    sens = (sens * positives + 1) / (positives + 2)
    spec = (spec * negatives + 1) / (negatives + 2)
    skill = sens + spec - 1
    if skill <= 0:
        return None
    rate = (apparent + spec - 1) / skill
    of_sens = sens * (1 - sens) / (positives + 2)
    of_spec = spec * (1 - spec) / (negatives + 2)
    middle = rate + 2 * z2 * (rate * of_sens - (1 - rate) * of_spec)
    variance = apparent * (1 - apparent) / rows + rate**2 * of_sens + (1 - rate) ** 2 * of_spec
    half = _Z95 * sqrt(variance) / skill
    return Corrected(
        rate=known.rate,
        low=min(known.rate, max(0.0, middle - half)),
        high=max(known.rate, min(1.0, middle + half)),
        n=known.n,
    )
