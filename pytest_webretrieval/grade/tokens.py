"""One reader of tokens: what in a text is a number, a word, initials, a character of a script without blanks, a symbol.

Every comparer of texts reads by it. What a token is worth is for others to say: ``numerals`` and ``number_words`` for
numbers, ``dates`` for days, ``stems`` for words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .text import CJK

NUMBER, WORD, INITIALS, GLUED, SYMBOL = "number", "word", "initials", "glued", "symbol"
# A number with its sign and the marks inside it (1,204.50; 4.10.7; 7:30; 2/3); initials; letters of a script without
# blanks; letters with the apostrophes inside them and the marks of C++, C# and A+ behind them; a symbol that is said as
# a word.
_TOKEN = re.compile(
    rf"(?P<{NUMBER}>(?:(?<![\w)])[-+])?\d+(?:[.,:/]\d+)*)"
    rf"|(?P<{INITIALS}>(?<![^\W_])(?:[^\W\d_]\.){{2,}}[^\W\d_]?(?![^\W_]))"
    rf"|(?P<{GLUED}>(?:(?![\W\d_])[{CJK}])+)"
    rf"|(?P<{WORD}>[^\W\d_{CJK}]+(?:'[^\W\d_{CJK}]+)*(?:[#+]+(?!\w))?)"
    rf"|(?P<{SYMBOL}>[%&$€£¥])"
)
_PIECE = re.compile(r"[^'.]+n't(?![^'])|[^'.]+")
_CHARACTER = re.compile(r".")
# Commas part numbers ("18,2018") or group one ("1,204").
_PARTS = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:[.:]\d+)*)")


@dataclass(frozen=True, slots=True)
class Token:
    """``kind`` is one of the five above; ``start`` and ``end`` are where it stands."""

    kind: str
    text: str
    start: int
    end: int


def tokens(text: str, low: int = 0, high: int | None = None) -> Iterator[Token]:
    """The tokens of a folded text, or of a stretch of it, in order."""
    for match in _TOKEN.finditer(text, low, len(text) if high is None else high):
        yield Token(str(match.lastgroup), match.group(), match.start(), match.end())


def numbers(token: Token) -> Iterator[Token]:
    """The numbers of a number: commas that group no thousands part it, and so do slashes."""
    return _cut(_PARTS, token)


def pieces(token: Token) -> Iterator[Token]:
    """A word or initials without what joins them: "john's" is "john" and "s", "u.s." is "u" and "s";
    "don't" denies, and stays whole."""
    return _cut(_PIECE, token)


def characters(token: Token) -> Iterator[Token]:
    """Each character of a run without blanks is a word of its own."""
    return _cut(_CHARACTER, token)


def _cut(pattern: re.Pattern[str], token: Token) -> Iterator[Token]:
    for match in pattern.finditer(token.text):
        yield Token(token.kind, match.group(), token.start + match.start(), token.start + match.end())


def joined(found: Iterable[Token]) -> Iterator[Token]:
    """The same, but letters and digits that stand side by side are one word: "v3.2", "21st", "b2b"."""
    held: Token | None = None
    for token in found:
        if held is not None and held.end == token.start and {held.kind, token.kind} <= {NUMBER, WORD}:
            held = Token(WORD, held.text + token.text, held.start, token.end)
        else:
            if held is not None:
                yield held
            held = token
    if held is not None:
        yield held
