"""Numbers written as words, up to ninety-nine: cardinals of four languages, ordinals of English."""

from __future__ import annotations

import re
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


@lru_cache(maxsize=16)
def _cardinals(language: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in ("en", language):
        units, tens = _CARDINALS.get(name, ("", ""))
        found |= {word: number for number, word in enumerate(units.split())}
        found |= {word: 10 * number for number, word in enumerate(tens.split(), 2)}
    return found
