"""Answers that have to be looked for: search, read the best results, compare, then say or decline."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import httpx

from pytest_webretrieval.systems.contract import RetrievalResult

from .agree import agreeing, how_many
from .answer import Statement, compose, named, nearest, statements_of
from .authority import publisher_of
from .copies import copied, credited, origin_among, origin_urls
from .decline import decline_page, decline_search, decline_unfinished
from .fetch import Errand, OutOfBudget, get
from .kinds import Page, judge
from .pick import picked
from .question import Question, topic_of
from .rank import rank, worth_fetching
from .replace import replacement_among, subject_of
from .search import Hit, SearchFailed, search
from .values import sentences

PAGES = 5
FOLLOWED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeker:
    """The means of one search: client, channels, what may be spent, and the day it is."""

    client: httpx.AsyncClient
    channels: Mapping[str, Any]
    errand: Errand
    today: date

    async def answer(self, question: Question) -> RetrievalResult:
        """The answer to a question without a start address."""
        try:
            hits = await search(self.client, question.search_text, self.channels, self.errand)
        except SearchFailed as error:
            return decline_unfinished(f"the search did not work ({error})")
        found = await self._read(worth_fetching(question, hits, PAGES))
        if question.after_origin and (group := copied(question, [page for page, _ in found])):
            return await self.origin(group) or decline_search("the origin of the copies that were found")
        ranked = rank(question, found, self.today)
        if "several" in question.traits:
            count = how_many(question)
            statements = agreeing(question, ranked, count)
            return (
                compose(statements) if statements else decline_search(f"no {count} sources that stand alone")
            )
        if not ranked:
            wanted = ", ".join(question.exact) or question.search_text
            return decline_search(f"no page that was found is what was asked for ({wanted})")
        return compose(statements_of(question, ranked[0].page))

    async def origin(self, group: Sequence[Page]) -> RetrievalResult | None:
        """The page that a group of copies comes from: one of them, one that they link to, or one by the
        name in their lines of credit, which is searched for."""
        origin = origin_among(group, group)
        if origin is None:
            known = {page.fetched.url for page in group}
            votes = Counter(url for page in group for url in origin_urls(page) if url not in known)
            linked = [Hit(url=url, title="", snippet="") for url, _ in votes.most_common(FOLLOWED)]
            origin = origin_among([page for page, _ in await self._read(linked)], group)
        if origin is None:
            origin = origin_among(await self._credited(group), group)
        if origin is None or origin.document is None:
            return None
        publisher = publisher_of(origin.document)
        own = [
            line
            for block in origin.document.blocks
            if block not in origin.document.headings
            for line in sentences(block)
            if publisher and publisher in line
        ]
        where = f" in the {publisher.removeprefix('The ')}" if publisher else ""
        texts = [f"The original is “{origin.document.name}”{where}", *own[:1]]
        return compose([Statement(text, origin) for text in texts])

    async def _credited(self, group: Sequence[Page]) -> list[Page]:
        """Pages that a search for the name in the lines of credit and the copies' title finds."""
        documents = [page.document for page in group if page.document]
        names = Counter(name for document in documents if (name := credited(document)))
        if not names:
            return []
        name = names.most_common(1)[0][0]
        try:
            hits = await search(self.client, f"{name} {documents[0].name}", self.channels, self.errand)
        except (SearchFailed, OutOfBudget):
            return []
        known = {page.fetched.url for page in group}
        hits = [hit for hit in hits if hit.url not in known]
        hits.sort(key=lambda hit: name.casefold() not in hit.title.casefold())
        return [page for page, _ in await self._read(hits[:FOLLOWED])]

    async def replacement(self, question: Question, removed: Page) -> RetrievalResult:
        """The page that took the place of a removed one, found by the removed page's own words."""
        subject = subject_of(removed, question)
        if not subject:
            return decline_page(removed)
        try:
            hits = await search(self.client, subject, self.channels, self.errand)
        except SearchFailed:
            return decline_page(removed)
        about = Question(text=subject, topic=topic_of(subject))
        others = [hit for hit in hits if hit.url != removed.fetched.final_url]
        found = await self._read(worth_fetching(about, others, PAGES - 1))
        page = replacement_among([page for page, _ in found], removed, about)
        if page is None or page.document is None:
            return decline_page(removed)
        first = f"{named(page.document)} took the place of the removed page"
        value = picked(question, page.document)
        lines = [value] if value else nearest(about, page.document, 2)
        return compose([Statement(text, page) for text in (first, *lines)])

    async def _read(self, hits: Sequence[Hit]) -> list[tuple[Page, Hit]]:
        """What each result's address gives, all at once, as far as the budget goes."""
        hits = hits[: max(0, self.errand.requests)]
        pages = await asyncio.gather(*(self._page(hit.url) for hit in hits))
        return [(page, hit) for page, hit in zip(pages, hits, strict=True) if page is not None]

    async def _page(self, url: str) -> Page | None:
        try:
            return judge(await get(self.client, url, self.errand))
        except OutOfBudget:
            return None
