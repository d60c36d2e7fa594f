"""What an item came to, over all its trials: what its report says, what the gates count, what the summary shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_webretrieval.settings import LIVE

from .baseline import Accepted
from .confirm import GREEN, KNOWN, PASSED, UNEXPECTED_PASS, Known, Trial, decide, observe, trial_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """``name`` is CORPUS::ID, ``state`` one of ``confirm``'s. ``labels`` are those of the trials in order, of which the
    last ``further`` were run to confirm; ``shown`` is the place of the one whose page tells most. ``accepted`` is the
    case in the baseline; ``expired``: what it tolerates was tolerated until a day that is over."""

    name: str
    state: str
    expect: str
    labels: tuple[str, ...]
    further: int = 0
    shown: int = 0
    accepted: Accepted | None = None
    expired: bool = False

    @property
    def case(self) -> str:
        return self.name.rpartition("::")[2]

    @property
    def says_something(self) -> bool:
        """Whether a trial of it says anything of the system."""
        return set(self.labels) != {"probe_invalid"}

    @property
    def green(self) -> bool:
        return self.state in GREEN

    @property
    def passed(self) -> int:
        """How many of the trials ended as expected."""
        return self.labels.count(self.expect)

    @property
    def excuses(self) -> bool:
        """Whether failing trials of it count for nothing in the gates: they were not confirmed, or are known."""
        return self.green and self.passed < len(self.labels)

    @property
    def tolerated_caps(self) -> tuple[str, ...]:
        """Caps of its budget that it may be over."""
        known = self.accepted is not None and self.accepted.tolerated is not None and not self.expired
        return self.accepted.over if known and self.accepted is not None else ()


def outcome_of(
    records: Sequence[Mapping[str, Any]], first: int, accepted: Accepted | None, today: str
) -> Outcome:
    """The outcome of one item's records (lines of results.jsonl), of which all after the ``first`` ones confirm.
    ``today`` is an ISO date."""
    expect = records[0]["expect"]
    known = accepted.known(expect, today) if accepted is not None else None
    trials = [trial_of(record) for record in records]
    on_the_web = records[0].get("lane") == LIVE
    state = observe(trials) if on_the_web else decide(trials[:first], trials[first:], known)
    tolerated = accepted.tolerated if accepted is not None else None
    return Outcome(
        name=f"{records[0]['corpus']}::{records[0]['case']}",
        state=state,
        expect=expect,
        labels=tuple(trial.label for trial in trials),
        further=len(records) - first,
        shown=_shown(trials, state, known),
        accepted=accepted,
        expired=tolerated is not None and tolerated.expired(today),
    )


def _shown(trials: Sequence[Trial], state: str, known: Known | None) -> int:
    """The first trial that made the case what it is: one that broke an invariant, failed in a way that is not known,
    failed at all."""
    if state in (PASSED, UNEXPECTED_PASS):
        return 0
    tolerated = known.labels if known is not None and state != KNOWN else frozenset[str]()
    ranked = [
        (not trial.absolute, trial.as_expected, trial.label in tolerated, place)
        for place, trial in enumerate(trials)
    ]
    return min(ranked)[-1]
