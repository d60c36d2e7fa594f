"""One normaliser of text: what two readers would call the same characters becomes the same string.

Widths, quotes, dashes, spaces and case are folded; superscripts, circled digits and fractions stay, because
NFKC would turn 10² into 102. Every folded text knows where each of its characters stood in the raw one.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2035"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f\uff62\uff63"
# Characters that separate words although they fold to a hyphen.
_RULES = frozenset("\u2012\u2013\u2014\u2015\ufe58")

_TABLE: dict[int, str] = {
    **{0xFF01 + index: chr(0x21 + index).lower() for index in range(0x5E)},
    **{ord(char): " " for char in _SPACES},
    **{ord(char): "-" for char in _DASHES},
    **{ord(char): "'" for char in _SINGLE_QUOTES},
    **{ord(char): '"' for char in _DOUBLE_QUOTES},
    **{code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFF66, 0xFF9E)},
    ord("ς"): "σ",
}
_EXPANDED = {"\u2026": "...", "\u2265": ">=", "\u2264": "<=", "\u2260": "!=", "\u0130": "i"}
_INVISIBLE = "\u00ad\u200b-\u200f\u2060\ufeff"
_MARKS = "\u0300-\u036f\u3099\u309a"
_UNEVEN = re.compile(f"[{''.join(_EXPANDED)}{_INVISIBLE}]|[^{_MARKS}][{_MARKS}]+")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text. ``offsets[i]`` is where folded character ``i`` stands in ``raw`` (one more entry than
    there are characters); None means that the two run in step."""

    raw: str
    text: str
    offsets: tuple[int, ...] | None = None

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """The span of ``raw`` that folded characters ``start`` to ``end`` (exclusive) came from."""
        if self.offsets is None or start >= end:
            return (start, end) if self.offsets is None else (self.offsets[start], self.offsets[start])
        last = self.offsets[end - 1]
        return self.offsets[start], max(self.offsets[end], last + 1)

    def separates(self, index: int) -> bool:
        """True where a folded hyphen was a dash between words (en, em or figure dash), not part of a word."""
        return self.raw[index if self.offsets is None else self.offsets[index]] in _RULES


def fold(raw: str) -> Folded:
    """Fold width, quotes, dashes, spaces and case; compose marks; drop invisible characters."""
    if raw.isascii():
        return Folded(raw, raw.lower())
    if _UNEVEN.search(raw) is None:
        return Folded(raw, raw.lower().translate(_TABLE))
    pieces: list[str] = []
    offsets: list[int] = []
    done = 0
    for match in _UNEVEN.finditer(raw):
        start, end = match.span()
        pieces.append(raw[done:start].lower().translate(_TABLE))
        offsets.extend(range(done, start))
        piece = _fold_cluster(match.group())
        pieces.append(piece)
        offsets.extend([start] * len(piece))
        done = end
    pieces.append(raw[done:].lower().translate(_TABLE))
    offsets.extend(range(done, len(raw) + 1))
    return Folded(raw, "".join(pieces), tuple(offsets))


def _fold_cluster(cluster: str) -> str:
    if cluster in _EXPANDED:
        return _EXPANDED[cluster]
    if len(cluster) == 1:
        return ""
    composed = unicodedata.normalize("NFC", cluster)
    return "".join(_EXPANDED.get(char, char.lower().translate(_TABLE)) for char in composed)


@lru_cache(maxsize=4096)
def bare(char: str) -> str:
    """A folded letter without its marks."""
    if char.isascii() or is_cjk(char):
        return char
    return {"ø": "o", "ł": "l", "đ": "d", "ı": "i"}.get(char) or unicodedata.normalize("NFD", char)[0]


def language_of(locale: str | None) -> str:
    """The language of a locale ("pt-BR" and "pt_BR" are "pt"); English where none is known."""
    return (locale or "en").lower().replace("_", "-").partition("-")[0]


# Scripts that are written without blanks between words, and Korean, whose particles are glued to the word.
_GLUED = (("\u2e80", "\u9fff"), ("\uac00", "\ud7af"), ("\u0e00", "\u0e7f"), ("\uf900", "\ufaff"))
_GLUED_FROM = "\U00020000"
# The same as the inside of a character class.
CJK = "".join(f"{first}-{last}" for first, last in (*_GLUED, (_GLUED_FROM, "\U0010ffff")))


def is_cjk(char: str) -> bool:
    """A character of a script without blanks between words, or of Korean."""
    return char >= _GLUED_FROM or any(first <= char <= last for first, last in _GLUED)


def is_word(char: str) -> bool:
    """A letter or digit of a script that sets words apart."""
    return char.isalnum() and not is_cjk(char)


_STOP = re.compile(
    r"(?P<mark>[.!?]+|[。！？｡…]+)[\"'”’»）)\]」』*_]*(?P<cites>(?:[ ]?\[[0-9, \-]+\]|[ ]?【[^】\n]*】)*)|\n+"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|no|nr|art|approx|ca|dr|mr|mrs|ms|prof|st|vol|fig|sec|ed|inc|ltd|z\.\s?b|bzw|d\.h|"
    r"usw|p\.\s?ex|sr|sra|núm|pág|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)|\b[a-z])$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:^|[^\d.])\d{1,2}$")


def sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences of ``text``, in any of the scripts that a mark or a line break ends; no empty
    span.

    Citation markers behind the closing mark belong to the sentence that they close.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _STOP.finditer(text):
        if match.group("mark") is not None and not _ends_sentence(text, start, match):
            continue
        _append(spans, text, start, match.end())
        start = match.end()
    _append(spans, text, start, len(text))
    return spans


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    mark, end = match.group("mark"), match.end()
    if mark[0] not in ".!?" or end >= len(text):
        return True
    following = text[end]
    if not following.isspace():
        return is_cjk(following) or bool(match.group("cites"))
    if mark != ".":
        return True
    before = text[start : match.start()]
    rest = text[end:].lstrip(" ")
    if _ABBREVIATION.search(before):
        return False
    # "21. August" is a date in German and "on page 21. Another" ends a sentence: nothing tells them apart for
    # sure, so a number of one or two digits before a dot ends no sentence unless a line ends there too.
    return not (_ORDINAL.search(before) and rest[:1].isalpha() and not rest.startswith("\n"))


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        begin = start + len(piece) - len(piece.lstrip())
        spans.append((begin, begin + len(stripped)))
