"""Quotes in an answer, and how far a source has them: to the letter, but for the look of characters, or not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .text import fold, is_cjk, sentences
from .words import content, is_number, words

LEVELS = ("verbatim", "normalised", "fuzzy", "none", "too-short")
VERBATIM, NORMALISED, FUZZY, NOT_THERE, TOO_SHORT = LEVELS
# Characters below which a quote stands on any page.
_SHORTEST, _SHORTEST_CJK = 12, 6
_ALIKE = 0.7  # share of a quote's words that one sentence of the source has, to call it rewritten
_PAIRS = (('"', '"'), ("“", "”"), ("„", "“"), ("„", "”"), ("«", "»"), ("»", "«"), ("「", "」"), ("『", "』"))
_QUOTE = re.compile(
    "|".join(f"{re.escape(a)}([^{re.escape(a)}{re.escape(b)}\n]+){re.escape(b)}" for a, b in _PAIRS)
)


def quotes_in(text: str) -> Iterator[tuple[int, int]]:
    """Spans of what stands between quotation marks of any of eight kinds, without the marks. Single marks do not quote:
    an apostrophe is one."""
    for match in _QUOTE.finditer(text):
        group = match.lastindex or 0
        yield match.span(group)


def quote_level(quote: str, source: str) -> str:
    """One of LEVELS. In a normalised quote widths, quotation marks, dashes, blanks and case may differ, nothing else. A
    fuzzy one was rewritten: a sentence of the source has most of its words and all its numbers."""
    bare = quote.strip().strip(".,;:…").strip()
    if len(bare) < (_SHORTEST_CJK if any(map(is_cjk, bare)) else _SHORTEST):
        return TOO_SHORT
    if bare in source:
        return VERBATIM
    if stands_in(bare, source):
        return NORMALISED
    own = [word.text for word in content(words(bare))]
    numbers = set(filter(is_number, own))
    for start, end in sentences(source):
        there = {word.text for word in words(source[start:end])}
        if numbers <= there and sum(word in there for word in own) >= _ALIKE * len(own):
            return FUZZY
    return NOT_THERE


def stands_in(quote: str, source: str) -> bool:
    """Whether a text of any length stands in a source, but for widths, quotation marks, dashes, blanks and case."""
    return _tidy(quote) in _tidy(source)


def _tidy(text: str) -> str:
    return " ".join(fold(text).text.replace("- ", "-").replace(" -", "-").split())
