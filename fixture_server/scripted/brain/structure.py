"""An answer in a form of the agent's own: a JSON Schema, filled from what is to be said."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_webretrieval.systems.reference.answer import Statement
from pytest_webretrieval.systems.reference.cues import words as word_set
from pytest_webretrieval.systems.reference.dates import dates_in
from pytest_webretrieval.systems.reference.values import NUMBER, PRICE, VERSION

from .instance import MISSING, instance
from .style import Style, written
from .tools import purpose, words_of

_SOURCES = word_set("sources source citations citation references reference links link urls evidence")
_TITLES = word_set("title name label heading")
_QUOTES = word_set(
    """quote text snippet excerpt passage content statement claim sentence supporting evidence citedtext"""
)
_FOUND = word_set("found answered success supported isanswered answerfound sufficient complete")
_UNFOUND = word_set("declined refused notfound failed unknown insufficient")
_WHY = word_set("""reason reasoning explanation rationale thought thoughts why justification refusal""")
_SURE = word_set("confidence score certainty probability")
_STATUS = {
    True: ("answered", "success", "ok", "found", "complete", "completed", "done", "supported", "yes"),
    False: (
        "declined",
        "refused",
        "not_found",
        "notfound",
        "unanswerable",
        "failed",
        "unknown",
        "no_answer",
        "no",
    ),
}
_SKETCH = re.compile(r"\{[^{}]*\"\w+\"\s*:(?:[^{}]|\{[^{}]*\})*\}", re.S)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is to be said: ``statements``, or ``refusal`` in their place; ``query`` is what one would search for."""

    statements: tuple[Statement, ...] = ()
    refusal: str = ""
    query: str = ""
    line: str = ""

    @property
    def urls(self) -> list[str]:
        return list(dict.fromkeys(statement.page.url for statement in self.statements))


def filled(form: Mapping[str, Any], said: Said, style: Style) -> Any:
    """The value for ``form``."""
    schema = _flat_root(form)
    apart = _holds_sources(schema)
    # Where the form has a place for sources, the text needs no marks of its own; a reader still finds them there.
    answer = (
        written(said.statements, style)
        if not apart or style.kind != "links"
        else written(said.statements, Style())
    )
    answer = said.refusal or answer
    count = max(1, len(said.statements))
    return instance({"type": "object", **schema}, _Filling(said, answer, schema, count).given)


def form_in(prompt: str) -> Mapping[str, Any] | None:
    """The form that a prompt draws up by an example of a JSON object; None without one."""
    if not re.search(r"\bjson\b", prompt, re.I):
        return None
    for match in _SKETCH.finditer(prompt):
        keys = re.findall(r"\"(\w+)\"\s*:\s*(\[\s*\{?|\{|\"|\d|true|false|null|<|\w)?", match[0])
        top = _top_keys(match[0])
        properties = {key: _sketched(opening, match[0], key) for key, opening in keys if key in top}
        if properties:
            return {"type": "object", "properties": properties, "required": list(properties)}
    return None


def _top_keys(sketch: str) -> set[str]:
    depth, found = 0, set()
    for match in re.finditer(r"[{}\[\]]|\"(\w+)\"\s*:", sketch):
        if match[0] in "{[":
            depth += 1
        elif match[0] in "}]":
            depth -= 1
        elif depth == 1:
            found.add(match[1])
    return found


def _sketched(opening: str, sketch: str, key: str) -> dict[str, Any]:
    opening = opening.strip()
    if opening.startswith("["):
        behind = sketch.split(f'"{key}"', 1)[1]
        if "{" in opening:
            inner = re.findall(r"\"(\w+)\"\s*:", behind.split("{", 1)[1].split("}", 1)[0])
            item = {
                "type": "object",
                "properties": {name: {"type": "string"} for name in inner},
                "required": inner,
            }
            return {"type": "array", "items": item, "minItems": 0}
        return {"type": "array", "items": {"type": "string"}}
    if opening in ("true", "false", "t", "f", "b") and re.search(
        rf'"{key}"\s*:\s*(?:true|false|bool)', sketch
    ):
        return {"type": "boolean"}
    return {"type": "number"} if opening.isdigit() else {"type": "string"}


def _flat_root(form: Mapping[str, Any]) -> dict[str, Any]:
    return dict(form)


def _holds_sources(schema: Mapping[str, Any]) -> bool:
    return any("".join(words_of(name)) in _SOURCES for name in schema.get("properties") or {})


