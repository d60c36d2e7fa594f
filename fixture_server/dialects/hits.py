"""A search over the world's own pages, narrowed as providers let their clients narrow it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from fixture_server.index import Hit, Index, index_of, phrases
from fixture_server.stage import Stage
from fixture_server.text import query_words, snippet

_FAINTEST = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a result must be. Domains are host names, each perhaps with the beginning of a path, and stand for what is
    below them too; ``until`` is the first moment that is too late. Within such limits a page without a date is not
    wanted, nor is it where ``dated`` is asked for. ``phrases`` and ``without`` are looked for in title and text,
    ``titled`` in the title; ``suffixes`` end the path.
    """

    include_domains: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    dated: bool = False
    language: str | None = None
    phrases: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    titled: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A page for a query; ``score`` is in (0, 1) and grows with relevance, ``text`` is the page as the index has
    it."""

    url: str
    title: str
    snippet: str
    text: str
    score: float
    published: datetime | None
    language: str | None


def find(query: str, wanted: Wanted, stage: Stage) -> Iterator[Found]:
    """The wanted pages that hold a word of the query, the best first; every wanted one where the query has no words
    of its own but names domains."""
    index = index_of(stage)
    hits: Iterable[Hit] = index.search(query)
    if wanted.include_domains and not query_words(query):
        hits = _every(index)
    for hit in hits:
        document = hit.document
        found = Found(
            url=document.url,
            title=document.readable.title,
            snippet=hit.snippet,
            text=document.readable.text,
            score=hit.score,
            published=stage.published(document.published),
            language=document.language,
        )
        if _is_wanted(found, wanted):
            yield found


def quoted(query: str) -> tuple[str, ...]:
    """The quoted parts of a query, as ``Wanted.phrases`` takes them."""
    return tuple(phrases(query))


def domain(text: str) -> str:
    """A domain as ``Wanted`` takes it, from a host, a host with a path or a URL."""
    return text.strip().lower().removeprefix("https://").removeprefix("http://").rstrip("/")


def in_domains(url: str, domains: Iterable[str]) -> bool:
    """Whether a URL is in one of the domains or below it."""
    parts = urlsplit(url)
    return any(_matches(parts.hostname or "", parts.path.lower(), name) for name in domains)


def day(text: str, form: str = "%Y-%m-%d") -> datetime:
    """The first moment of a day, in UTC. Raises ValueError."""
    return datetime.strptime(text, form).replace(tzinfo=UTC)


def next_day(moment: datetime) -> datetime:
    """The first moment that is too late where the day of ``moment`` still counts."""
    return moment + timedelta(days=1)


def _every(index: Index) -> Iterator[Hit]:
    for document in index.documents:
        yield Hit(document=document, score=_FAINTEST, snippet=snippet(document.readable.text, []))


def _is_wanted(found: Found, wanted: Wanted) -> bool:
    if wanted.include_domains and not in_domains(found.url, wanted.include_domains):
        return False
    if in_domains(found.url, wanted.exclude_domains):
        return False
    if wanted.suffixes and not urlsplit(found.url).path.lower().endswith(wanted.suffixes):
        return False
    if wanted.language and _tongue(found.language) != _tongue(wanted.language):
        return False
    return _is_in_time(found.published, wanted) and _says(found, wanted)


def _is_in_time(published: datetime | None, wanted: Wanted) -> bool:
    if published is None:
        return not (wanted.dated or wanted.since or wanted.until)
    too_early = wanted.since is not None and published < wanted.since
    return not too_early and (wanted.until is None or published < wanted.until)


def _says(found: Found, wanted: Wanted) -> bool:
    title = " ".join(found.title.split()).casefold()
    if not all(word in title for word in wanted.titled):
        return False
    if not wanted.phrases and not wanted.without:
        return True
    text = f"{title} {' '.join(found.text.split()).casefold()}"
    return all(phrase in text for phrase in wanted.phrases) and not any(
        re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in wanted.without
    )


def _tongue(language: str | None) -> str:
    return (language or "").lower().partition("-")[0]


def _matches(host: str, path: str, name: str) -> bool:
    name, slash, prefix = name.partition("/")
    name = name.removeprefix("*.").removeprefix("www.").lstrip(".")
    bare = host.removeprefix("www.")
    return (bare == name or host.endswith(f".{name}")) and (not slash or path.startswith(f"/{prefix}"))
