"""Where a text cites: links, reference marks and a provider's annotations as one row of marks."""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .links import Link
from .markers import find_markers
from .reading import Reading
from .spans import Spans

_PURE_LABEL = re.compile(
    r"\W*(?:\d{1,3}|https?://\S+|(?:[\w-]+\.)+[a-z]{2,}(?:/\S*)?|sources?|links?|here|ref|quelle|source|fuente|fonte|來源"
    r"|来源|出典|출처)\W*",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"[(（\[【]\s*(?:(?:sources?|see|via|from|cf\.?|quellen?|siehe|vgl\.?|voir|fuentes?|fontes?|ver|來源|来源|見|见|出典)"
    r"\s*[:：]?\s*)?$",
    re.IGNORECASE,
)
_JOINS = re.compile(r"\s*(?:[,;·|&、，；/]|and|und|et|y|e)?\s*")


@dataclass(frozen=True, slots=True)
class Mark:
    """``pure``: it is no part of what the sentence says, as ``[1]`` or ``(vendor.example)``. ``is_prose``:
    the span of an annotation that holds words of the answer instead of a mark."""

    start: int
    end: int
    urls: tuple[str, ...]
    pure: bool
    is_prose: bool = False


def find_marks(
    text: str, links: Sequence[Link], entries: Mapping[str, list[str]], reading: Reading
) -> list[Mark]:
    """``text`` is free of code and source lists. Notes ``dangling-citation`` in the reading."""
    marks = [_of_link(link) for link in links if link.url is not None]
    marks += _references(text, links, entries)
    marks += _numbers(text, links, marks, entries, reading)
    marks = _grouped(text, sorted(marks, key=lambda mark: mark.start))
    return _annotated(text, marks, reading)


def _of_link(link: Link) -> Mark:
    pure = link.label is not None and _PURE_LABEL.fullmatch(link.label) is not None
    return Mark(link.start, link.end, (link.url or "",), pure)


def _references(text: str, links: Sequence[Link], entries: Mapping[str, list[str]]) -> list[Mark]:
    """``[text][label]`` and ``[label]``, where a definition of that label stands in the text."""
    named = {label.casefold(): urls for label, urls in entries.items() if not label.startswith("^")}
    found: list[Mark] = []
    taken = Spans((link.start, link.end) for link in links)
    for match in re.finditer(r"(?<![\\\]])\[([^\[\]\n]{1,200})\](?:\[([^\[\]\n]{1,40})\])?(?!\()", text):
        label = (match[2] or match[1]).casefold()
        numeric = match[1].strip().isdecimal()
        if label in named and not numeric and not taken.overlap(*match.span()):
            found.append(Mark(match.start(), match.end(), tuple(named[label]), pure=False))
    return found


def _numbers(
    text: str,
    links: Sequence[Link],
    marks: Sequence[Mark],
    entries: Mapping[str, list[str]],
    reading: Reading,
) -> list[Mark]:
    found: list[Mark] = []
    taken = Spans([(k.start, k.end) for k in links] + [(m.start, m.end) for m in marks])
    annotated = Spans((item.start, item.end) for item in reading.located)
    for marker in find_markers(text):
        if taken.overlap(marker.start, marker.end):
            continue
        urls = [url for label in marker.labels for url in _entry(label, entries)]
        lacks = any(not _entry(label, entries) for label in marker.labels)
        # A marker that an annotation stands on has its source there, not in a list.
        if marker.sure and lacks and not annotated.overlap(marker.start, marker.end):
            reading.note("dangling-citation")
        if urls or marker.sure:
            found.append(Mark(marker.start, marker.end, tuple(dict.fromkeys(urls)), pure=True))
    return found


def _entry(label: str, entries: Mapping[str, list[str]]) -> list[str]:
    """``[^1]`` also points at an entry that is written ``1.``."""
    return entries.get(label) or entries.get(label.removeprefix("^")) or []


def _grouped(text: str, marks: Sequence[Mark]) -> list[Mark]:
    """Marks that fill a pair of brackets, with what joins them, become pure and take in the brackets."""
    found: list[Mark] = []
    index = 0
    while index < len(marks):
        opening = _OPENS.search(text, max(0, marks[index].start - 24), marks[index].start)
        last = _last_of_group(text, marks, index) if opening else None
        if opening is None or last is None:
            found.append(marks[index])
            index += 1
            continue
        urls = dict.fromkeys(url for mark in marks[index : last + 1] for url in mark.urls)
        closing = _JOINS.match(text, marks[last].end)
        end = (closing.end() if closing else marks[last].end) + 1
        found.append(Mark(opening.start(), end, tuple(urls), pure=True))
        index = last + 1
    return found


def _last_of_group(text: str, marks: Sequence[Mark], index: int) -> int | None:
    while True:
        joint = _JOINS.match(text, marks[index].end)
        at = joint.end() if joint else marks[index].end
        if index + 1 < len(marks) and marks[index + 1].start == at:
            index += 1
        else:
            return index if text[at : at + 1] in (")", "）", "]", "】") else None


def _annotated(text: str, marks: Sequence[Mark], reading: Reading) -> list[Mark]:
    """Marks with the annotations put in: onto the mark that they cover, or as marks of their own."""
    found = list(marks)
    starts, ends = [mark.start for mark in marks], [mark.end for mark in marks]
    for located in (item for item in reading.located if not item.is_claim):
        index = bisect.bisect_left(starts, located.end) - 1
        if index >= 0 and ends[index] > located.start:
            found[index] = _with(found[index], located.url)
        else:
            prose = re.search(r"\w", text[located.start : located.end]) is not None
            found.append(Mark(located.start, located.end, (located.url,), pure=not prose, is_prose=prose))
    for position, url in reading.nearest:
        if marks:
            right = bisect.bisect_left(ends, position)
            near = [index for index in (right - 1, right) if 0 <= index < len(marks)]
            index = min(near, key=lambda i: abs(ends[i] - position))
            found[index] = _with(found[index], url)
        else:
            reading.unlocated.append(url)
    return sorted(found, key=lambda mark: mark.start)


def _with(mark: Mark, url: str) -> Mark:
    return mark if url in mark.urls else replace(mark, urls=(*mark.urls, url))
