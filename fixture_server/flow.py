"""Bodies that are made while they are sent: a piece is made when the one before it has gone, and none is kept for long.

So a page may be as large as it likes, or have no end: the world holds a piece of it, and the beginning for the archive.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace
from typing import TYPE_CHECKING

from aiohttp import web
from multidict import CIMultiDict

from pytest_webretrieval.wire.coding import decoded

from .log import Log
from .message import Answer, flat

if TYPE_CHECKING:
    from .connection import Tap
    from .exchange import Exchange

KEPT = 256 * 1024  # bytes of the beginning, unpacked
MOST = 48 * 1024 * 1024  # bytes after which even an endless body ends
BREATH_S = 0.002  # between two pieces; so what a client has not taken is not counted as sent for long
_ON_THE_WAY = 32 * 1024  # bytes that the kernel may hold for a client that does not read


async def send_flow(
    request: web.BaseRequest,
    tap: Tap,
    log: Log,
    exchange: Exchange,
    answer: Answer,
    headers: CIMultiDict[str],
) -> web.StreamResponse:
    """Send ``answer.flow`` until it ends, the client leaves, or it is ``MOST``."""
    assert answer.flow is not None
    response = web.StreamResponse(status=answer.status, headers=headers)
    sent, error_type, beginning = 0, None, bytearray()
    if request.transport is not None:
        connection = request.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ON_THE_WAY)
        request.transport.set_write_buffer_limits(high=_ON_THE_WAY)
    try:
        await response.prepare(request)
        for piece in answer.flow():
            await response.write(piece)
            # A client that has what it wants leaves at once: what was written for it before that has reached it.
            sent += len(piece)
            beginning += piece[: KEPT - len(beginning)]
            await asyncio.sleep(BREATH_S)
            if tap.gone.is_set() or tap.transport is None or tap.transport.is_closing():
                raise ConnectionResetError
            if sent >= MOST:
                break
        await response.write_eof()
    except ConnectionError:
        error_type = "client_closed"
    kept = replace(answer, body=_read(bytes(beginning), answer), headers=_unpacked(answer.headers))
    log.finish(exchange, kept, sent=sent, headers=flat(response.headers.items()), error_type=error_type)
    return response


def _read(beginning: bytes, answer: Answer) -> bytes:
    """The beginning as a reader has it."""
    plain = decoded(beginning, answer.header("content-encoding"), KEPT)
    return beginning if plain is None else plain


def _unpacked(headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in headers if name != "content-encoding")
