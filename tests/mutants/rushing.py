"""Wrong at a server that is busy, resting or gone for a moment."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .honest import Honest, tell
from .refusing import declined
from .spending import half_a_request


class AsksAgainAtOnce(Honest):
    """Reads Retry-After only when it is told a second time."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            if (await self.get(url)).status == 429:
                await asyncio.sleep(0.1)
        return await super().retrieve(task)


class Hammers(Honest):
    """Knocks twenty times at a door on which it says when to come back."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            for _ in range(20):
                if (await self.get(url)).status not in (429, 503):
                    break
        return await super().retrieve(task)


class TriesTwentyTimes(Honest):
    """Fails twenty times before it succeeds, and tells of one request."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            for _ in range(20):
                await half_a_request(url)
        result = await super().retrieve(task)
        told = tuple({"method": "GET", "url": url, "status": 200} for url in task.start_urls)
        return replace(result, attempts=told)


class ReadsTheBusyPage(Honest):
    """Takes what a busy server says meanwhile for the page."""

    async def retrieve(self, task: Task) -> Any:
        page = await self.get(task.start_urls[0])
        said = re.search(r"\d{1,2} \w+ \d{4}|\b[A-Z]{2}-\d+", page.text) if page.status >= 400 else None
        return tell([(f"It is {said[0]}.", [page.url])]) if said else await super().retrieve(task)


class GivesUpAtOnce(Honest):
    """Takes the first failure for the last word."""

    async def retrieve(self, task: Task) -> Any:
        import httpx

        for url in task.start_urls[:1]:
            try:
                failed = (await self.get(url)).status in (429, 503)
            except httpx.TransportError:
                failed = True
            if failed:
                return declined("The page could not be loaded.", None)
        return await super().retrieve(task)


class TakesHalfAPage(Honest):
    """Reads a page that was cut as if it were whole."""

    async def retrieve(self, task: Task) -> RetrievalResult:
        import httpx

        body = b""
        async with self.client() as client, client.stream("GET", task.start_urls[0]) as response:
            try:
                async for piece in response.aiter_bytes():
                    body += piece
            except httpx.RemoteProtocolError:
                version = re.search(rb"v\d\.\d", body)
                if version is not None:
                    return tell([(f"The current version is {version[0].decode()}.", task.start_urls)])
        result: RetrievalResult = await super().retrieve(task)
        return result
