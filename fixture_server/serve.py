"""One request: read, log, answer, log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from multidict import CIMultiDict

from .connection import Tap
from .exchange import Exchange
from .flow import send_flow
from .gateway.answering import respond as gateway_respond
from .live import converse
from .log import Log
from .message import Answer, Asked, flat
from .model.answering import respond as model_respond
from .outside import tell
from .resetting import reset
from .route import answer as answer_of

UPLOAD = 64 * 1024 * 1024
PIECE = 256 * 1024


def make_request(message: Any, payload: Any, protocol: Any, writer: Any, task: Any) -> web.BaseRequest:
    """As aiohttp makes requests, but for larger uploads."""
    loop = asyncio.get_running_loop()
    return web.BaseRequest(message, payload, protocol, writer, task, loop, client_max_size=UPLOAD)


def is_malformed(message: Any) -> bool:
    """Whether aiohttp hands over what it could not parse: it then makes a request of this method."""
    return bool(message.method == "UNKNOWN")


def log_without_malformed() -> logging.Logger:
    """aiohttp reports each malformed request with a traceback; they are in the run's log, as attempts."""
    logger = logging.Logger("fixture_server.http")
    handler = logging.StreamHandler()
    handler.addFilter(
        lambda record: not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))
    )
    logger.addHandler(handler)
    return logger


async def serve(request: web.BaseRequest, tap: Tap) -> web.StreamResponse:
    """One request: read, log, answer, log. What goes wrong in here is the world's trouble, never the
    client's."""
    headers = flat(request.headers.items())
    host = headers.get("host", "").lower().removesuffix(f":{tap.port}").rstrip(".") or tap.hello.name or ""
    target = request.raw_path if request.raw_path.startswith("/") else request.rel_url.raw_path_qs
    head = Asked(method=request.method, scheme=tap.scheme, host=host, target=target, headers=headers)
    log, exchange = tap.begin(head)
    tell(log, tap.scheme, host, tap.port)
    try:
        try:
            asked = await _with_body(request, head)
            log.hear(exchange, asked)
        except web.HTTPRequestEntityTooLarge:
            answer = Answer(
                status=413, headers=(("content-type", "text/plain"),), body=b"Content too large\n"
            )
        except (web.RequestPayloadError, OSError):
            log.finish(exchange, None, error_type="incomplete_request")
            return reset(request)
        else:
            gateway = tap.slot.gateway
            if gateway is not None and exchange.role == "model" and gateway.outward.model != "scripted":
                return await _guarded(
                    request, log, asked, model_respond(request, tap, log, exchange, asked, gateway)
                )
            if gateway is not None and gateway.takes(asked):
                return await _guarded(
                    request, log, asked, gateway_respond(request, tap, log, exchange, asked, gateway)
                )
            # A model takes its time to think, and to be imported for the first of a world's runs that calls one.
            thinks = exchange.role == "model"
            answer = await asyncio.to_thread(_answer, asked, log) if thinks else _answer(asked, log)
        return await _send(request, tap, log, exchange, answer)
    finally:
        log.finish(exchange, None, error_type="client_closed")
        tap.end()


async def _with_body(request: web.BaseRequest, head: Asked) -> Asked:
    if head.headers.get("expect", "").lower() == "100-continue" and request.transport is not None:
        request.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return replace(head, body=await request.read()) if request.can_read_body else head


async def _guarded(
    request: web.BaseRequest, log: Log, asked: Asked, answering: Coroutine[Any, Any, web.StreamResponse]
) -> web.StreamResponse:
    """What answers while it sends; what goes wrong may do so in the middle, so the connection ends."""
    try:
        return await answering
    except Exception as error:
        log.trouble.append(f"{asked.method} {asked.url}: {type(error).__name__}: {error}")
        return reset(request)


def _answer(asked: Asked, log: Log) -> Answer:
    try:
        return answer_of(asked, log.stage)
    except Exception as error:
        log.trouble.append(f"{asked.method} {asked.url}: {type(error).__name__}: {error}")
        return Answer(status=500, headers=(("content-type", "text/plain"),), body=b"The world failed\n")


