"""A connection that is ended by a reset."""

from __future__ import annotations

import socket
import struct

from aiohttp import web


def reset(request: web.BaseRequest) -> web.StreamResponse:
    """End a request's connection; the response is never sent."""
    if request.transport is not None:
        connection = request.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        request.transport.abort()
    return web.Response()
