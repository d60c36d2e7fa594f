"""Which pages answer a question best: by subject, by age, by who speaks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from .authority import authority, is_invented
from .dates import day_of
from .document import Document
from .kinds import Page
from .question import Question, overlap, words_of
from .search import Hit

_TODAY = re.compile(r"\btoday'?s?\b|今天|今日|本日|\bheute\b|\bhoy\b", re.I)
TODAY_DAYS = 1
# The least share of the topic that a page must hold; pairs of characters overlap word borders, so fewer meet.
LEAST_OVERLAP = 0.5
LEAST_OVERLAP_CJK = 0.3
# Sources that must agree on a value and speak for themselves need to share fewer words with the question.
LEAST_OVERLAP_SEVERAL = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A fetched page with its grounds: ``relevance`` 0..2, ``authority`` around 0, ``age`` in days if
    known."""

    page: Page
    relevance: float
    authority: float
    age: int | None
    score: float


def rank(question: Question, found: Iterable[tuple[Page, Hit | None]], today: date) -> list[Ranked]:
    """The pages that can answer, best first. Pages of another subject, without an exact term of the
    question, made up, or not of today when today is asked for, are left out. Where none is left, a page in another
    language is held against the words that it can share: names."""
    pages = list(found)
    shared = _words_by_language(page.document for page, _ in pages if page.document)
    return _ranked(question, pages, today, {}) or _ranked(question, pages, today, shared)


def _ranked(
    question: Question,
    found: Iterable[tuple[Page, Hit | None]],
    today: date,
    shared: Mapping[str, frozenset[str]],
) -> list[Ranked]:
    ranked = []
    for page, hit in found:
        document = page.document
        if page.kind != "document" or document is None or is_invented(document):
            continue
        whole = "\n".join((document.title, document.text, document.site))
        if not all(holds(term, whole, f"{document.title}\n{document.heading}") for term in question.exact):
            continue
        there = _in_language_of(question, document, shared)
        held = overlap(there, whole)
        if held < _least(there):
            continue
        age = _age(page, hit, today)
        if _TODAY.search(question.text) and (age is None or not -1 <= age <= TODAY_DAYS):
            continue
        relevance = held + overlap(there, f"{document.title}\n{document.heading}")
        speaks = authority(document, question)
        score = 2.0 * relevance + (1.0 if "official" in question.traits else 0.4) * speaks
        if "recent" in question.traits and age is not None:
            score -= min(4.0, max(0, age) / 7)
        ranked.append(Ranked(page=page, relevance=relevance, authority=speaks, age=age, score=score))
    return sorted(ranked, key=lambda item: -item.score)


def _words_by_language(documents: Iterable[Document]) -> dict[str, frozenset[str]]:
    """The words of all pages of a language."""
    found: dict[str, frozenset[str]] = {}
    for document in documents:
        language = _language(document)
        found[language] = found.get(language, frozenset()) | frozenset(words_of(document.text))
    return found


def _in_language_of(question: Question, document: Document, shared: Mapping[str, frozenset[str]]) -> Question:
    """The question as a page of another language can be held against it: by the words that any page of that language
    shares with it, which are names."""
    language = _language(document)
    if language == question.language or language not in shared:
        return question
    names = tuple(word for word in question.topic if word in shared[language])
    return replace(question, topic=names, text=" ".join(names))


def _language(document: Document) -> str:
    return document.lang.partition("-")[0].lower()


def holds(term: str, whole: str, head: str) -> bool:
    """Whether a page holds an exact term. An identifier (``ISO 8601``) must name the page, so it counts in
    the head only; a phrase or a number may stand anywhere."""
    parts = re.fullmatch(r"([A-Z][A-Za-z]+) (\d[\d.]*)", term)
    if parts:
        return bool(
            re.search(
                rf"\b{re.escape(parts[1])}[\s:_-]*(?:no\.?\s*)?{re.escape(parts[2])}(?![\d]|\.\d)", head, re.I
            )
        )
    if term.isdigit():
        return bool(re.search(rf"(?<![\d.,]){term}(?![\d]|[.,]\d)", whole))
    return " ".join(words_of(term)) in " ".join(words_of(whole))


def _least(question: Question) -> float:
    if question.cjk:
        return LEAST_OVERLAP_CJK
    return LEAST_OVERLAP_SEVERAL if "several" in question.traits else LEAST_OVERLAP


def _age(page: Page, hit: Hit | None, today: date) -> int | None:
    assert page.document is not None
    stamp = page.document.published or page.document.modified
    day = stamp.day if stamp else day_of(hit.published) if hit and hit.published else None
    return None if day is None else (today - day).days


def worth_fetching(question: Question, hits: list[Hit], count: int) -> list[Hit]:
    """The ``count`` results to read first: the engine's order, moved by what title and snippet promise.

    At most three a host, so that one loud site does not crowd out the rest.
    """
    scored = []
    for place, hit in enumerate(hits):
        promise = overlap(question, f"{hit.title}\n{hit.snippet}") + overlap(question, hit.title)
        doubt = 0.6 * ("?" in hit.title or "？" in hit.title)
        scored.append((0.25 * place - promise + doubt, place, hit))
    chosen: list[Hit] = []
    for _, _, hit in sorted(scored, key=lambda item: item[:2]):
        if sum(_host(other.url) == _host(hit.url) for other in chosen) < 3:
            chosen.append(hit)
    return chosen[:count]


def _host(url: str) -> str:
    return url.split("/")[2] if url.count("/") > 2 else url
