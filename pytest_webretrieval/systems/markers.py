"""Reference marks in a text: ``[1]``, ``[1,2]``, ``[1-3]``, ``[^1]``, ``【3†source】``, ``¹``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_WORD = r"(?:sources?|refs?|references?|docs?|documents?|citations?|quellen?|fuentes?|fontes?|来源|來源|出典)"
_NUMBERS = r"\d{1,3}(?:\s*[-–—]\s*\d{1,3})?(?:\s*[,;、]\s*\d{1,3}(?:\s*[-–—]\s*\d{1,3})?)*"
_BRACKETED = re.compile(rf"\[(?:{_WORD}\s*[:#]?\s*)?({_NUMBERS})\]", re.IGNORECASE)
_FOOTNOTE = re.compile(r"\[\^([^\]\[\s^]{1,40})\]")
_LENTICULAR = re.compile(r"【\s*(?:\d{1,3}:)?(\d{1,3}(?:\s*[-–—,、]\s*\d{1,3})*)\s*(?:†[^】]{0,200})?】")
_SUPERSCRIPT = re.compile(r"(?:(?<=[^\W\d_]{4})|(?<=[.,;:!?。」』)\]”]))[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,2}")
_SUPERSCRIPT_DIGITS = str.maketrans("¹²³⁴⁵⁶⁷⁸⁹⁰", "1234567890")
_LONGEST_RANGE = 100


@dataclass(frozen=True, slots=True)
class Marker:
    """``labels`` are the entries it points at. A ``sure`` marker is one even when no entry has its label:
    it dangles. Others (``arr[1]``, ``m²``) count only when their entries are there."""

    start: int
    end: int
    labels: tuple[str, ...]
    sure: bool


def find_markers(text: str) -> list[Marker]:
    """Every marker, in order; code must have been blanked out, and links are the caller's business."""
    found = [*_bracketed(text), *_footnotes(text), *_lenticular(text), *_superscripts(text)]
    return sorted(found, key=lambda marker: marker.start)


def _bracketed(text: str) -> Iterator[Marker]:
    for match in _BRACKETED.finditer(text):
        before = text[match.start() - 1 : match.start()] if match.start() else ""
        if before == "\\" or (labels := _expanded(match[1])) is None:
            continue
        glued = before.isascii() and (before.isalnum() or before == "_")
        indexed = glued and re.match(r"\s?[=(\w]|\.\w|\[\D", text[match.end() : match.end() + 2]) is not None
        if not indexed and "0" not in labels:
            yield Marker(match.start(), match.end(), labels, sure=not glued)


def _footnotes(text: str) -> Iterator[Marker]:
    for match in _FOOTNOTE.finditer(text):
        if text[match.start() - 1 : match.start()] != "\\" and text[match.end() : match.end() + 1] != ":":
            yield Marker(match.start(), match.end(), (f"^{match[1]}",), sure=match[1].isdecimal())


def _lenticular(text: str) -> Iterator[Marker]:
    for match in _LENTICULAR.finditer(text):
        if (labels := _expanded(match[1])) is not None:
            yield Marker(match.start(), match.end(), labels, sure=True)


def _superscripts(text: str) -> Iterator[Marker]:
    for match in _SUPERSCRIPT.finditer(text):
        yield Marker(match.start(), match.end(), (match[0].translate(_SUPERSCRIPT_DIGITS),), sure=False)


def _expanded(numbers: str) -> tuple[str, ...] | None:
    """``1-3,5`` as single labels; None for a range that runs backwards or is too long to be one."""
    labels: list[str] = []
    for part in re.split(r"[,;、]", numbers):
        first, *last = (int(number) for number in re.split(r"[-–—]", part))
        end = last[-1] if last else first
        if not first <= end < first + _LONGEST_RANGE:
            return None
        labels.extend(str(number) for number in range(first, end + 1))
    return tuple(dict.fromkeys(labels))
