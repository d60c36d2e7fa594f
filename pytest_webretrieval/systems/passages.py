"""Text in blocks (paragraphs, list items, table rows, headings) and blocks in sentences, as spans."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .spans import Span

_MONTHS = (
    r"(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|janv|févr|mars|avril|juin|juil|août|gen|mag|giu|lug|ago|set"
    r"|ott|dic|May|Mar|Oct|Dec)"
)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)
_TICKS = re.compile(r"`+")
_HEADING = re.compile(r"[ >]{0,6}#{1,6}(?:\s|$)")
_UNDERLINE = re.compile(r"\s{0,3}(?:=+|-{2,})\s*")
_BOLD_LINE = re.compile(r"\s*(?:\*\*|__)[^*_]{1,200}(?:\*\*|__)\s*[:：]?\s*")
_RULE = re.compile(r"\s*(?:[-*_=]\s?){3,}\s*")
_ITEM = re.compile(
    rf"[\s>]*(?:[-*+•‣◦·●▪–]\s+(?:\[[ xX]\]\s+)?|\d{{1,3}}[.)]\s+(?!{_MONTHS})|\d{{1,3}}、|\(\d{{1,2}}\)\s+"
    r"|[a-zA-Z][)]\s+)"
)
_QUOTE = re.compile(r"\s{0,3}(?:>\s?)+")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*$")
_END = re.compile(r"[。！？｡]+[」』”’）)\]】》\"']*|[.!?…؟।۔]+[\"'”’»)\]*_]*(?=\s|$|\[|【|\(|（|[⁰¹²³⁴-⁹])")
_BREAK = re.compile(r"(?:  +|\\)?\n[ \t>]*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[/])(?:(?:[^\W\d_]\.)+[^\W\d_]?|Dr|Mr|Mrs|Ms|Prof|St|No|Nr|Art|Abs|vs|approx|ca|bzw|usw|cf|vgl|Inc|Ltd|Co|Corp"
    r"|Jr|Sr|Bros|Mt|Ft|Gen|Gov|Sen|Rep|Rev|Capt|Col|Lt|Dept|Univ|Ave|Blvd|Rd|Fig|Vol|pp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Okt|Dez|Nº|núm|av|Sra?|Mio|Mrd|Tel|evtl|zzgl|inkl"
    r"|[^\W\d_]|et al)\.$"
)
_ORDINAL = re.compile(r"(?:^|\D)\d{1,2}\.$")
_KEYED = re.compile(r"\W{0,4}[^\W\d][^\n:：]{0,40}[:：]\s")


@dataclass(frozen=True, slots=True)
class Block:
    """``kind`` is ``paragraph``, ``item``, ``row`` or ``heading``. Blocks of one ``group`` stand together:
    a paragraph with its lines, or the items of one list."""

    kind: str
    start: int
    end: int
    group: int


def code_spans(text: str) -> tuple[list[Span], list[Span]]:
    """Fenced blocks (an unclosed one reaches to the end), and inline code between equal runs of backticks."""
    fenced = list(_fenced(text))
    return fenced, list(_inline_code(text, fenced))


def blanked(text: str, spans: Sequence[Span]) -> str:
    """The text with spans replaced by blanks, so that offsets stay; line ends are kept."""
    parts: list[str] = []
    at = 0
    for start, end in sorted(spans):
        start = max(start, at)
        if start < end:
            parts += [text[at:start], re.sub(r"[^\r\n]", " ", text[start:end])]
            at = end
    return "".join([*parts, text[at:]])


def _fenced(text: str) -> Iterator[Span]:
    opening: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opening is None:
            opening = match
        elif match[1][0] == opening[1][0] and len(match[1]) >= len(opening[1]):
            yield opening.start(), match.end()
            opening = None
    if opening is not None:
        yield opening.start(), len(text)


def _inline_code(text: str, fenced: Sequence[Span]) -> Iterator[Span]:
    runs = [match.span() for match in _TICKS.finditer(blanked(text, fenced))]
    by_length: dict[int, list[int]] = {}
    for start, end in runs:
        by_length.setdefault(end - start, []).append(start)
    at = 0
    for start, end in runs:
        if start < at or text[start - 1 : start] == "\\":
            continue
        same = by_length[end - start]
        position = bisect.bisect_right(same, start)
        if position < len(same) and "\n\n" not in text[end : min(same[position], end + 2000)]:
            at = same[position] + end - start
            yield start, at


def blocks(text: str) -> list[Block]:
    """Blocks of a text in which code and the list of sources were blanked out."""
    found: list[Block] = []
    group, open_block, blank = 0, False, False
    lines = list(_lines(text))
    for index, (start, end) in enumerate(lines):
        line = text[start:end]
        following = text[slice(*lines[index + 1])] if index + 1 < len(lines) else ""
        if not line.strip():
            blank = True
            continue
        kind, at = _line_kind(line, following)
        last = found[-1] if found else None
        joined = open_block and last is not None and last.kind in ("paragraph", "item")
        if kind == "break":
            open_block = False
        elif kind == "paragraph" and joined and last is not None and (not blank or _continues(last, line)):
            found[-1] = Block(last.kind, last.start, end, last.group)
        else:
            together = kind in ("item", "row") and open_block and last is not None and last.kind == kind
            group += not together
            if kind == "paragraph" and _heads(line, following):
                kind = "heading"
            found.append(Block(kind, start + at, end, group))
            open_block = True
        blank = False
    return found


def _continues(last: Block, line: str) -> bool:
    """Behind a blank line, only what is indented still belongs to a list item."""
    return last.kind == "item" and line.startswith(("  ", "\t"))


def _heads(line: str, following: str) -> bool:
    """A line of its own that heads what follows: underlined, in bold, or right above a list without a full
    stop."""
    if not following.strip():
        return False
    if _UNDERLINE.fullmatch(following) or _BOLD_LINE.fullmatch(line):
        return True
    return _ITEM.match(following) is not None and re.search(r"[.!?。！？:：)\]】\d]\W*$", line) is None


def _lines(text: str) -> Iterator[Span]:
    at = 0
    for raw in text.splitlines(keepends=True):
        yield at, at + len(raw.rstrip("\r\n"))
        at += len(raw)


def _line_kind(line: str, following: str) -> tuple[str, int]:
    """What a line with content is, and where its content begins."""
    if _RULE.fullmatch(line) or _TABLE_RULE.fullmatch(line) or _UNDERLINE.fullmatch(line):
        return "break", 0
    if match := _HEADING.match(line):
        return "heading", match.end()
    if _TABLE_ROW.match(line):
        return ("heading" if _TABLE_RULE.fullmatch(following) and "-" in following else "row"), 0
    if match := _ITEM.match(line):
        return "item", match.end()
    quote = _QUOTE.match(line)
    return "paragraph", quote.end() if quote else 0


def sentences(text: str, start: int, end: int, whole: Sequence[Span]) -> list[Span]:
    """Sentences of ``text[start:end]``; no boundary falls inside a span of ``whole`` (sorted)."""
    found: list[Span] = []
    at = start
    for cut in _cuts(text, start, end, whole):
        found.append((at, cut))
        at = cut
    found.append((at, end))
    return [span for span in (_stripped(text, *span) for span in found) if span[0] < span[1]]


def _cuts(text: str, start: int, end: int, whole: Sequence[Span]) -> list[int]:
    starts = [span[0] for span in whole]
    reach, ends = dict(whole), {span[1] for span in whole}

    def inside(position: int) -> Span | None:
        index = bisect.bisect_left(starts, position) - 1
        return whole[index] if index >= 0 and whole[index][1] > position else None

    cuts = {
        match.end()
        for match in _END.finditer(text, start, end)
        if inside(match.start() + 1) is None
        and match.end() < end
        and _ends_sentence(text, start, match, _skip(text, match.end(), end, whole, starts))
    }
    for match in _BREAK.finditer(text, start, end):
        if inside(match.start() + 1) is None and _line_ends_sentence(text, match, end, reach, ends):
            cuts.add(match.end())
    return sorted(cuts)


def _skip(text: str, at: int, end: int, whole: Sequence[Span], starts: Sequence[int]) -> tuple[int, bool]:
    """The next position behind blanks, opening marks and whole spans, and whether a whole span was passed."""
    passed = False
    while at < end:
        index = bisect.bisect_left(starts, at)
        if index < len(whole) and whole[index][0] == at:
            at, passed = whole[index][1], True
        elif text[at].isspace() or text[at] in "([{（*_\"'“„«「『¿¡,;|)]）":
            at += 1
        else:
            break
    return at, passed


def _ends_sentence(text: str, start: int, match: re.Match[str], after: tuple[int, bool]) -> bool:
    position, passed = after
    following = text[position : position + 1]
    if match[0][0] in "。！？｡":
        return True
    if not passed and (
        following.islower() or not (following.isalnum() or text[match.end() : position].strip())
    ):
        return False
    if not match[0].startswith(".") or match[0].startswith(".."):
        return True
    before = text[max(start, match.start() - 40) : match.start() + 1]
    if _ORDINAL.search(before) and re.match(_MONTHS, text[position : position + 6]):
        return False
    return passed or not _ABBREVIATION.search(before)


def _line_ends_sentence(
    text: str, match: re.Match[str], end: int, whole: dict[int, int], ends: set[int]
) -> bool:
    """A line end within a block parts sentences behind a mark, at a hard break, between ``key: value``
    lines, and before a line that is nothing but marks. ``whole`` maps starts to ends."""
    following = text[match.end() : min(end, match.end() + 80)]
    if not following or following[0].islower():
        return False
    if match[0].startswith(("  ", "\\")) or _KEYED.match(following):
        return True
    if match.start() in ends:
        return True
    at = match.end()
    while at in whole:
        at = whole[at]
        while at < end and text[at] in " \t.,;|·":
            at += 1
    return at > match.end() and (at >= end or text[at] == "\n")


def _stripped(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
