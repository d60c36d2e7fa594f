"""A response on its way to a client: as it comes, part by part, with nothing added or taken away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from aiohttp import web
from multidict import CIMultiDict

from .upstream import Chunk, Cut, Upstream

if TYPE_CHECKING:
    from fixture_server.connection import Tap

T = TypeVar("T")
_ADDED_BY_AIOHTTP = ("Content-Type", "Date", "Server")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """What a client got. ``sent`` counts the bytes of the body, ``headers`` are as they went out. ``error_type`` is
    None where the response was whole, ``client_closed`` where the client left."""

    response: web.StreamResponse
    sent: int
    headers: tuple[tuple[str, str], ...]
    error_type: str | None


class _Gone(Enum):
    GONE = "the client left"


GONE = _Gone.GONE


class _Exact(web.StreamResponse):
    """A response with the headers that it is given; aiohttp would add its own name and a guess of the media type."""

    async def _prepare_headers(self) -> None:
        given = {name for name in _ADDED_BY_AIOHTTP if name in self.headers}
        await super()._prepare_headers()
        for name in _ADDED_BY_AIOHTTP:
            if name not in given:
                self.headers.popall(name, None)


async def pass_on(
    request: web.BaseRequest, tap: Tap, upstream: Upstream, seen: Callable[[Chunk], None]
) -> Passed:
    """Send a response to a client, each part when it comes; ``seen`` is told of each before it goes out. A client that
    takes its time holds the server back, one that leaves ends the request; where the response breaks off, the client's
    connection does."""
    response = _Exact(status=upstream.status, reason=upstream.reason, headers=CIMultiDict(upstream.headers))
    sent = 0

    async def send() -> str | None:
        nonlocal sent
        async with aclosing(upstream.chunks) as chunks:
            try:
                await response.prepare(request)
                async for chunk in chunks:
                    seen(chunk)
                    await response.write(chunk.data)
                    sent += len(chunk.data)
                    # Others have their turn between two parts, and the end of this connection is heard of.
                    await asyncio.sleep(0)
                await response.write_eof()
            except ConnectionError:
                return "client_closed"
            except Cut as cut:
                if request.transport is not None:
                    request.transport.close()
                return cut.error_type
        return None

    ended = await unless_gone(tap, send())
    error_type = "client_closed" if ended is GONE else ended
    return Passed(
        response=response, sent=sent, headers=tuple(response.headers.items()), error_type=error_type
    )


async def unless_gone(tap: Tap, doing: Coroutine[Any, Any, T]) -> T | _Gone:
    """What comes of ``doing``; GONE where the client leaves first, which ends it."""
    task, leaving = asyncio.ensure_future(doing), asyncio.ensure_future(tap.gone.wait())
    try:
        await asyncio.wait((task, leaving), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return await task
        return GONE
    finally:
        leaving.cancel()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
