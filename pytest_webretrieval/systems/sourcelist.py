"""The list of sources at the end of a text, footnotes, and reference definitions: what ``[n]`` points at."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .links import Link

_TITLE = (
    r"(?:sources?|references?|citations?|bibliography|works cited|sources? (?:cited|used)|links?|footnotes?"
    r"|quellen?|quellenangaben|einzelnachweise|belege|références|sources et références|fuentes?|referencias"
    r"|fontes?|referências|fonti|riferimenti|資料來源|来源|來源|參考資料|参考资料|參考來源|参考文献|參考文獻|引用來源"
    r"|資料来源|出處|出处|出典|情報源|参照|参考|출처|참고 ?문헌|참고 ?자료)"
)
_HEADING = re.compile(
    rf"[\s>]*(?:#{{1,6}}\s*)?(?:\d+[.)]\s*)?[*_]{{0,3}}{_TITLE}\s*[:：]?[*_]{{0,3}}\s*[:：]?\s*", re.I
)
_ON_ONE_LINE = re.compile(
    rf"[\s>]*[*_]{{0,3}}{_TITLE}\s*[*_]{{0,3}}\s*[:：][*_]{{0,3}}\s*(?=\[\d{{1,3}}\])", re.I
)
_NUMBER = re.compile(
    r"[\s>]*(?:[-*+•]\s+)?(?:\[(?P<a>\^?[\w-]{1,40})\]|【(?P<b>\d{1,3})】|(?P<c>\d{1,3})[.)、:]|\((?P<d>\d{1,3})\)"
    r"|(?P<e>[¹²³⁴⁵⁶⁷⁸⁹]))(?!\()\s*[:：.]?\s*"
)
_SUPERSCRIPT_DIGITS = str.maketrans("¹²³⁴⁵⁶⁷⁸⁹", "123456789")
_BULLET = re.compile(r"[\s>]*(?:[-*+•‣]\s+)")
_DEFINITION = re.compile(r" {0,3}\[(\^?[^\]\[\s^]{1,40})\]:[ \t]*(?=\S)")
_RULE = re.compile(r"\s*(?:[-*_=]\s?){3,}\s*")


@dataclass(slots=True)
class SourceList:
    """``entries`` maps a label (``1``, ``^1``) to URLs; ``urls`` are all URLs that stand in the list, in
    order; ``spans`` is where it stands; ``headed`` whether a heading says what it is."""

    entries: dict[str, list[str]] = field(default_factory=dict)
    urls: list[str] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    headed: bool = False

    def add(self, label: str | None, urls: Sequence[str]) -> None:
        if label is not None:
            self.entries.setdefault(label, []).extend(urls)
        self.urls.extend(urls)


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str
    urls: tuple[str, ...]


def find_sources(text: str, links: Sequence[Link]) -> SourceList:
    """Read the lists of a text in which code was blanked out; ``links`` are all of its links."""
    lines = _lines(text, links)
    sources = SourceList()
    begin = _headed(lines)
    rest = lines if begin is None else lines[:begin]
    if begin is not None:
        sources.headed = True
        stop = _read_section(lines, begin, sources)
        rest = rest + lines[stop:]
    rest = _read_definitions(rest, sources)
    if begin is None:
        _read_tail(rest, sources)
    return sources


def as_entries(urls: Sequence[str]) -> Mapping[str, list[str]]:
    """A provider's list, counted from 1."""
    return {str(number): [url] for number, url in enumerate(urls, 1)}


def _lines(text: str, links: Sequence[Link]) -> list[_Line]:
    lines: list[_Line] = []
    at, next_link = 0, 0
    for raw in text.splitlines(keepends=True):
        end = at + len(raw)
        urls: list[str] = []
        while next_link < len(links) and links[next_link].start < end:
            if (url := links[next_link].url) is not None:
                urls.append(url)
            next_link += 1
        lines.append(_Line(at, end, raw.rstrip("\r\n"), tuple(urls)))
        at = end
    return lines


def _headed(lines: Sequence[_Line]) -> int | None:
    """The last heading that says ``Sources`` and is followed by an entry."""
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index]
        if _ON_ONE_LINE.match(line.text) and line.urls:
            return index
        if _HEADING.fullmatch(line.text):
            first = next((i for i in range(index + 1, len(lines)) if lines[i].text.strip()), None)
            if first is not None and (_is_entry(lines[first].text) or _leads_to_url(lines, first)):
                return index
    return None


def _read_section(lines: Sequence[_Line], begin: int, sources: SourceList) -> int:
    """Read entries from the heading on; returns the index of the first line behind the list."""
    first = lines[begin]
    if inline := _ON_ONE_LINE.match(first.text):
        _read_inline(first, inline.end(), sources)
        sources.spans.append((first.start, first.end))
        return begin + 1
    index, label, count, blank = begin + 1, None, 0, False
    while index < len(lines):
        line = lines[index]
        if not line.text.strip() or _RULE.fullmatch(line.text):
            blank = True
        else:
            numbered = _NUMBER.match(line.text)
            entry = numbered or _BULLET.match(line.text)
            if line.text.lstrip().startswith("#") or (
                blank and not entry and not _leads_to_url(lines, index)
            ):
                break
            if entry or (line.urls and (label is None or sources.entries.get(label))):
                count += 1
                label = _label(numbered) if numbered else str(count)
            sources.add(label, line.urls)
            blank = False
        index += 1
    sources.spans.append((first.start, lines[index - 1].end))
    return index


def _is_entry(text: str) -> bool:
    return bool(_NUMBER.match(text) or _BULLET.match(text))


def _leads_to_url(lines: Sequence[_Line], index: int) -> bool:
    """A line with a URL, or a title with its URL on the next line."""
    return bool(lines[index].urls) or (index + 1 < len(lines) and bool(lines[index + 1].urls))


def _read_inline(line: _Line, at: int, sources: SourceList) -> None:
    """``Sources: [1] https://a.example [2] https://b.example``."""
    labels = re.findall(r"\[(\d{1,3})\]", line.text[at:])
    for label, url in zip(labels, line.urls, strict=False):
        sources.add(label, [url])


def _read_definitions(lines: Sequence[_Line], sources: SourceList) -> list[_Line]:
    """``[^1]: ...`` and ``[1]: https://...`` wherever they stand; returns the other lines."""
    rest: list[_Line] = []
    within: str | None = None
    for line in lines:
        match = _DEFINITION.match(line.text)
        if match and (match[1].startswith("^") or line.urls):
            within = match[1]
        elif within is None or not line.text.startswith(("    ", "\t")):
            within = None
            rest.append(line)
            continue
        sources.add(within, line.urls)
        sources.entries.setdefault(within, [])
        sources.spans.append((line.start, line.end))
    return rest


def _read_tail(lines: Sequence[_Line], sources: SourceList) -> None:
    """Lines at the end that begin with ``[n]`` and hold a URL are a list without a heading."""
    tail: list[tuple[_Line, str]] = []
    for line in reversed(lines):
        if not line.text.strip() or _RULE.fullmatch(line.text):
            continue
        match = _NUMBER.match(line.text)
        if match is None or not line.urls or not (match["a"] or match["b"] or match["e"]):
            break
        tail.append((line, _label(match)))
    if tail and tail[-1][0].start > 0:
        for line, label in reversed(tail):
            sources.add(label, line.urls)
            sources.spans.append((line.start, line.end))


def _label(match: re.Match[str]) -> str:
    label = next(group for group in match.groups() if group is not None)
    return label.translate(_SUPERSCRIPT_DIGITS) if match["e"] else label
