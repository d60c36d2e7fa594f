"""Claims of a text with the citations beside them.

A claim is a sentence of a paragraph, list item or table row; what is no claim: headings, questions,
lines that lead in (``Key figures:``), greetings and offers, code, the list of sources. A mark belongs to

- the sentence that it closes, or stands in; behind a full stop it still closes that sentence;
- every sentence of the paragraph, list or table before it, when it stands alone on its line;
- what follows, when it stands in a heading or in a line that leads in.

A list of sources that no mark points into, and a provider's citations without a place, stand for the
whole text, unless the text cites in another way too.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .contract import Citation, Claim
from .links import Link, find_links, same_source
from .marks import Mark, find_marks
from .passages import Block, blanked, blocks, code_spans, sentences
from .reading import Reading
from .refusals import kind_of
from .sourcelist import SourceList, as_entries, find_sources
from .spans import Spans

MOST_CITATIONS = 100  # of one claim
MOST_COVERED = 200  # claims before a line of links
_LABEL_WORDS = re.compile(
    r"\b(?:sources?|see(?: also)?|via|from|link|url|references?|read more|more|details|here|cf|and|quellen?"
    r"|siehe|vgl|voir|fuentes?|fontes?|ver|vedi|und|et)\b|來源|来源|出處|出处|參見|参见|見|见|參考|参考|出典|参照|출처",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？؟][\"'”’»)\]*_\s]*$")
_LEAD = re.compile(r"[:：][\"'”’»)\]*_\s]*$")
_TRAILING = " \t\r\n.,;:!?。，、；：！？)）]】*_|"


@dataclass(slots=True)
class Passage:
    """One sentence. ``kind`` is ``claim``, ``other`` (says nothing), ``lead`` (hands its citations on to
    what follows) or ``marks`` (nothing but marks, or words that only point). ``said`` is its text
    without marks; ``on_own_line`` whether a line begins with it."""

    start: int
    end: int
    block: Block
    on_own_line: bool
    kind: str = "claim"
    said: str = ""
    marks: list[Mark] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)

    def cite(self, urls: Iterable[str]) -> None:
        """Add URLs, each source once."""
        keys = {same_source(url) for url in self.urls}
        for url in urls:
            if len(keys) < MOST_CITATIONS and same_source(url) not in keys:
                keys.add(same_source(url))
                self.urls.append(url)


@dataclass(frozen=True, slots=True)
class Cited:
    """``said`` are all sentences but headings, questions and lines that lead in; ``sources`` all URLs
    named."""

    claims: tuple[Claim, ...]
    said: tuple[str, ...]
    sources: tuple[str, ...]


def read_citations(reading: Reading) -> Cited:
    """Claims of ``reading.answer``; what is wrong with its citations is noted in the reading."""
    text = reading.answer
    fenced, inline = code_spans(text)
    plain = blanked(text, fenced + [span for span in inline if not _is_url(text[slice(*span)])])
    links = find_links(plain)
    sources = find_sources(plain, links)
    outside = _outside(links, sources)
    entries = sources.entries or as_entries(reading.listed)
    _leave_list(sources, reading)
    marks = find_marks(blanked(plain, sources.spans), outside, entries, reading)
    passages = _passages(blanked(text, fenced + sources.spans), outside, marks)
    _hand_out(passages)
    for passage in passages:
        _trim(text, passage)

    claims = _placed(text, reading)
    taken = Spans((claim.start, claim.end) for claim in claims)
    rest = [p for p in passages if p.kind == "claim" and not taken.overlap(p.start, p.end)]
    if not claims and not marks:
        for passage in rest:
            passage.cite([*sources.urls, *reading.unlocated])
    claims += [_claim(text, p.start, p.end, p.urls) for p in rest]
    in_text = [link.url for link in links if link.url is not None]
    return Cited(
        claims=tuple(sorted(claims, key=lambda claim: (claim.start, claim.end))),
        said=tuple(p.said for p in passages if p.kind in ("claim", "other") and p.said),
        sources=tuple(dict.fromkeys([*in_text, *reading.sources, *_annotated(reading)])),
    )


def _annotated(reading: Reading) -> list[str]:
    return [*(item.url for item in reading.located), *reading.unlocated, *(url for _, url in reading.nearest)]


def _is_url(code: str) -> bool:
    return re.fullmatch(r"`+\s*https?://\S+\s*`+", code, re.IGNORECASE) is not None


def _outside(links: Sequence[Link], sources: SourceList) -> list[Link]:
    listed = Spans(sources.spans)
    return [link for link in links if not listed.holds(link.start)]


def _leave_list(sources: SourceList, reading: Reading) -> None:
    """An annotation within the list of sources has no place in what the text says."""
    listed = Spans(sources.spans)
    reading.unlocated += [item.url for item in reading.located if listed.holds(item.start)]
    reading.located = [item for item in reading.located if not listed.holds(item.start)]


def _passages(text: str, links: Sequence[Link], marks: Sequence[Mark]) -> list[Passage]:
    closed = {(m.start, m.end) for m in marks if not m.is_prose} | {(k.start, k.end) for k in links}
    whole = _without_inner(sorted(closed, key=lambda span: (span[0], -span[1])))
    found: list[Passage] = []
    at = 0
    starts, ends = [span[0] for span in whole], [span[1] for span in whole]
    for block in blocks(text):
        previous = block.start
        inside = whole[bisect.bisect_right(ends, block.start) : bisect.bisect_left(starts, block.end)]
        for start, end in sentences(text, block.start, block.end, inside):
            own_line = start == block.start or "\n" in text[previous:start]
            passage = Passage(start, end, block, own_line)
            previous = end
            found.append(passage)
            while at < len(marks) and (marks[at].start < end or marks[at].end == end):
                # What stands between two sentences closes the first.
                owner = found[-2] if marks[at].end <= start and len(found) > 1 else passage
                owner.marks.append(marks[at])
                at += 1
    if found:
        found[-1].marks += marks[at:]
    for passage in found:
        _judge(text, passage)
    _spread_prose(found)
    return found


def _without_inner(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for span in spans:
        if span[0] < span[1] and (not kept or span[0] >= kept[-1][1]):
            kept.append(span)
    return kept


def _spread_prose(passages: Sequence[Passage]) -> None:
    """An annotation over several sentences belongs to each of them."""
    for index, passage in enumerate(passages):
        for mark in (mark for mark in passage.marks if mark.is_prose):
            following = index + 1
            while following < len(passages) and passages[following].start < mark.end:
                passages[following].cite(mark.urls)
                following += 1


def _judge(text: str, passage: Passage) -> None:
    """Set ``kind`` and ``said``."""
    bare, passage.said = _words(text, passage)
    cites = any(mark.urls for mark in passage.marks)
    if not re.search(r"\w", _LABEL_WORDS.sub("", bare)):
        passage.kind = "marks" if passage.marks else "other"
        passage.said = ""
    elif passage.block.kind == "heading" or _LEAD.search(passage.said):
        passage.kind = "lead"
    elif _QUESTION.search(passage.said):
        passage.kind, passage.said = "other", ""
    else:
        passage.kind = _kind(passage, cites)


def _kind(passage: Passage, cites: bool) -> str:
    kind = kind_of(passage.said)
    if kind in ("states", "explains", "denies"):
        return "claim"
    if cites and (kind == "points" or (kind == "offers" and not any(mark.pure for mark in passage.marks))):
        return "marks"
    return "claim" if cites else "other"


def _words(text: str, passage: Passage) -> tuple[str, str]:
    """The passage without any mark, and without those marks that are no part of what it says."""
    bare: list[str] = []
    said: list[str] = []
    at = passage.start
    for mark in (mark for mark in passage.marks if not mark.is_prose and mark.start >= at):
        between = text[at : mark.start]
        shown = text[mark.start : mark.end]
        label = re.match(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]", shown)
        bare.append(between)
        said += [between, "" if mark.pure else label[1] if label else shown]
        at = min(mark.end, passage.end)
    rest = text[at : passage.end]
    return "".join([*bare, rest]), "".join([*said, rest]).strip()


def _hand_out(passages: Sequence[Passage]) -> None:
    """Give every mark's URLs to the passages that it belongs to."""
    recent: list[Passage] = []  # claims of the last group that has any
    alone: list[Passage] = []
    for passage in passages:
        urls = [url for mark in passage.marks for url in mark.urls]
        if passage.kind == "marks":
            targets = _covered(passage, recent)
            for target in targets:
                target.cite(urls)
            if not targets:
                passage.kind = "lead"
                passage.cite(urls)
                alone.append(passage)
        elif passage.kind == "claim":
            leading = [] if passage.on_own_line else _leading(passage)
            if leading and recent and recent[-1].block is passage.block:
                recent[-1].cite(url for mark in leading for url in mark.urls)
                urls = [url for mark in passage.marks[len(leading) :] for url in mark.urls]
            passage.cite(urls)
            if recent and recent[-1].block.group != passage.block.group:
                recent = []
            recent.append(passage)
        else:
            passage.cite(urls)
            if passage.block.kind == "heading":
                recent = []
    _hand_on(passages)
    handed_on = {url for passage in passages if passage.kind == "claim" for url in passage.urls}
    for passage in alone:
        if not handed_on.issuperset(passage.urls):
            passage.kind = "claim"


