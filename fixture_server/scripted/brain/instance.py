"""A value that a JSON Schema allows, with what is known put where it belongs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from referencing.exceptions import Unresolvable

from .leaves import number, string

DEEPEST = 24


class _Missing:
    """Says that nothing is known for a place; None is a value."""


MISSING = _Missing()
# What is known for a property: its name ("" for the whole and for items) and its schema give a value or MISSING.
Given = Callable[[str, Mapping[str, Any]], Any]


def instance(schema: Any, given: Given) -> Any:
    """A value for ``schema``: required properties, those that something is known for, and little else.

    It is valid where any of the values tried here is; of several the first, which holds most of what is known.
    """
    root = schema if isinstance(schema, Mapping) else {}
    value: Any = {}
    for value in _tried(root, given):
        if _is_valid(root, value):
            break
    return value


def flat(root: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema within ``root`` with its references followed, the first alternative that is no null taken, and all parts
    of ``allOf`` merged."""
    return _Maker(root, lambda name, part: MISSING, 0).flat(schema, 0)


def _tried(root: Mapping[str, Any], given: Given) -> Iterator[Any]:
    for known in (given, lambda name, schema: MISSING):
        for choice in range(3):
            yield _Maker(root, known, choice).value("", root, 0)


def _is_valid(root: Mapping[str, Any], value: Any) -> bool:
    try:
        return Draft202012Validator(root).is_valid(value)
    except (SchemaError, Unresolvable, RecursionError, ValueError, TypeError):
        return True


class _Maker:
    """Makes one value; ``choice`` is the alternative taken where a schema has several."""

    def __init__(self, root: Mapping[str, Any], given: Given, choice: int) -> None:
        self._root, self._given, self._choice = root, given, choice

    def value(self, name: str, schema: Any, depth: int) -> Any:
        """A value for the property ``name`` with this schema."""
        if not isinstance(schema, Mapping):
            return {} if depth == 0 else None
        schema = self.flat(schema, depth)
        if depth > DEEPEST:
            return None
        if "const" in schema:
            return schema["const"]
        known = self._given(name, schema)
        if known is not MISSING:
            fitted = _fitted(known, schema)
            if fitted is not MISSING:
                return fitted
        if schema.get("enum"):
            return self._of_enum(schema["enum"])
        if "default" in schema and _is_valid(dict(schema), schema["default"]):
            return schema["default"]
        return self._made(name, schema, depth)

    def _made(self, name: str, schema: Mapping[str, Any], depth: int) -> Any:
        kind = _type_of(schema)
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            return self._array(name, schema, depth)
        if kind == "string":
            return string(schema)
        if kind in ("integer", "number"):
            return number(schema, whole=kind == "integer")
        return False if kind == "boolean" else None

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        properties = schema.get("properties") or {}
        required = [name for name in schema.get("required") or () if isinstance(name, str)]
        made: dict[str, Any] = {}
        for name, inner in properties.items():
            inner = inner if isinstance(inner, Mapping) else {}
            if name in required or self._given(name, self.flat(inner, depth)) is not MISSING:
                made[name] = self.value(name, inner, depth + 1)
        beyond = schema.get("additionalProperties", True)
        for name in required:
            if name not in made:
                made[name] = self.value(name, beyond if isinstance(beyond, Mapping) else {}, depth + 1)
        for name, inner in properties.items():
            if len(made) >= int(schema.get("minProperties", 0)):
                break
            made.setdefault(name, self.value(name, inner, depth + 1))
        while len(made) < int(schema.get("minProperties", 0)):
            made[f"key{len(made)}"] = self.value(
                "", beyond if isinstance(beyond, Mapping) else {"type": "string"}, depth + 1
            )
        return made

    def _array(self, name: str, schema: Mapping[str, Any], depth: int) -> list[Any]:
        least = int(schema.get("minItems", 0))
        made = [self.value("", part, depth + 1) for part in schema.get("prefixItems") or ()][: max(least, 1)]
        items = schema.get("items", {})
        while len(made) < least:
            item = self.value(name, items, depth + 1)
            made.append(_other(item, made, items) if schema.get("uniqueItems") else item)
        return made

    def flat(self, schema: Mapping[str, Any], depth: int) -> Mapping[str, Any]:
        """References followed, one alternative chosen, all parts of ``allOf`` merged."""
        for _ in range(DEEPEST):
            if isinstance(reference := schema.get("$ref"), str):
                schema = {**_at(self._root, reference), **_without(schema, "$ref")}
            elif schema.get("allOf"):
                merged: dict[str, Any] = dict(_without(schema, "allOf"))
                for part in schema["allOf"]:
                    merged = _merged(merged, self.flat(part, depth + 1) if isinstance(part, Mapping) else {})
                schema = merged
            elif options := schema.get("anyOf") or schema.get("oneOf"):
                schema = {**_without(schema, "anyOf", "oneOf"), **self._option(options, depth)}
            else:
                break
        return schema

    def _option(self, options: list[Any], depth: int) -> Mapping[str, Any]:
        """The alternative to take: what is no null first, unless the value is an optional one far down."""
        fit = [option for option in options if isinstance(option, Mapping)]
        fit.sort(key=lambda option: (option.get("type") == "null") != (depth > DEEPEST // 2))
        return fit[self._choice % len(fit)] if fit else {}

    def _of_enum(self, values: list[Any]) -> Any:
        return values[self._choice % len(values)]


def _at(root: Mapping[str, Any], reference: str) -> Mapping[str, Any]:
    found: Any = root
    for part in reference.removeprefix("#").split("/")[1:]:
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _without(schema: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key not in keys}


def _merged(one: dict[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    both = {**one, **other}
    if "properties" in one and "properties" in other:
        both["properties"] = {**one["properties"], **other["properties"]}
    if "required" in one and "required" in other:
        both["required"] = [*one["required"], *other["required"]]
    return both


def _type_of(schema: Mapping[str, Any]) -> str:
    """The type to make; where null is one of several, null only when nothing else is known of the value."""
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return "null" if "null" in kinds else str(kinds[0]) if kinds else "null"
    if isinstance(kinds, str):
        return kinds
    for kind, keys in (
        ("object", ("properties", "required", "additionalProperties", "minProperties")),
        ("array", ("items", "prefixItems", "minItems")),
        ("string", ("pattern", "format", "minLength", "maxLength")),
        ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
    ):
        if any(key in schema for key in keys):
            return kind
    return "string"


def _fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    """``value`` in the type that the schema asks for; MISSING where it cannot be."""
    kinds = schema.get("type", "string" if isinstance(value, str) else None)
    kinds = [kinds] if isinstance(kinds, str) or kinds is None else kinds
    tried = [value]
    if "array" in kinds and not isinstance(value, list):
        tried.append([value])
    if isinstance(value, list) and "string" in kinds and value:
        tried += [value[0], ", ".join(map(str, value))]
    if isinstance(value, str) and (longest := schema.get("maxLength")):
        tried.append(value[: int(longest)])
    return next((each for each in tried if _is_valid(dict(schema), each)), MISSING)


def _other(item: Any, made: list[Any], schema: Any) -> Any:
    """An item unlike those that are there."""
    known = {json.dumps(each, sort_keys=True) for each in made}
    for turn in range(1000):
        if json.dumps(item, sort_keys=True) not in known:
            break
        if isinstance(schema, Mapping) and schema.get("enum"):
            item = schema["enum"][turn % len(schema["enum"])]
        elif isinstance(item, str):
            item = f"{item}{turn}"
        elif isinstance(item, int | float):
            item += 1
    return item
