"""Reading a request for a model, with the mistakes that providers refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..message import Asked
from .brain.conversation import Tool

_NAME = re.compile(r"[A-Za-z0-9_-]{1,128}")


class Refused(Exception):
    """What the provider answers instead: a status and words; ``param`` and ``code`` where it names them."""

    def __init__(
        self, status: int, message: str, *, param: str | None = None, code: str | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.param, self.code = status, param, code


def body_of(asked: Asked) -> dict[str, Any]:
    """The JSON object of a request. Raises Refused."""
    try:
        given = json.loads(asked.body)
    except ValueError as error:
        raise Refused(400, f"We could not parse the JSON body of your request: {error}") from error
    if not isinstance(given, dict):
        raise Refused(400, "The JSON body of the request must be an object.")
    if not isinstance(given.get("model"), str) or not given["model"]:
        raise Refused(400, "you must provide a model parameter", param="model")
    return given


def list_of(given: Mapping[str, Any], key: str) -> list[Any]:
    """A list of objects in a request; empty where it is left out. Raises Refused."""
    value = given.get(key)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise Refused(
            400, f"Invalid type for '{key}': expected an array of objects.", param=key, code="invalid_type"
        )
    return value


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or the texts of its parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [
        part if isinstance(part, str) else part.get("text") for part in parts if isinstance(part, str | dict)
    ]
    return "\n".join(text for text in texts if isinstance(text, str))


def arguments_of(text: Any) -> dict[str, Any]:
    """The arguments of a call that the conversation holds; what is no object is none."""
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def tool_of(name: Any, description: Any, parameters: Any, where: str, *, strict: bool = False) -> Tool:
    """A Tool. Raises Refused for a name or a schema that providers do not take."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise Refused(
            400,
            f"Invalid '{where}.name': string does not match pattern. Expected a string that matches the pattern "
            "'^[a-zA-Z0-9_-]+$'.",
            param=f"{where}.name",
            code="invalid_value",
        )
    schema = parameters if isinstance(parameters, dict) else {}
    if schema and schema.get("type", "object") != "object":
        raise Refused(
            400,
            f"Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"', got "
            f"'type: \"{schema.get('type')}\"'.",
            param=f"{where}.parameters",
            code="invalid_function_parameters",
        )
    if strict:
        check_strict(schema, f"function '{name}'", f"{where}.parameters", "invalid_function_parameters")
    return Tool(name=name, description=str(description or ""), parameters=schema)


def check_strict(schema: Mapping[str, Any], what: str, param: str, code: str) -> None:
    """Raise Refused for a schema that structured outputs do not take: every object must be closed, and require all
    that it has."""
    for place, part in _objects(schema, ()):
        context = f"In context={place}, "
        if part.get("additionalProperties") is not False:
            raise Refused(
                400,
                f"Invalid schema for {what}: {context}'additionalProperties' is required to be supplied and to be "
                "false.",
                param=param,
                code=code,
            )
        missing = [name for name in part.get("properties") or {} if name not in (part.get("required") or ())]
        if missing:
            raise Refused(
                400,
                f"Invalid schema for {what}: {context}'required' is required to be supplied and to be an array "
                f"including every key in properties. Missing '{missing[0]}'.",
                param=param,
                code=code,
            )


def _objects(schema: Any, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    if not isinstance(schema, Mapping):
        return
    if schema.get("type") == "object" or "properties" in schema:
        yield place, schema
    for group in ("properties", "$defs", "definitions"):
        for name, part in (schema.get(group) or {}).items():
            yield from _objects(part, (*place, group, str(name)))
    yield from _objects(schema.get("items"), (*place, "items"))
    for group in ("anyOf", "oneOf", "allOf"):
        for at, part in enumerate(schema.get(group) or ()):
            yield from _objects(part, (*place, group, str(at)))


def chosen(tools: Sequence[Tool], names: Sequence[Any]) -> tuple[Tool, ...]:
    """The tools that a request restricts itself to. Raises Refused for a name that no tool has."""
    for name in names:
        if all(tool.name != name for tool in tools):
            raise Refused(
                400,
                f"Invalid value for 'tool_choice': no tool named '{name}' was specified in the 'tools' parameter.",
                param="tool_choice",
            )
    return tuple(tool for tool in tools if tool.name in names)


def limited(text: str, most: Any, stops: Any) -> tuple[str, str]:
    """A text within the limits of a request, and what ended it: ``stop``, ``length`` or the stop sequence."""
    for stop in [stops] if isinstance(stops, str) else stops or ():
        if isinstance(stop, str) and stop and stop in text:
            return text.partition(stop)[0], stop
    if isinstance(most, int) and not isinstance(most, bool) and 0 < most * 4 < len(text):
        return text[: most * 4], "length"
    return text, "stop"
