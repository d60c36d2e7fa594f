"""Names of people: the same person under a shorter, longer or abbreviated form of the name."""

from __future__ import annotations

import re
from functools import lru_cache

from .words import FILLERS, alike, words

_TITLES_LIST = (
    "jr sr obe cbe mbe ii iii iv md phd dr mr mrs ms miss sir dame lord lady king queen prince princess president "
    "senator general captain colonel saint st pope rev reverend justice governor chancellor minister professor"
)
_TITLES = frozenset(_TITLES_LIST.split())
_PARTICLES = frozenset(
    (
        "al",
        "bin",
        "da",
        "de",
        "del",
        "den",
        "der",
        "di",
        "dos",
        "du",
        "ibn",
        "la",
        "le",
        "ten",
        "ter",
        "van",
        "von",
    )
)
_NICKNAME = re.compile(r"\([^)]*\)|[\"“”][^\"“”]*[\"“”]")
_NO_NAME = re.compile(r"\d|&|\band\b|\bof\b|['’]s\b|^(?:the|a|an)\b", re.IGNORECASE)
_MIDDLE = 3  # words that may stand between a given name and the family name


@lru_cache(maxsize=1024)
def name_of(text: str) -> tuple[str, ...]:
    """The words of a person's name, the family name last; empty where the text does not look like one."""
    bare = _NICKNAME.sub(" ", text).strip()
    if _NO_NAME.search(bare):
        return ()
    if not all(
        part[:1].isupper() or part.lower() in _PARTICLES for part in re.split(r"[\s,]+", bare) if part
    ):
        return ()
    parts = tuple(word.text for word in words(bare) if word.text not in _TITLES)
    return parts if len(parts) > 1 and len(parts[-1]) > 1 else ()


def find_name(name: tuple[str, ...], texts: list[str]) -> int | None:
    """Where the family name stands in a list of words behind one of the given names (whole, short or initial) and
    no word that ends a name; None where it does not."""
    *given, family = name
    for at in range(1, len(texts)):
        if not (texts[at] == family or (len(family) > 5 and alike(texts[at], family))):
            continue
        for before in range(at - 1, max(-1, at - 1 - _MIDDLE), -1):
            if texts[before] in FILLERS and texts[before] not in _PARTICLES:
                break
            if any(_same_given(texts[before], part) for part in given):
                return at
    return None


def _same_given(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) == 1 or len(shorter) >= 3:
        return longer.startswith(shorter) or alike(one, other)
    return one == other
