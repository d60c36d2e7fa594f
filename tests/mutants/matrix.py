"""Every wrong system and every different one against the grader: ``python -m tests.mutants.matrix [NAME ...]``.

``--full`` runs each of them on every case that it could meet, not on the cases of its row alone.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from tests.innocents.rows import HONEST, INNOCENTS

from .full import run_everywhere, show_everywhere
from .gates import Verdict, judge_gates
from .judging import Outcome, judge_innocent, judge_mutant
from .mutant import Mutant
from .rows import MUTANTS
from .stand import opened

FULL = "--full"


async def run(names: Sequence[str]) -> tuple[list[Outcome], list[Outcome]]:
    """Outcomes of mutants and innocents, all of them or those that are named."""
    async with opened() as stand:
        mutants = [judge_mutant(stand, row) for row in MUTANTS if not names or row.name in names]
        innocents = [judge_innocent(stand, row) for row in INNOCENTS if not names or row.name in names]
        # The longest first: what is left at the end is short.
        done = await asyncio.gather(*reversed(innocents), *mutants)
    return done[len(innocents) :], done[: len(innocents)][::-1]


def show(outcomes: Sequence[Outcome], well: str) -> None:
    """One block a row: name, verdict and what it is; then a line a case, with its label and the tags that fired."""
    for outcome in outcomes:
        row = outcome.row
        what = f"{row.wrong} -> {row.tag}" if isinstance(row, Mutant) else row.different
        print(f"  {row.name:<24} {outcome.verdict or well}: {what}")
        for index, record in enumerate(outcome.records):
            beside = " ".join(record.tags)
            if isinstance(row, Mutant) and index >= len(row.cases):
                beside = beside or "healthy"
            print(f"      {record.case}  {record.label:<18} {beside}".rstrip())


def of_gates(mutants: Sequence[Outcome], innocents: Sequence[Outcome]) -> list[Verdict]:
    """What the gates say, where the honest system is among the rows."""
    honest = [record for one in innocents if one.row.name in HONEST for record in one.records]
    if not honest:
        return []
    own = {one.row.name: one.records[: len(one.row.cases)] for one in mutants if isinstance(one.row, Mutant)}
    return judge_gates(
        own, honest, [r for one in innocents if one.row.name not in HONEST for r in one.records]
    )


def main(arguments: Sequence[str]) -> int:
    """Print the tables; 1 when a mutant survives, an innocent is caught, or a gate does not tell them apart."""
    names = [argument for argument in arguments if argument != FULL]
    known = {mutant.name for mutant in MUTANTS} | {innocent.name for innocent in INNOCENTS}
    if unknown := [name for name in names if name not in known]:
        print(f"no such system: {', '.join(unknown)}; there are {', '.join(sorted(known))}", file=sys.stderr)
        return 2
    if FULL in arguments:
        return show_everywhere(asyncio.run(run_everywhere(names)))
    mutants, innocents = asyncio.run(run(names))
    print("mutants: wrong in one way each")
    show(mutants, "killed")
    print("innocents: right, and different")
    show(innocents, "left alone")
    gates = of_gates(mutants, innocents)
    print("gates: each fails on one mutant, and passes on all that is right")
    for gate in gates:
        print(f"  {gate.gate:<24} {gate.wrong or f'fails on {gate.mutant}: {gate.broken.line}'}")
    wrong = [outcome for outcome in (*mutants, *innocents) if outcome.verdict]
    for outcome in wrong:
        print(f"{outcome.row.name}: {outcome.verdict}")
    wrong_gates = [gate for gate in gates if gate.wrong]
    for gate in wrong_gates:
        print(f"gate {gate.gate}: {gate.wrong}")
    killed = sum(not outcome.verdict for outcome in mutants)
    free = sum(not outcome.verdict for outcome in innocents)
    print(f"killed {killed} of {len(mutants)}, innocents {free} of {len(innocents)}")
    return 1 if wrong or wrong_gates else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
