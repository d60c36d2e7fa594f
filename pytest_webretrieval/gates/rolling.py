"""Gates of the live lane over time: tonight against the accepted runs of the same corpus, region and fingerprint.

Each figure has a gate of its own, so that a cheaper night never makes up for a worse one. A gate fails only where three
things hold: tonight is worse by more than is allowed, the interval of the difference leaves no room for no change, and
the nights before do not vary that much of their own accord. Where only the first holds, it cannot tell, and says so. A
night of which too few cases say something does not pass either: they are no figure of the corpus.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from pytest_webretrieval.configuration import Threshold
from pytest_webretrieval.records.history import CaseNight, Comparable, Night, comparable

from .gate import GateResult, some
from .measures import CITATION_SUPPORT, COST, LATENCY, SUCCESS, Measure
from .paired import apart
from .past import by_case, moved, past_of, thin, unknown

# Of one night alone nobody knows how much nights vary.
FEWEST_RUNS = 2


def rolling_gates(
    night: Night,
    nights: Sequence[Night],
    *,
    success: Threshold,
    citation_support: Threshold,
    latency: Threshold,
    cost: Threshold,
    min_runs: int = 5,
    window: int = 20,
    stopped: str | None = None,
) -> list[GateResult]:
    """A verdict for each figure. ``nights`` is the whole history: what is not comparable with ``night``, or was not
    accepted, is left out here, and so are all but the last ``window``; a case is compared once ``min_runs`` of them
    have it. ``stopped`` is why not all cases have run."""
    asked = ((SUCCESS, success), (CITATION_SUPPORT, citation_support), (LATENCY, latency), (COST, cost))
    names = [measure.name for measure, _ in asked]
    if stopped is not None:
        return [GateResult(name=name, verdict="skipped", line=stopped) for name in names]
    if night.ungraded:
        line = f"not graded, so that no rate is one of all cases: {', '.join(night.ungraded)}"
        return [GateResult(name=name, verdict="fail", line=line) for name in names]
    known = comparable(nights, night)
    accepted = [one for one in known.nights if one.accepted and one.observed_at < night.observed_at]
    notes = _notes(night, known, accepted)
    needed = max(min_runs, FEWEST_RUNS)
    return [
        _gate(measure, threshold, night, accepted[-window:], needed, notes) for measure, threshold in asked
    ]


def acceptance(night: Night, gates: Sequence[GateResult], stopped: str | None = None) -> tuple[bool, str]:
    """Whether a run counts as baseline by itself, and why, or why not: no gate of it failed, all of it was graded, and
    it is of the whole corpus."""
    if stopped is not None:
        return False, stopped
    if (part := night.partial) is not None:
        return False, part
    if night.ungraded:
        return False, f"not graded: {', '.join(night.ungraded)}"
    if failed := [gate.name for gate in gates if gate.verdict == "fail"]:
        return False, f"failed {', '.join(failed)}"
    return True, "no gate failed"


def _gate(
    measure: Measure,
    threshold: Threshold,
    night: Night,
    accepted: Sequence[Night],
    needed: int,
    notes: str,
) -> GateResult:
    def says(verdict: str, line: str) -> GateResult:
        return GateResult(name=measure.name, verdict=verdict, line=line + notes)

    if measure.needs_all and (missing := unknown(measure, night)):
        return says("skipped", f"not known of {', '.join(missing)}")
    tonight = by_case(measure, night.cases)
    if not tonight:
        return says("skipped", "nothing to judge")
    past = past_of(measure, tonight, night, accepted, needed)
    if too_little := past.calibrating:
        return says("calibrating", too_little)
    pairs, own = past.pairs, past.own(measure)
    worse, (low, high), limit = measure.worse(pairs), measure.interval(pairs), _limit(measure, own)
    few = thin(night)
    parts = (
        few,
        f"{measure.figures(pairs)}, {_signed(measure, worse)} {measure.unit} {_span(measure, low, high)}",
        measure.beside(pairs),
        f"allowed {_signed(measure, threshold.change)}{' (example threshold)' if threshold.example else ''}",
        f"{len(own)} accepted runs vary by {_span(measure, min(own, default=-inf), max(own, default=inf))}, "
        f"the next within {_signed(measure, limit)}",
        past.left_out,
    )
    line = "; ".join(part for part in parts if part)
    if worse <= threshold.change or not measure.matters(pairs):
        return says("pass" if few is None else "inconclusive", line)
    return says("fail" if low > 0 and worse > limit else "inconclusive", line)


def _signed(measure: Measure, worse: float) -> str:
    return f"{100 * measure.sign * worse + 0.0:+.1f}"  # never -0.0


def _span(measure: Measure, low: float, high: float) -> str:
    ends = (low, high) if measure.sign > 0 else (high, low)
    return f"[{', '.join(_signed(measure, end) for end in ends)}]"


def _limit(measure: Measure, own: Sequence[float]) -> float:
    """How much worse than those before it the next night may be by itself."""
    return measure.uneven(apart([measure.even(shift) for shift in own]))


def _notes(night: Night, known: Comparable, accepted: Sequence[Night]) -> str:
    """What stands on neither side, and what was never pooled."""

    def said() -> Iterator[str]:
        if left := list(dict.fromkeys(_left_out(run) for run in night.cases if not run.counts)):
            yield f"; left out: {', '.join(left)}"
        if night.partial is not None:
            yield f"; {night.partial}, which makes no baseline"
        if known.others:
            listed = ", ".join(f"{why} ({count})" for why, count in known.others.items())
            yield f"; runs not comparable: {listed}"
        if others := moved(night, accepted):
            yield f"; runs on another target or truth not compared: {some(others)}"

    return "".join(said())


def _left_out(run: CaseNight) -> str:
    return f"{run.case} ({'quarantined' if run.quarantined else run.label})"
