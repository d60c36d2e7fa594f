"""What a sample that people labelled says of a run: the rate as they correct it, and how far they agree with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .agreement import agreement
from .correction import Corrected, Stratum, prediction_powered, rogan_gladen


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """``as_judged`` is the raw share of what the verdicts call right; ``rate`` and ``rogan_gladen`` are it as people
    correct it, in two ways. Sensitivity (on ``positives`` rows) and specificity (on ``negatives``) are those of the
    whole run, kappa is that of the sample."""

    as_judged: float
    rate: Corrected
    rogan_gladen: Corrected | None
    sensitivity: float
    positives: int
    specificity: float
    negatives: int
    kappa: float
    kappa_interval: tuple[float, float]


def figures(sizes: Mapping[str, int], pairs: Sequence[tuple[str, bool]], right: frozenset[str]) -> Figures:
    """``sizes`` is how often each verdict was given; ``pairs`` are the verdict on each labelled row and whether people
    call it right; ``right`` the verdicts that do. Raises ValueError where a verdict has no labelled row."""
    strata = {
        verdict: Stratum(
            size=size,
            judged=sum(said == verdict for said, _ in pairs),
            right=sum(said == verdict and is_right for said, is_right in pairs),
        )
        for verdict, size in sizes.items()
    }
    rate = prediction_powered(strata)
    table = agreement((said in right, is_right) for said, is_right in pairs)
    positives = table.true_accepts + table.false_rejects
    negatives = table.n - positives
    sensitivity, specificity = _by_weight(strata, right)
    n = sum(sizes.values())
    as_judged = sum(size for verdict, size in sizes.items() if verdict in right) / n
    return Figures(
        as_judged=as_judged,
        rate=rate,
        rogan_gladen=rogan_gladen(as_judged, n, (sensitivity, positives), (specificity, negatives)),
        sensitivity=sensitivity,
        positives=positives,
        specificity=specificity,
        negatives=negatives,
        kappa=table.kappa,
        kappa_interval=table.kappa_interval,
    )


def _by_weight(strata: Mapping[str, Stratum], right: frozenset[str]) -> tuple[float, float]:
    """Sensitivity and specificity in the whole run: each verdict counts by how often it was given, not by how many
    of it people saw. 0 where there is nothing to measure it on."""
    truly = {name: item.size * item.right / item.judged for name, item in strata.items() if item.size}
    falsely = {name: strata[name].size - count for name, count in truly.items()}
    positives, negatives = sum(truly.values()), sum(falsely.values())
    found = sum(count for name, count in truly.items() if name in right)
    mistaken = sum(count for name, count in falsely.items() if name in right)
    return (found / positives if positives else 0.0, 1 - mistaken / negatives if negatives else 0.0)
