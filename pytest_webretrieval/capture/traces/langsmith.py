"""LangSmith's runs: a list, an object a line, or a tree of ``child_runs``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .trace import Span

_TOOLS = ("tool", "retriever")


def is_langsmith(document: Any) -> bool:
    """Whether an object is a run."""
    return isinstance(document, dict) and "run_type" in document and "inputs" in document


def langsmith_spans(documents: Iterable[dict[str, Any]]) -> Iterator[Span]:
    """Every run, those within others, too."""
    for run in documents:
        trace = str(run.get("trace_id") or run.get("id") or "")
        yield from _runs(run, run.get("parent_run_id"), trace)


def _runs(run: dict[str, Any], parent: Any, trace: str) -> Iterator[Span]:
    name = str(run.get("id") or "")
    yield Span(
        id=name,
        parent=str(parent) if parent else None,
        trace=trace,
        name=str(run.get("name", "")),
        is_tool=run["run_type"] in _TOOLS,
        asked=run.get("inputs"),
        answered=run.get("outputs"),
        started=str(run.get("dotted_order") or run.get("start_time") or ""),
    )
    for child in run.get("child_runs") or ():
        yield from _runs(child, name, trace)
