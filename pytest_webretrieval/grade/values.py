"""One reader of values: where in a text a fact's value stands, as a whole token, and whether that is sure.

Ambiguity is an answer: ``05/09/2026`` is two dates, and a number grouped by a dot is two numbers until
somebody says which country's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pytest_webretrieval.cases.truth import Fact

from .dates import find_date
from .numerals import find_number
from .text import Folded, fold, is_cjk, is_word
from .urls import UrlError, parse

KINDS = ("exact", "text", "number", "date", "url")


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in a folded text where the value stands; ``sure`` is False where it may also be another
    value."""

    start: int
    end: int
    sure: bool = True


def find(fact: Fact, text: Folded, locale: str | None = None) -> list[Hit]:
    """Every place where ``fact`` (or one of its aliases) stands in ``text``, in order of position.

    ``locale`` is the language of the text where it is known; the fact's own comes first. Raises ValueError
    for a kind of match that is not in KINDS, or a value that its kind cannot read.
    """
    seen: dict[tuple[int, int], Hit] = {}
    for position, value in enumerate((fact.value, *fact.aliases)):
        for hit in _find_one(fact, value, text, locale, is_alias=position > 0):
            known = seen.get((hit.start, hit.end))
            if known is None or (hit.sure and not known.sure):
                seen[hit.start, hit.end] = hit
    return sorted(seen.values(), key=lambda hit: (hit.start, -hit.end))


def _find_one(fact: Fact, value: str, text: Folded, locale: str | None, *, is_alias: bool) -> Iterator[Hit]:
    if fact.match == "exact":
        yield from _find_exact(value, text)
    elif fact.match == "text":
        yield from _find_words(value, text)
    elif fact.match == "url":
        yield from find_url(value, text)
    elif fact.match == "number":
        yield from _typed(find_number(value, text, fact.unit, fact.locale, locale), value, text, is_alias)
    elif fact.match == "date":
        yield from _typed(find_date(value, text, fact.locale or locale), value, text, is_alias)
    else:
        raise ValueError(f"fact {fact.id}: match {fact.match!r}; known are {', '.join(KINDS)}")


def _typed(
    found: list[tuple[int, int, bool]] | None, value: str, text: Folded, is_alias: bool
) -> Iterator[Hit]:
    """Hits of a number or date; an alias that is none ("half", "New Year's Day") is looked for as words."""
    if found is None:
        if not is_alias:
            raise ValueError(f"the value {value!r} cannot be read as its kind")
        yield from _find_words(value, text)
        return
    for start, end, sure in found:
        yield Hit(start, end, sure)


def _find_exact(value: str, text: Folded) -> Iterator[Hit]:
    for match in _exact_pattern(value).finditer(text.text):
        if stands_alone(text, match.start(), match.end()):
            yield Hit(match.start(), match.end())


@lru_cache(maxsize=2048)
def _exact_pattern(value: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(re.escape(word) for word in fold(value).text.split()) or "(?!)")


def stands_alone(text: Folded, start: int, end: int) -> bool:
    """Whether the characters around a span are no part of its token: letters and digits are, and so are a
    dot, comma or colon between digits, and a hyphen or underscore between letters or digits."""
    return not (_runs_on(text, start, -1) or _runs_on(text, end - 1, 1))


def _runs_on(text: Folded, edge: int, step: int) -> bool:
    content = text.text
    inner, at = content[edge], edge + step
    if not 0 <= at < len(content) or not is_word(inner):
        return False
    char = content[at]
    if is_word(char):
        return True
    if char == "%" and step > 0 and inner.isdigit():
        return True
    beyond = content[at + step] if 0 <= at + step < len(content) else " "
    if char == "-" and text.separates(at):
        return False
    if char == "-" and step < 0 and inner.isdigit() and not is_word(beyond):
        return True
    if char in ".,:'":
        return inner.isdigit() and beyond.isdigit()
    if char in "-_":
        return is_word(beyond)
    return char == "+" and step > 0 and beyond == "+"


def _find_words(value: str, text: Folded) -> Iterator[Hit]:
    content = text.text
    for match in _words_pattern(value).finditer(content):
        start, end = match.span()
        if start and is_word(content[start]) and is_word(content[start - 1]):
            continue
        if end < len(content) and is_word(content[end - 1]) and is_word(content[end]):
            continue
        yield Hit(start, end)


@lru_cache(maxsize=2048)
def _words_pattern(value: str) -> re.Pattern[str]:
    """Words in order with at most three marks or blanks between them; none is needed beside CJK
    characters. Symbols that change a meaning (currency, plus, percent) stay; punctuation does not count."""
    pieces: list[str] = []
    gap = ""
    previous = ""
    for char in fold(value).text:
        if not (char.isalnum() or char in "+%$€£¥<>="):
            gap = r"[\W_]{1,3}" if pieces else ""
            continue
        loose = is_cjk(char) or (previous and is_cjk(previous))
        if pieces and (gap or loose):
            pieces.append(r"[\W_]{0,3}" if loose else gap)
        pieces.append(re.escape(char))
        previous, gap = char, ""
    return re.compile("".join(pieces) or "(?!)")


# `](` inside a run of characters is the middle of a Markdown link whose label is a URL.
_URL = re.compile(r"https?://(?:(?!\]\()[^\s<>\"'`“”„‘’«»，。；、！？「」『』（）【】|])+", re.IGNORECASE)
_TRAILING = ".,;:!?*_~'\""
_BRACKETS = {")": "(", "]": "[", "}": "{"}


def urls_in(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the bare URLs in a text, without the punctuation behind them; balanced brackets belong to a
    URL."""
    for match in _URL.finditer(text):
        start, end = match.span()
        while end > start:
            last = text[end - 1]
            if last in _TRAILING or (
                last in _BRACKETS and text.count(_BRACKETS[last], start, end) < text.count(last, start, end)
            ):
                end -= 1
            else:
                break
        yield start, end


def find_url(value: str, text: Folded) -> Iterator[Hit]:
    """Places where a URL identical to ``value`` is written out; looked for in the raw text, whose case
    counts."""
    wanted = parse(value)
    for start, end in urls_in(text.raw):
        try:
            same = parse(text.raw[start:end]) == wanted
        except UrlError:
            continue
        if same:
            yield Hit(*_folded_span(text, start, end))


def _folded_span(text: Folded, start: int, end: int) -> tuple[int, int]:
    if text.offsets is None:
        return start, end
    from bisect import bisect_left

    return bisect_left(text.offsets, start), bisect_left(text.offsets, end)
