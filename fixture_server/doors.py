"""Doors: listening sockets that were opened inside a slot, served from here. The door says whose a request
is."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Coroutine
from time import monotonic
from typing import Any

from aiohttp import web

from .connection import Greeting, Slot, Tap, greeting, nothing_asked
from .front.crossing import Crossing
from .front.front import Front
from .gateway.splicing import name_of, splice
from .outside import host_at, is_outside, tell
from .serve import is_malformed, log_without_malformed, make_request, serve

HANDSHAKE_S = 20.0


def open_door(slot: Slot, kind: str, listener: socket.socket, context: ssl.SSLContext | None) -> None:
    """Serve HTTP on a listening socket until the slot is closed; with TLS when a context is given."""
    house, port = House(slot, serve), listener.getsockname()[1]
    accept(slot, listener, lambda connection: welcome(house, connection, context, kind, port))


class House:
    """An HTTP server for the connections of a slot, and the tap of each."""

    def __init__(
        self, slot: Slot, respond: Callable[[web.BaseRequest, Tap], Awaitable[web.StreamResponse]]
    ) -> None:
        self.slot = slot
        self.taps: dict[Any, Tap] = {}
        self.server = web.Server(
            lambda request: respond(request, self.taps[request.protocol]),
            request_factory=self._requested,
            access_log=None,
            logger=log_without_malformed(),
            keepalive_timeout=600.0,
            lingering_time=1.0,
            max_line_size=1 << 16,
            max_field_size=1 << 16,
        )

    def _requested(
        self, message: Any, payload: Any, protocol: Any, writer: Any, task: Any
    ) -> web.BaseRequest:
        if is_malformed(message) and protocol in self.taps:
            self.taps[protocol].refuse()
        return make_request(message, payload, protocol, writer, task)


def accept(
    slot: Slot, listener: socket.socket, welcomed: Callable[[socket.socket], Coroutine[Any, Any, None]]
) -> None:
    """Give each connection of a listening socket to ``welcomed``, until the slot is closed."""
    loop = asyncio.get_running_loop()
    listener.setblocking(False)

    def ready() -> None:
        for _ in range(64):
            try:
                connection, _ = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            connection.setblocking(False)
            slot.spawn(welcomed(connection))

    def close() -> None:
        loop.remove_reader(listener.fileno())
        listener.close()

    loop.add_reader(listener.fileno(), ready)
    slot.closers.append(close)


async def welcome(
    house: House, connection: socket.socket, context: ssl.SSLContext | None, scheme: str, port: int
) -> None:
    """Serve one connection to its end."""
    slot, log = house.slot, house.slot.log
    address = connection.getsockname()[0]
    if is_outside(address, log.stage, log.reach):
        log.leave("tcp", address, port)
    run = log.gateway_run
    if run is not None and run.spliced and scheme == "https":
        name = await name_of(connection)
        if name in run.spliced:
            await splice(slot, connection, name, port)
            return
    if log.stage is None or not log.stage.faults or slot.proxying is None:
        await _serve_connection(house, connection, context, scheme, port, Greeting())
        return

    async def beyond(there: socket.socket, hello: Greeting, crossing: Crossing, served: int) -> None:
        await _serve_connection(house, there, None, scheme, port, hello, crossing, served)

    front = Front(slot, scheme, port, beyond, slot.proxying)
    await front.take(connection, context, host_at(address, log.stage))


async def _serve_connection(
    house: House,
    connection: socket.socket,
    context: ssl.SSLContext | None,
    scheme: str,
    port: int,
    hello: Greeting,
    crossing: Crossing | None = None,
    served: int = 0,
) -> None:
    slot, taps = house.slot, house.taps
    began, log = monotonic(), slot.log
    greeting.set(hello)

    def protocol() -> Tap:
        tap = Tap(slot, house.server(), scheme, hello, port, crossing, served)
        taps[tap.handler] = tap
        return tap

    try:
        _, tap = await asyncio.get_running_loop().connect_accepted_socket(
            protocol,
            connection,
            ssl=context,
            ssl_handshake_timeout=HANDSHAKE_S if context else None,
            ssl_shutdown_timeout=1.0 if context else None,
        )
    except (OSError, TimeoutError) as error:
        connection.close()
        tell(log, scheme, hello.name, port)
        if hello.read or isinstance(error, ssl.SSLError):
            log.fail(nothing_asked(scheme, hello.name), began, "tls")
        return
    tell(log, scheme, hello.name, port)
    try:
        await tap.gone.wait()
    finally:
        taps.pop(tap.handler, None)


async def close_slot(slot: Slot) -> None:
    """Close the doors, then every connection that came through them."""
    for close in slot.closers:
        close()
    slot.closers.clear()
    for tap in list(slot.connections):
        if tap.transport is not None:
            tap.transport.abort()
    for task in list(slot.tasks):
        task.cancel()
    await asyncio.gather(*slot.tasks, return_exceptions=True)
