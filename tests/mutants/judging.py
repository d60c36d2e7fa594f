"""What a row comes to: a mutant is killed by its own tag and harmless elsewhere, an innocent is left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.records.record import Record
from tests.innocents.rows import Innocent

from .elsewhere import ELSEWHERE, NOT_ASKED, STRATA
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
    """Why a mutant is not killed, or nothing. ``records`` are those of its cases, then of its ``healthy_cases``."""
    own, others = records[: len(mutant.cases)], records[len(mutant.cases) :]
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
    for record in others:
        harm = harmed(record) if record.case == mutant.healthy else _strange(mutant, record)
        if harm:
            return f"harmed {harm}"
    return ""


def _strange(mutant: Mutant, record: Record) -> str:
    """What a rule says on a case of another stratum that the mutant's mistake does not explain, or nothing."""
    named = ELSEWHERE.get((mutant.name, record.case), set())
    if not record.tags:
        return harmed(record)
    if strange := sorted(set(record.tags) - mutant.explained - named):
        return f"{record.case}: {record.label} {', '.join(strange)} unexplained"
    if idle := sorted(named - set(record.tags)):
        return f"{record.case}: {', '.join(idle)} named in ELSEWHERE, and does not fire"
    return ""


def harmed(record: Record) -> str:
    """What a rule says against a run that is right, or nothing."""
    if record.as_expected and not record.tags:
        return ""
    return f"{record.case}: {record.label} {', '.join(record.tags)} ({record.reason or 'no reason given'})"


def healthy_cases(mutant: Mutant) -> tuple[str, ...]:
    """Where a mutant does as well as an honest system, its own healthy case first, or is wrong in no other way than its
    own: a case of each stratum."""
    own = () if mutant.healthy is None else (mutant.healthy,)
    strata = () if mutant.name in NOT_ASKED else STRATA
    return (*own, *(case for case in strata if case not in (*own, *mutant.cases)))


async def judge_mutant(stand: Stand, mutant: Mutant) -> Outcome:
    asks = [Ask(case=case, change=partial(changed, mutant)) for case in mutant.cases]
    asks += [Ask(case=case) for case in healthy_cases(mutant)]
    records = await stand.records(mutant.spec, asks)
    return Outcome(mutant, tuple(records), survives(mutant, records))


async def judge_innocent(stand: Stand, innocent: Innocent) -> Outcome:
    records = await stand.records(innocent.spec, [Ask(case=case) for case in innocent.cases])
    caught = next((f"CAUGHT {harm}" for record in records if (harm := harmed(record))), "")
    return Outcome(innocent, tuple(records), caught)
