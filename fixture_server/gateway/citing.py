"""Pages that an answer cites, kept though the system did not fetch them: what they said can be looked up later."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urlsplit

from fixture_server.message import Asked, flat
from fixture_server.roles import absolute

from .answering import answer_of, interaction_of
from .hosts import Gateway
from .played import played
from .run import GatewayRun
from .upstream import Chunk, Cut, Unreachable, Upstream

if TYPE_CHECKING:
    from fixture_server.log import Log

MOST_PAGES, MOST_REDIRECTS, PATIENCE_S = 32, 5, 30.0
_HEADERS = {
    "accept": "text/html,*/*;q=0.8",
    "accept-encoding": "gzip",
    "user-agent": "pytest-webretrieval/0.1",
}


async def archive_cited(cited: Sequence[str], log: Log, run: GatewayRun, gateway: Gateway) -> None:
    """Take each cited page of a listed host that the system did not fetch out of the cassette, or, where the run
    records, from its server. In the log these requests are ``background``: they are nobody's but ours."""
    for url in list(dict.fromkeys(urldefrag(url).url for url in cited))[:MOST_PAGES]:
        for _ in range(MOST_REDIRECTS):
            asked = _asked(url)
            if asked is None or not gateway.takes(asked) or asked.url in run.fetched:
                break
            run.fetched.add(asked.url)
            location = await _archive(asked, log, run, gateway)
            if location is None:
                break
            url = absolute(asked.url, location)


def _asked(url: str) -> Asked | None:
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
    except ValueError:
        return None
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    if parts.scheme not in ("http", "https") or not target.isascii():
        return None
    return Asked(method="GET", scheme=parts.scheme, host=host, target=target, headers=_HEADERS)


async def _archive(asked: Asked, log: Log, run: GatewayRun, gateway: Gateway) -> str | None:
    """One page; where it leads to, if it is a redirect."""
    recorded = run.recording.page(asked.url)
    if recorded is None and not (run.recording.goes_out and run.recording.writes):
        return None
    exchange = log.open(asked, monotonic(), False)
    exchange.role, exchange.late = "background", False
    try:
        async with asyncio.timeout(PATIENCE_S):
            upstream = played(recorded) if recorded else await gateway.forward(asked)
            chunks, error_type = await _whole(upstream)
    except (Unreachable, TimeoutError) as error:
        log.finish(exchange, None, error_type=getattr(error, "error_type", "upstream_timeout"))
        return None
    if recorded is None:
        came = interaction_of(asked, upstream, chunks, error_type, gateway, log.began)
        run.recording.add(exchange.number, replace(came, cited=True))
    size = sum(len(chunk.data) for chunk in chunks)
    log.finish(
        exchange,
        answer_of(asked, upstream, chunks),
        sent=size,
        headers=flat(upstream.headers),
        error_type=error_type,
    )
    return upstream.header("location") if 300 <= upstream.status < 400 else None


async def _whole(upstream: Upstream) -> tuple[list[Chunk], str | None]:
    chunks: list[Chunk] = []
    try:
        async for chunk in upstream.chunks:
            chunks.append(chunk)
    except Cut as cut:
        return chunks, cut.error_type
    return chunks, None
