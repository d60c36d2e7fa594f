"""Numbers written as words, up to ninety-nine: cardinals of four languages, ordinals of English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .text import language_of

_CARDINALS = {
    "en": (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen",
        "twenty thirty forty fifty sixty seventy eighty ninety",
    ),
    "de": ("null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf", "zwanzig"),
    "fr": ("zéro un deux trois quatre cinq six sept huit neuf dix onze douze", "vingt"),
    "es": ("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce", "veinte"),
}
_ORDINALS_LIST = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_ORDINALS = {name: number for number, name in enumerate(_ORDINALS_LIST.split())} | {"thirtieth": 30}
# Patterns of an ordinal of English: in digits, and in digits or as one word.
ORDINAL_DIGITS = r"\d+(?:st|nd|rd|th)"
ORDINAL = rf"{ORDINAL_DIGITS}|{'|'.join(_ORDINALS)}"
_START = re.compile(r"[^\W\d_]+")
_NEXT = re.compile(r"[- ]([^\W\d_]+)")
# What makes another number of a word before or behind it: "two hundred", "two thirds", "a thousand and two".
_MORE_BEHIND = re.compile(
    r"[- ](?:hundred|dozen|score|point|thirds?|halves|quarters?|(?:four|fif|six|seven|eigh|nin|ten)ths?\b|"
    r"(?:and )?(?:a )?half\b)"
)
_MORE_AHEAD = re.compile(r"(?:hundred|thousand|million|billion|point|dozen)[- ](?:and )?$|[-/]$")


def number_at(text: str, start: int, locale: str | None = None) -> tuple[int, int, bool] | None:
    """Where the number word that begins at ``start`` of a folded text ends, what it is worth, and whether it is an
    ordinal; None where none begins there. English is read in every text, the language of ``locale`` beside it."""
    cardinals = _cardinals(language_of(locale))
    word = _START.match(text, start)
    if word is None:
        return None
    first = cardinals.get(word.group())
    if first is None:
        ordinal = _ORDINALS.get(word.group())
        return None if ordinal is None else (word.end(), ordinal, True)
    behind = _NEXT.match(text, word.end()) if first >= 20 else None
    if behind is not None:
        for names, is_ordinal in ((cardinals, False), (_ORDINALS, True)):
            unit = names.get(behind[1], 0)
            if 0 < unit < 10:
                return behind.end(), first + unit, is_ordinal
    return word.end(), first, False


def spelled(text: str, locale: str | None = None) -> Iterator[tuple[int, int, int]]:
    """Every cardinal from two on that stands by itself in a folded text: where, and what it is worth. Words that are
    part of a number which is not read here (hundreds, fractions, times) are left out; "one" is more often none."""
    done = 0
    for match in _pattern(language_of(locale)).finditer(text):
        found = number_at(text, match.start(), locale)
        if match.start() < done or found is None or found[2] or found[1] < 2:
            continue
        start, (end, worth, _) = match.start(), found
        behind = _NEXT.match(text, end)
        glued = behind is not None and number_at(text, behind.start(1), locale) is not None
        follows = done and text[done:start] in (" ", "-")
        done = end
        is_part = _MORE_BEHIND.match(text, end) or _MORE_AHEAD.search(text, max(0, start - 16), start)
        if not (glued or follows or is_part):
            yield start, end, worth


@lru_cache(maxsize=16)
def _pattern(language: str) -> re.Pattern[str]:
    names = sorted(_cardinals(language), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})(?![^\W\d_])")


@lru_cache(maxsize=16)
def _cardinals(language: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in ("en", language):
        units, tens = _CARDINALS.get(name, ("", ""))
        found |= {word: number for number, word in enumerate(units.split())}
        found |= {word: 10 * number for number, word in enumerate(tens.split(), 2)}
    return found
