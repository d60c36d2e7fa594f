"""One case's whole life: ask the system step by step, then judge what the wire and the archive show."""

from __future__ import annotations

import time
import traceback
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from fixture_server.client import WorldFailure
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.truth import Step, Truth
from pytest_webretrieval.grade.evidence import StepEvidence, Trouble
from pytest_webretrieval.grade.judge import judge_run, unjudged
from pytest_webretrieval.lanes.stage import Stage
from pytest_webretrieval.records.evidence import StoredRun, merged, read_testimony, stored
from pytest_webretrieval.records.record import Key, Record, record_of
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.slot import SlotFailure
from pytest_webretrieval.systems.contract import Testimony
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A run that is over: its record, the evidence that the record rests on, and the last answer that could be read."""

    record: Record
    run: StoredRun
    archive: Archive
    answer: str = ""


async def run_case(case: Case, truth: Truth, stage: Stage, key: Key, settings: Settings) -> Finished:
    """Run one case once and judge it; ``truth`` is drawn for the run's seed."""
    observed_at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    steps: list[StepEvidence] = []
    trouble, stdout, stderr = None, "", ""
    try:
        await stage.open()
        try:
            for number, step in enumerate(truth.steps):
                steps.append(await run_step(number, step, stage, steps))
        finally:
            ended, late = await stage.end()
        stdout, stderr = ended.stdout, ended.stderr
        steps[-1] = with_late(steps[-1], late)
    except SlotFailure as error:
        trouble = Trouble(where="slot", message=str(error))
    except WorldFailure as error:
        trouble = Trouble(where="world", message=str(error))
    run = replace(stored(steps, key.seed, trouble), stdout=stdout, stderr=stderr)
    record = judge(case, truth, steps, run, key, settings, observed_at)
    return Finished(
        record=record,
        run=replace(run, trouble=record.trouble),
        archive=merged_all(steps),
        answer=last_answer(steps),
    )


async def run_step(number: int, step: Step, stage: Stage, earlier: list[StepEvidence]) -> StepEvidence:
    """One question, and all that came of it. After a step in which the system died, the rest are not asked."""
    if any(before.testimony.ending in ("died", "timeout") for before in earlier):
        testimony = Testimony(ending="not-asked", duration_s=0.0)
    else:
        testimony = await stage.ask(number, step)
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
    return record_of(key, case, truth, settings, judgement, run, observed_at)


def last_answer(steps: list[StepEvidence]) -> str:
    """The text of the last answer that a system gave; empty where it gave none that can be read."""
    return next((step.result.answer for step in reversed(steps) if step.result is not None), "")


def merged_all(steps: list[StepEvidence]) -> Archive:
    """The archive of several steps as one."""
    archive = Archive()
    for step in steps:
        archive = merged(archive, step.archive)
    return archive


def with_late(step: StepEvidence, late: Trace) -> StepEvidence:
    """The step with what came through its doors after its answer."""
    trace = Trace(
        attempts=step.trace.attempts + late.attempts,
        lookups=step.trace.lookups + late.lookups,
        egress=step.trace.egress + late.egress,
    )
    return replace(step, trace=trace)
