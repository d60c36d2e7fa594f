"""The system's life: one TLS client, one browser, one cache and one context a user, one answer a task."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib import metadata
from urllib.request import getproxies

import httpx

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .browser import Browser
from .cache import caching
from .escalate import Sight
from .fetch import Errand, origin
from .router import route

REQUESTS = 10
RETRIES = 2
# What is kept back from the deadline to put the answer together and hand it over.
RESERVE_S = 1.0
ESCALATIONS = 1
# With those that a browser makes by itself for a page.
BROWSER_REQUESTS = 40


class System:
    """An extractive router over fetch, search and a browser, without a model.

    ``transport`` replaces the way to the network, for a proxy or a resolver of one's own.
    """

    def __init__(self, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._given = transport
        self._transport: httpx.AsyncBaseTransport | None = None
        self._browser = Browser()
        self._clients: dict[str | None, httpx.AsyncClient] = {}

    async def start(self) -> None:
        """Open the client; nothing is sent yet."""
        self._transport = self._given or httpx.AsyncHTTPTransport(
            retries=0,
            limits=httpx.Limits(max_connections=16, keepalive_expiry=20.0),
            # A client with a transport of its own does not look at the variables itself.
            proxy=getproxies().get("https"),
        )

    async def retrieve(self, task: Task) -> RetrievalResult:
        """The answer to one task, within its deadline and budget."""
        errand = Errand(
            ends=time.monotonic() + task.deadline_s - min(RESERVE_S, task.deadline_s / 10),
            requests=_cap(task.budget.get("requests"), REQUESTS),
            retries=_cap(task.budget.get("retries"), RETRIES),
            escalations=_cap(task.budget.get("escalations"), ESCALATIONS),
            allowed=_cap(task.budget.get("requests"), BROWSER_REQUESTS),
            user_agent=task.user_agent or "webretrieval-reference",
            user=task.user,
            named=frozenset(map(origin, named_by(task))),
        )
        client = await self._client(task.user.name if task.user else None)
        sight = Sight(browser=self._browser, offer=task.channels.get("browser"))
        return await route(task, client, errand, sight)

    async def close(self) -> None:
        """Close the browser and every connection, and forget what was kept."""
        await self._browser.close()
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()
        if self._transport is not None:
            await self._transport.aclose()
            self._transport = None

    async def _client(self, user: str | None) -> httpx.AsyncClient:
        """The client of one user: connections are shared, cache and cookies are not."""
        if self._transport is None:
            await self.start()
            assert self._transport is not None
        if user not in self._clients:
            self._clients[user] = httpx.AsyncClient(
                transport=caching(self._transport),
                headers={"accept": "text/html,application/xhtml+xml,*/*;q=0.8"},
            )
        return self._clients[user]


def named_by(task: Task) -> Iterator[str]:
    """The addresses that a task names itself: where to start, and where its APIs are."""
    yield from task.start_urls
    for offer in task.channels.values():
        for facts in ((offer or {}).get("dialects") or {}).values():
            if base := facts.get("base_url"):
                yield base


def identity() -> dict[str, str]:
    """Name and version for the result."""
    return {"name": "reference", "version": metadata.version("pytest-webretrieval")}


def _cap(given: float | None, own: int) -> int:
    return own if given is None else min(own, int(given))
