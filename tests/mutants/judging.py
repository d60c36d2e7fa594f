"""What a row comes to: a mutant is killed by its own tag and harmless elsewhere, an innocent is left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.records.record import Record
from tests.innocents.rows import Innocent

from .mutant import Mutant
from .stand import Ask, Stand, with_deadline


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row's runs, and what is to be said of it: ``verdict`` is empty when all is as it must be."""

    row: Mutant | Innocent
    records: tuple[Record, ...]
    verdict: str


def changed(mutant: Mutant, truth: Truth) -> Truth:
    """The truth as the mutant's row wants it."""
    truth = replace(
        truth,
        max_budget=replace(truth.max_budget, **mutant.caps),
        allowed_sources=(*truth.allowed_sources, *mutant.allow),
    )
    return truth if mutant.deadline_s is None else with_deadline(truth, mutant.deadline_s)


def survives(mutant: Mutant, records: Sequence[Record]) -> str:
    """Why a mutant is not killed, or nothing."""
    own = records[: len(mutant.cases)]
    for record in own:
        strange = sorted(set(record.tags) - mutant.explained)
        if mutant.tag not in record.tags:
            return f"SURVIVED {record.case}"
        if strange:
            return f"second tag unexplained on {record.case}: {', '.join(strange)}"
        if record.label != mutant.label:
            return f"label on {record.case} is {record.label}, not {mutant.label}"
    if idle := set(mutant.beside) - {tag for record in own for tag in record.tags}:
        return f"explains what does not fire: {', '.join(sorted(idle))}"
    return next((f"harmed {harm}" for record in records[len(own) :] if (harm := harmed(record))), "")


def harmed(record: Record) -> str:
    """What a rule says against a run that is right, or nothing."""
    if record.as_expected and not record.tags:
        return ""
    return f"{record.case}: {record.label} {', '.join(record.tags)} ({record.reason or 'no reason given'})"


async def judge_mutant(stand: Stand, mutant: Mutant) -> Outcome:
    asks = [Ask(case=case, change=partial(changed, mutant)) for case in mutant.cases]
    if mutant.healthy is not None:
        asks.append(Ask(case=mutant.healthy))
    records = await stand.records(mutant.spec, asks)
    return Outcome(mutant, tuple(records), survives(mutant, records))


async def judge_innocent(stand: Stand, innocent: Innocent) -> Outcome:
    records = await stand.records(innocent.spec, [Ask(case=case) for case in innocent.cases])
    caught = next((f"CAUGHT {harm}" for record in records if (harm := harmed(record))), "")
    return Outcome(innocent, tuple(records), caught)
