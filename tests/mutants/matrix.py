"""Every wrong system and every different one against the grader: ``python -m tests.mutants.matrix [NAME ...]``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.grade.tags import implied_by
from pytest_webretrieval.records.record import Record
from tests.innocents.rows import INNOCENTS, Innocent

from .mutant import Mutant
from .rows import MUTANTS
from .stand import Ask, Stand, opened, with_deadline


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
        strange = sorted(set(record.tags) - implied_by(mutant.tag))
        if mutant.tag not in record.tags:
            return f"SURVIVED {record.case}"
        if strange:
            return f"second tag unexplained on {record.case}: {', '.join(strange)}"
        if record.label != mutant.label:
            return f"label on {record.case} is {record.label}, not {mutant.label}"
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


async def run(names: Sequence[str]) -> tuple[list[Outcome], list[Outcome]]:
    """Outcomes of mutants and innocents, all of them or those that are named."""
    async with opened() as stand:
        mutants = [judge_mutant(stand, row) for row in MUTANTS if not names or row.name in names]
        innocents = [judge_innocent(stand, row) for row in INNOCENTS if not names or row.name in names]
        done = await asyncio.gather(*mutants, *innocents)
    return done[: len(mutants)], done[len(mutants) :]


def show(outcomes: Sequence[Outcome], well: str) -> None:
    """One block a row: name, verdict and what it is; then a line a case, with its label and the tags that fired."""
    for outcome in outcomes:
        row = outcome.row
        what = f"{row.wrong} -> {row.tag}" if isinstance(row, Mutant) else row.different
        print(f"  {row.name:<24} {outcome.verdict or well}: {what}")
        for index, record in enumerate(outcome.records):
            beside = (
                "healthy" if isinstance(row, Mutant) and index >= len(row.cases) else " ".join(record.tags)
            )
            print(f"      {record.case}  {record.label:<18} {beside}".rstrip())


def main(names: Sequence[str]) -> int:
    """Print the tables; 1 when a mutant survives or an innocent is caught."""
    known = {mutant.name for mutant in MUTANTS} | {innocent.name for innocent in INNOCENTS}
    if unknown := [name for name in names if name not in known]:
        print(f"no such system: {', '.join(unknown)}; there are {', '.join(sorted(known))}", file=sys.stderr)
        return 2
    mutants, innocents = asyncio.run(run(names))
    print("mutants: wrong in one way each")
    show(mutants, "killed")
    print("innocents: right, and different")
    show(innocents, "left alone")
    wrong = [outcome for outcome in (*mutants, *innocents) if outcome.verdict]
    for outcome in wrong:
        print(f"{outcome.row.name}: {outcome.verdict}")
    killed = sum(not outcome.verdict for outcome in mutants)
    free = sum(not outcome.verdict for outcome in innocents)
    print(f"killed {killed} of {len(mutants)}, innocents {free} of {len(innocents)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
