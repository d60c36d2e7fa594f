"""OpenTelemetry's JSON (OTLP, one object or one a line), and OpenInference spans, which lie on top of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .trace import Span, unpacked

# Where a span says what went in and out, the surest first: OpenInference, OpenTelemetry for generative AI, OpenLLMetry.
_IN = (
    *("input.value", "gen_ai.input.messages", "traceloop.entity.input", "gen_ai.tool.call.arguments"),
    *("tool.parameters", "gen_ai.prompt", "llm.input_messages", "ai.prompt"),
)
_OUT = (
    *("output.value", "gen_ai.output.messages", "traceloop.entity.output", "gen_ai.tool.call.result"),
    *("gen_ai.completion", "llm.output_messages", "ai.response.text"),
)
_ADDRESSES = ("url.full", "http.url")
_TOOLS = frozenset(("TOOL", "RETRIEVER", "execute_tool", "tool"))
_KINDS = ("openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind")
_OPENINFERENCE = "openinference.span.kind"
_NUMBERED = re.compile(r"(.+?)\.(\d+)\.(.+)\Z")


def is_otlp(document: Any) -> bool:
    """Whether an object holds OTLP's resource spans."""
    return isinstance(document, dict) and isinstance(document.get("resourceSpans"), list)


def is_openinference(document: Any) -> bool:
    """Whether an object is a span as Phoenix and other readers of OpenInference give it."""
    if not isinstance(document, dict) or not isinstance(document.get("attributes"), dict):
        return "attributes.openinference.span.kind" in document if isinstance(document, dict) else False
    return "span_kind" in document or _OPENINFERENCE in flat(document["attributes"])


def otlp_spans(documents: Iterable[dict[str, Any]]) -> Iterator[Span]:
    """Every span of OTLP objects."""
    for document in documents:
        for resource in document["resourceSpans"]:
            for scope in resource.get("scopeSpans") or resource.get("instrumentationLibrarySpans") or ():
                for span in scope.get("spans") or ():
                    attributes = {
                        one["key"]: _plain(one.get("value") or {}) for one in span.get("attributes") or ()
                    }
                    yield _span(
                        attributes,
                        name=str(span.get("name", "")),
                        id=str(span.get("spanId", "")),
                        parent=span.get("parentSpanId") or None,
                        trace=str(span.get("traceId", "")),
                        started=str(span.get("startTimeUnixNano", "")).zfill(20),
                    )


def openinference_spans(documents: Iterable[dict[str, Any]]) -> Iterator[Span]:
    """Every span of Phoenix's export: attributes nested or dotted, or columns ``attributes.input.value``."""
    for span in documents:
        columns = {
            name.removeprefix("attributes."): value
            for name, value in span.items()
            if name.startswith("attributes.")
        }
        attributes = {**flat(columns), **flat(span.get("attributes") or {})}
        if "span_kind" in span:
            attributes.setdefault(_OPENINFERENCE, span["span_kind"])
        context = span.get("context") or {}
        yield _span(
            attributes,
            name=str(span.get("name", "")),
            id=str(context.get("span_id") or span.get("context.span_id") or span.get("span_id") or ""),
            parent=span.get("parent_id") or None,
            trace=str(context.get("trace_id") or span.get("context.trace_id") or span.get("trace_id") or ""),
            started=str(span.get("start_time", "")),
        )


def flat(attributes: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Nested attributes under dotted names; lists stay lists."""
    found: dict[str, Any] = {}
    for name, value in attributes.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{above}{name}.")
        else:
            found[f"{above}{name}"] = value
    return found


def _span(
    attributes: Mapping[str, Any], *, name: str, id: str, parent: str | None, trace: str, started: str
) -> Span:
    folded = _folded(attributes)
    kinds = {str(folded.get(kind)) for kind in _KINDS}
    addresses = [folded[key] for key in _ADDRESSES if key in folded]
    return Span(
        id=id,
        parent=parent,
        trace=trace,
        name=name,
        is_tool=bool(_TOOLS & kinds) or bool(addresses),
        asked=addresses if addresses else next((folded[key] for key in _IN if key in folded), None),
        answered=next((folded[key] for key in _OUT if key in folded), None),
        started=started,
    )


def _folded(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes with numbered ones (``gen_ai.prompt.0.content``) as lists of objects."""
    found: dict[str, Any] = {}
    lists: dict[str, dict[int, dict[str, Any]]] = {}
    for name, value in attributes.items():
        if (numbered := _NUMBERED.match(name)) is None:
            found[name] = unpacked(value)
            continue
        entry = lists.setdefault(numbered[1], {}).setdefault(int(numbered[2]), {})
        entry[numbered[3].removeprefix("message.")] = value
    return {**{name: [entries[at] for at in sorted(entries)] for name, entries in lists.items()}, **found}


def _plain(value: Mapping[str, Any]) -> Any:
    """A value of OTLP as plain data."""
    if "arrayValue" in value:
        return [_plain(one) for one in value["arrayValue"].get("values") or ()]
    if "kvlistValue" in value:
        return {
            one["key"]: _plain(one.get("value") or {}) for one in value["kvlistValue"].get("values") or ()
        }
    return next(iter(value.values()), None)
