"""The whole product: every system on every case that it could meet, whether or not its row names it.

A wrong system need not be caught elsewhere, and what it does there may be wrong in more than one way: what else is seen
of it is told. A right one must be left alone everywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.records.record import Record
from tests.innocents.rows import INNOCENTS, Innocent

from .judging import changed, harmed, survives
from .mutant import Mutant
from .rows import MUTANTS
from .stand import CORPORA, Ask, Stand, opened


@dataclass(frozen=True, slots=True)
class Everywhere:
    """A row's runs on its own cases and on all others."""

    row: Mutant | Innocent
    own: tuple[Record, ...]
    others: tuple[Record, ...]

    @property
    def verdict(self) -> str:
        """What is wrong with the row, or nothing."""
        if isinstance(self.row, Mutant):
            return survives(self.row, self.own)
        return next((f"CAUGHT {harm}" for one in (*self.own, *self.others) if (harm := harmed(one))), "")

    @property
    def caught(self) -> list[str]:
        """Further cases on which a mutant's own rule tells."""
        tag = self.row.tag if isinstance(self.row, Mutant) else None
        return [one.case for one in self.others if tag in one.tags]

    @property
    def beside(self) -> list[str]:
        """Further cases on which something else is said of a mutant than its own rule explains."""
        if not isinstance(self.row, Mutant):
            return []
        explained = self.row.explained
        found = []
        for one in self.others:
            strange = sorted(set(one.tags) - explained)
            unexplained = not one.as_expected and not one.tags
            if strange or unexplained:
                found.append(f"{one.case} {', '.join(strange) or one.label}")
        return found


def every_case() -> tuple[str, ...]:
    """The cases of all corpora of the matrix, in their order."""
    return tuple(case.id for path in CORPORA for case in load_corpus(path).cases)


def could_meet(row: Mutant | Innocent) -> tuple[str, ...]:
    """The further cases that a row's system could be asked: all for what is made of the honest system, none for what
    knows the pages of its own cases alone."""
    if isinstance(row, Innocent) and not row.anywhere:
        return ()
    return tuple(case for case in every_case() if case not in row.cases)


async def run_everywhere(names: Sequence[str]) -> list[Everywhere]:
    """Each row, or those that are named."""
    async with opened() as stand:
        rows: list[Mutant | Innocent] = [*INNOCENTS, *MUTANTS]
        wanted = [row for row in rows if not names or row.name in names]
        return list(await asyncio.gather(*(_judge(stand, row) for row in wanted)))


async def _judge(stand: Stand, row: Mutant | Innocent) -> Everywhere:
    change = partial(changed, row) if isinstance(row, Mutant) else None
    asks = [Ask(case=case, change=change) for case in row.cases]
    asks += [Ask(case=case) for case in could_meet(row)]
    records = tuple(await stand.records(row.spec, asks))
    return Everywhere(row, records[: len(row.cases)], records[len(row.cases) :])


def show_everywhere(rows: Sequence[Everywhere]) -> int:
    """A line a row, and below it what else was seen; 1 when a mutant survives or an innocent is caught."""
    for one in rows:
        runs = len(one.own) + len(one.others)
        told = f"{runs} runs"
        if isinstance(one.row, Mutant):
            told += f", {one.row.tag} on {len(one.row.cases)} of its own cases and {len(one.caught)} others"
        print(f"  {one.row.name:<24} {one.verdict or 'well'}: {told}")
        if one.beside:
            print(f"      beside: {'; '.join(one.beside)}")
    mutants = [one for one in rows if isinstance(one.row, Mutant)]
    innocents = [one for one in rows if isinstance(one.row, Innocent)]
    for one in rows:
        if one.verdict:
            print(f"{one.row.name}: {one.verdict}")
    killed = sum(not one.verdict for one in mutants)
    free = sum(not one.verdict for one in innocents)
    runs = sum(len(one.own) + len(one.others) for one in rows)
    print(f"{runs} runs: killed {killed} of {len(mutants)}, innocents {free} of {len(innocents)}")
    return 0 if killed + free == len(rows) else 1
