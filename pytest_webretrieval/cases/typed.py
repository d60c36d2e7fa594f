"""Plain data out of YAML nodes, as a JSON Schema says: the one home of keys, types and choices.

A schema is compiled once into closures, so that ten thousand cases take a fraction of a second. The part of
JSON Schema that is understood: ``type``, ``properties``, ``required``, ``additionalProperties``, ``items``,
``minItems``, ``enum``, ``pattern`` (with ``patternErrorMessage``), ``minLength``, ``minimum``,
``exclusiveMinimum``, ``$ref`` into this schema or another one of the folder. Where a type is one of several and
``string`` is among them, a scalar is text: ``3.10`` stays ``"3.10"``; beside ``object``, a mapping is the object.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from .case import CaseError, Location
from .yaml_reader import Mapping, Node, Scalar, Sequence, shown

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?\Z")
_NOTES = {"$schema", "$id", "$defs", "title", "description", "default", "examples", "format"}
_RULES = {"type", "properties", "required", "additionalProperties", "items", "minItems", "enum", "pattern"}
_LIMITS = {"patternErrorMessage", "minLength", "minimum", "exclusiveMinimum"}
_KNOWN = _NOTES | _RULES | _LIMITS

FIELD = "\0"  # no YAML text can hold it


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong: the line, whose it is, the way to the field, and a text in which ``FIELD`` stands
    for it."""

    line: int
    text: str
    trail: tuple[str | int, ...] = ()
    who: str = ""

    def message(self) -> str:
        """The text with the field's name, such as ``expected_facts[0].match``."""
        name = ""
        for part in self.trail:
            name += f"[{part}]" if isinstance(part, int) else f".{part}"
        text = self.text.replace(FIELD, name.lstrip("."))
        return f"{self.who}: {text}" if self.who else text


Reader = Callable[[Node, list[Problem]], Any]


