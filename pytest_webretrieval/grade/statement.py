"""A statement as what can be compared: words by their stems, numbers by value, dates by day, cues of meaning.

Two texts say the same word where its stem is the same, the same number where it is worth the same, the same date
where it is the same day. What only joins words counts for nothing; what turns a meaning round is kept apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from .cues import ALTERING, DOUBTS, JOINING, LIGHT, LIMITING, NEGATIONS, POINTING
from .dates import Day, dates_in, lies_in
from .measures import behind
from .number_words import ORDINAL_DIGITS, number_at
from .numerals import quantities
from .stems import stem
from .text import Folded, fold
from .tokens import GLUED, Token, characters, joined, pieces, tokens

CONTENT = frozenset(("word", "name", "code", "number", "date"))
CHECKABLE = frozenset(("name", "code", "number", "date"))

_OPENING = re.compile(
    r"^\W*(?:however|additionally|moreover|furthermore|therefore|thus|also|in addition|for example|"
    r"for instance|in fact|finally|overall|in summary|in conclusion|similarly|consequently|as a result|"
    r"according to [^,]{1,60})\s*,\s*",
    re.IGNORECASE,
)
_LAST_CLAUSE = re.compile(r"(?:[,;]|\.\s|\s[-–—]\s|\s\((?=[^()]*\)))[^,;()]*\)?[\s.!]*$")
_SUMS_UP = re.compile(r"\b(?:in all|in total|in fact|of course|all in all)\b", re.IGNORECASE)
# What a writer says to the reader, and nothing of the world.
_COURTESY = re.compile(
    r"\W*(?:(?:i )?hope (?:this|that|it) helps?(?: you)?|(?:please )?let me know if .*|thanks?(?: you)? for .*|"
    r"(?:is there )?anything else(?: (?:you need|i can) .*)?|(?:feel free|don't hesitate) to (?:ask|reach out).*|"
    r"as expected|as you (?:asked|see)|"
    r"to be (?:precise|exact|clear)|if you want to know|verified|no more(?:,? and| or|,)? no(?:thing)? less|"
    r"nothing more,? nothing less|(?:and )?that is that|so there you have it|you're welcome|"
    r"ich hoffe,? das hilft(?: ihnen| dir)?|wie (?:erwartet|gewünscht)|j'espère que cela (?:vous )?aide|"
    r"espero que (?:esto )?(?:te |le )?ayude)\W*"
)
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_COUNTS_TIMES = re.compile(r" times?\b(?! as\b)")
_ORDINAL = re.compile(ORDINAL_DIGITS)
_DIGIT = re.compile(r"\d")
_LEAD = 40  # characters before a word that are kept
# "Not only" denies nothing.
_ADDS = re.compile(r"\s+(?:only|just|merely|nur|seulement|sólo|solo)\b")


@dataclass(frozen=True, slots=True)
class Word:
    """One thing that a text says. ``kind`` is ``word``, ``name``, ``code`` (it has digits and is no number: "v3.2",
    "7:30"), ``number``, ``date``, ``negation``, ``doubt``, ``altering`` or ``limiting``; ``values`` are what a number
    may be worth, ``days`` what a date may be; offsets are folded ones. ``said`` is the word as it stands there,
    ``lead`` what stands between it and the word before: marks, and words that only join."""

    kind: str
    stem: str
    start: int
    end: int
    values: frozenset[Decimal] = frozenset()
    days: frozenset[Day] = frozenset()
    unit: str | None = None
    said: str = ""
    lead: str = ""

    def says(self, other: Word) -> bool:
        """Whether ``other`` says no less than this: the same stem, the same value, a day that lies in this."""
        if self.kind == "date":
            return other.kind == "date" and any(
                lies_in(day, mine) for day in other.days for mine in self.days
            )
        if self.kind == "number":
            if other.kind == "date":
                return len(self.values) == 1 and any(day[0] == next(iter(self.values)) for day in other.days)
            return other.kind == "number" and self.values == other.values and self.unit in (None, other.unit)
        return self.stem == other.stem and other.kind not in ("number", "date")


def without_frame(claim: str) -> str:
    """A claim without the words that only join it to what stood before, and without clauses at its end that only say
    where it stands."""
    bare = _OPENING.sub("", claim)
    while (last := _LAST_CLAUSE.search(bare)) is not None and points(last.group()):
        bare = bare[: last.start()]
    return bare


def points(clause: str) -> bool:
    """Whether a clause says nothing but where something stands ("as the page states", "in all"), or speaks to the
    reader alone ("hope that helps")."""
    folded = fold(_SUMS_UP.sub(" ", clause))
    if _COURTESY.fullmatch(folded.text):
        return True
    return all(folded.text[word.start : word.end] in POINTING for word in _words(folded, None))


def read_words(raw: str, locale: str | None = None) -> tuple[Word, ...]:
    """Everything that ``raw`` says, in order; what only joins words is left out."""
    text, done, found = fold(raw), 0, []
    for word in _words(text, locale):
        found.append(
            replace(word, said=text.text[word.start : word.end], lead=text.text[done : word.start][-_LEAD:])
        )
        done = word.end
    return tuple(found)


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
    """What a stretch without numbers and dates says."""
    done = low
    for token in joined(tokens(text.text, low, high)):
        if token.kind == GLUED:
            yield from (Word("word", char.text, char.start, char.end) for char in characters(token))
        elif _DIGIT.search(token.text):
            yield _with_digits(token)
        else:
            for piece in pieces(token):
                spelled = number_at(text.text, piece.start, locale)
                if piece.start < done:
                    continue
                if spelled is not None and (spelled[2] or spelled[1] > 1):
                    word = _spelled(text, piece.start, *spelled)
                    done = word.end
                    yield word
                else:
                    yield from _word(text, piece, locale)


def _with_digits(token: Token) -> Word:
    if _ORDINAL.fullmatch(token.text):
        return Word("altering", f"{token.text[:-2]}th", token.start, token.end)
    return Word("code", token.text, token.start, token.end)


def _word(text: Folded, piece: Token, locale: str | None) -> Iterator[Word]:
    word, start, end = piece.text, piece.start, piece.end
    if word.endswith("n't") or word in NEGATIONS:
        if not _ADDS.match(text.text, end):
            yield Word("negation", "not", start, end)
    elif word in _TIMES:
        yield Word("number", word, start, end, frozenset((Decimal(_TIMES[word]),)), unit="times")
    elif word in DOUBTS:
        yield Word("doubt", word, start, end)
    elif word in ALTERING:
        yield Word("altering", word, start, end)
    elif word in LIMITING:
        yield Word("limiting", word, start, end)
    elif word not in JOINING or word.endswith(("#", "+")):
        yield Word(_kind(text, start, end), stem(word, locale), start, end)


def _spelled(text: Folded, start: int, end: int, number: int, is_ordinal: bool) -> Word:
    """A number that is written as words, with its scale and unit; "one" is more often none."""
    if is_ordinal:
        return Word("altering", f"{number}th", start, end)
    scale, stop, found = behind(text.text, end, None, None)
    unit = "times" if _COUNTS_TIMES.match(text.text, end) else found.code if found else None
    worth = frozenset(((Decimal(number) * scale).normalize(),))
    return Word("number", text.text[start:stop], start, stop, worth, unit=unit)


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
