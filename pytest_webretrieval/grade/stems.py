"""Words without their inflection, by Snowball's rules for a language."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from snowballstemmer import stemmer  # type: ignore[import-untyped]

from .text import language_of

_STEMMERS = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese",
    "nl": "dutch", "sv": "swedish", "no": "norwegian", "nb": "norwegian", "da": "danish", "fi": "finnish",
}  # fmt: skip


@lru_cache(maxsize=65536)
def stem(word: str, locale: str | None) -> str:
    """The stem of a folded word in a language; English where that is not known, the word itself where no rules are
    known."""
    if not word.isalpha():
        return word
    name = _STEMMERS.get(language_of(locale))
    return word if name is None else str(_stemmer(name).stemWord(word))


@lru_cache(maxsize=16)
def _stemmer(name: str) -> Any:
    return stemmer(name)
