"""Parts of a text that are to be replaced."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """``text`` stands for what is from ``start`` to ``end`` (exclusive)."""

    start: int
    end: int
    text: str


Find = Callable[[str], Iterable[Span]]


def settled(spans: Iterable[Span]) -> list[Span]:
    """In order and without overlap: of those that overlap, the first that was given stays."""
    kept: list[Span] = []
    starts: list[int] = []
    for span in spans:
        at = bisect_left(starts, span.start)
        if (not at or kept[at - 1].end <= span.start) and (at == len(kept) or span.end <= starts[at]):
            kept.insert(at, span)
            starts.insert(at, span.start)
    return kept


def applied(text: str, spans: Sequence[Span]) -> str:
    """The text with settled spans replaced."""
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], span.text]
        at = span.end
    return "".join((*parts, text[at:]))


def recut(pieces: Sequence[str], spans: Sequence[Span]) -> list[str]:
    """The pieces of a text with settled spans of the whole replaced: a replacement belongs to the piece in which its
    span begins."""
    cut, begin, waiting = [], 0, list(spans)
    for piece in pieces:
        end, at, parts = begin + len(piece), begin, []
        while waiting and waiting[0].start < end:
            span = waiting[0]
            if span.start >= begin:
                parts += [piece[at - begin : span.start - begin], span.text]
            at = min(span.end, end)
            if span.end > end:
                break
            waiting.pop(0)
        cut.append("".join((*parts, piece[at - begin :])))
        begin = end
    return cut
