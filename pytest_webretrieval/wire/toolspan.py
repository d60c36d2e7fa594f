"""Tool calls as spans tell of them, whoever's conventions they follow."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .tracing import Span


@dataclass(frozen=True, slots=True)
class Convention:
    """Names of attributes: ``says`` (name, value) makes a span a tool call, without it a name does; then where its
    name, its arguments, its result and the id that the model gave it stand. An empty ``name`` is the span's own."""

    says: tuple[str, str] | None
    name: str
    arguments: tuple[str, ...]
    result: str
    call_id: str = ""


CONVENTIONS = (
    Convention(  # OpenTelemetry
        None,
        "gen_ai.tool.name",
        ("gen_ai.tool.call.arguments", "tool_arguments"),
        "gen_ai.tool.call.result",
        "gen_ai.tool.call.id",
    ),
    Convention(  # OpenInference
        ("openinference.span.kind", "TOOL"), "tool.name", ("input.value", "tool.parameters"), "output.value"
    ),
    Convention(("langsmith.span.kind", "tool"), "", ("gen_ai.prompt",), "gen_ai.completion"),
    Convention(
        ("langfuse.observation.type", "tool"),
        "",
        ("langfuse.observation.input",),
        "langfuse.observation.output",
    ),
    Convention(
        ("traceloop.span.kind", "tool"),
        "traceloop.entity.name",
        ("traceloop.entity.input",),
        "traceloop.entity.output",
    ),
    Convention(
        None, "ai.toolCall.name", ("ai.toolCall.args",), "ai.toolCall.result", "ai.toolCall.id"
    ),  # Vercel
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpan:
    """A span that is a tool call. ``arguments`` and ``result`` are text, JSON mostly; empty where it tells none."""

    span: Span
    name: str
    arguments: str = ""
    result: str = ""
    call_id: str = ""


def tool_of(span: Span) -> ToolSpan | None:
    """The tool call that a span is; None where it is none."""
    given = span.attributes
    for convention in CONVENTIONS:
        if convention.says is not None:
            attribute, value = convention.says
            if str(given.get(attribute, "")).lower() != value.lower():
                continue
        elif not given.get(convention.name):
            continue
        return ToolSpan(
            span=span,
            name=str(given.get(convention.name) or span.name),
            arguments=_text(given, *convention.arguments),
            result=_text(given, convention.result),
            call_id=_text(given, convention.call_id),
        )
    return None


def _text(given: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = given.get(name)
        if value is not None:
            return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return ""
