"""Wrong in what is spent: the answer is right, the way to it is not."""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .honest import AGENT, Honest, said


class AsksTooOften(Honest):
    """Fetches the page once more for every step of its reasoning."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for _ in range(8):
            await self.get(said(result)[0][1])
        return result


class HidesItsRequests(AsksTooOften):
    """Does the same, and reports one request."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        honest = await super().otherwise(task, result)
        return replace(honest, attempts=({"method": "GET", "url": said(result)[0][1], "status": 200},))


class BreaksOffAndBegins(Honest):
    """Gives up on every request before it is whole and begins again; the last one succeeds."""

    tries = 4

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls:
            for _ in range(self.tries):
                await half_a_request(url)
        return await super().retrieve(task)


async def half_a_request(url: str) -> None:
    parts = urlsplit(url)
    host = parts.hostname or ""
    _, writer = await asyncio.open_connection(host, 443, ssl=ssl.create_default_context())
    writer.write(f"GET {parts.path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: {AGENT}\r\n".encode())
    await writer.drain()
    writer.close()
    await writer.wait_closed()


class RepeatsAnEmptySearch(Honest):
    """Asks again, word for word, after an answer that was empty and right."""

    async def retrieve(self, task: Task) -> Any:
        if not task.start_urls:
            for _ in range(2):
                await self.search("qvxz zzkrw jjqpf")
        return await super().retrieve(task)


class Wanders(Honest):
    """Follows links away from the page that had the answer."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        page, been = self.pages[-1], {given.url for given in self.pages}
        for _ in range(3):
            following = next(
                (link for link in page.links() if link not in been and link.startswith("https")), None
            )
            if following is None:
                break
            page = await self.get(following)
            been.add(following)
        return result


class Hoards(Honest):
    """Loads long lists of results that it does not look at."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for _ in range(3):
            await self.search("harbour notice of the lamp and the river", limit=50)
        return result


class CostsTooMuch(Honest):
    """Pays a large model for a small answer."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return replace(result, usage={"cost_usd": 0.75})


class TakesItsTime(Honest):
    """Thinks long before it speaks."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        await asyncio.sleep(0.6)
        return result


class GoesOnAfterwards(Honest):
    """Leaves a process behind that goes on asking after the answer."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        url = said(result)[0][1]
        if os.fork() == 0:
            os.setsid()
            try:
                _keep_asking(url)
            finally:
                os._exit(0)
        return result


def _keep_asking(url: str) -> None:
    from http.client import HTTPSConnection

    parts = urlsplit(url)
    ends = time.monotonic() + 1.0
    while time.monotonic() < ends:
        connection = HTTPSConnection(parts.hostname or "", timeout=1)
        connection.request("GET", parts.path, headers={"user-agent": AGENT})
        connection.getresponse().read()
        connection.close()
        time.sleep(0.1)
