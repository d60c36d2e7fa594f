"""Marks in a site's files: facts that a seed redraws, times relative to now, addresses of the world.

A file is read once into a Template; giving it out is then a join. See docs/sites.md for the forms.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from pytest_webretrieval.cases.draw import show

_NAME = r"(?P<case{n}>[\w-]+)\.(?P<fact{n}>[\w.-]+?)(?::(?P<form{n}>[\w-]+))?"
_CHAR = r"[^\s\"'<>(){}|\\^`?#]"
_MARK = re.compile(
    "<!--fact:" + _NAME.format(n=1) + r"-->(?P<text1>.*?)<!--/-->"
    r"|\{\{fact:" + _NAME.format(n=2) + r"\|(?P<text2>.*?)\}\}"
    r"|\{\{now:(?P<offset>[+-]?\d+[mhd])(?::(?P<form3>[\w-]+))?\}\}"
    rf"|(?P<address>fixture://[\w.-]*\w(?:/(?:{_CHAR}*{_CHAR}(?<![.,;:!]))?)?)",
    re.DOTALL,
)
_LOOSE = re.compile(r"<!--fact:|<!--/-->|\{\{fact:|\{\{now:")
_UNITS = {"m": 60.0, "h": 3600.0, "d": 86400.0}


class MarkError(Exception):
    """A mark that cannot be read; ``line`` counts from 1 within the text."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class FactMark:
    """``text`` is the value of seed 0 in its form, unescaped."""

    case: str
    fact: str
    form: str | None
    text: str
    line: int

    @property
    def key(self) -> str:
        """``CASE.fact``, as in the table of drawn values."""
        return f"{self.case}.{self.fact}"


@dataclass(frozen=True, slots=True)
class NowMark:
    """A time relative to the run's start."""

    offset_s: float
    form: str


@dataclass(frozen=True, slots=True)
class AddressMark:
    """An address of the world by role."""

    url: str


Piece = str | FactMark | NowMark | AddressMark


@dataclass(frozen=True, slots=True)
class Template:
    """A text in pieces; ``escape`` writes a value so that the file's format holds it."""

    pieces: tuple[Piece, ...]
    escape: Callable[[str], str]

    @property
    def facts(self) -> Iterator[FactMark]:
        """The marked facts."""
        return (piece for piece in self.pieces if isinstance(piece, FactMark))

    @property
    def depends_on_now(self) -> bool:
        """Whether two runs with one seed may differ."""
        return any(isinstance(piece, NowMark) for piece in self.pieces)

    def render(self, value: Callable[[str], str], address: Callable[[str], str], now: datetime) -> str:
        """The text with ``value("CASE.fact")``, ``address(fixture URL)`` and times in place of the marks."""
        return "".join(self._piece(piece, value, address, now) for piece in self.pieces)

    def _piece(
        self, piece: Piece, value: Callable[[str], str], address: Callable[[str], str], now: datetime
    ) -> str:
        match piece:
            case str():
                return piece
            case FactMark():
                drawn = value(piece.key)
                return self.escape(drawn if piece.form is None else show(drawn, piece.form))
            case NowMark():
                moment = now + timedelta(seconds=piece.offset_s)
                return self.escape(show(moment.date().isoformat(), piece.form))
            case AddressMark():
                return address(piece.url)


def escape_markup(text: str) -> str:
    """For text and attributes of HTML and XML; quotes stay as people write them in text."""
    return html.escape(text, quote=False).replace('"', "&quot;")


def escape_json(text: str) -> str:
    """For the inside of a string in JSON or JavaScript."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def escape_nothing(text: str) -> str:
    """For plain text."""
    return text


def escape_for(suffix: str) -> Callable[[str], str]:
    """How a file with this suffix writes a value."""
    if suffix in (".html", ".htm", ".xml", ".svg", ".xhtml", ".rss", ".atom"):
        return escape_markup
    if suffix in (".json", ".js", ".mjs", ".webmanifest"):
        return escape_json
    return escape_nothing


def read_offset(text: str) -> float:
    """Seconds for ``-2d``, ``+1h``, ``30m``. Raises ValueError."""
    if not re.fullmatch(r"[+-]?\d+[mhd]", text):
        raise ValueError(f"{text!r} is no offset; write a number and one of m, h, d, such as -2d")
    return float(text[:-1]) * _UNITS[text[-1]]


def read_template(text: str, escape: Callable[[str], str] = escape_nothing) -> Template:
    """Split a text at its marks. Raises MarkError on what looks like a mark and is none."""
    pieces: list[Piece] = []
    end = 0
    for found in _MARK.finditer(text):
        _refuse_loose(text, end, found.start())
        if found.start() > end:
            pieces.append(text[end : found.start()])
        pieces.append(_read_mark(found, text.count("\n", 0, found.start()) + 1, escape))
        end = found.end()
    _refuse_loose(text, end, len(text))
    if end < len(text):
        pieces.append(text[end:])
    return Template(tuple(pieces), escape)


def _read_mark(found: re.Match[str], line: int, escape: Callable[[str], str]) -> Piece:
    groups = found.groupdict()
    if groups["address"]:
        return AddressMark(groups["address"])
    if groups["offset"]:
        return NowMark(read_offset(groups["offset"]), groups["form3"] or "date-iso")
    number = "1" if groups["case1"] else "2"
    written = groups[f"text{number}"]
    if escape is escape_markup:
        written = html.unescape(written)
    elif escape is escape_json:
        written = json.loads(f'"{written}"')
    return FactMark(groups[f"case{number}"], groups[f"fact{number}"], groups[f"form{number}"], written, line)


def _refuse_loose(text: str, start: int, end: int) -> None:
    found = _LOOSE.search(text, start, end)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        shown = text[found.start() : found.start() + 40].split("\n")[0]
        raise MarkError(line, f"{shown!r} is not a mark that can be read; see the forms in docs/sites.md")
