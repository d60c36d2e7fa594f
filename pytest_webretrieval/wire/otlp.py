"""OTLP's JSON (opentelemetry-proto 1.x, ``ExportTraceServiceRequest``) as spans.

Ids are hex in JSON, unlike everything else of type bytes; 64-bit numbers may be text. What is too much is cut: values
to ``VALUE`` characters (with an ellipsis), spans to ``ATTRIBUTES`` attributes and ``EVENTS`` events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from .tracing import Span, SpanEvent

VALUE = 8 * 1024
ATTRIBUTES = 64
EVENTS = 16
_DEEPEST = 8
_ERROR = (2, "STATUS_CODE_ERROR")


def spans_of(request: Mapping[str, Any], began_at: float) -> Iterator[Span]:
    """Every span of an export; ``began_at`` is the Unix time at which the run began. Raises ValueError for what is no
    such request."""
    try:
        for resource in request.get("resourceSpans") or ():
            for scope in resource.get("scopeSpans") or ():
                for span in scope.get("spans") or ():
                    yield _span(span, began_at)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"not an export of spans: {error}") from None


def _span(data: Mapping[str, Any], began_at: float) -> Span:
    start, end = _seconds(data.get("startTimeUnixNano")), _seconds(data.get("endTimeUnixNano"))
    status = data.get("status") or {}
    return Span(
        trace_id=_id(data["traceId"], 32),
        span_id=_id(data["spanId"], 16),
        parent_id=_id(data["parentSpanId"], 16) if data.get("parentSpanId") else None,
        name=_cut(str(data.get("name", ""))),
        started_s=start - began_at,
        duration_s=max(0.0, end - start),
        attributes=_attributes(data.get("attributes")),
        events=tuple(_event(event, began_at) for event in (data.get("events") or ())[:EVENTS]),
        error=_cut(str(status.get("message", ""))) if status.get("code") in _ERROR else None,
    )


def _event(data: Mapping[str, Any], began_at: float) -> SpanEvent:
    return SpanEvent(
        name=_cut(str(data.get("name", ""))),
        at_s=_seconds(data.get("timeUnixNano")) - began_at,
        attributes=_attributes(data.get("attributes")),
    )


def _id(text: Any, length: int) -> str:
    found = str(text).lower()
    if len(found) != length or not all(char in "0123456789abcdef" for char in found):
        raise ValueError(f"{found[:40]!r} is no id of {length} hex digits")
    return found


def _seconds(nanoseconds: Any) -> float:
    return int(nanoseconds or 0) / 1e9


def _attributes(pairs: Any) -> dict[str, Any]:
    return {
        _cut(str(pair["key"])): _value(pair.get("value") or {}, 0) for pair in islice(pairs or (), ATTRIBUTES)
    }


def _value(value: Mapping[str, Any], depth: int) -> Any:
    """One AnyValue."""
    if depth > _DEEPEST:
        return "…"
    for kind, read in _KINDS.items():
        if kind in value:
            return read(value[kind])
    if "arrayValue" in value:
        items = value["arrayValue"].get("values") or ()
        return [_value(item, depth + 1) for item in items[:ATTRIBUTES]]
    if "kvlistValue" in value:
        pairs = value["kvlistValue"].get("values") or ()
        return {str(pair["key"]): _value(pair.get("value") or {}, depth + 1) for pair in pairs[:ATTRIBUTES]}
    return None


def _cut(text: str) -> str:
    return text if len(text) <= VALUE else text[:VALUE] + "…"


_KINDS: dict[str, Callable[[Any], Any]] = {
    "stringValue": lambda value: _cut(str(value)),
    "boolValue": bool,
    "intValue": int,
    "doubleValue": float,
    "bytesValue": lambda value: _cut(str(value)),
}
