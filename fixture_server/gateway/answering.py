"""One request to a listed host: played or passed on, logged, kept."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator, Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING

from aiohttp import web

from fixture_server.dialects.registry import dialect_for
from fixture_server.message import Answer, Asked, Delivery, flat
from pytest_webretrieval.wire.cassettes import Interaction, Sent
from pytest_webretrieval.wire.coding import decoded
from pytest_webretrieval.wire.recording import Miss

from .hosts import Gateway
from .passing import GONE, pass_on, unless_gone
from .played import played
from .upstream import Chunk, Unreachable, Upstream

if TYPE_CHECKING:
    from fixture_server.connection import Tap
    from fixture_server.exchange import Exchange
    from fixture_server.log import Log

_MARKDOWN = "text/markdown; charset=utf-8"


async def respond(
    request: web.BaseRequest, tap: Tap, log: Log, exchange: Exchange, asked: Asked, gateway: Gateway
) -> web.StreamResponse:
    """Answer a request that the gateway takes: by its recording, else by the server."""
    run = log.gateway_run
    if run is None:
        return await _say(request, tap, log, exchange, asked, 503, "No run")
    if asked.wants_websocket:
        return await _say(request, tap, log, exchange, asked, 501, "The gateway passes no WebSockets on")
    with run.passing():
        try:
            recorded = run.recording.answer(sent_of(asked))
            upstream = played(recorded) if recorded else await reached(tap, gateway, asked)
        except Miss as miss:
            return await _say(request, tap, log, exchange, asked, 502, str(miss), "no_recording")
        except Unreachable as error:
            return await _say(request, tap, log, exchange, asked, error.status, str(error), error.error_type)
        chunks: list[Chunk] = []
        passed = await pass_on(request, tap, upstream, chunks.append)
        if recorded is None:
            came = interaction_of(asked, upstream, chunks, passed.error_type, gateway, log.began)
            run.recording.add(exchange.number, came)
        if asked.method == "GET" and upstream.status < 400 and passed.error_type is None:
            run.fetched.add(asked.url)
        answer = answer_of(asked, upstream, chunks)
        log.finish(
            exchange, answer, sent=passed.sent, headers=flat(passed.headers), error_type=passed.error_type
        )
        return passed.response


def sent_of(asked: Asked) -> Sent:
    """A request as recordings have it."""
    return Sent(method=asked.method, url=asked.url, headers=dict(asked.headers), body=asked.body)


def interaction_of(
    asked: Asked,
    upstream: Upstream,
    chunks: Sequence[Chunk],
    error_type: str | None,
    gateway: Gateway,
    run_began: float,
) -> Interaction:
    """What came, to be kept."""
    return Interaction(
        sent=sent_of(asked),
        status=upstream.status,
        reason=upstream.reason,
        headers=upstream.headers,
        body=b"".join(chunk.data for chunk in chunks),
        chunks=tuple((chunk.at_s, len(chunk.data)) for chunk in chunks),
        error_type=error_type,
        recorded_at=datetime.now(UTC),
        source=gateway.source(asked),
        upstream=gateway.base(asked),
        started_s=upstream.began - run_began,
        ended_s=monotonic() - run_began,
    )


def answer_of(asked: Asked, upstream: Upstream, chunks: Sequence[Chunk]) -> Answer:
    """What came, as the log has it: the body decoded, and the pages that an API of a known dialect gave with it."""
    body = b"".join(chunk.data for chunk in chunks)
    plain = decoded(body, upstream.header("content-encoding"))
    body = body if plain is None else plain
    deliveries = tuple(_deliveries(asked, body)) if upstream.status < 300 else ()
    return Answer(status=upstream.status, headers=upstream.headers, body=body, deliveries=deliveries)


def _deliveries(asked: Asked, body: bytes) -> Iterator[Delivery]:
    dialect = dialect_for(asked)
    if dialect is None or dialect.read is None:
        return
    for result in dialect.read(body, asked.path):
        if result.url and result.content is not None:
            channel = dialect.channel(asked)
            yield Delivery(
                url=result.url, body=result.content.encode(), media_type=_MARKDOWN, channel=channel
            )


async def reached(tap: Tap, gateway: Gateway, asked: Asked) -> Upstream:
    """The server's response, unless the client leaves before it comes. Raises Unreachable."""
    upstream = await unless_gone(tap, gateway.forward(asked))
    if upstream is GONE:
        raise Unreachable("the client left", "client_closed")
    return upstream


async def _say(
    request: web.BaseRequest,
    tap: Tap,
    log: Log,
    exchange: Exchange,
    asked: Asked,
    status: int,
    text: str,
    error_type: str | None = None,
) -> web.StreamResponse:
    """One line of the gateway's own, in JSON for who wants that. Providers tell their SDKs by ``x-should-retry`` that a
    second try is in vain."""
    body, media_type = f"{text}\n".encode(), "text/plain; charset=utf-8"
    if "json" in asked.headers.get("accept", ""):
        # SDKs show their users what stands in this place and nothing else.
        body, media_type = (
            json.dumps({"error": {"message": text, "type": error_type}}).encode(),
            "application/json",
        )
    headers = (
        ("content-type", media_type),
        ("content-length", str(len(body))),
        ("x-should-retry", "false"),
    )
    upstream = Upstream(
        status=status,
        reason=HTTPStatus(status).phrase,
        headers=headers,
        began=monotonic(),
        chunks=_chunk(body),
    )
    passed = await pass_on(request, tap, upstream, lambda _: None)
    answer = Answer(status=status, headers=headers, body=body)
    log.finish(
        exchange,
        answer,
        sent=passed.sent,
        headers=flat(passed.headers),
        error_type=passed.error_type or error_type,
    )
    return passed.response


async def _chunk(body: bytes) -> AsyncGenerator[Chunk, None]:
    yield Chunk(0.0, body)
