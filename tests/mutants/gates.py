"""Every gate against the systems: each fails on the runs of one wrong system, and on none of a right one."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_webretrieval import gates
from pytest_webretrieval.gates.accepting import accepted_cases
from pytest_webretrieval.gates.baseline import Accepted, Baseline
from pytest_webretrieval.gates.gate import Gate, GateResult, RunView, evaluate
from pytest_webretrieval.gates.outcome import outcome_of
from pytest_webretrieval.ledger import Ledger
from pytest_webretrieval.records.codec import to_json
from pytest_webretrieval.records.record import Record
from pytest_webretrieval.records.row import row_of
from pytest_webretrieval.settings import Settings

# Which mutant makes a gate fail.
BROKEN_BY = {
    "policy_violation": "CarriesByAddress",
    "labels_match": "RefusesEverything",
    "caps": "AsksTooOften",
    "citation_support": "CitesTheHomePage",
    "extra_claims": "InventsExtras",
    "learned_caps": "HidesItsRequests",
    "claims_checked": "RestsOnAnIndexsCopy",
}
# Gates that say nothing of a system; sabotaged folders and recordings prove them, not mutants.
NOT_OF_SYSTEMS = ("infra_error", "replay")
# Gates that need more than one run or a judge, with what proves them: no mutant's records alone can break them.
PROVEN_ELSEWHERE = {
    "rolling._gate": "tests/gates/test_rolling.py",
    "judged.judged_gate": "tests/gates/test_judged.py",
    "judged.waiting_gate": "tests/gates/test_judged.py",
}
_MEANS = {"gate.evaluate", "hard._count"}
# What these gates count is measured from a run that was accepted: the honest system's.
LEARNED = ("learned_caps", "claims_checked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a gate says of its mutant, and of the right systems; ``wrong`` is empty when both are as they must be."""

    gate: str
    mutant: str
    broken: GateResult
    passed: GateResult

    @property
    def wrong(self) -> str:
        if self.broken.verdict != "fail":
            return f"SURVIVED by {self.mutant}: {self.broken.line}"
        return "" if self.passed.verdict == "pass" else f"CAUGHT right systems: {self.passed.line}"


def every_gate() -> dict[str, Gate]:
    """The gates that a run can have, by name, whatever its options: as the ledger has them."""
    place, system = Path("nowhere"), "tests.mutants.honest:Honest"
    accepted = Baseline(path=place, lane="fixture", corpora={}, system=system, fingerprint="", cases={})
    runs = [Settings(lane=lane, system=system, model="replay") for lane in ("fixture", "live")]
    tables = [Ledger(run, place, place, accepted).gate_table for run in runs]
    return {name: gate for table in tables for name, gate in table.items()}


def makers() -> set[str]:
    """The functions of the package that make a gate's result or finding and that no run registers, those left out by
    which all are made."""
    registered = set(every_gate().values())
    found = set()
    for place in pkgutil.iter_modules(gates.__path__, f"{gates.__name__}."):
        for name, one in inspect.getmembers(importlib.import_module(place.name), inspect.isfunction):
            makes = one.__annotations__.get("return") in ("Finding", "GateResult")
            if makes and one.__module__ == place.name and one not in registered:
                found.add(f"{place.name.rpartition('.')[2]}.{name}")
    return found - _MEANS


def judge_gates(
    mutants: Mapping[str, Sequence[Record]], honest: Sequence[Record], different: Sequence[Record]
) -> list[Verdict]:
    """A verdict for each gate whose mutant has run; ``honest`` are the runs that are accepted."""
    accepted = accepted_cases(map(to_json, honest), "matrix", "2026-01-01")
    known = every_gate()
    verdicts = []
    for gate, mutant in BROKEN_BY.items():
        if mutant in mutants:
            right = honest if gate in LEARNED else [*honest, *different]
            verdicts.append(
                Verdict(
                    gate=gate,
                    mutant=mutant,
                    broken=evaluate(gate, known[gate], view_of(mutants[mutant], accepted)),
                    passed=evaluate(gate, known[gate], view_of(right, accepted)),
                )
            )
    return verdicts


def view_of(records: Sequence[Record], accepted: Mapping[str, Accepted]) -> RunView:
    """Records as a gate sees them, each an item of its own."""
    lines = [to_json(record) for record in records]
    return RunView(
        rows=[row_of(line, line["case"]) for line in lines],
        outcomes=[outcome_of([line], 1, None, "") for line in lines],
        planned=len(lines),
        accepted=accepted,
    )
