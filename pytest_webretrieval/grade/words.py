"""Words of an answer as a reader counts them: without marks, articles and inflection, numbers as numbers.

For comparing two phrasings of one answer; where a value stands in a text to the letter is for ``values`` to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .number_words import number_at
from .stems import stem
from .text import bare, fold
from .tokens import GLUED, INITIALS, NUMBER, SYMBOL, Token, characters, numbers, tokens
from .units import SPELLED

_FILLERS_LIST = (
    "a an the of in on at to for and or by with from as into over up is are was were be been it its this that his "
    "her their about approximately around circa roughly nearly almost st nd rd th"
)
FILLERS = frozenset(_FILLERS_LIST.split())
_SYMBOLS = {"%": "percent", "&": "and"}
_SHORT_FORMS = {
    "bce": "bc", "ave": "avenue", "mt": "mount", "usa": "us", "okay": "ok", **SPELLED,
}  # fmt: skip
_SHORTEST = 4  # letters of a word that is inflected


@dataclass(frozen=True, slots=True)
class Word:
    """One word and where it stands in the plain text."""

    text: str
    start: int
    end: int


def plain(raw: str) -> str:
    """Folded text with letters without their marks, character for character as long as the folded text."""
    text = fold(raw).text
    return text if text.isascii() else "".join(map(bare, text))


@lru_cache(maxsize=512)
def words(raw: str) -> tuple[Word, ...]:
    """The words of a text in order. Number words and ordinals are digits, each CJK character is a word."""
    found: list[Word] = []
    text, done = plain(raw), 0
    for token in tokens(text):
        if token.start < done:
            continue
        if (number := number_at(text, token.start)) is not None and number[0] >= token.end:
            done = number[0]
            found.append(Word(str(number[1]), token.start, done))
        else:
            found.extend(Word(said, part.start, part.end) for part in _parts(token) if (said := _said(part)))
    return tuple(found)


def _parts(token: Token) -> Iterable[Token]:
    if token.kind == NUMBER:
        return numbers(token)
    return characters(token) if token.kind == GLUED else (token,)


def _said(token: Token) -> str:
    """A token as it is compared: a number without its grouping, a word in its usual form; empty for a symbol that no
    word stands for."""
    if token.kind == NUMBER:
        return token.text.removeprefix("+").replace(",", "").removesuffix(":00")
    if token.kind == INITIALS:
        return token.text.replace(".", "")
    if token.kind == SYMBOL:
        return _SYMBOLS.get(token.text, "")
    text = token.text.removesuffix("'s").replace("'", "")
    return _SHORT_FORMS.get(text, text)


def is_number(text: str) -> bool:
    return text[-1:].isdigit()


def content(sequence: Iterable[Word]) -> list[Word]:
    """The words that carry meaning; all of them where none does."""
    every = list(sequence)
    return [word for word in every if word.text not in FILLERS] or every


def root(text: str) -> str:
    """A word without its inflection, by the rules of English: enough to find ``cells`` in ``cell``."""
    return text if is_number(text) or len(text) < _SHORTEST else stem(text, "en")


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> bool:
    """The same word, or a spelling of it one letter away (two from nine letters on); numbers have no spelling."""
    if one == other:
        return True
    shorter = min(len(one), len(other))
    allowed = 2 if shorter >= 9 else 1
    if shorter < 5 or one[0] != other[0] or abs(len(one) - len(other)) > allowed:
        return False
    return not (is_number(one) or is_number(other)) and _distance(one, other) <= allowed


def _distance(one: str, other: str) -> int:
    """Levenshtein's distance."""
    row = list(range(len(other) + 1))
    for at, left in enumerate(one, 1):
        diagonal, row[0] = row[0], at
        for to, right in enumerate(other, 1):
            diagonal, row[to] = row[to], min(row[to] + 1, row[to - 1] + 1, diagonal + (left != right))
    return row[-1]


def runs(needle: Sequence[str], hay: Sequence[str]) -> list[int]:
    """Where ``needle`` stands in ``hay`` without a gap."""
    size = len(needle)
    if not size:
        return []
    return [
        at
        for at in range(len(hay) - size + 1)
        if hay[at] == needle[0] and tuple(hay[at : at + size]) == tuple(needle)
    ]


def gathered(needed: Iterable[str], hay: Sequence[str], reach: int) -> int | None:
    """The first place in ``hay`` from which every word of ``needed`` is at most ``reach`` words away."""
    places = {word: [at for at, text in enumerate(hay) if text == word] for word in needed}
    if not places or not all(places.values()):
        return None
    rarest = min(places.values(), key=len)
    return next(
        (
            here
            for here in rarest
            if all(any(abs(at - here) <= reach for at in found) for found in places.values())
        ),
        None,
    )
