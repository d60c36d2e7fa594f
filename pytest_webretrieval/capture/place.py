"""Where a fact stands in what was captured, and what is nearest to it where it stands nowhere. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import unescape

from fixture_server.text import read_html
from pytest_webretrieval.cases.forms import forms_of
from pytest_webretrieval.cases.tokens import stands_in

from .exchange import CaptureError, Exchange

_LINE = 160
_NEAR = 0.5
_UNREAD = ("text/css", "text/javascript", "application/javascript", "application/x-javascript")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The answers in which a fact stands. ``readable``: on a page as people read it, without a browser's help; ``line``
    is the one that holds it."""

    exchanges: tuple[Exchange, ...]
    readable: bool
    line: str


def place_of(fact: str, exchanges: Sequence[Exchange]) -> Place:
    """Where ``fact`` stands, in any form that pages use. Raises CaptureError that shows what is nearest."""
    wanted = forms_of(fact)
    found = [(one, line) for one in exchanges if (line := _line_with(wanted, one)) is not None]
    if not found:
        raise CaptureError(_nowhere(fact, exchanges))
    readable = [(one, line) for one, line in found if one.is_document]
    chosen = readable or found
    return Place(exchanges=tuple(one for one, _ in chosen), readable=bool(readable), line=chosen[0][1])


def title_of(one: Exchange) -> str:
    """A page's title; empty where it has none."""
    return read_html(one.text or "").title if one.kind == "text/html" else ""


def _line_with(wanted: frozenset[str], one: Exchange) -> str | None:
    if one.status != 200 or one.kind in _UNREAD:
        return None
    lines = _lines(one)
    for line in lines:
        if any(stands_in(value, line) for value in wanted):
            return _around(line, next(value for value in wanted if stands_in(value, line)))
    return None


def _lines(one: Exchange) -> list[str]:
    """What an answer says, a block a line."""
    text = one.text
    if text is None:
        return []
    if one.kind in ("text/html", "application/xhtml+xml"):
        return read_html(text).text.splitlines()
    return unescape(text).splitlines()


def _around(line: str, value: str) -> str:
    """The line, or the part of a long one that holds the value."""
    at = line.casefold().find(value.casefold())
    start = max(0, at - _LINE // 2)
    return line[start : start + _LINE].strip()


def _nowhere(fact: str, exchanges: Sequence[Exchange]) -> str:
    page = next(
        (
            one
            for one in exchanges
            if one.is_document and one.status == 200 and not one.url.endswith("/robots.txt")
        ),
        None,
    )
    where = page.url if page is not None else "what was captured"
    near = _nearest(fact, (line for one in exchanges if one.kind not in _UNREAD for line in _lines(one)))
    shown = f"; nearest: “{near}”" if near else ""
    return (
        f"“{fact}” does not stand on {where}{shown}; write it as the page does, or, where a script writes it, "
        "capture a HAR of your browser with --har"
    )


def _nearest(fact: str, lines: Iterable[str]) -> str:
    """The part of a line that is most like the fact; empty where nothing is."""
    best, shown = _NEAR, ""
    for line in lines:
        for part in _windows(line, len(fact.split())):
            likeness = SequenceMatcher(None, fact.casefold(), part.casefold()).ratio()
            if likeness > best:
                best, shown = likeness, _around(line, part)
    return shown


def _windows(line: str, size: int) -> Iterator[str]:
    words = re.findall(r"\S+", line[:20_000])
    for start in range(max(1, len(words) - size + 1)):
        yield " ".join(words[start : start + size]).strip(".,;:!?\"'()[]")
