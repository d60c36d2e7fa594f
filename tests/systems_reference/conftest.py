"""A small real web on loopback: any number of named hosts behind one HTTP server, and a plain search API."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from aiohttp import web

from pytest_webretrieval.systems.contract import RetrievalResult, Task, User
from pytest_webretrieval.systems.reference import System

SEARCH = "http://search.test"
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def task(
    query: str,
    *start_urls: str,
    user: User | None = None,
    deadline_s: float = 10.0,
    browser: dict[str, Any] | None = None,
) -> Task:
    """A task over the small web."""
    return Task(
        task_id="1",
        query=query,
        prompt=query,
        start_urls=start_urls,
        channels={"search-api": {"dialects": {"plain": {"base_url": SEARCH}}}, "browser": browser},
        user=user,
        deadline_s=deadline_s,
        now=datetime.now(UTC).isoformat(),
        user_agent="tester/1",
    )


class ToLoopback(httpx.AsyncBaseTransport):
    """Sends every request to one loopback port; the Host header still says whom it is for."""

    def __init__(self, port: int) -> None:
        self._port, self._inner = port, httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self._port)
        moved = httpx.Request(
            request.method,
            url,
            headers=request.headers.raw,
            stream=request.stream,
            extensions=request.extensions,
        )
        return await self._inner.handle_async_request(moved)

    async def aclose(self) -> None:
        await self._inner.aclose()


@dataclass
class Web:
    """``pages`` maps ``host/path`` to a handler; ``seen`` has each request in order, with its headers; ``index`` is
    what the search API returns, whatever is asked."""

    port: int = 0
    pages: dict[str, Handler] = field(default_factory=dict)
    seen: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    index: list[dict[str, str | None]] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)

    def html(
        self, address: str, body: str, *, status: int = 200, title: str | None = None, **headers: str
    ) -> None:
        """Serve a page of markup; with ``title`` it is found by search too."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}

        async def answer(_: web.Request) -> web.StreamResponse:
            named.setdefault("content-type", "text/html; charset=utf-8")
            return web.Response(status=status, body=body.encode(), headers=named)

        self.pages[address] = answer
        if title is not None:
            self.found(address, title)

    def article(self, address: str, title: str, *paragraphs: str, listed: bool = True) -> None:
        """Serve a page with a title and paragraphs; search finds it unless it is not listed."""
        heading = title.partition(" | ")[0]
        body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        self.html(address, f"<title>{title}</title><h1>{heading}</h1>{body}", title=title if listed else None)

    def found(self, address: str, title: str, published: str | None = None) -> None:
        """Let the search API return an address."""
        self.index.append(
            {"url": f"http://{address}", "title": title, "snippet": title, "published": published}
        )

    def urls(self) -> list[str]:
        """What was asked for, without the search API."""
        return [url for _, url, _ in self.seen if not url.startswith(SEARCH)]

    async def serve(self, request: web.Request) -> web.StreamResponse:
        self.seen.append((request.method, f"http://{request.host}{request.path_qs}", dict(request.headers)))
        self.times.append(asyncio.get_running_loop().time())
        if request.host == "search.test":
            self.queries.append(request.query["q"])
            return web.json_response({"results": self.index})
        handler = self.pages.get(f"{request.host}{request.path}")
        return await handler(request) if handler else web.Response(status=404, text="Not found")

    @asynccontextmanager
    async def system(self) -> AsyncIterator[System]:
        system = System(transport=ToLoopback(self.port))
        await system.start()
        try:
            yield system
        finally:
            await system.close()

    task = staticmethod(task)

    async def ask(
        self,
        query: str,
        *start_urls: str,
        user: User | None = None,
        deadline_s: float = 10.0,
        browser: dict[str, Any] | None = None,
    ) -> RetrievalResult:
        """The answer of a new system to one question."""
        async with self.system() as system:
            asked = task(query, *start_urls, user=user, deadline_s=deadline_s, browser=browser)
            return await system.retrieve(asked)

    def browser(self) -> dict[str, Any]:
        """The offer of a real Chromium to which every host is this web; skips where there is none."""
        pytest.importorskip("playwright")
        found = next(filter(None, map(shutil.which, CHROMIUMS)), None)
        if found is None:
            pytest.skip("no Chromium is installed")
        rules = f"--host-resolver-rules=MAP * 127.0.0.1:{self.port}"
        return {"executable_path": found, "launch_args": [rules, "--no-sandbox"], "cdp_url": None}


@asynccontextmanager
async def open_web() -> AsyncIterator[Web]:
    small = Web()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", small.serve)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    small.port = runner.addresses[0][1]
    try:
        yield small
    finally:
        await runner.cleanup()


@pytest.fixture
def small_web() -> Callable[[], AbstractAsyncContextManager[Web]]:
    """Opens a small web in the test's own loop."""
    return open_web