async def _send(
    request: web.BaseRequest, tap: Tap, log: Log, exchange: Exchange, answer: Answer
) -> web.StreamResponse:
    if answer.messages:
        return await converse(request, log, exchange, answer)
    if answer.delay_s:
        await _pause(tap, answer.delay_s)
    if tap.gone.is_set():
        log.finish(exchange, None, error_type="client_closed")
        return reset(request)
    if answer.fault == "reset":
        log.finish(exchange, None, error_type="connection_reset")
        return reset(request)
    headers = CIMultiDict(answer.headers)
    headers["server"] = "nginx"
    if answer.fault == "cut":
        return await _cut(request, log, exchange, answer, headers)
    if answer.flow is not None:
        return await send_flow(request, tap, log, exchange, answer, headers)
    if answer.pieces:
        return await _send_pieces(request, tap, log, exchange, answer, headers)
    size = 0 if request.method == "HEAD" or answer.status in (204, 304) else len(answer.body)
    if size > PIECE:
        return await _send_large(request, tap, log, exchange, answer, headers)
    response = web.Response(status=answer.status, headers=headers, body=answer.body or None)
    error_type = None
    try:
        await response.prepare(request)
        await response.write_eof()
    except ConnectionError:
        size, error_type = 0, "client_closed"
    log.finish(exchange, answer, sent=size, headers=flat(response.headers.items()), error_type=error_type)
    return response


async def _send_large(
    request: web.BaseRequest,
    tap: Tap,
    log: Log,
    exchange: Exchange,
    answer: Answer,
    headers: CIMultiDict[str],
) -> web.StreamResponse:
    """In pieces, so that it is known how much of it a client that leaves has taken."""
    response = web.StreamResponse(status=answer.status, headers=headers)
    response.content_length = len(answer.body)
    body, sent, error_type = memoryview(answer.body), 0, None
    try:
        await response.prepare(request)
        while sent < len(body):
            await response.write(body[sent : sent + PIECE])
            # Other connections have their turn between two pieces, and the end of this one is heard of.
            await asyncio.sleep(0)
            if tap.gone.is_set() or tap.transport is None or tap.transport.is_closing():
                raise ConnectionResetError
            sent += len(body[sent : sent + PIECE])
        await response.write_eof()
    except ConnectionError:
        error_type = "client_closed"
    log.finish(exchange, answer, sent=sent, headers=flat(response.headers.items()), error_type=error_type)
    return response


async def _send_pieces(
    request: web.BaseRequest,
    tap: Tap,
    log: Log,
    exchange: Exchange,
    answer: Answer,
    headers: CIMultiDict[str],
) -> web.StreamResponse:
    """As a stream of unknown length, each piece when it is its turn."""
    response = web.StreamResponse(status=answer.status, headers=headers)
    sent, error_type = 0, None
    try:
        await response.prepare(request)
        for piece in answer.pieces:
            await response.write(piece)
            await asyncio.sleep(0)
            if tap.gone.is_set() or tap.transport is None or tap.transport.is_closing():
                raise ConnectionResetError
            sent += len(piece)
        await response.write_eof()
    except ConnectionError:
        error_type = "client_closed"
    whole = replace(answer, body=b"".join(answer.pieces))
    log.finish(exchange, whole, sent=sent, headers=flat(response.headers.items()), error_type=error_type)
    return response


async def _cut(
    request: web.BaseRequest, log: Log, exchange: Exchange, answer: Answer, headers: CIMultiDict[str]
) -> web.StreamResponse:
    response = web.StreamResponse(status=answer.status, headers=headers)
    response.content_length = len(answer.body)
    half = answer.body[: len(answer.body) // 2]
    try:
        await response.prepare(request)
        await response.write(half)
    except ConnectionError:
        half = b""
    log.finish(
        exchange, answer, sent=len(half), headers=flat(response.headers.items()), error_type="incomplete_body"
    )
    if request.transport is not None:
        request.transport.close()
    return response


async def _pause(tap: Tap, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await tap.gone.wait()
    except TimeoutError:
        pass
