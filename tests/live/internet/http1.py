"""Answers over HTTP/1.1, and WebSockets."""

from __future__ import annotations

import socket
import struct
from typing import TYPE_CHECKING

from aiohttp import WSMsgType, web
from multidict import CIMultiDict

from .log import Place
from .scenario import Answer, Heard

if TYPE_CHECKING:
    from .hosts import Hosts


async def respond(request: web.BaseRequest, hosts: Hosts, place: Place) -> web.StreamResponse:
    """Answer one request and log it."""
    log = hosts.log
    headers = {name.lower(): value for name, value in request.headers.items()}
    heard = Heard(
        method=request.method,
        host=place.host,
        target=request.raw_path,
        headers=headers,
        body=await request.read(),
    )
    heard, answer = await hosts.answer(place, heard)
    if answer.messages and headers.get("upgrade", "").lower() == "websocket":
        log.keep(place, heard, 101, b"")
        return await _converse(request, answer)
    if answer.ending == "reset":
        log.keep(place, heard, None, b"")
        return _reset(request)
    if answer.ending == "cut":
        log.keep(place, heard, answer.status, half := answer.body[: len(answer.body) // 2])
        return await _cut(request, answer, half)
    body = b"" if request.method == "HEAD" or answer.status in (204, 304) else answer.body
    response = web.Response(
        status=answer.status, headers=CIMultiDict(answer.headers), body=answer.body or None
    )
    # Before it is sent: who has the answer may look at the log.
    log.keep(place, heard, answer.status, body)
    return response


async def _converse(request: web.BaseRequest, answer: Answer) -> web.WebSocketResponse:
    response = web.WebSocketResponse(max_msg_size=0)
    await response.prepare(request)
    for message in answer.messages:
        await response.send_str(message)
    async for message in response:
        if message.type is WSMsgType.TEXT:
            await response.send_str(message.data)
    return response


async def _cut(request: web.BaseRequest, answer: Answer, half: bytes) -> web.StreamResponse:
    response = web.StreamResponse(status=answer.status, headers=CIMultiDict(answer.headers))
    response.content_length = len(answer.body)
    await response.prepare(request)
    await response.write(half)
    if request.transport is not None:
        request.transport.close()
    return response


def _reset(request: web.BaseRequest) -> web.StreamResponse:
    if request.transport is not None:
        connection = request.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        request.transport.abort()
    return web.Response()
