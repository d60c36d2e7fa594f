"""A gate over what a judge said of a run: by the rate as people correct it and its bounds, never by the judge's own."""

from __future__ import annotations

from pytest_webretrieval.records.people import Judged, Sample

from .correction import Corrected, carried_over
from .gate import GateResult


def judged_gate(
    judged: Judged | None, sample: Sample | None, least: float | None = None, stopped: str | None = None
) -> GateResult:
    """Whether at least the share ``least`` of what was judged is right. ``sample`` is the last one of people for the
    judge of ``judged``; without one, or with one of another judge, the gate is blocked, and fails. It passes where the
    whole interval is at or above ``least``, fails where the whole of it is below, and is inconclusive between; without
    ``least`` it only says the rate. ``stopped`` is why not all cases have run."""
    if judged is None:
        return GateResult(name="judged", verdict="skipped", line="no judge was asked")
    name = f"judged_{judged.what}"
    if (why := _blocked(judged, sample)) is not None:
        return GateResult(name=name, verdict="fail", line=f"blocked: {why}")
    rate = corrected(judged, sample) if sample is not None else None
    if stopped is not None or rate is None or sample is None:
        return GateResult(name=name, verdict="skipped", line=stopped or "nothing to judge")
    line = (
        f"{rate.rate:.2f} [{rate.low:.2f}, {rate.high:.2f}] as people correct it "
        f"(n = {judged.graded}, {sample.n} judged by people of run {sample.run}; {_worth(sample)})"
    )
    if judged.open:
        line += f", {judged.open} ungraded, which may be either"
    if least is None:
        return GateResult(name=name, verdict="skipped", line=f"{line}; no least rate is set")
    line += f", at least {least:.2f} required"
    if rate.low >= least:
        return GateResult(name=name, verdict="pass", line=line)
    return GateResult(name=name, verdict="fail" if rate.high < least else "inconclusive", line=line)


def waiting_gate(what: str, lock: str | None, sample: Sample | None) -> GateResult:
    """The same before a judge was asked about the run: whether its word could count. ``lock`` is who would be asked,
    None where nobody is pinned."""
    name = f"judged_{what}"
    if lock is None:
        why = "no judge is pinned: webretrieval judge --lock-model MODEL"
    elif sample is None:
        why = f"people have judged no sample of this judge: webretrieval adjudicate RUN --what {what}"
    elif sample.lock != lock:
        why = f"lock changed since the last sample of people: webretrieval adjudicate RUN --what {what}"
    else:
        ask = f"not asked yet: webretrieval judge RUN --what {what} --gate"
        return GateResult(name=name, verdict="skipped", line=ask)
    return GateResult(name=name, verdict="fail", line=f"blocked: {why}")


def corrected(judged: Judged, sample: Sample) -> Corrected | None:
    """The rate of what is right among all that was to be judged, with bounds in which every item that nobody graded is
    wrong and right. None where nothing was graded."""
    if not judged.graded:
        return None
    rate: Corrected | None
    if sample.run == judged.run:
        rate = Corrected(rate=sample.rate, low=sample.low, high=sample.high, n=sample.n)
    else:
        rate = carried_over(judged.right, judged.graded, _sensitivity(sample), _specificity(sample))
    if rate is None:
        return None
    share = judged.graded / (judged.graded + judged.open)
    return Corrected(rate=rate.rate, low=rate.low * share, high=rate.high * share + 1 - share, n=rate.n)


def _blocked(judged: Judged, sample: Sample | None) -> str | None:
    """Why no figure of the judge may count."""
    draw = f"webretrieval adjudicate {judged.run} --what {judged.what}"
    if sample is None:
        return f"people have judged no sample of this judge: {draw}"
    if sample.lock != judged.lock:
        return f"lock changed since the last sample of people: {draw}"
    if sample.run != judged.run and judged.graded and corrected(judged, sample) is None:
        return f"the judge is no better than chance, as people say ({_worth(sample)}): {draw}"
    return None


def _sensitivity(sample: Sample) -> tuple[float, int]:
    return sample.sensitivity, sample.positives


def _specificity(sample: Sample) -> tuple[float, int]:
    return sample.specificity, sample.negatives


def _worth(sample: Sample) -> str:
    return f"sensitivity {sample.sensitivity:.2f}, specificity {sample.specificity:.2f}, kappa {sample.kappa:.2f}"
