"""Names and titles of the same shape in the same script, from lists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from .wordlists import (
    ENDS,
    FAMILIES,
    FIRST_NAMES,
    GERMAN_SIGNS,
    GERMAN_WORDS,
    HAN_BODY_ENDS,
    HAN_GIVEN,
    HAN_PLACE_ENDS,
    HAN_PLACES,
    HAN_SURNAMES,
    HAN_WORDS,
    LAST_NAMES,
    LEGAL_FORMS,
    PLACE_PREFIXES,
    SMALL_WORDS,
    STARTS,
    TITLE_WORDS,
)

Pick = Callable[..., int]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def can_redraw(value: str) -> bool:
    """Whether every letter is Latin or Han, and there is one."""
    letters = [character for character in value if character.isalpha()]
    return bool(letters) and (
        all(_is_han(character) for character in letters)
        or all(unicodedata.name(character, "").startswith("LATIN") for character in letters)
    )


def person(value: str, pick: Pick) -> str:
    """A first name for all words but the last; forms of address that end with a dot stay."""
    if _has_han(value):
        given = "".join(_choose(HAN_GIVEN, pick, "given", at) for at in range(max(1, len(value) - 1)))
        return _choose(HAN_SURNAMES, pick, "surname") + given
    parts = value.split(" ")
    names = [
        at
        for at, part in enumerate(parts)
        if part and not part.endswith(".") and part.lower() not in SMALL_WORDS
    ]
    for at in names:
        pool = LAST_NAMES if at == names[-1] else FIRST_NAMES
        parts[at] = _cased_like(parts[at], _near(pool, parts[at], pick, "name", at))
    return " ".join(parts)


def place(value: str, pick: Pick) -> str:
    """A town's name; words before it become North, Upper, Port and the like."""
    if _has_han(value):
        body = "".join(_choose(HAN_PLACES, pick, "place", at) for at in range(max(1, len(value) - 1)))
        return body + (value[-1] if value[-1] in HAN_PLACE_ENDS else _choose(HAN_PLACES, pick, "end"))
    found = list(_WORD.finditer(value))
    last = found[-1].start()

    def anew(match: re.Match[str]) -> str:
        word = match.group()
        if word.lower() in SMALL_WORDS:
            return word
        drawn = (
            town(pick, match.start())
            if match.start() == last
            else _choose(PLACE_PREFIXES, pick, match.start())
        )
        return _cased_like(word, drawn)

    return _WORD.sub(anew, value)


def title(value: str, pick: Pick) -> str:
    """As many words, with small words, plurals, capitals and punctuation where they were."""
    if _has_han(value):
        return _han_words(value, pick)
    german = bool(GERMAN_SIGNS & set(value.lower().split())) or any(sign in value for sign in "äöüßÄÖÜ")
    pool = GERMAN_WORDS if german else TITLE_WORDS

    def anew(match: re.Match[str]) -> str:
        word = match.group()
        if word.lower() in SMALL_WORDS or len(word) == 1:
            return word
        drawn = _near(pool, word, pick, match.start())
        plural = not german and word.endswith("s") and not word.endswith("ss")
        return _cased_like(word, _plural(drawn) if plural else drawn)

    return _WORD.sub(anew, value)


def organisation(value: str, pick: Pick) -> str:
    """A town's name for what is peculiar; what sort of body it is becomes another of its family, or stays."""
    if _has_han(value):
        end = next((end for end in HAN_BODY_ENDS if value.endswith(end) and value != end), "")
        return _han_words(value.removesuffix(end), pick) + end
    family_of = {word: family for family in FAMILIES for word in family}

    def anew(match: re.Match[str]) -> str:
        word = match.group()
        if word.lower() in SMALL_WORDS or word in LEGAL_FORMS:
            return word
        family = family_of.get(word.capitalize())
        drawn = _choose(family, pick, match.start()) if family else town(pick, match.start())
        return _cased_like(word, drawn)

    return _WORD.sub(anew, value)


def town(pick: Pick, *what: object) -> str:
    """An invented town, such as Aldermere."""
    start, end = _choose(STARTS, pick, "start", *what), _choose(ENDS, pick, "end", *what)
    return start + end if start[-1] != end[0] else start + end[1:]


def _choose(pool: Sequence[str], pick: Pick, *what: object) -> str:
    return pool[pick(len(pool), *what)]


def _near(pool: Sequence[str], word: str, pick: Pick, *what: object) -> str:
    """One of the pool that is about as long as ``word``, never the word itself."""
    others = [other for other in pool if other.lower() not in (word.lower(), word.lower().removesuffix("s"))]
    near = [other for other in others if abs(len(other) - len(word)) <= 2]
    return _choose(near if len(near) >= 12 else others, pick, *what)


def _cased_like(word: str, drawn: str) -> str:
    if word.isupper() and len(word) > 1:
        return drawn.upper()
    return drawn if word[0].isupper() else drawn.lower()


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "sh", "ch", "x")) else "s")


def _han_words(value: str, pick: Pick) -> str:
    """Each run of Han characters as two-character words; the rest stays."""

    def anew(match: re.Match[str]) -> str:
        size = len(match.group())
        drawn = "".join(_choose(HAN_WORDS, pick, match.start(), at) for at in range((size + 1) // 2))
        return drawn[:size]

    return re.sub("[\u3400-\u9fff]+", anew, value)


def _is_han(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"


def _has_han(value: str) -> bool:
    return any(_is_han(character) for character in value)
