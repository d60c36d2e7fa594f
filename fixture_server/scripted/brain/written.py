"""A string for a regular expression, as a JSON Schema's ``pattern`` asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.:/@#"
_CLASSES: dict[Any, Callable[[str], bool]] = {
    code.CATEGORY_DIGIT: str.isdigit,
    code.CATEGORY_NOT_DIGIT: lambda char: not char.isdigit(),
    code.CATEGORY_SPACE: str.isspace,
    code.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    code.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    code.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
}


def matching(pattern: str) -> str | None:
    """The shortest plain text that ``pattern`` is found in; None where it asks for more than can be made here."""
    try:
        text = _of(parser.parse(pattern), {})
        return text if re.search(pattern, text) else None
    except (re.error, ValueError, RecursionError, OverflowError):
        return None


def _of(parts: Iterable[tuple[Any, Any]], groups: dict[int, str]) -> str:
    return "".join(_one(kind, value, groups) for kind, value in parts)


def _one(kind: Any, value: Any, groups: dict[int, str]) -> str:
    if kind is code.LITERAL:
        return chr(value)
    if kind is code.ANY:
        return "a"
    if kind is code.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if kind is code.IN:
        return _in(value)
    if kind is code.BRANCH:
        return _of(value[1][0], groups)
    if kind is code.SUBPATTERN:
        text = _of(value[-1], groups)
        if value[0] is not None:
            groups[value[0]] = text
        return text
    if kind in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
        least, _, inner = value
        if least > 10_000:
            raise ValueError(least)
        return "".join(_of(inner, groups) for _ in range(least))
    if kind is code.GROUPREF:
        return groups[value]
    if kind in (code.AT, code.ASSERT, code.ASSERT_NOT):
        return ""
    raise ValueError(kind)


def _in(members: list[tuple[Any, Any]]) -> str:
    negated = bool(members) and members[0][0] is code.NEGATE
    members = members[negated:]
    if not negated and members[0][0] is code.LITERAL:
        return chr(members[0][1])
    if not negated and members[0][0] is code.RANGE:
        return chr(members[0][1][0])
    for char in _ALPHABET:
        if any(_holds(member, char) for member in members) != negated:
            return char
    raise ValueError(members)


def _holds(member: tuple[Any, Any], char: str) -> bool:
    kind, value = member
    if kind is code.LITERAL:
        return bool(ord(char) == value)
    if kind is code.RANGE:
        return bool(value[0] <= ord(char) <= value[1])
    return _CLASSES[value](char) if kind is code.CATEGORY and value in _CLASSES else False