class _Filling:
    """What is known for each place of a form. Items of a list of sources are filled one after the other."""

    def __init__(self, said: Said, answer: str, root: Mapping[str, Any], count: int) -> None:
        self._said, self._answer, self._root, self._count = said, answer, root, count
        self._text = " ".join(statement.text for statement in said.statements)

    def given(self, name: str, schema: Mapping[str, Any]) -> Any:
        """The value for a property, or MISSING."""
        words = set(words_of(name))
        joined = "".join(words_of(name))
        kinds = schema.get("type")
        listed = kinds == "array" or (isinstance(kinds, list) and "array" in kinds) or "items" in schema
        if listed:
            return self._listed(joined, words, schema)
        if not name or kinds == "object" or "properties" in schema:
            return MISSING
        return self._single(joined, words, schema)

    def _single(self, joined: str, words: set[str], schema: Mapping[str, Any]) -> Any:
        answered = bool(self._said.statements)
        if "enum" in schema:
            return self._of_enum(schema["enum"])
        if joined in _WHY:
            return self._said.refusal or "The pages that were opened say so."
        if joined in _FOUND or joined in _UNFOUND:
            return answered if joined in _FOUND else not answered
        if joined in _SURE:
            return 0.9 if answered else 0.1
        if purpose(joined) == "url" or words & {"url", "link", "href"} or joined in _SOURCES:
            return next(iter(self._said.urls), MISSING if schema.get("type") != "string" else "")
        if joined in ("query", "searchquery", "question"):
            return self._said.query or self._said.line
        if purpose(joined) == "answer":
            return self._answer
        value = self._value(words, schema)
        if value is not MISSING:
            return value
        return self._answer if len(_strings(self._root)) == 1 else MISSING

    def _value(self, words: set[str], schema: Mapping[str, Any]) -> Any:
        """A value of the kind that a property's name asks for, out of what is said."""
        if words & {"date", "day", "published", "released", "updated", "when"}:
            found = dates_in(self._text)
            return found[0].day.isoformat() if found else MISSING
        if words & {"version", "release"}:
            return match[0] if (match := VERSION.search(self._text)) else MISSING
        if words & {"price", "cost", "amount", "fee"}:
            match = PRICE.search(self._text)
            if match and schema.get("type") in ("number", "integer"):
                return _number(match[0])
            return match[0] if match else MISSING
        if schema.get("type") in ("number", "integer"):
            return _number(match[0]) if (match := NUMBER.search(self._text)) else MISSING
        if words & _TITLES and self._said.statements:
            document = self._said.statements[0].page.document
            return document.name if document else MISSING
        return MISSING

    def _of_enum(self, values: Sequence[Any]) -> Any:
        wanted = _STATUS[bool(self._said.statements)]
        return next((value for value in values if str(value).lower().replace(" ", "_") in wanted), MISSING)

    def _listed(self, joined: str, words: set[str], schema: Mapping[str, Any]) -> Any:
        if joined in ("queries", "searchqueries", "keywords"):
            return [self._said.query or self._said.line]
        items = schema.get("items") or {}
        items = _resolved(items, self._root)
        if items.get("type") == "object" or "properties" in items:
            return [self._item(statement, items) for statement in self._said.statements]
        if joined in _SOURCES or words & {"url", "urls", "link", "links", "source", "sources"}:
            return self._said.urls
        if items.get("type") == "string":
            return [statement.text for statement in self._said.statements] or (
                [self._answer] if schema.get("minItems") else []
            )
        return MISSING

    def _item(self, statement: Statement, schema: Mapping[str, Any]) -> Any:
        alone = Said(statements=(statement,), query=self._said.query, line=self._said.line)
        inner = _Filling(alone, statement.text, {**schema, "$defs": self._root.get("$defs", {})}, 1)

        def given(name: str, part: Mapping[str, Any]) -> Any:
            joined = "".join(words_of(name))
            if joined in _TITLES and part.get("type") in ("string", None) and statement.page.document:
                return statement.page.document.name
            if joined in _QUOTES and part.get("type") in ("string", None):
                return statement.text
            return inner.given(name, part)

        return instance({**schema, "$defs": self._root.get("$defs", {})}, given)


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found.get(part, {}) if isinstance(found, Mapping) else {}
    return found if isinstance(found, Mapping) else {}


def _strings(schema: Mapping[str, Any]) -> list[str]:
    properties = schema.get("properties") or {}
    return [
        name
        for name, part in properties.items()
        if isinstance(part, Mapping) and part.get("type") == "string"
    ]


def _number(text: str) -> float | int:
    digits = re.sub(r"[^\d.,-]", "", text)
    if re.search(r",\d{1,2}$", digits):
        digits = digits.replace(".", "").replace(",", ".")
    value = float(digits.replace(",", "") or 0)
    return int(value) if value.is_integer() else value


def as_json(value: Any) -> str:
    """``value`` as the text of an answer."""
    return json.dumps(value, ensure_ascii=False)
