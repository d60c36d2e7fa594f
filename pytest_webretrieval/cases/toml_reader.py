"""TOML as the same nodes with line numbers as YAML (see ``yaml_reader``), so that one reader checks both.

``tomllib`` says what a file holds and keeps no lines; a scan of its tables and keys says where each begins. The scan
runs only over what ``tomllib`` has accepted.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .case import CaseError
from .yaml_reader import Mapping, Node, Scalar, Sequence, error_at, shown

Way = tuple[str | int, ...]

_TOKEN = re.compile(
    r'(?P<text>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
    r"|(?P<bare>[^\s\"'#\[\]{}=,.]+)|(?P<mark>[\[\]{}=,.\n])|(?P<skipped>#[^\n]*|[^\S\n]+)",
    re.DOTALL,
)
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)\Z")


def read_toml(path: Path) -> Mapping:
    """Read a TOML file. Raises ``CaseError`` with the file and line."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CaseError(f"{shown(path)}: no such file") from None
    except UnicodeDecodeError:
        raise CaseError(f"{shown(path)}: is not UTF-8 text") from None
    except OSError as error:
        raise CaseError(f"{shown(path)}: cannot be read: {error.strerror}") from None
    return parse_toml(text, path)


def parse_toml(text: str, path: Path) -> Mapping:
    """``read_toml`` of a text; ``path`` is for messages."""
    text = text.replace("\r\n", "\n")
    try:
        data = tomllib.loads(text, parse_float=_Decimal)
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        found = _AT_LINE.search(said)
        line = int(found[1]) if found else text.count("\n") + 1
        raise error_at(path, line, f"is no TOML: {_AT_LINE.sub('', said)}") from None
    return _mapping(data, (), _Scan(text).lines)


def scalars(node: Node, key: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """Every scalar with the keys that lead to it; those of a list share them."""
    if isinstance(node, Scalar):
        yield key, node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item, key)
    else:
        for name, value in node.entries.items():
            yield from scalars(value, (*key, name))


def keys(table: Mapping, way: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every key, of tables too, and its line."""
    for name, node in table.entries.items():
        yield (*way, name), table.key_lines[name]
        if isinstance(node, Mapping):
            yield from keys(node, (*way, name))


class _Decimal(float):
    """A number that keeps how it was written."""

    written: str

    def __new__(cls, written: str) -> _Decimal:
        made = super().__new__(cls, written)
        made.written = written
        return made


def _mapping(data: dict[str, Any], way: Way, lines: dict[Way, int]) -> Mapping:
    key_lines = {key: lines.get((*way, key), lines.get(way, 1)) for key in data}
    entries = {key: _node(value, (*way, key), lines) for key, value in data.items()}
    return Mapping(entries=entries, key_lines=key_lines, line=lines.get(way, 1))


def _node(value: Any, way: Way, lines: dict[Way, int]) -> Node:
    if isinstance(value, dict):
        return _mapping(value, way, lines)
    line = next((lines[way[:end]] for end in range(len(way), 0, -1) if way[:end] in lines), 1)
    if isinstance(value, list):
        return Sequence([_node(item, (*way, at), lines) for at, item in enumerate(value)], line)
    if isinstance(value, str):
        return Scalar(value, line, plain=False)
    if isinstance(value, bool):
        return Scalar(str(value).lower(), line, plain=True)
    if isinstance(value, _Decimal):
        return Scalar(value.written.replace("_", ""), line, plain=True)
    return Scalar(value.isoformat() if hasattr(value, "isoformat") else str(value), line, plain=True)


_Token = tuple[str, str, int]


class _Scan:
    """Where each table, key and item of a list begins: ``lines``, by the way to it."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Way, int] = {}
        self._tokens = list(_tokens(text))
        self._next = 0
        self._many: dict[Way, int] = {}  # tables written `[[name]]`: how many so far
        table: Way = ()
        while self._next < len(self._tokens):
            if self._is("\n"):
                self._take()
            elif self._is("["):
                table = self._header()
            else:
                self._value(self._key(table))

    def _header(self) -> Way:
        """The way to the table whose header comes: ``[name.name]`` or ``[[name.name]]``."""
        _, _, line = self._take()
        many = self._is("[")
        names = []
        while not self._is("]"):
            kind, text, _ = self._take()
            if kind != "mark":
                names.append(_name(kind, text))
        while self._is("]"):
            self._take()
        way: Way = ()
        for name in names:
            way = (*way, name)
            self.lines.setdefault(way, line)
            if many and way == tuple(names):
                self._many[way] = self._many.get(way, 0) + 1
            if way in self._many:
                way = (*way, self._many[way] - 1)
        self.lines[way] = line
        return way

    def _key(self, way: Way) -> Way:
        """The way to the key that comes, dotted or not, up to its ``=``."""
        while not self._is("="):
            kind, text, line = self._take()
            if kind != "mark":
                way = (*way, _name(kind, text))
                self.lines.setdefault(way, line)
        self._take()
        return way

    def _value(self, way: Way) -> None:
        _, opening, _ = self._take()
        if opening not in ("[", "{"):
            while not self._is(",", "]", "}", "\n"):
                self._take()
            return
        index = 0
        while not self._is("]", "}"):
            if self._is(",", "\n"):
                self._take()
            elif opening == "[":
                self.lines[(*way, index)] = self._tokens[self._next][2]
                self._value((*way, index))
                index += 1
            else:
                self._value(self._key(way))
        self._take()

    def _is(self, *marks: str) -> bool:
        """Whether one of these marks comes; the end of the text is the end of a line."""
        if self._next == len(self._tokens):
            return "\n" in marks
        kind, text, _ = self._tokens[self._next]
        return kind == "mark" and text in marks

    def _take(self) -> _Token:
        self._next += 1
        return self._tokens[self._next - 1]


def _tokens(text: str) -> Iterator[_Token]:
    """Kind (``text``, ``bare`` or ``mark``), what is written, and its line."""
    line = 1
    for found in _TOKEN.finditer(text):
        if found.lastgroup != "skipped":
            yield str(found.lastgroup), found[0], line
        line += found[0].count("\n")


def _name(kind: str, written: str) -> str:
    return written if kind == "bare" else str(tomllib.loads(f"key = {written}")["key"])
