"""What the trials of one case come to: the one decision that an item's colour and the gates follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_webretrieval.grade.tags import POLICY_TAGS

PASSED, FAILED, FLAKY, KNOWN, UNEXPECTED_PASS = "passed", "failed", "flaky", "known", "unexpected_pass"
# On the real web a case that is not as it should be is data; only a broken invariant is red.
OBSERVED = "observed"
GREEN = frozenset({PASSED, FLAKY, KNOWN, OBSERVED})
ABSOLUTE_LABELS = frozenset({"policy_violation", "infra_error"})
_RED = "red"


@dataclass(frozen=True, slots=True)
class Trial:
    """One run as the decision sees it. ``absolute``: it broke an invariant, which no other trial makes good."""

    label: str
    as_expected: bool
    absolute: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """A known failure: the labels that it is known to end in, and whether it was also seen to pass."""

    labels: frozenset[str]
    passes: bool = False


def trial_of(record: Mapping[str, Any]) -> Trial:
    """A record, as results.jsonl has it, as the decision sees it."""
    label = record["label"]
    absolute = label in ABSOLUTE_LABELS or not POLICY_TAGS.isdisjoint(record["tags"])
    return Trial(label=label, as_expected=label == record["expect"], absolute=absolute)


def needed(further: int) -> int:
    """How many of ``further`` trials must fail too for a red case to be red: three in four, rounded up."""
    return -(-3 * further // 4)


def wants_confirmation(first: Sequence[Trial], known: Known | None) -> bool:
    """Whether further trials can change what the first ones say: they are a surprise, and broke no invariant."""
    return not any(trial.absolute for trial in first) and _surprise(first, known) is not None


def decide(first: Sequence[Trial], further: Sequence[Trial], known: Known | None = None) -> str:
    """What a case comes to: PASSED, FAILED, FLAKY, KNOWN or UNEXPECTED_PASS.

    A trial that broke an invariant fails the case, whatever the others did. Else the first trials decide, unless they
    are a surprise (a failure that is not known, or a pass of what is known to fail) and ``further`` trials were run:
    then ``needed`` of those must be the same surprise, or it is not confirmed: the case is FLAKY, or still KNOWN.
    """
    if any(trial.absolute for trial in (*first, *further)):
        return FAILED
    surprise = _surprise(first, known)
    if surprise is None:
        return PASSED if all(trial.as_expected for trial in first) else KNOWN
    agreeing = sum(_surprise((trial,), known) == surprise for trial in further)
    if agreeing >= needed(len(further)):
        return UNEXPECTED_PASS if surprise == UNEXPECTED_PASS else FAILED
    return FLAKY if known is None else KNOWN


def observe(trials: Sequence[Trial]) -> str:
    """What a case on the real web comes to: FAILED, PASSED or OBSERVED."""
    if any(trial.absolute for trial in trials):
        return FAILED
    return PASSED if all(trial.as_expected for trial in trials) else OBSERVED


def _surprise(trials: Sequence[Trial], known: Known | None) -> str | None:
    tolerated = known.labels if known is not None else frozenset[str]()
    if any(not trial.as_expected and trial.label not in tolerated for trial in trials):
        return _RED
    if known is not None and not known.passes and all(trial.as_expected for trial in trials):
        return UNEXPECTED_PASS
    return None
