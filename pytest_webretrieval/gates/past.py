"""What a night is held against: each of its cases against its own past, where that is long enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_webretrieval.records.history import CaseNight, Night

from .gate import some
from .measures import Measure
from .paired import Pair, Runs

# Fewer than these of the cases speak for too few of them: whether a night is none of those before it cannot be told.
SHARE = 0.8
ByCase = Mapping[str, Runs]


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """``tonight`` are the figures of the cases that are compared, ``before`` those of the same cases in each accepted
    night that has some. ``short`` are the cases that fewer than ``needed`` of the nights have, with how many do."""

    tonight: ByCase
    before: Sequence[ByCase]
    short: Mapping[str, int]
    needed: int

    @property
    def pairs(self) -> list[Pair]:
        """Only like is compared with like."""
        return _pairs(self.tonight, self.before)

    @property
    def calibrating(self) -> str | None:
        """Why there is too little to compare with; None where there is enough."""
        if not self.tonight:
            return f"{max(self.short.values())} of {self.needed} accepted runs to compare with"
        every = len(self.tonight) + len(self.short)
        if len(self.tonight) >= SHARE * every:
            return None
        few = (
            f"{len(self.short)} of {every} cases have fewer than {self.needed} accepted runs to compare with"
        )
        return f"{few}: {some(tuple(self.short))}"

    @property
    def left_out(self) -> str:
        """The cases that are not compared, in words; empty where all are."""
        if not self.short:
            return ""
        listed = some(tuple(f"{case} ({count} of {self.needed})" for case, count in self.short.items()))
        return f"too few accepted runs to compare with: {listed}"

    def own(self, measure: Measure) -> list[float]:
        """How much worse each night is than the others of them. A night with few of the cases does not tell how nights
        vary: a few cases vary more."""
        nights = [night for night in self.before if len(night) >= SHARE * len(self.tonight)]
        compared = (_pairs(night, [one for one in nights if one is not night]) for night in nights)
        return [measure.worse(pairs) for pairs in compared if pairs]


def past_of(measure: Measure, tonight: ByCase, night: Night, accepted: Sequence[Night], needed: int) -> Past:
    """``tonight`` are the figures of ``night``. A run on other terms (another target, another version of truth) is no
    past of a case."""
    terms = {run.case: run.terms for run in night.cases}
    nights = [
        by_case(measure, [run for run in one.cases if terms.get(run.case) == run.terms])
        for one in accepted
        if not (measure.needs_all and unknown(measure, one))
    ]
    have = {case: sum(case in one for one in nights) for case in tonight}
    known = {case: runs for case, runs in tonight.items() if have[case] >= needed}
    before = [{case: runs for case, runs in one.items() if case in known} for one in nights]
    return Past(
        tonight=known,
        before=[one for one in before if one],
        short={case: count for case, count in have.items() if case not in known},
        needed=needed,
    )


def by_case(measure: Measure, runs: Sequence[CaseNight]) -> ByCase:
    """The figures of the runs that count, by case."""
    found: dict[str, list[tuple[float, float]]] = {}
    for run in runs:
        if run.counts and (figure := measure.of(run)) is not None:
            found.setdefault(run.case, []).append(figure)
    return found


def unknown(measure: Measure, night: Night) -> list[str]:
    """The cases that count and whose figure nobody knows."""
    return list(dict.fromkeys(run.case for run in night.cases if run.counts and measure.of(run) is None))


def moved(night: Night, accepted: Sequence[Night]) -> tuple[str, ...]:
    """The cases that had another target or another version of truth in one of the nights before."""
    terms = {run.case: run.terms for run in night.cases}
    others = {
        run.case for one in accepted for run in one.cases if terms.get(run.case, run.terms) != run.terms
    }
    return tuple(case for case in terms if case in others)


def thin(night: Night) -> str | None:
    """Why too few of the cases that ran say something of the system; None where enough do."""
    every = {run.case for run in night.cases}
    counting = {run.case for run in night.cases if run.counts}
    if len(counting) >= SHARE * len(every):
        return None
    return f"only {len(counting)} of {len(every)} cases count"


def _pairs(now: ByCase, nights: Sequence[ByCase]) -> list[Pair]:
    """The cases of both sides."""
    known = {case: [run for one in nights for run in one.get(case, ())] for case in now}
    return [(runs, known[case]) for case, runs in now.items() if known[case]]
