"""The proxy door: a slot without a network of its own reaches the world by it, by CONNECT or by absolute requests.

No name is looked up: what stands in the request decides. The guard in a slot tells here what it refused, before it
refuses, so that it is in the run's log.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import ssl
from urllib.parse import urlsplit

from aiohttp import web

from .connection import Slot, Tap
from .doors import House, accept, welcome
from .names import Resolver
from .outside import is_background
from .serve import serve

PATIENCE_S = 20.0
_HEAD = 16 * 1024
_LOOK_AGAIN_S = 0.01
_PORTS = {80: "http", 443: "https"}
_HELLO = 0x16  # the first byte of a TLS handshake
_REFUSED, _CONNECT = b"REFUSED ", b"CONNECT "


def open_proxy_door(slot: Slot, listener: socket.socket, context: ssl.SSLContext, resolver: Resolver) -> None:
    """Serve a proxy's clients on a listening socket until the slot is closed."""

    async def respond(request: web.BaseRequest, tap: Tap) -> web.StreamResponse:
        url = urlsplit(request.raw_path)
        if url.scheme != "http" or not await _is_known(url.hostname, resolver):
            tap.end()
            return web.Response(status=502, text="No such host\n")
        return await serve(request, tap)

    tunnels, plain = House(slot, serve), House(slot, respond)

    async def welcomed(connection: socket.socket) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                first = await _peek(connection, len(_CONNECT))
                head = await _head(connection) if first in (_CONNECT, _REFUSED) else b""
        except (OSError, TimeoutError):
            connection.close()
            return
        if first == _REFUSED:
            await _note(slot, connection, head, resolver)
        elif first == _CONNECT:
            await _tunnel(slot, tunnels, connection, head, context, resolver)
        else:
            await welcome(plain, connection, None, "http", 80)

    accept(slot, listener, welcomed)


async def _tunnel(
    slot: Slot,
    house: House,
    connection: socket.socket,
    head: bytes,
    context: ssl.SSLContext,
    resolver: Resolver,
) -> None:
    host, port = _host_and_port(head.split(b" ")[1].decode("latin-1"))
    known = await _is_known(host, resolver)
    if known and port not in _PORTS:
        slot.log.leave("tcp", host, port)
    try:
        async with asyncio.timeout(PATIENCE_S):
            if not known or port not in _PORTS:
                await _last_word(connection, b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
                return
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(connection, b"HTTP/1.1 200 Connection established\r\n\r\n")
            first = await _peek(connection, 1)
    except (OSError, TimeoutError):
        connection.close()
        return
    # Some clients tunnel plain requests too.
    if first[:1] == bytes((_HELLO,)):
        await welcome(house, connection, context, "https", port)
    else:
        await welcome(house, connection, None, "http", port)


async def _note(slot: Slot, connection: socket.socket, head: bytes, resolver: Resolver) -> None:
    """``REFUSED tcp|udp|name HOST PORT``; answered when it is in the log."""
    words = head.decode("utf-8", "replace").split()
    if len(words) == 4 and words[3].isdecimal():
        what, host, port = words[1], words[2].lower().rstrip("."), int(words[3])
        if what == "name":
            await _is_known(host, resolver)
        elif what in ("tcp", "udp") and not is_background(host):
            slot.log.leave(what, host, port)
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            await _last_word(connection, b"noted\r\n")


async def _is_known(host: str | None, resolver: Resolver) -> bool:
    """Whether somebody answers for the name, which is noted as asked for; at an address somebody always does."""
    if not host:
        return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        if resolver.find is not None and not resolver.known(host):
            await resolver.find(host)
        known = resolver.known(host)
        resolver.asked(host, "A", known)
        return known
    return True


def _host_and_port(target: str) -> tuple[str, int]:
    """Of ``host:port`` or ``[address]:port``; port 0 where it is none."""
    host, _, port = target.rpartition(":")
    return host.strip("[]").lower().rstrip("."), int(port) if port.isdecimal() else 0


async def _peek(connection: socket.socket, size: int) -> bytes:
    """The first bytes, left where they are. Raises OSError where the client says no more."""
    while True:
        await _readable(connection)
        with contextlib.suppress(BlockingIOError):
            first = connection.recv(size, socket.MSG_PEEK)
            if not first:
                raise OSError("closed before a request")
            if len(first) == size:
                return first
        # What was left there keeps the socket readable, so that nothing tells of more.
        await asyncio.sleep(_LOOK_AGAIN_S)


async def _head(connection: socket.socket) -> bytes:
    """A request's head, taken; nothing after it. Raises OSError where it never ends."""
    loop, head = asyncio.get_running_loop(), b""
    while not head.endswith(b"\r\n\r\n"):
        byte = await loop.sock_recv(connection, 1)
        if not byte or len(head) > _HEAD:
            raise OSError("half a request")
        head += byte
    return head


async def _last_word(connection: socket.socket, word: bytes) -> None:
    with connection:
        await asyncio.get_running_loop().sock_sendall(connection, word)


async def _readable(connection: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    ready = loop.create_future()
    loop.add_reader(connection, lambda: None if ready.done() else ready.set_result(None))
    try:
        await ready
    finally:
        loop.remove_reader(connection)