@cache
def schema(name: str) -> dict[str, Any]:
    """The JSON Schema ``corpus``, ``truth`` or ``own``."""
    text = (resources.files(__package__) / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def reader(name: str, definition: str | None = None) -> Reader:
    """What reads a whole document of the schema ``name``, or one of its ``$defs``."""
    root = schema(name)
    return compile_schema(root if definition is None else root["$defs"][definition], root)


def raise_problems(problems: Iterable[Problem], path: Path) -> None:
    """Raise one ``CaseError`` with a line ``path:line: who: text`` for each problem, in file order; none,
    no error."""
    ordered = sorted(problems, key=lambda problem: problem.line)
    if ordered:
        file = shown(path)
        raise CaseError(
            "\n".join(f"{Location(file, problem.line)}: {problem.message()}" for problem in ordered)
        )


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``; did you mean `x`?`` for the nearest known word, else ``; known: `` and the list."""
    words = list(known)
    near = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    return f"; did you mean `{near[0]}`?" if near else f"; known: {', '.join(words)}"


def compile_schema(part: dict[str, Any], root: dict[str, Any]) -> Reader:
    """Turn a schema into a function from a node to plain data that adds to a list what is wrong."""
    if "$ref" in part:
        resolved: list[Reader] = []  # filled at first use: a definition may hold itself

        def read_ref(node: Node, problems: list[Problem]) -> Any:
            if not resolved:
                resolved.append(compile_schema(*_referred(part["$ref"], root)))
            return resolved[0](node, problems)

        return read_ref
    unknown = set(part) - _KNOWN
    if unknown:
        raise ValueError(f"schema keywords that the reader does not know: {sorted(unknown)}")
    types = part["type"] if isinstance(part["type"], list) else [part["type"]]
    wanted = [name for name in types if name != "null"]
    if "object" in wanted and "string" in wanted:
        return _object_or_text(part, root)
    read = _by_type("string" if "string" in wanted else wanted[0], part, root)
    nullable = "null" in types

    def read_value(node: Node, problems: list[Problem]) -> Any:
        if isinstance(node, Scalar) and node.is_null:
            if not nullable:
                hint = (
                    ""
                    if wanted[0] in ("object", "array")
                    else '; write "null" in quotes if that word is meant'
                )
                state = "null" if node.text else "empty"
                problems.append(Problem(node.line, f"`{FIELD}` is {state}{hint if node.text else ''}"))
            return None
        return read(node, problems)

    return read_value


def _referred(reference: str, root: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a ``$ref`` names, and the schema that it stands in: ``#/$defs/x``, or ``truth.schema.json#/$defs/x``."""
    file, _, pointer = reference.partition("#/")
    there = schema(file.removesuffix(".schema.json")) if file else root
    found = there
    for name in pointer.split("/"):
        found = found[name]
    return found, there


def _object_or_text(part: dict[str, Any], root: dict[str, Any]) -> Reader:
    read_object, read_text = _object(part, root), _text(part)

    def read_either(node: Node, problems: list[Problem]) -> Any:
        if isinstance(node, Scalar) and node.is_null:
            problems.append(Problem(node.line, f"`{FIELD}` is {'null' if node.text else 'empty'}"))
            return None
        return (read_object if isinstance(node, Mapping) else read_text)(node, problems)

    return read_either


def _by_type(kind: str, part: dict[str, Any], root: dict[str, Any]) -> Reader:
    if kind == "object":
        return _object(part, root)
    if kind == "array":
        return _array(part, root)
    if kind == "string":
        return _text(part)
    if kind == "boolean":
        return _boolean
    return _number(part, kind)


def _object(part: dict[str, Any], root: dict[str, Any]) -> Reader:
    if part.get("additionalProperties", True) is True:
        raise ValueError("an object must close its keys: additionalProperties false or a schema")
    properties: dict[str, dict[str, Any]] = part.get("properties", {})
    fields = {name: compile_schema(value, root) for name, value in properties.items()}
    required: list[str] = part.get("required", [])
    others = part["additionalProperties"]
    other = compile_schema(others, root) if others is not False else None

    def read_object(node: Node, problems: list[Problem]) -> Any:
        if not isinstance(node, Mapping):
            problems.append(Problem(node.line, f"`{FIELD}` must be a mapping of keys, not {_kind(node)}"))
            return None
        read = {}
        for key, value in node.entries.items():
            field = fields.get(key, other)
            if field is None:
                text = f"unknown key `{key}`{did_you_mean(key, fields)}"
                problems.append(Problem(node.key_lines[key], text, (key,)))
                continue
            before = len(problems)
            read[key] = field(value, problems)
            if len(problems) > before:
                _prefix(problems, before, key)
        absent = [f"`{key}`" for key in required if key not in node.entries]
        if absent:
            word = "keys" if len(absent) > 1 else "key"
            problems.append(Problem(node.line, f"missing {word} {', '.join(absent)}"))
        return read

    return read_object


def _array(part: dict[str, Any], root: dict[str, Any]) -> Reader:
    item = compile_schema(part["items"], root)
    least = part.get("minItems", 0)

    def read_array(node: Node, problems: list[Problem]) -> Any:
        if not isinstance(node, Sequence):
            problems.append(Problem(node.line, f"`{FIELD}` must be a list, not {_kind(node)}"))
            return None
        if len(node.items) < least:
            problems.append(Problem(node.line, f"`{FIELD}` is an empty list"))
        read = []
        for index, value in enumerate(node.items):
            before = len(problems)
            read.append(item(value, problems))
            if len(problems) > before:
                _prefix(problems, before, index)
        return read

    return read_array


def _text(part: dict[str, Any]) -> Reader:
    choices = part.get("enum")
    allowed = frozenset(choices or ())
    pattern = re.compile(part["pattern"]) if "pattern" in part else None
    says = part.get("patternErrorMessage", "")
    least = part.get("minLength", 0)

    def read_text(node: Node, problems: list[Problem]) -> Any:
        if not isinstance(node, Scalar):
            problems.append(Problem(node.line, f"`{FIELD}` must be text, not {_kind(node)}"))
            return None
        text = node.text
        if allowed and text not in allowed:
            problems.append(
                Problem(node.line, f"unknown {FIELD} `{text}`{did_you_mean(text, choices or ())}")
            )
        elif len(text) < least:
            problems.append(Problem(node.line, f"`{FIELD}` is empty"))
        elif pattern is not None and not pattern.search(text):
            problems.append(Problem(node.line, f"`{FIELD}` is `{text}`: {says}"))
        return text

    return read_text


def _boolean(node: Node, problems: list[Problem]) -> Any:
    if isinstance(node, Scalar) and node.plain and node.text in ("true", "false"):
        return node.text == "true"
    problems.append(Problem(node.line, f"`{FIELD}` must be true or false, not {_kind(node)}"))
    return None


def _number(part: dict[str, Any], kind: str) -> Reader:
    form = _WHOLE if kind == "integer" else _DECIMAL
    words = "a whole number in plain digits" if kind == "integer" else "a number in plain digits"
    least = part.get("minimum")
    above = part.get("exclusiveMinimum")

    def read_number(node: Node, problems: list[Problem]) -> Any:
        if not (isinstance(node, Scalar) and node.plain and form.match(node.text)):
            problems.append(Problem(node.line, f"`{FIELD}` must be {words}, not {_kind(node)}"))
            return None
        value: int | float = int(node.text) if kind == "integer" or "." not in node.text else float(node.text)
        if isinstance(value, float) and Decimal(repr(value)) != Decimal(node.text):
            problems.append(Problem(node.line, f"`{FIELD}` has more digits than can be kept: {node.text}"))
        elif least is not None and value < least:
            problems.append(Problem(node.line, f"`{FIELD}` is {node.text}; the least is {least}"))
        elif above is not None and value <= above:
            problems.append(Problem(node.line, f"`{FIELD}` is {node.text}; it must be above {above}"))
        return value

    return read_number


def _prefix(problems: list[Problem], start: int, part: str | int) -> None:
    for index in range(start, len(problems)):
        problems[index] = replace(problems[index], trail=(part, *problems[index].trail))


def _kind(node: Node) -> str:
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Mapping):
        return "a mapping"
    if node.plain:
        return f"`{node.text}`"
    return f'the text "{node.text}"'
