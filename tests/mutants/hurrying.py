"""Wrong about pages that are not yet what they will be: what stands there meanwhile is taken for the page."""

from __future__ import annotations

import json
import re
from typing import Any

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .honest import Given, Honest, said, tell


class Hurried(Honest):
    """Reads the page as it comes; ``says`` finds what it then says, or nothing."""

    async def retrieve(self, task: Task) -> Any:
        page = await self.get(task.start_urls[0])
        statement = await self.says(page)
        return tell([(statement, [page.url])]) if statement else await super().retrieve(task)

    async def says(self, page: Given) -> str | None:
        raise NotImplementedError


class BelievesTheNoscript(Hurried):
    """Reads what a page says to those who do not run its scripts."""

    async def says(self, page: Given) -> str | None:
        printed = re.search(r"opens again on\s+([^.]+)\.\s*</noscript>", page.markup)
        return f"The deep basin opens again on {printed[1]}." if printed else None


class ReadsThePlaceholder(Hurried):
    """Reads the guess that stands where the result will stand."""

    async def says(self, page: Given) -> str | None:
        guess = re.search(r"([\d.]+) parts in a thousand", page.text)
        return f"The fineness is {guess[1]} parts in a thousand." if guess else None


class ReadsTheBanner(Hurried):
    """Reads the request for consent as the article."""

    async def says(self, page: Given) -> str | None:
        name = re.search(r"keeper of readers' records, ([^,]+),", page.text)
        return f"The new senior pilot of the river is {name[1]}." if name else None


class TakesTheFirstPrice(Hurried):
    """Takes the first figure of a page for its price."""

    async def says(self, page: Given) -> str | None:
        price = re.search(r"([\d.]+) crowns", page.text)
        return f"The lantern costs {price[1]} crowns." if price else None


class StopsHalfway(Honest):
    """Reads the first parts of a list, up to its third item."""

    async def retrieve(self, task: Task) -> Any:
        page = await self.get(task.start_urls[0])
        script = re.search(r'<script defer src="([^"]+)"', page.markup)
        if script is None:
            return await super().retrieve(task)
        part = re.search(r'next = "([^"]+)"', (await self.get(script[1])).markup)
        items: list[tuple[str, list[str]]] = []
        while part and len(items) < 3:
            found = json.loads((await self.get(part[1])).markup)
            items += [(f"{boat['name']}.", [part[1]]) for boat in found["boats"]]
            part = re.match("(.+)", found["next"])
        return tell(items[:3])


class CitesTheForeman(Honest):
    """Cites the page on which it is denied, because the words stand there too."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for link in (await self.get(task.start_urls[0])).links():
            page = await self.get(link) if "/bench/" in link else None
            if page is not None and "foreman" in page.text:
                return tell((text, [page.url]) for text, _ in said(result))
        return result


class ReadsTheWindow(Honest):
    """Takes a copy of the day before yesterday for the page."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for link in (await self.get(task.start_urls[0])).links():
            if "/kept/" in link:
                page = await self.get(link)
                return tell((text, [page.url]) for text, _ in said(result))
        return result


class CannotSpell(Honest):
    """Reads a page in a coding that it is not in, and passes on what comes of it."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for link in (await self.get(task.start_urls[0])).links():
            if "/typed/" in link:
                page = await self.get(link)
                version = page.text.rpartition("Current version")[2].strip()
                return tell([(f"The current version is {version}.", [page.url])])
        return result
