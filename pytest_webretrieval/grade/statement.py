"""A statement as what can be compared: words by their stems, numbers by value, dates by day, cues of meaning.

Two texts say the same word where its stem is the same, the same number where it is worth the same, the same date
where it is the same day. What only joins words counts for nothing; what turns a meaning round is kept apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from snowballstemmer import stemmer  # type: ignore[import-untyped]

from .cues import ALTERING, DOUBTS, JOINING, LIGHT, LIMITING, NEGATIONS
from .dates import Day, dates_in
from .numerals import quantities
from .text import Folded, fold, is_cjk

CONTENT = frozenset(("word", "name", "number", "date"))
CHECKABLE = frozenset(("name", "number", "date"))

_STEMMERS = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese",
    "nl": "dutch", "sv": "swedish", "no": "norwegian", "nb": "norwegian", "da": "danish", "fi": "finnish",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+n't\b|[^\W_]+(?:[#+]+(?!\w))?|[$€£¥%&]")
_OPENING = re.compile(
    r"^\W*(?:however|additionally|moreover|furthermore|therefore|thus|also|in addition|for example|"
    r"for instance|in fact|finally|overall|in summary|in conclusion|similarly|consequently|as a result|"
    r"according to [^,]{1,60})\s*,\s*",
    re.IGNORECASE,
)
_NUMBER_WORDS: dict[str, int] = {
    word: value
    for value, words in {
        2: "two zwei deux dos", 3: "three drei trois tres", 4: "four vier quatre cuatro", 5: "five fünf cinq cinco",
        6: "six sechs seis", 7: "seven sieben sept siete", 8: "eight acht huit ocho", 9: "nine neun neuf nueve",
        10: "ten zehn dix diez", 11: "eleven elf onze", 12: "twelve zwölf douze doce", 13: "thirteen", 14: "fourteen",
        15: "fifteen", 16: "sixteen", 17: "seventeen", 18: "eighteen", 19: "nineteen",
        20: "twenty zwanzig vingt veinte", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy",
        80: "eighty", 90: "ninety",
    }.items()
    for word in words.split()
}  # fmt: skip
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_COUNTS_TIMES = re.compile(r" times?\b(?! as\b)")
_ORDINALS = {
    "first": "1th", "second": "2th", "third": "3th", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th",
    "eighth": "8th", "ninth": "9th", "tenth": "10th", "eleventh": "11th", "twelfth": "12th",
}  # fmt: skip
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
# "Not only" denies nothing.
_ADDS = re.compile(r"\s+(?:only|just|merely|nur|seulement|sólo|solo)\b")


@dataclass(frozen=True, slots=True)
class Word:
    """One thing that a text says. ``kind`` is ``word``, ``name``, ``number``, ``date``, ``negation``, ``doubt``,
    ``altering`` or ``limiting``; ``values`` are what a number may be worth, ``days`` what a date may be; offsets are
    folded ones."""

    kind: str
    stem: str
    start: int
    end: int
    values: frozenset[Decimal] = frozenset()
    days: frozenset[Day] = frozenset()
    unit: str | None = None

    def says(self, other: Word) -> bool:
        """Whether ``other`` says no less than this: the same stem, the same value, a day that lies in this."""
        if self.kind == "date":
            return other.kind == "date" and any(
                _lies_in(day, mine) for day in other.days for mine in self.days
            )
        if self.kind == "number":
            if other.kind == "date":
                return len(self.values) == 1 and any(day[0] == next(iter(self.values)) for day in other.days)
            return other.kind == "number" and self.values == other.values and self.unit in (None, other.unit)
        return self.stem == other.stem and other.kind not in ("number", "date")


def _lies_in(day: Day, wider: Day) -> bool:
    return all(part == want for part, want in zip(day, wider, strict=True) if want)


def without_opening(claim: str) -> str:
    """A claim without the words that only join it to what stood before."""
    return _OPENING.sub("", claim)


def read_words(raw: str, locale: str | None = None) -> tuple[Word, ...]:
    """Everything that ``raw`` says, in order; what only joins words is left out."""
    return tuple(_words(fold(raw), locale))


def _words(text: Folded, locale: str | None) -> Iterator[Word]:
    content = text.text
    taken: dict[int, Word] = {}
    for start, end, days in dates_in(content, 0, len(content), locale):
        if not any(word.start < end and start < word.end for word in taken.values()):
            taken[start] = Word("date", content[start:end], start, end, days=days)
    dates = [(word.start, word.end) for word in taken.values()]
    for number in quantities(text, locale):
        if not any(low < number.end and number.start < high for low, high in dates):
            said = content[number.start : number.end]
            unit = "times" if _COUNTS_TIMES.match(content, number.end) else number.unit
            taken[number.start] = Word("number", said, number.start, number.end, number.values, unit=unit)
    at = 0
    for start in sorted(taken):
        yield from _plain(text, at, start, locale)
        yield taken[start]
        at = max(at, taken[start].end)
    yield from _plain(text, at, len(content), locale)


def _plain(text: Folded, low: int, high: int, locale: str | None) -> Iterator[Word]:
    for match in _WORD.finditer(text.text, low, high):
        word, start, end = match.group(), match.start(), match.end()
        if word.endswith("n't") or word in NEGATIONS:
            if not _ADDS.match(text.text, end):
                yield Word("negation", "not", start, end)
        elif ordinal := _ORDINAL.fullmatch(word):
            yield Word("altering", f"{ordinal[1]}th", start, end)
        elif word in _ORDINALS:
            yield Word("altering", _ORDINALS[word], start, end)
        elif word in _NUMBER_WORDS:
            unit = "times" if _COUNTS_TIMES.match(text.text, end) else None
            yield Word(
                "number", word, start, end, frozenset((Decimal(_NUMBER_WORDS[word]).normalize(),)), unit=unit
            )
        elif word in _TIMES:
            yield Word("number", word, start, end, frozenset((Decimal(_TIMES[word]),)), unit="times")
        elif word in DOUBTS:
            yield Word("doubt", word, start, end)
        elif word in ALTERING:
            yield Word("altering", word, start, end)
        elif word in LIMITING:
            yield Word("limiting", word, start, end)
        elif is_cjk(word[0]):
            yield from (
                Word("word", char, start + index, start + index + 1) for index, char in enumerate(word)
            )
        elif word not in JOINING or word.endswith(("#", "+")):
            yield Word(_kind(text, start, end), stem(word, locale), start, end)


def _kind(text: Folded, start: int, end: int) -> str:
    """A name is written with a capital inside a sentence."""
    low, _ = text.raw_span(start, end)
    if not text.raw[low].isupper():
        return "word"
    before = text.text[:start].rstrip(" \"'([")
    return "word" if not before or before[-1] in ".!?:\n" else "name"


def is_light(word: Word) -> bool:
    """Whether leaving the word out says the same."""
    return word.kind == "word" and word.stem in _light_stems()


@lru_cache(maxsize=1)
def _light_stems() -> frozenset[str]:
    return frozenset(stem(word, "en") for word in LIGHT)


@lru_cache(maxsize=65536)
def stem(word: str, locale: str | None) -> str:
    """The stem of a folded word in a language; English where that is not known, the word itself where no rules are
    known."""
    if not word.isalpha():
        return word
    name = _STEMMERS.get((locale or "en").lower().replace("_", "-").partition("-")[0])
    return word if name is None else str(_stemmer(name).stemWord(word))


@lru_cache(maxsize=16)
def _stemmer(name: str) -> Any:
    return stemmer(name)
