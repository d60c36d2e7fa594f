"""Langfuse's traces with their ``observations``, and observations alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .trace import Span

_TOOLS = ("TOOL", "RETRIEVER")
_TALK = ("GENERATION", "AGENT", "CHAIN")


def is_langfuse(document: Any) -> bool:
    """Whether an object is a trace with observations, or an observation."""
    return isinstance(document, dict) and (
        isinstance(document.get("observations"), list) or {"traceId", "type"} <= set(document)
    )


def langfuse_spans(documents: Iterable[dict[str, Any]]) -> Iterator[Span]:
    """Every trace as the root of its observations, and every observation."""
    for document in documents:
        if not isinstance(document.get("observations"), list):
            yield _observation(document, str(document["traceId"]), None)
            continue
        inner = document.get("trace")
        trace: dict[str, Any] = inner if isinstance(inner, dict) else document
        name = str(trace.get("id") or "trace")
        yield Span(
            id=name,
            parent=None,
            trace=name,
            name=str(trace.get("name") or ""),
            is_tool=False,
            asked=trace.get("input"),
            answered=trace.get("output"),
        )
        for one in document["observations"]:
            if isinstance(one, dict):
                yield _observation(one, name, name)


def _observation(one: dict[str, Any], trace: str, root: str | None) -> Span:
    kind = str(one.get("type", "")).upper()
    parent = one.get("parentObservationId") or root
    return Span(
        id=str(one.get("id", "")),
        parent=str(parent) if parent else None,
        trace=trace,
        name=str(one.get("name") or ""),
        # Before there were kinds for tools, their calls were plain spans within others.
        is_tool=kind in _TOOLS or (kind not in _TALK and parent is not None),
        asked=one.get("input"),
        answered=one.get("output"),
        started=str(one.get("startTime") or ""),
    )
