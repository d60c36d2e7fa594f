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
from .measures import is_scaled_on
from .numerals import find_number
from .text import Folded, bare, fold, is_cjk, is_word
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
    dot, comma or colon between digits, a hyphen or underscore between letters or digits, the mark behind a letter in
    C#, A+ and A-, what goes on with an address, another country's dollar, and what scales a number."""
    return not (_joined(text, start, end, -1) or _joined(text, start, end, 1))


def _joined(text: Folded, start: int, end: int, step: int) -> str:
    """What joins a span to the token that it is part of, before it or behind it: one character; empty where it ends
    there."""
    content = text.text
    edge, at = (start, start - 1) if step < 0 else (end - 1, end)
    if not 0 <= at < len(content):
        return ""
    inner, char = content[edge], content[at]
    beyond = content[at + step] if 0 <= at + step < len(content) else " "
    if inner in "$€£¥":
        is_other = char.isalpha() and not content[:start].endswith("us") and inner == "$"
        return char if step < 0 and (is_other or (char == "-" and not is_word(beyond))) else ""
    if step > 0 and inner.isdigit() and is_scaled_on(content, start, end):
        return "k"
    if not is_word(inner):
        return ""
    return char if _runs_on(text, start, end, step) else ""


def _runs_on(text: Folded, start: int, end: int, step: int) -> bool:
    content = text.text
    edge = start if step < 0 else end - 1
    inner, at = content[edge], edge + step
    char, beyond = content[at], content[at + step] if 0 <= at + step < len(content) else " "
    if is_word(char):
        return True
    if char == "%" and step > 0 and inner.isdigit():
        return True
    if char == "-" and text.separates(at):
        return False
    if char == "-" and step < 0 and inner.isdigit() and not is_word(beyond):
        return True
    if char == "." and step > 0 and is_word(beyond) and _IS_ADDRESS.search(content[start:end]):
        return True
    if char in ".,:'":
        return inner.isdigit() and beyond.isdigit()
    if char in "-_" and is_word(beyond):
        return True
    if step < 0 or is_word(beyond):
        return False
    if char == "-":
        return inner.isalpha() and (edge == 0 or not is_word(content[edge - 1]))
    return (char in "+#" and inner.isalpha()) or (char == "+" and beyond == "+")


_IS_ADDRESS = re.compile(r"\w\.[^\W\d]")


def _find_words(value: str, text: Folded) -> Iterator[Hit]:
    """Places of the words. One that a hyphen joins to another word ("Berg-Larsen") may be another name or a
    compound of this: that is unsure."""
    for match in _words_pattern(value).finditer(text.text):
        start, end = match.span()
        joints = {_joined(text, start, end, -1), _joined(text, start, end, 1)} - {""}
        if joints <= {"-"}:
            yield Hit(start, end, sure=not joints)


@lru_cache(maxsize=2048)
def _words_pattern(value: str) -> re.Pattern[str]:
    """Words in order with at most three marks or blanks between them; none is needed beside CJK
    characters. Symbols that change a meaning (currency, plus, percent) stay; punctuation does not count, and neither
    does leaving out a letter's marks ("Zoe Mueller")."""
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
        pieces.append(_spellings(char))
        previous, gap = char, ""
    return re.compile("".join(pieces) or "(?!)")


_SPELLED_OUT = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "æ": "ae", "å": "aa", "œ": "oe"}


def _spellings(char: str) -> str:
    """A pattern of a letter, without its marks too, and spelled out as where a keyboard does not have it."""
    ways = dict.fromkeys((char, _SPELLED_OUT.get(char, char), bare(char)))
    return re.escape(char) if len(ways) == 1 else f"(?:{'|'.join(map(re.escape, ways))})"


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
