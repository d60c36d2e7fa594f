"""Whether a value stands in an answer only as one of two: "41 or 43". Who offers both has settled on neither."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from .denial import is_set_aside
from .number_words import spelled
from .numerals import Quantity, quantities
from .text import Folded

_OR = (
    r"[*_`\"')]*,? ?\(?(?:\b(?:or|oder|ou|o|u|eller|of)\b|或者|或是|或|または|또는)"
    r"(?: (?:maybe|perhaps|possibly|even|rather|vielleicht|the))?[ *_`\"'(]*"
)
# A noun may stand behind both: "57 rooms or 58 rooms".
_BETWEEN = re.compile(rf"(?P<noun> [^\W\d_]+)?{_OR}")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_LEFT_ALONE = re.compile(rf"(?<![\w.,])(\d+(?:[.,]\d+)?)(?:st|nd|rd|th|\.)?{_OR}$")

Span = tuple[int, int]


def is_one_of_two(text: Folded, start: int, end: int, known: Iterable[Span] = ()) -> bool:
    """Whether "or" joins the value at a span to another of its kind that the answer does not set aside: a number of
    the same unit, a code or a date that differs in its digits. ``known`` are spans of right values, which rival none.
    Names are not told from what else "or" may join."""
    right = list(known)
    return any(
        not any(low < rival[1] and rival[0] < high for low, high in right)
        and not is_set_aside(text.text, *rival)
        for rival in _rivals(text, start, end)
    )


def _rivals(text: Folded, start: int, end: int) -> Iterator[Span]:
    numbers = _numbers(text)
    own = next((at for at, one in enumerate(numbers) if one.start <= start and end <= one.end), None)
    if own is None:
        yield from _alike(text.text, start, end)
        return
    for first, second in ((own, own + 1), (own - 1, own)):
        if first < 0 or second >= len(numbers):
            continue
        one, other = numbers[first], numbers[second]
        if _are_joined(text.text, one, other) and _differ(one, other):
            rival = other if first == own else one
            yield rival.start, rival.end


def _numbers(text: Folded) -> list[Quantity]:
    """The numbers of a text in order, in digits and in words."""
    in_words = (
        Quantity(start, end, frozenset((Decimal(worth).normalize(),)), None)
        for start, end, worth in spelled(text.text)
    )
    return sorted((*quantities(text), *in_words), key=lambda one: one.start)


def _are_joined(content: str, one: Quantity, other: Quantity) -> bool:
    between = _BETWEEN.fullmatch(content, one.end, other.start) if one.end <= other.start else None
    return between is not None and content.startswith(between["noun"] or "", other.end)


def _differ(one: Quantity, other: Quantity) -> bool:
    """The same amount, or one in another unit, is another way to say it."""
    return not one.values & other.values and (None in (one.unit, other.unit) or one.unit == other.unit)


def _alike(content: str, start: int, end: int) -> Iterator[Span]:
    """What "or" joins to a span and has its words, but other digits."""
    own = content[start:end]
    if not _NUMBER.search(own):
        return
    pattern = r"\d+(?:[.,:/]\d+)*".join(map(re.escape, _NUMBER.split(own)))
    behind = re.compile(rf"{_OR}(?P<rival>{pattern})(?![^\W_])").match(content, end)
    ahead = re.compile(rf"(?<![^\W_])(?P<rival>{pattern}){_OR}$").search(content, max(0, start - 120), start)
    for found in (behind, ahead):
        if found is not None and found["rival"] != own:
            yield found.span("rival")
    if own[0].isdigit() and (number := _LEFT_ALONE.search(content, max(0, start - 30), start)):
        yield number.span(1)
