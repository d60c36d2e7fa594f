"""One case's whole life: ask the system step by step, then judge what the wire and the archive show."""

from __future__ import annotations

import time
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from fixture_server.client import WorldFailure
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.truth import Step, Truth
from pytest_webretrieval.grade.evidence import StepEvidence, Trouble
from pytest_webretrieval.grade.fault import UNKNOWN, Home
from pytest_webretrieval.grade.home import find_home
from pytest_webretrieval.grade.judge import Judgement, judge_run, unjudged
from pytest_webretrieval.grade.opaque import witnessed
from pytest_webretrieval.grade.probing import Suspicion
from pytest_webretrieval.lanes.stage import Beside, Place
from pytest_webretrieval.records.evidence import StoredRun, merged, read_testimony, stored
from pytest_webretrieval.records.record import Key, Record, record_of
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.slot import SlotFailure
from pytest_webretrieval.systems.contract import Testimony
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Trace
from pytest_webretrieval.wire.recording import Account
from pytest_webretrieval.wire.scrubbing import Scrubber

Ask = Callable[[int, Step], Awaitable[Testimony]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A run that is over: its record, the evidence that the record rests on, and the last answer that could be read.
    ``diverged`` says where a replayed model was asked something else: then the record says nothing of the system.
    ``scrub`` takes secrets out of what is written of it, ``account`` says what became of its recordings, ``suspicion``
    why it says nothing of the system, where it was on the real web."""

    record: Record
    run: StoredRun
    archive: Archive
    scrub: Scrubber
    answer: str = ""
    diverged: str | None = None
    account: Account = field(default_factory=Account)
    suspicion: Suspicion | None = None


async def run_case(case: Case, truth: Truth, stage: Place, key: Key, settings: Settings) -> Finished:
    """Run one case once and judge it; ``truth`` is drawn for the run's seed."""
    observed_at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    steps: list[StepEvidence] = []
    trouble, suspicion, stdout, stderr, account = None, None, "", "", Account()
    try:
        await stage.open()
        suspicion = await stage.forbidden()
        ask = stage.ask if suspicion is None else ask_nobody
        try:
            for number, step in enumerate(truth.steps):
                steps.append(await run_step(number, step, stage, steps, ask))
        finally:
            ended, late = await stage.end()
        stdout, stderr = ended.stdout, ended.stderr
        steps[-1] = with_late(steps[-1], late)
        account, seen, pages = await stage.keep(cited_urls(steps))
        steps[-1] = with_seen(steps[-1], seen, pages)
        steps = witnessed(steps, stage.witness)
    except SlotFailure as error:
        trouble = Trouble(where="slot", message=str(error))
    except WorldFailure as error:
        trouble = Trouble(where="world", message=str(error))
    if trouble is None and (said := next((step.trace.trouble for step in steps if step.trace.trouble), None)):
        trouble = Trouble(where=said.where, message=said.why)
    if trouble is None and (told := account.trouble):
        trouble = Trouble(where="recording", message=told)
    if trouble is None and suspicion is not None:
        trouble = probe_trouble(suspicion)
    run = replace(stored(steps, key.seed, trouble), stdout=stdout, stderr=stderr)
    record = judge(case, truth, steps, run, key, settings, observed_at)
    if trouble is None and not record.as_expected:
        steps, suspicion = await sorted_out(steps, stage)
        trouble = None if suspicion is None else probe_trouble(suspicion)
        run = replace(stored(steps, key.seed, trouble), stdout=stdout, stderr=stderr)
        record = judge(case, truth, steps, run, key, settings, observed_at)
    record = placed(record, stage.beside(), suspicion)
    return Finished(
        record=record,
        run=replace(run, trouble=record.trouble),
        archive=merged_all(steps),
        scrub=stage.cleaner.scrub,
        answer=last_answer(steps),
        diverged=next((one.line for step in steps for one in step.trace.diverged), None),
        account=account,
        suspicion=suspicion,
    )


def probe_trouble(suspicion: Suspicion) -> Trouble:
    """Why the run says nothing of the system."""
    return Trouble(where=suspicion.what, message=suspicion.message, kind="probe")


async def sorted_out(steps: list[StepEvidence], stage: Place) -> tuple[list[StepEvidence], Suspicion | None]:
    """What failed, with what the harness saw when it looked whose failure that is; a look that fails tells nothing."""
    try:
        doubt = await stage.doubt()
    except WorldFailure:
        return steps, None
    if doubt is None:
        return steps, None
    return [*steps[:-1], with_seen(steps[-1], doubt.trace, doubt.archive)], doubt.suspicion


def placed(record: Record, beside: Beside | None, suspicion: Suspicion | None) -> Record:
    """The record with where on the real web its run took place."""
    if beside is None:
        return record
    return replace(
        record,
        region=beside.region,
        target=beside.target,
        terms=beside.terms,
        disallowed=beside.disallowed,
        suspicion=None if suspicion is None else suspicion.kind,
    )


async def ask_nobody(number: int, step: Step) -> Testimony:
    """What stands in the place of an answer where the system may not be sent to its target, or is no more."""
    return Testimony(ending="not-asked", duration_s=0.0)


async def run_step(
    number: int, step: Step, stage: Place, earlier: list[StepEvidence], ask: Ask
) -> StepEvidence:
    """One question, and all that came of it. After a step in which the system died, the rest are not asked."""
    if any(before.testimony.ending in ("died", "timeout") for before in earlier):
        ask = ask_nobody
    testimony = await ask(number, step)
    answered_s = time.time() - stage.began_at
    trace, archive = await stage.evidence()
    result, invalid = read_testimony(testimony)
    return StepEvidence(
        step=step,
        testimony=testimony,
        result=result,
        invalid=invalid,
        trace=trace,
        archive=archive,
        earlier=merged_all(earlier),
        start_urls=stage.scene.start_urls,
        cheapest=stage.scene.cheapest,
        began_at=stage.began_at,
        answered_s=answered_s,
    )


def judge(
    case: Case,
    truth: Truth,
    steps: list[StepEvidence],
    run: StoredRun,
    key: Key,
    settings: Settings,
    observed_at: str,
) -> Record:
    """Pure: the same evidence gives the same record, today and on ``regrade``.

    A grader that fails is an error of ours: the evidence is kept, and says nothing about the system.
    """
    if not steps and run.trouble is not None:
        return record_of(key, case, truth, settings, unjudged(run.trouble), run, observed_at)
    try:
        judgement = judge_run(truth, steps, run.trouble)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        message = f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
        run = replace(run, trouble=Trouble(where="grader", message=message))
        judgement = unjudged(Trouble(where="grader", message=message))
    record = record_of(key, case, truth, settings, judgement, run, observed_at)
    return (
        record if record.as_expected else replace(record, home=home_of(truth, steps, judgement, run.trouble))
    )


def home_of(
    truth: Truth, steps: list[StepEvidence], judgement: Judgement, trouble: Trouble | None
) -> Home | None:
    """Whose fault it likely is. That this cannot be found out says nothing about the judgement."""
    try:
        return find_home(truth, steps, judgement, trouble)
    except Exception as error:
        return Home(where=UNKNOWN, why=f"looking for it failed: {type(error).__name__}: {error}")


def last_answer(steps: list[StepEvidence]) -> str:
    """The text of the last answer that a system gave; empty where it gave none that can be read."""
    return next((step.result.answer for step in reversed(steps) if step.result is not None), "")


def cited_urls(steps: list[StepEvidence]) -> list[str]:
    """The pages that the answers cite, each once."""
    claims = (claim for step in steps if step.result is not None for claim in step.result.claims or ())
    return list(dict.fromkeys(citation.url for claim in claims for citation in claim.citations))


def merged_all(steps: list[StepEvidence]) -> Archive:
    """The archive of several steps as one."""
    archive = Archive()
    for step in steps:
        archive = merged(archive, step.archive)
    return archive


def with_seen(step: StepEvidence, seen: Trace, pages: Archive) -> StepEvidence:
    """The step with what the harness looked at for itself."""
    return replace(with_late(step, seen), archive=merged(step.archive, pages))


def with_late(step: StepEvidence, late: Trace) -> StepEvidence:
    """The step with what came through its doors after its answer."""
    trace = Trace(
        attempts=step.trace.attempts + late.attempts,
        lookups=step.trace.lookups + late.lookups,
        egress=step.trace.egress + late.egress,
        spans=step.trace.spans + late.spans,
        diverged=step.trace.diverged or late.diverged,
        trouble=step.trace.trouble or late.trouble,
    )
    return replace(step, trace=trace)
