"""The operators that engines know within a query."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from .hits import Wanted, day, domain

_PIECE = re.compile(
    r'(?P<minus>-)?(?:(?P<name>[a-z]+):)?(?:"(?P<phrase>[^"]*)"|(?P<word>\S+))', re.IGNORECASE
)

Narrow = Callable[[Wanted, str], Wanted]

NARROWED: Mapping[str, Narrow] = {
    "site": lambda wanted, text: replace(wanted, include_domains=(*wanted.include_domains, domain(text))),
    "-site": lambda wanted, text: replace(wanted, exclude_domains=(*wanted.exclude_domains, domain(text))),
    "filetype": lambda wanted, text: replace(wanted, suffixes=(*wanted.suffixes, f".{text.lower()}")),
    "ext": lambda wanted, text: replace(wanted, suffixes=(*wanted.suffixes, f".{text.lower()}")),
    "intitle": lambda wanted, text: replace(wanted, titled=(*wanted.titled, text.casefold())),
    "after": lambda wanted, text: replace(wanted, since=day(text)),
    "before": lambda wanted, text: replace(wanted, until=day(text)),
    "-": lambda wanted, text: replace(wanted, without=(*wanted.without, text.casefold())),
    '"': lambda wanted, text: replace(wanted, phrases=(*wanted.phrases, text.casefold())),
}


UNDATED: Mapping[str, Narrow] = {key: NARROWED[key] for key in NARROWED if key not in ("after", "before")}


def read_operators(
    query: str, wanted: Wanted | None = None, known: Mapping[str, Narrow] = NARROWED
) -> tuple[str, Wanted]:
    """The words to rank by, and ``wanted`` narrowed by the operators that the engine knows.

    ``after:`` counts its day in, ``before:`` does not. A phrase is among the words too; ``OR`` is not. What is no
    operator, or has a value that it does not take, is a word.
    """
    wanted = wanted or Wanted()
    words: list[str] = []
    for piece in _PIECE.finditer(query):
        text = " ".join((piece["word"] or piece["phrase"] or "").split())
        narrow = known.get(_operator(piece))
        try:
            wanted = wanted if narrow is None or not text else narrow(wanted, text)
        except ValueError:
            narrow = None
        if narrow is None or _operator(piece) == '"':
            words.append(text if piece["phrase"] is not None else piece.group())
    return " ".join(word for word in words if word != "OR"), wanted


def _operator(piece: re.Match[str]) -> str:
    """The key of ``NARROWED`` for a piece of a query; empty for a word."""
    minus = piece["minus"] or ""
    if piece["name"]:
        return minus + piece["name"].lower()
    return minus or ('"' if piece["phrase"] is not None else "")
