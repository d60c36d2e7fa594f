"""Figures for JUnit as properties of the suite: properties of a test case are not valid in the xunit2 family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_webretrieval.gates.gate import GateResult
from pytest_webretrieval.gates.outcome import Outcome
from pytest_webretrieval.records.row import Row


def suite_properties(
    rows: Sequence[Row], gates: Sequence[GateResult], outcomes: Sequence[Outcome] = ()
) -> Iterator[tuple[str, str]]:
    """Name and value, each once; what was not measured is left out."""
    for row in rows:
        trial = f".{row.trial}" if row.trial else ""
        yield f"webretrieval.label.{row.case}{trial}", row.label
        if row.tags:
            yield f"webretrieval.tags.{row.case}{trial}", " ".join(row.tags)
    for outcome in outcomes:
        if len(outcome.labels) > 1 or outcome.accepted is not None:
            passed = f"{outcome.passed} of {len(outcome.labels)} as expected"
            yield f"webretrieval.outcome.{outcome.case}", f"{outcome.state}: {passed}"
    for gate in gates:
        yield f"webretrieval.gate.{gate.name}", f"{gate.verdict}: {gate.line}"
