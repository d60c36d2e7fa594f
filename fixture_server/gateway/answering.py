"""One request to a listed host: played or passed on, logged, kept."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING

from aiohttp import web

from fixture_server.dialects.registry import dialect_for
from fixture_server.kept import API_CHANNELS, ARCHIVED, UNPACKED_KEPT
from fixture_server.message import Answer, Asked, Delivery, flat
from fixture_server.model.purse import purse_of
from fixture_server.resetting import reset
from pytest_webretrieval.wire.cassettes import Interaction, Sent
from pytest_webretrieval.wire.coding import decoded
from pytest_webretrieval.wire.recording import Miss

from .hosts import Denied, Gateway
from .passing import GONE, pass_on, unless_gone
from .played import played
from .public import PrivateAddress
from .run import GatewayRun
from .upstream import PORTS, Chunk, Unreachable, Upstream, phrase

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
    if asked.wants_websocket and gateway.outward.web is None:
        return await _say(request, tap, log, exchange, asked, 501, "WebSockets are not recorded")
    with run.passing():
        try:
            recorded = run.recording.answer(sent_of(asked))
            if recorded is None:
                count(run, exchange, asked, gateway)
            if asked.wants_websocket:
                return await _websocket(request, log, exchange, asked, gateway)
            upstream = played(recorded) if recorded else await reached(tap, gateway, asked)
        except Miss as miss:
            return await _say(request, tap, log, exchange, asked, 502, str(miss), "no_recording")
        except Denied as denial:
            if denial.is_wish:
                log.leave(asked.scheme, asked.host, PORTS[asked.scheme])
            return await _say(
                request, tap, log, exchange, asked, denial.status, str(denial), denial.error_type
            )
        except Unreachable as error:
            if gateway.outward.web is not None and error.status != 429:
                # As the real host would have it: there is nobody who could say a word.
                log.finish(exchange, None, error_type=error.error_type)
                return reset(request)
            return await _say(request, tap, log, exchange, asked, error.status, str(error), error.error_type)
        chunks: list[Chunk] = []
        passed = await pass_on(request, tap, upstream, _kept_in(chunks, gateway))
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


def count(run: GatewayRun, exchange: Exchange, asked: Asked, gateway: Gateway) -> None:
    """Note a request that goes out, and what it costs. Raises Unreachable where a cap is reached."""
    web = gateway.outward.web
    if web is None:
        return
    run.sent += 1
    if web.max_requests is not None and run.sent > web.max_requests:
        told = f"cap of {web.max_requests} requests a run reached (max_requests)"
        raise Unreachable(told, "over_budget", 429)
    if exchange.channel in API_CHANNELS:
        run.last[asked.host] = asked
    price = gateway.price(asked) if exchange.role in ("document", "api") else None
    if price is not None:
        spend(run, exchange, asked, price, gateway)


def spend(run: GatewayRun, exchange: Exchange, asked: Asked, price: float, gateway: Gateway) -> None:
    """Pay for a request. Raises Unreachable where there is no money left."""
    purse = purse_of(gateway.outward)
    if price and purse is not None and purse.is_empty:
        run.trouble = purse.halt
        raise Unreachable(purse.told, "over_budget", 429)
    exchange.usage = {"cost_usd": price}
    if purse is not None and price:
        purse.spend(price, asked.host)


def _kept_in(chunks: list[Chunk], gateway: Gateway) -> Callable[[Chunk], None]:
    """Keeps what comes: all that is recorded, of the real web the beginning."""
    if gateway.outward.web is None:
        return chunks.append
    left = ARCHIVED

    def keep(chunk: Chunk) -> None:
        nonlocal left
        if left > 0:
            chunks.append(Chunk(chunk.at_s, chunk.data[:left]))
        left -= len(chunk.data)

    return keep


async def _websocket(
    request: web.BaseRequest, log: Log, exchange: Exchange, asked: Asked, gateway: Gateway
) -> web.StreamResponse:
    from .websockets import converse

    gateway.check(asked)
    try:
        return await converse(
            request, log, exchange, asked, gateway.base(asked), private=gateway.is_private(asked)
        )
    except PrivateAddress as error:
        raise gateway.denial(asked, str(error)) from error


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
    """What came, as the log has it: the body decoded as far as it is kept, and the pages that an API of a known dialect
    gave with it."""
    body, headers = b"".join(chunk.data for chunk in chunks), upstream.headers
    plain = decoded(body, upstream.header("content-encoding"), UNPACKED_KEPT)
    if plain is not None:
        body = plain
        headers = tuple((name, value) for name, value in headers if name.lower() != "content-encoding")
    deliveries = tuple(_deliveries(asked, body)) if upstream.status < 300 else ()
    return Answer(status=upstream.status, headers=headers, body=body, deliveries=deliveries)


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
        reason=phrase(status),
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
