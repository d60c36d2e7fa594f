"""Every gate against the systems: each fails on the runs of one wrong system, and on none of a right one."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_webretrieval import gates
from pytest_webretrieval.gates.accepting import accepted_cases
from pytest_webretrieval.gates.baseline import Accepted
from pytest_webretrieval.gates.gate import Gate, GateResult, RunView, evaluate
from pytest_webretrieval.gates.outcome import outcome_of
from pytest_webretrieval.records.codec import to_json
from pytest_webretrieval.records.record import Record
from pytest_webretrieval.records.row import row_of

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
    """The gates that the package has, by name, found by what they take and give."""
    found: dict[str, Gate] = {}
    for place in pkgutil.iter_modules(gates.__path__, f"{gates.__name__}."):
        for name, one in inspect.getmembers(importlib.import_module(place.name), inspect.isfunction):
            if one.__annotations__ == {"view": "RunView", "return": "Finding"}:
                found[name] = one
    return found


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
