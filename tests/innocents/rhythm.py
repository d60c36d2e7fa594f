"""Right answers on other ways: what is fetched, how often, with what, in which order."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from pytest_webretrieval.systems.contract import RetrievalResult, Task
from tests.mutants.honest import Honest, Keeper, said

CHROME = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
)


class FetchesTwice(Honest):
    """Looks at the page again before it answers."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        await asyncio.sleep(0.05)
        await self.get(said(result)[0][1])
        return result


class FetchesAtOnce(Honest):
    """Opens the start page, its host's home and the notices side by side."""

    async def retrieve(self, task: Task) -> Any:
        asked = [urljoin(url, place) for url in task.start_urls for place in (url, "/")]
        await asyncio.gather(*(self.get(url) for url in asked))
        return await super().retrieve(task)


class _Slow(Keeper):
    async def handle_async_request(self, request: Any) -> Any:
        await asyncio.sleep(0.15)
        return await super().handle_async_request(request)


class TakesABreath(Honest):
    """Pauses before every request."""

    def __init__(self) -> None:
        super().__init__()
        self.keeper = _Slow()
        self._given = self.keeper


class AsksForHeadersFirst(Honest):
    """Sends HEAD before it decides to load."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls:
            await self.get(url, method="HEAD")
        return await super().retrieve(task)


class ReadsRobots(Honest):
    """Asks each start host for its rules, and goes on where there are none."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls:
            await self.get(urljoin(url, "/robots.txt"))
        return await super().retrieve(task)


class NamesItselfChrome(Honest):
    """Has a browser's user agent, as many libraries do, and is none."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls:
            await self.get(url, user_agent=CHROME)
        return await super().retrieve(task)


class TriesTheBareDomain(Honest):
    """Looks for a start page of the whole site first; where that name does not exist, it goes on."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls:
            domain = ".".join(urlsplit(url).netloc.split(".")[-2:])
            with contextlib.suppress(httpx.ConnectError):
                await self.get(f"https://start.{domain}/")
        return await super().retrieve(task)


class SearchesTwice(Honest):
    """Puts the question in other words when the first list is empty."""

    async def retrieve(self, task: Task) -> Any:
        if not task.start_urls and not await self.search("zzxq " * 3):
            await self.search("zzxq qqzv")
        return await super().retrieve(task)


class ValidatesByHand(Honest):
    """Keeps the page and its entity tag itself, and asks with If-None-Match."""

    def __init__(self) -> None:
        super().__init__()
        self._held: dict[str, tuple[str, str]] = {}

    async def retrieve(self, task: Task) -> Any:
        from selectolax.lexbor import LexborHTMLParser

        (url,) = task.start_urls
        tag, body = self._held.get(url, ("", ""))
        async with self.client() as client:
            response = await client.get(url, headers={"if-none-match": tag} if tag else {})
        if response.status_code == 200:
            body = response.text
            self._held[url] = (response.headers["etag"], body)
        term = next(node for node in LexborHTMLParser(body).css("dt") if node.text() == "Current version")
        value = term.next
        while value is not None and value.tag != "dd":
            value = value.next
        return f"The page names {value.text() if value is not None else 'nothing'} as current ({url})."
