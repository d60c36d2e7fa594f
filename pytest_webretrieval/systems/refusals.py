"""Whether a plain text declines, and why. The words are in ``refusals.toml``."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from .contract import Refusal

KINDS = ("refuses", "denies", "explains", "points", "offers")
_URL = re.compile(r"https?://[^\s<>\"）」』】]+", re.IGNORECASE)
_FLAT = str.maketrans({**dict.fromkeys("’‘ʼ`", "'"), **dict.fromkeys("，、", ", ")})
# An amount, a share or a version is content wherever it stands.
_VALUE = re.compile(
    r"[€$£¥₩]\s?\d|\d[\d.,]*\s?(?:%|€|\$|£|¥|₩|元|円|원|usd|eur|gbp|chf|dollars?|euros?|percent|prozent"
    r"|million|billion|millionen|kwh|km\b|kg\b)|\bv\d+\.\d+"
)
_STATUS = re.compile(r"(?<!\d)[45]\d\d(?!\d)|(?<!\d)200(?!\d)")
_PLACEHOLDER = re.compile(r"<([a-z_]+)>")
_HAN, _KANA, _HANGUL = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[\u3040-\u30ff]"), re.compile("[가-힣]")
_LATIN_WORD = re.compile(r"[a-zà-öø-ÿß']+")
_AROUND = ' .。!¡¿:-–—*"“”«»'
_CONTRACTED = re.compile(r"\b(it|that|this|there)'s\b")
_LONGEST = 1000  # characters; no refusal needs a longer sentence


@dataclass(frozen=True, slots=True)
class _Anywhere:
    """Alternatives in two patterns: those that stand at the start are not tried at every place."""

    at_start: re.Pattern[str]
    inside: re.Pattern[str] | None

    def search(self, text: str) -> bool:
        return bool(self.at_start.match(text) or (self.inside is not None and self.inside.search(text)))


@dataclass(frozen=True, slots=True)
class _Language:
    opens: re.Pattern[str]
    kinds: tuple[_Anywhere, ...]
    tells: _Anywhere
    but: re.Pattern[str]
    although: _Anywhere


@cache
def table() -> Mapping[str, Any]:
    """The published table: languages, then ``reasons``."""
    return tomllib.loads(files("pytest_webretrieval.systems").joinpath("refusals.toml").read_text("utf-8"))


def patterns(row: Mapping[str, Any], name: str) -> list[str]:
    """The regular expressions of one row of a language, with its words in place."""
    return [_filled(pattern, row["words"]) for pattern in row[name]]


def kind_of(sentence: str) -> str:
    """``refuses``, ``denies``, ``explains``, ``points``, ``offers`` or ``states``: a sentence states when one of
    its clauses does, else it is the first of these that a clause is."""
    kinds = _kinds(sentence)
    if "states" in kinds:
        return "states"
    return next((kind for kind in KINDS if kind in kinds), "offers")


def refusal_in(sentences: Sequence[str], urls: Sequence[str]) -> Refusal | None:
    """The refusal that a text is, or None when a sentence states a fact or none refuses.

    ``reason`` is set where the wording is clear, ``url`` is the first of ``urls``, ``detail`` the
    sentence that refuses.
    """
    said = [(sentence, kind_of(sentence), _kinds(sentence)) for sentence in sentences]
    if any(kind == "states" for _, kind, _ in said):
        return None
    whole = _folded(" ".join(sentences))
    reason = _reason(whole)
    refusing = [sentence for sentence, _, kinds in said if kinds & {"refuses", "denies"}]
    if not refusing and reason is not None and not re.search(r"\d", _STATUS.sub("", whole)):
        refusing = [sentence for sentence, kind, _ in said if kind == "explains"]
    if not refusing:
        return None
    everything = frozenset().union(*(kinds for *_, kinds in said))
    # That a page is not there is another reason than that nothing is.
    if reason is None and not urls and "denies" in everything and "explains" not in everything:
        reason = "no_result"
    return Refusal(reason=reason, url=next(iter(urls), None), detail=refusing[0])


@lru_cache(maxsize=1024)  # each sentence is asked about when claims are made, and again for the status
def _kinds(sentence: str) -> frozenset[str]:
    if len(sentence) > _LONGEST:
        return frozenset({"states"})
    folded = _folded(sentence)
    languages = _languages_of(folded)
    turned = any(language.although.search(folded) for language in languages)
    parts = [_opened(folded, languages)]
    for language in languages:
        parts = [piece for part in parts for piece in language.but.split(part)]
    found: set[str] = set()
    for part in parts:
        found |= _part_kinds(part, languages, turned)
    return frozenset(found)


def _part_kinds(part: str, languages: Sequence[_Language], turned: bool) -> set[str]:
    """Kinds of a part of a sentence. What stands between commas and is of no kind is an adverbial, unless
    it tells something, or the sentence began with `although`, or nothing beside it is of a kind."""
    fragments = [text for text in part.split(", ") if re.search(r"[\w␟]", text)]
    kinds = [_fragment_kind(fragment, languages) for fragment in fragments]
    found = {kind for kind in kinds if kind is not None}
    for fragment, kind in zip(fragments, kinds, strict=True):
        if kind is None and (not found - {"offers"} or turned or _tells(fragment, languages)):
            found.add("states")
    return found


def _tells(fragment: str, languages: Sequence[_Language]) -> bool:
    bare = fragment.strip(" .。!！")
    return bool(_VALUE.search(bare)) or any(language.tells.search(bare) for language in languages)


def _fragment_kind(fragment: str, languages: Sequence[_Language]) -> str | None:
    bare = _opened(fragment, languages)
    if not bare or bare == "␟":
        return "offers"
    is_amount = _VALUE.search(bare) is not None
    for index, kind in enumerate(KINDS):
        if kind != "refuses" and is_amount:
            return "states"
        if any(language.kinds[index].search(bare) for language in languages):
            return kind
    return None


def _opened(text: str, languages: Sequence[_Language]) -> str:
    """Without the courtesies and conjunctions that it begins with, and the marks around it."""
    bare = text.strip(_AROUND)
    for language in languages:
        bare = language.opens.sub("", bare).strip(_AROUND)
    return bare


def _languages_of(folded: str) -> list[_Language]:
    """The languages that a sentence may be in, by its script and its small words."""
    found: list[_Language] = []
    if _KANA.search(folded):
        found.append(_language("ja"))
    elif _HAN.search(folded):
        found += [_language("zh-Hant"), _language("zh-Hans")]
    if _HANGUL.search(folded):
        found.append(_language("ko"))
    words = set(_LATIN_WORD.findall(folded))
    if found and len(words) < 4:
        return found
    hits = {name: len(words & common) for name, common in _small_words().items() if common}
    most = max(hits.values())
    # One or two small words may be of several languages; three are of the one that has most.
    least = most if most > 2 else min(1, most)
    return found + [_language(name) for name, count in hits.items() if count >= least]


def _reason(folded: str) -> str | None:
    return next((reason for reason, pattern in _reasons() if pattern.search(folded)), None)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", _URL.sub("␟", text).translate(_FLAT)).translate(_FLAT).casefold()
    return _CONTRACTED.sub(r"\1 is", " ".join(plain.split()))


def _filled(pattern: str, words: Mapping[str, str]) -> str:
    while _PLACEHOLDER.search(pattern):
        pattern = _PLACEHOLDER.sub(lambda match: f"(?:{words[match[1]]})", pattern)
    return pattern


@cache
def _small_words() -> dict[str, frozenset[str]]:
    return {name: frozenset(row["common"].split()) for name, row in table().items() if name != "reasons"}


@cache
def _language(name: str) -> _Language:
    """One row, compiled when the first sentence of its language is met."""
    row = table()[name]

    def compiled(row: Mapping[str, Any], name: str) -> _Anywhere:
        found = patterns(row, name)
        inside = [pattern for pattern in found if not pattern.startswith("^")]
        at_start = [pattern for pattern in found if pattern.startswith("^")]
        return _Anywhere(
            at_start=re.compile("|".join(at_start) or "(?!)"),
            inside=re.compile("|".join(inside)) if inside else None,
        )

    end = r"(?:(?<=[ '])|(?!\w))"  # of a word, where words are set apart
    return _Language(
        opens=re.compile(
            rf"^(?:(?:{'|'.join(patterns(row, 'opens'))}){end if row['common'] else ''}[,:!. …]*)+"
        ),
        kinds=tuple(compiled(row, kind) for kind in KINDS),
        tells=compiled(row, "tells"),
        but=re.compile("|".join(patterns(row, "but"))),
        although=compiled(row, "although"),
    )


@cache
def _reasons() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((reason, re.compile("|".join(found))) for reason, found in table()["reasons"].items())
