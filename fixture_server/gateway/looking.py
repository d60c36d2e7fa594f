"""One request of the harness's own, by the same way as a system's: logged as ``check`` and archived."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fixture_server.kept import ARCHIVED
from fixture_server.message import Answer, Asked, flat
from pytest_webretrieval.wire.cassettes import Interaction

from .answering import answer_of, interaction_of
from .hosts import Gateway
from .played import played
from .run import GatewayRun
from .upstream import PORTS, Chunk, Cut, Unreachable, Upstream

if TYPE_CHECKING:
    from fixture_server.log import Log

PATIENCE_S = 30.0
AGENT = "pytest-webretrieval/0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What came. ``answer`` is None where nothing did; ``error_type`` is one word, None where all came."""

    answer: Answer | None
    error_type: str | None

    @property
    def location(self) -> str | None:
        """Where it leads to, if it is a redirect."""
        if self.answer is None or not 300 <= self.answer.status < 400:
            return None
        return self.answer.header("location")


def plain_get(url: str, agent: str = AGENT) -> Asked | None:
    """The request for a page; None where there can be none: what has a port of its own is behind no door."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return None
    if port is not None and port != PORTS.get(parts.scheme):
        return None
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    if parts.scheme not in ("http", "https") or not host or not target.isascii():
        return None
    headers = {"accept": "text/html,*/*;q=0.8", "accept-encoding": "gzip", "user-agent": agent}
    return Asked(method="GET", scheme=parts.scheme, host=host, target=target, headers=headers)


def unasked(url: str, log: Log) -> str:
    """Why there is no request for an address, in one word. That it names a port of its own is noted: it is looked at
    nowhere, as no system could have been there."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "no_address"
    if not parts.hostname or parts.scheme not in PORTS or port in (None, PORTS[parts.scheme]):
        return "no_address"
    host = parts.netloc.rpartition("@")[2].lower()
    exchange = log.open(
        Asked(method="GET", scheme=parts.scheme, host=host, target=parts.path), monotonic(), False
    )
    exchange.role, exchange.late = "check", False
    log.finish(exchange, None, error_type="no_door")
    return "no_door"


async def look(
    asked: Asked, log: Log, run: GatewayRun, gateway: Gateway, recorded: Interaction | None = None
) -> Looked:
    """Send a request, or play what is ``recorded`` of it."""
    exchange = log.open(asked, monotonic(), False)
    exchange.role, exchange.late = "check", False
    try:
        async with asyncio.timeout(PATIENCE_S):
            upstream = played(recorded) if recorded else await gateway.forward(asked)
            chunks, error_type = await _whole(upstream)
    except (Unreachable, TimeoutError) as error:
        error_type = getattr(error, "error_type", "upstream_timeout")
        log.finish(exchange, None, error_type=error_type)
        return Looked(answer=None, error_type=error_type)
    if recorded is None:
        came = interaction_of(asked, upstream, chunks, error_type, gateway, log.began)
        run.recording.add(exchange.number, replace(came, cited=True))
    size = sum(len(chunk.data) for chunk in chunks)
    answer = answer_of(asked, upstream, chunks)
    log.finish(exchange, answer, sent=size, headers=flat(upstream.headers), error_type=error_type)
    return Looked(answer=answer, error_type=error_type)


async def _whole(upstream: Upstream) -> tuple[list[Chunk], str | None]:
    chunks: list[Chunk] = []
    size = 0
    try:
        async for chunk in upstream.chunks:
            chunks.append(chunk)
            size += len(chunk.data)
            if size >= ARCHIVED:
                await upstream.chunks.aclose()
                break
    except Cut as cut:
        return chunks, cut.error_type
    return chunks, None
