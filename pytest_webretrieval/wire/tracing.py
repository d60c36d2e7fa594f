"""What a system tells of itself while it works: spans of OpenTelemetry. Testimony, but for what joins it to the
wire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# The name under which the world takes spans; a slot's environment leads there.
RECEIVER = "otlp.webretrieval.example"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanEvent:
    """Something that happened within a span, ``at_s`` seconds after the run began."""

    name: str
    at_s: float
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span that has ended. Ids are lower-case hex; ``parent_id`` is None for the first of a trace. Times are
    seconds since the run began. ``error`` holds the status' message where it says error. Attributes are bounded (see
    ``wire.otlp``)."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    started_s: float
    duration_s: float
    attributes: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[SpanEvent, ...] = ()
    error: str | None = None

    @property
    def ended_s(self) -> float:
        return self.started_s + self.duration_s


def traceparent(headers: Mapping[str, str]) -> tuple[str, str] | None:
    """Trace and span that a request names (W3C Trace Context); None where it names none."""
    parts = headers.get("traceparent", "").strip().lower().split("-")
    if len(parts) < 4 or len(parts[1]) != 32 or len(parts[2]) != 16 or not any(parts[1].replace("0", "")):
        return None
    return parts[1], parts[2]


def line_of(spans: Sequence[Span], trace_id: str, span_id: str) -> Iterator[Span]:
    """The span of those ids and its ancestors, the nearest first, as far as they are known."""
    known = {(span.trace_id, span.span_id): span for span in spans}
    wanted: str | None = span_id
    passed: set[str] = set()
    while wanted is not None and wanted not in passed:
        passed.add(wanted)
        span = known.get((trace_id, wanted))
        if span is None:
            return
        yield span
        wanted = span.parent_id
