"""A full-text index of the world's own pages: SQLite's FTS5 in memory, ranked by BM25."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from .declarations import Published
from .marks import Template
from .respond import render
from .sites import INDEXED, Page
from .stage import Edition, Stage
from .text import Readable, query_words, read_html, read_plain, segmented, snippet


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page as the index knows it."""

    page: Page
    url: str
    readable: Readable
    published: Published | None
    language: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A document for a query; ``score`` is in (0, 1) and grows with relevance."""

    document: Document
    score: float
    snippet: str


@dataclass(frozen=True, slots=True)
class Index:
    """Documents by row of the database."""

    database: sqlite3.Connection
    documents: tuple[Document, ...]

    def search(self, query: str) -> Iterable[Hit]:
        """All documents that hold a word of the query, the best first.

        BM25 as SQLite computes it (k1 = 1.2, b = 0.75), negated, is s; the score is s / (s + 4).
        """
        wanted = query_words(query)
        if not wanted:
            return
        expression = " OR ".join('"' + word.replace('"', '""') + '"' for word in wanted)
        rows = self.database.execute(
            "SELECT rowid, bm25(pages) AS rank FROM pages WHERE pages MATCH ? ORDER BY rank, rowid",
            (expression,),
        )
        for row, rank in rows.fetchall():
            document = self.documents[row]
            strength = max(-rank, 1e-6)
            yield Hit(
                document=document,
                score=round(strength / (strength + 4.0), 6),
                snippet=snippet(document.readable.text, wanted),
            )


def index_of(stage: Stage) -> Index:
    """The index of the run's edition, made at the first search."""
    kept = stage.edition.index
    if not kept:
        kept.append(build(documents_of(stage.edition, stage)))
    return kept[0]


def documents_of(edition: Edition, stage: Stage) -> list[Document]:
    """Every page that is in the index, in order of address."""
    found: list[Document] = []
    for address in sorted(edition.urls):
        page = edition.sites.pages[address]
        serve = edition.variant(page)["initial"].public
        kind = page.media_type(serve).partition(";")[0]
        text = isinstance(page.bodies.get(serve.body or ""), Template) and not serve.make
        if page.listing is None or serve.status != 200 or kind not in INDEXED or not text:
            continue
        found.append(
            Document(
                page=page,
                url=edition.urls[address],
                readable=readable(page, render(page, serve, stage), kind),
                published=page.listing.published,
                language=page.listing.language,
            )
        )
    return found


def readable(page: Page, body: bytes, kind: str) -> Readable:
    """Title and text of a page; one without a title is named by its address's last part."""
    text = body.decode("utf-8", "replace")
    read = read_html(text) if kind == "text/html" else read_plain(text)
    return read if read.title else Readable(page.address.rpartition("/")[2], read.text)


def build(documents: Iterable[Document]) -> Index:
    """Index documents. Words are stemmed as English; Chinese, Japanese and Korean are pairs of characters."""
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.execute(
        "CREATE VIRTUAL TABLE pages USING fts5"
        "(title, text, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    kept = tuple(documents)
    database.executemany(
        "INSERT INTO pages(rowid, title, text) VALUES (?, ?, ?)",
        ((i, segmented(doc.readable.title), segmented(doc.readable.text)) for i, doc in enumerate(kept)),
    )
    return Index(database, kept)


_PHRASE = re.compile(r'"([^"]+)"')


def phrases(query: str) -> list[str]:
    """The quoted parts of a query."""
    return [" ".join(phrase.split()).casefold() for phrase in _PHRASE.findall(query)]
