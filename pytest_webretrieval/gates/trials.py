"""How reliable a system is, from the trials of its cases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_webretrieval.records.row import Row

from .outcome import Outcome
from .statistics import pass_all, pass_at, smallest_drop


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """Means over the cases of a stratum, all with ``k`` trials or more: the chance that one trial passes, that at
    least one of ``k`` does, that all ``k`` do."""

    stratum: str
    cases: int
    trials: int
    k: int
    pass_1: float
    pass_at_k: float
    pass_all_k: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """The smallest fall of the share of cases as expected that a run of ``cases`` could have seen, from ``rate``;
    ``drop`` is None where it could have seen none. ``accepted``: the rate is the baseline's, not 1."""

    cases: int
    rate: float
    accepted: bool
    drop: float | None


def drop_of(outcomes: Sequence[Outcome]) -> Drop | None:
    """For the cases that were judged, each counted once however many trials it had: trials of one case are not
    independent. A case that is not in the baseline is expected to pass. None without cases."""
    once = {outcome.name: outcome for outcome in reversed(outcomes)}.values()
    if not once:
        return None
    rates = [
        1.0 if one.accepted is None else one.accepted.labels.get(one.expect, 0) / one.accepted.trials
        for one in once
    ]
    rate = sum(rates) / len(rates)
    accepted = any(one.accepted is not None for one in once)
    return Drop(cases=len(rates), rate=rate, accepted=accepted, drop=smallest_drop(len(rates), rate))


def reliability(rows: Iterable[Row], k: int) -> tuple[Reliability, ...]:
    """One entry a stratum. Only the first ``k`` trials of a case count: those that were run because others failed
    would make it look worse than it is. Cases with fewer, as in a stopped run, are left out."""
    strata: dict[str, dict[str, list[bool]]] = {}
    for row in rows:
        if row.trial < k:
            strata.setdefault(row.stratum, {}).setdefault(row.node, []).append(row.as_expected)
    found = []
    for stratum, by_case in strata.items():
        whole = [trials for trials in by_case.values() if len(trials) == k]
        if whole:
            found.append(_of(stratum, whole, k))
    return tuple(found)


def _of(stratum: str, cases: Sequence[list[bool]], k: int) -> Reliability:
    counts = [(len(trials), sum(trials)) for trials in cases]
    return Reliability(
        stratum=stratum,
        cases=len(cases),
        trials=sum(n for n, _ in counts),
        k=k,
        pass_1=sum(pass_at(1, n, right) for n, right in counts) / len(cases),
        pass_at_k=sum(pass_at(k, n, right) for n, right in counts) / len(cases),
        pass_all_k=sum(pass_all(k, n, right) for n, right in counts) / len(cases),
    )
