"""Arguments for a tool, by its own JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from pytest_webretrieval.systems.reference.cues import words as word_set

from .conversation import Call, Tool
from .instance import MISSING, instance
from .tools import purpose, words_of

_REASONS = word_set(
    """reason reasoning thought thoughts rationale why explanation purpose goal intent justification"""
)
_TASKS = word_set("task instruction instructions request input question message context prompt")


_DATA = word_set("fields data body form formdata payload values content")


def call_of(tool: Tool, *, task: str, query: str = "", urls: tuple[str, ...] = (), data: str = "") -> Call:
    """A call of ``tool`` with what is known put into the parameters that are for it, and the rest by schema.

    ``query`` are the words to search for, ``urls`` the addresses to open, ``data`` is what to send there
    (``name=value&...``); ``task`` is the whole task, in one line.
    """

    def given(name: str, schema: Mapping[str, Any]) -> Any:
        joined = "".join(words_of(name))
        kind = purpose(name)
        if kind == "url" and urls:
            return list(urls) if _is_list(schema) else urls[0]
        if kind == "query" and query:
            return [query] if _is_list(schema) else query
        if data and joined in _DATA:
            return dict(parse_qsl(data)) if schema.get("type") == "object" else data
        if schema.get("format") in ("uri", "url") and urls:
            return urls[0]
        if joined in _REASONS and "enum" not in schema:
            return f"To find out: {task}"
        if joined in _TASKS and not (query and kind == "query"):
            return task
        return MISSING

    arguments = instance(_closed(tool.parameters), given)
    arguments = dict(arguments) if isinstance(arguments, Mapping) else {}
    return Call(name=tool.name, arguments=_led(arguments, tool, query, urls))


def _closed(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    return parameters if parameters.get("type") else {"type": "object", **parameters}


def _is_list(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "array" or "items" in schema


def _led(arguments: dict[str, Any], tool: Tool, query: str, urls: tuple[str, ...]) -> dict[str, Any]:
    """With the leading value put into the only string parameter, where no name told which one is for it."""
    value = urls[0] if urls else query
    if not value or any(
        value == held or (isinstance(held, list) and value in held) for held in arguments.values()
    ):
        return arguments
    strings = [
        name
        for name, schema in (tool.parameters.get("properties") or {}).items()
        if isinstance(schema, Mapping) and schema.get("type") == "string" and "enum" not in schema
    ]
    required = [name for name in strings if name in (tool.parameters.get("required") or ())] or strings
    if len(required) == 1 and not (set(schema_limits(tool, required[0]))):
        arguments[required[0]] = value
    return arguments


def schema_limits(tool: Tool, name: str) -> list[str]:
    """The limits that a string parameter has."""
    schema = tool.parameters["properties"][name]
    return [key for key in ("pattern", "format", "maxLength", "minLength", "const") if key in schema]
