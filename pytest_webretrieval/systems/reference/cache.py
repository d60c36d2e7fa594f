"""What was fetched before, for one user: a private RFC 9111 cache in memory.

hishel decides what may be stored and reused; it needs its RFC option, without which it ignores every
header. One ``Store`` belongs to one user, so nothing that a server said to one can reach another.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from email.utils import formatdate
from typing import cast

import httpx

try:
    import hishel
    from hishel.httpx import AsyncCacheTransport
except ImportError as error:
    raise ImportError(
        'the reference system needs hishel: pip install "pytest-webretrieval[reference]"'
    ) from error

ENTRIES_PER_USER = 256


def caching(transport: httpx.AsyncBaseTransport) -> httpx.AsyncBaseTransport:
    """``transport``, which several users share, behind a new user's cache."""
    options = hishel.CacheOptions(shared=False, allow_stale=False)
    return AsyncCacheTransport(_Shared(transport), storage=Store(), rfc=options)


class _Shared(httpx.AsyncBaseTransport):
    """A transport that several users' clients share: closing one client leaves it open."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._inner.handle_async_request(request)


@dataclass(slots=True)
class _Kept:
    key: str
    entry: hishel.Entry
    body: bytes


class Store(hishel.AsyncBaseStorage):
    """One user's stored responses. Bodies are kept whole; the oldest entries go first."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[uuid.UUID, _Kept] = {}

    async def create_entry(
        self,
        request: hishel.Request,
        response: hishel.Response,
        key: str,
        *,
        ttl: float | None = None,
        tti: float | None = None,
    ) -> hishel.Entry:
        response = replace(response, headers=_aged(response.headers))
        entry = hishel.Entry(id=uuid.uuid4(), request=request, response=response)
        stream = cast(AsyncIterator[bytes], response.stream)
        return replace(entry, response=replace(response, stream=self._saved(entry, key, stream)))

    async def _saved(
        self, entry: hishel.Entry, key: str, stream: AsyncIterator[bytes]
    ) -> AsyncIterator[bytes]:
        """The body as it comes; it is kept only when it came to its end."""
        chunks = []
        async for chunk in stream:
            chunks.append(chunk)
            yield chunk
        for old in [id_ for id_, kept in self._kept.items() if _same_answer(kept, entry, key)]:
            del self._kept[old]
        self._kept[entry.id] = _Kept(key=key, entry=entry, body=b"".join(chunks))
        while len(self._kept) > ENTRIES_PER_USER:
            del self._kept[next(iter(self._kept))]

    async def get_entries(self, key: str) -> list[hishel.Entry]:
        return [
            replace(kept.entry, response=replace(kept.entry.response, stream=_once(kept.body)))
            for kept in self._kept.values()
            if kept.key == key
        ]

    async def update_headers(self, id: uuid.UUID, headers: hishel.Headers) -> None:
        if kept := self._kept.get(id):
            kept.entry = replace(kept.entry, response=replace(kept.entry.response, headers=_aged(headers)))

    async def remove_entry(self, id: uuid.UUID) -> None:
        self._kept.pop(id, None)


def _aged(headers: hishel.Headers) -> hishel.Headers:
    """Headers whose Date says how old a response was on arrival: hishel takes its age from there, and an Age from other
    caches for nothing."""
    age = headers.get("age", "").strip()
    if not (age.isascii() and age.isdigit()):
        return headers
    dated = {name: value for name, value in headers.items() if name not in ("age", "date")}
    moment = time.time() - min(int(age), 2**31)
    return hishel.Headers({**dated, "date": formatdate(moment, usegmt=True)})


def _same_answer(kept: _Kept, entry: hishel.Entry, key: str) -> bool:
    """Whether a new entry takes the place of a kept one: same key, method and all that ``Vary`` names."""
    if kept.key != key or kept.entry.request.method != entry.request.method:
        return False
    names = (kept.entry.response.headers.get("vary") or "").split(",")
    return all(
        kept.entry.request.headers.get(name.strip()) == entry.request.headers.get(name.strip())
        for name in names
        if name.strip()
    )


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body
