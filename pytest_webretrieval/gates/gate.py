"""What a gate is asked and what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_webretrieval.records.row import Row

from .baseline import Accepted
from .outcome import Outcome

VERDICTS = ("pass", "fail", "skipped", "calibrating", "inconclusive")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """What a gate may look at: the rows, what the items came to, how many items were planned, what has no record, why
    the run stopped early, what could not be kept, what was accepted before (by CORPUS::ID), which items were skipped
    because a replayed model was asked something else."""

    rows: Sequence[Row]
    outcomes: Sequence[Outcome]
    planned: int
    missing: tuple[str, ...] = ()
    stopped: str | None = None
    trouble: str | None = None
    accepted: Mapping[str, Accepted] = field(default_factory=dict)
    diverged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """``figures`` is a count in words (``29 of 30``), ``cases`` those that broke the gate; ``judged`` is its n, and
    ``idle`` why that is 0 where it is."""

    figures: str
    judged: int
    cases: tuple[str, ...] = ()
    broken: bool = False
    idle: str = "nothing to judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """``verdict`` is one of VERDICTS; all but the first two say nothing of the system, and pytest skips them."""

    name: str
    verdict: str
    line: str


Gate = Callable[[RunView], Finding]


def evaluate(name: str, gate: Gate, view: RunView) -> GateResult:
    """One gate's verdict. Every gate here can only get worse as runs are added: after a stopped run it fails if it is
    broken already and is skipped otherwise. With nothing to judge it is skipped, never passed."""
    finding = gate(view)
    line = finding.figures + (f": {some(finding.cases)}" if finding.cases else "")
    if finding.broken:
        return GateResult(name=name, verdict="fail", line=line)
    if view.stopped is not None:
        return GateResult(name=name, verdict="skipped", line=view.stopped)
    if finding.judged == 0:
        return GateResult(name=name, verdict="skipped", line=finding.idle)
    return GateResult(name=name, verdict="pass", line=line)


def some(cases: tuple[str, ...], most: int = 10) -> str:
    """The first of them, and how many more there are."""
    shown = ", ".join(cases[:most])
    return shown if len(cases) <= most else f"{shown}, … and {len(cases) - most} more"
