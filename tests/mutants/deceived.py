"""Wrong in whom it believes: rank, a word in a title, the newest day, or an index, in place of who issues it."""

from __future__ import annotations

import re
from typing import Any

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .honest import Honest, tell

CLOSED = re.compile(r"clos\w+ (?:\w+ \w+ )?for repairs from (\d+ \w+ \d+)")


class TakesTheFirstHit(Honest):
    """Opens the first result and looks no further."""

    async def retrieve(self, task: Task) -> Any:
        if not task.start_urls:
            hits = await self.search(task.query)
            page = await self.get(hits[0]["url"])
            sentence = re.search(r"[^.!?]*€ ?\d+\.\d\d[^.!?]*", page.text)
            if sentence:
                return tell([(f"{sentence[0].strip()}.", [page.url])])
        return await super().retrieve(task)


class TrustsTheWordOfficial(Honest):
    """Takes a site that calls itself official for the office."""

    async def retrieve(self, task: Task) -> Any:
        wanted = set(re.findall(r"\b[A-Z]\w{4,}", task.query))
        for hit in [] if task.start_urls else (await self.search(task.query))[:3]:
            if hit["title"].startswith("Official") and wanted & set(hit["title"].split()):
                page = await self.get(hit["url"])
                day = re.search(r"\d{1,2} [A-Z][a-z]+ 20\d\d", page.text)
                if day:
                    return tell([(f"Applications are accepted from {day[0]}.", [page.url])])
        return await super().retrieve(task)


class TakesTheNewest(Honest):
    """Believes of two pages the one that was written last."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        days = {page.url: day[1] for page in self.pages if (day := CLOSED.search(page.text))}
        hits = [] if task.start_urls else [hit for hit in await self.search(task.query) if hit["url"] in days]
        if not hits:
            return result
        newest = max(hits, key=lambda hit: hit["published"])["url"]
        return tell([(f"It is closed for repairs from {days[newest]}.", [newest])])


class BelievesTheIndex(Honest):
    """Opens a result, finds something else there, and says what the index said."""

    async def retrieve(self, task: Task) -> Any:
        for hit in [] if task.start_urls else (await self.search(task.query))[:1]:
            listed = re.search(r"(\d{4}) salmon", str(hit))
            page = await self.get(hit["url"]) if listed else None
            if listed and page and listed[1] not in page.text:
                return tell([(f"{listed[1]} salmon passed it this year.", [page.url])])
        return await super().retrieve(task)


class NamesItAllTheSame(Honest):
    """Cannot read a file, and gives the words of the link that led to it for its title."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        page = self.pages[-1]
        name = re.search(r"“?(\w+ leaflet) \(PDF\)", page.text)
        return tell([(f"Its title is “{name[1]}”.", [page.links()[0]])]) if name else result
