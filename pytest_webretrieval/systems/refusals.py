"""Whether a plain text declines, and why. The words are in ``refusals.toml``."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from .contract import Refusal

_URL = re.compile(r"https?://[^\s<>\"）」』】]+", re.IGNORECASE)
_APOSTROPHES = str.maketrans("’‘ʼ`", "''''")
# An amount, a share or a version is content wherever it stands.
_VALUE = re.compile(
    r"[€$£¥₩]\s?\d|\d[\d.,]*\s?(?:%|€|\$|£|¥|₩|元|円|원|usd|eur|gbp|chf|dollars?|euros?|percent|prozent"
    r"|million|billion|millionen|kwh|km\b|kg\b)|\bv\d+\.\d+"
)
_STATUS = re.compile(r"(?<!\d)[45]\d\d(?!\d)")
_LONGEST = 1000  # characters; no refusal needs a longer sentence


@dataclass(frozen=True, slots=True)
class _Words:
    refuses: re.Pattern[str]
    explains: re.Pattern[str]
    aside: re.Pattern[str]
    points: re.Pattern[str]
    pages: re.Pattern[str]
    but: re.Pattern[str]
    although: re.Pattern[str]
    reasons: tuple[tuple[str, re.Pattern[str]], ...]


def table() -> dict[str, Any]:
    """The published table: languages, then ``reasons``."""
    return tomllib.loads(files("pytest_webretrieval.systems").joinpath("refusals.toml").read_text("utf-8"))


def kind_of(sentence: str) -> str:
    """``refuses``, ``explains``, ``aside``, ``points`` or ``fact``: a sentence is a fact when one of its
    clauses is, else what its first telling clause is."""
    kinds = _kinds(sentence)
    if "fact" in kinds:
        return "fact"
    return next((kind for kind in ("refuses", "explains", "points") if kind in kinds), "aside")


def refusal_in(sentences: Sequence[str], urls: Sequence[str]) -> Refusal | None:
    """The refusal that a text is, or None when the text gives a fact or does not say that it could not.

    ``reason`` is set where the wording is clear, ``url`` is the first of ``urls``, ``detail`` the
    sentence that refuses.
    """
    said = [(sentence, _kinds(sentence)) for sentence in sentences]
    if any("fact" in kinds for _, kinds in said):
        return None
    whole = _folded(" ".join(sentences))
    if not _words().pages.search(whole):
        return None
    refusing = [sentence for sentence, kinds in said if "refuses" in kinds]
    if not refusing and not re.search(r"\d", _STATUS.sub("", whole)):
        refusing = [sentence for sentence, kinds in said if "explains" in kinds]
    if not refusing:
        return None
    return Refusal(reason=_reason(whole), url=next(iter(urls), None), detail=refusing[0])


@lru_cache(maxsize=1024)  # each sentence is asked about when claims are made, and again for the status
def _kinds(sentence: str) -> frozenset[str]:
    if len(sentence) > _LONGEST:
        return frozenset({"fact"})
    return frozenset(
        _clause_kind(clause) for clause in _clauses(_folded(sentence)) if re.search(r"\w", clause)
    )


def _clauses(folded: str) -> list[str]:
    words = _words()
    parts = folded.split(",", 1) if words.although.search(folded) else [folded]
    return [clause.strip() for part in parts for clause in words.but.split(part)]


def _clause_kind(clause: str) -> str:
    words = _words()
    if words.refuses.search(clause):
        return "refuses"
    if _VALUE.search(clause):
        return "fact"
    if words.explains.search(clause) or _reason(clause) is not None:
        return "explains"
    if words.points.search(clause):
        return "points"
    return "aside" if words.aside.search(clause) or clause == "␟" else "fact"


def _reason(folded: str) -> str | None:
    return next((reason for reason, pattern in _words().reasons if pattern.search(folded)), None)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", _URL.sub("␟", text)).translate(_APOSTROPHES).casefold()
    return " ".join(plain.split())


@cache
def _words() -> _Words:
    rows = table()
    reasons = rows.pop("reasons")

    def all_of(name: str) -> re.Pattern[str]:
        return re.compile("|".join(pattern for language in rows.values() for pattern in language[name]))

    return _Words(
        refuses=all_of("refuses"),
        explains=all_of("explains"),
        aside=all_of("aside"),
        points=all_of("points"),
        pages=all_of("pages"),
        but=all_of("but"),
        although=all_of("although"),
        reasons=tuple((reason, re.compile("|".join(patterns))) for reason, patterns in reasons.items()),
    )
