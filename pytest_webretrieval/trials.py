"""The trials of an item: how many there are, which were run to confirm others, what they come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.gates.baseline import Accepted, Baseline
from pytest_webretrieval.gates.confirm import trial_of, wants_confirmation
from pytest_webretrieval.gates.outcome import Outcome, outcome_of
from pytest_webretrieval.runner import Batch, Planned, Told


@dataclass(frozen=True, slots=True, kw_only=True)
class Trials:
    """``first`` trials of each item, and ``further`` ones where they are red; ``today`` is an ISO date."""

    first: int
    further: int
    baseline: Baseline | None
    today: str

    @property
    def most(self) -> int:
        """So many trial numbers an item takes."""
        return self.first + self.further

    def batch(self, case: Case, plan: Callable[[int], Planned], start: int) -> Batch:
        """The item's trials from number ``start`` on, each as ``plan`` makes it, and what confirms them."""

        def further(tolds: Sequence[Told]) -> tuple[Planned, ...]:
            accepted = self._accepted(f"{case.corpus}::{case.id}")
            known = accepted.known(case.expect, self.today) if accepted is not None else None
            if any(told.diverged for told in tolds):
                return ()
            if not wants_confirmation([trial_of(told.record) for told in tolds], known):
                return ()
            return tuple(plan(start + number) for number in range(self.first, self.most))

        return Batch(tuple(plan(start + number) for number in range(self.first)), further)

    def outcome(self, tolds: Sequence[Told]) -> Outcome:
        """What the finished trials of one item come to."""
        records = [told.record for told in tolds]
        accepted = self._accepted(f"{records[0]['corpus']}::{records[0]['case']}")
        return outcome_of(records, self.first, accepted, self.today)

    def _accepted(self, name: str) -> Accepted | None:
        return self.baseline.cases.get(name) if self.baseline is not None else None


def told_before(batch: Batch) -> tuple[Told, ...] | None:
    """The runs of a batch, where every one of them was finished before."""
    tolds = tuple(run.told for run in batch.trials if run.told is not None)
    if len(tolds) < len(batch.trials):
        return None
    planned = batch.further(tolds)
    further = tuple(run.told for run in planned if run.told is not None)
    return tolds + further if len(further) == len(planned) else None
