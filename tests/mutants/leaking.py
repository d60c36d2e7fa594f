"""Wrong with what belongs to one user: given to another, sent elsewhere, left at home, or used to act."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from urllib.parse import urljoin

import httpx

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .caching import NeverAsksAgain
from .honest import Honest, Keeper, cookie, home

_KEPT = ("content-type", "location")


class AnswersAnybody(NeverAsksAgain):
    """Keeps answers by the question, whoever asks it."""


class SharesOneCache(Honest):
    """Keeps pages by their address, for all users together."""

    def __init__(self) -> None:
        super().__init__()
        self.keeper = _Shared()
        self._given = self.keeper


class _Shared(Keeper):
    def __init__(self) -> None:
        super().__init__()
        self._held: dict[str, tuple[int, dict[str, str], bytes]] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = str(request.url)
        if url not in self._held:
            came = await super().handle_async_request(request)
            headers = {name: came.headers[name] for name in _KEPT if name in came.headers}
            self._held[url] = came.status_code, headers, await came.aread()
        status, headers, body = self._held[url]
        return httpx.Response(status, headers=headers, content=body)


class SendsTheFirstCookie(Honest):
    """Stays signed in as whoever came first."""

    def __init__(self) -> None:
        super().__init__()
        self.keeper = _Signed()
        self._given = self.keeper


class _Signed(Keeper):
    def __init__(self) -> None:
        super().__init__()
        self._cookies: dict[str, str] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if "cookie" in request.headers:
            first = self._cookies.setdefault(request.url.host, request.headers["cookie"])
            request.headers["cookie"] = first
        return await super().handle_async_request(request)


class PassesTheCookieOn(Honest):
    """Names the session in the address of another site's page."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        if task.user is not None:
            hits = await self.search("lantern brackets and chain")
            value = task.user.credentials[0].value
            other = next(hit["url"] for hit in hits if home(hit["url"]) != home(task.start_urls[0]))
            await self.get(f"{other}?sid={value}")
        return result


class ForgetsWhoAsks(Honest):
    """Leaves the user's cookie at home, and declines at the login form that it then meets."""

    async def retrieve(self, task: Task) -> Any:
        return await super().retrieve(replace(task, user=None))


class SubmitsTheForm(Honest):
    """Fills the form in, to see what comes behind it."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        page = self.pages[-1]
        action = re.search(r'<form method="post" action="([^"]+)"', page.markup)
        phrase = re.search(r"phrase “([^”]+)”", page.text)
        if action and phrase:
            target = urljoin(page.url, action[1])
            await self.get(target, "POST", data={"phrase": phrase[1], "why": "-"}, cookie=cookie(task))
        return result


class TakesTheShortCut(Honest):
    """Opens every link of the page, also the one that acts."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for link in self.pages[-1].links():
            if "confirm" in link:
                await self.get(link, cookie=cookie(task))
        return result