def _covered(passage: Passage, recent: Sequence[Passage]) -> Sequence[Passage]:
    """The claims that a passage of nothing but marks covers: the sentence before it, or, where it stands on
    a line of its own, all of the paragraph or list before it."""
    near = recent[-MOST_COVERED:]
    same = [claim for claim in near if claim.block is passage.block]
    if same:
        return same if passage.on_own_line else same[-1:]
    return near


def _leading(passage: Passage) -> list[Mark]:
    """Pure marks before the first word."""
    leading: list[Mark] = []
    for mark in passage.marks:
        if not mark.pure or mark.start > (leading[-1].end if leading else passage.start) + 3:
            break
        leading.append(mark)
    return leading


def _hand_on(passages: Sequence[Passage]) -> None:
    """What a heading or a leading line cites goes to the uncited claims of the group that follows; the
    first claim of the leading line's own block gets it in any case."""
    pending: list[str] = []
    leading: Block | None = None
    group = -1
    for passage in passages:
        if passage.kind == "lead" and passage.urls:
            pending, leading, group = passage.urls, passage.block, -1
        elif passage.kind == "claim" and pending:
            group = passage.block.group if group < 0 else group
            if passage.block.group != group:
                pending = []
            elif passage.block is leading or not passage.urls:
                passage.cite(pending)
            leading = None


def _trim(text: str, passage: Passage) -> None:
    """Free a claim of the marks around it, where words are left."""
    start, end = passage.start, passage.end
    for mark in _leading(passage):
        start = mark.end
    for mark in reversed([mark for mark in passage.marks if mark.pure]):
        if mark.start < start or text[mark.end : end].strip(_TRAILING):
            break
        end = mark.start
    while start < end and (text[start].isspace() or text[start] in ",;:.。，、"):
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if re.search(r"\w", text[start:end]):
        passage.start, passage.end = start, end


def _placed(text: str, reading: Reading) -> list[Claim]:
    """Claims whose span a provider gave, one for each span."""
    spans: dict[tuple[int, int], list[str]] = {}
    for item in (item for item in reading.located if item.is_claim):
        start, end = item.start, item.end
        while start < end and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        if start < end:
            spans.setdefault((start, end), []).append(item.url)
    return [_claim(text, start, end, urls) for (start, end), urls in spans.items()]


def _claim(text: str, start: int, end: int, urls: Iterable[str]) -> Claim:
    once = {same_source(url): url for url in reversed([*urls])}
    citations = tuple(Citation(url=url) for url in reversed(once.values()))
    return Claim(text=text[start:end], start=start, end=end, citations=citations)
