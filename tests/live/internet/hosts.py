"""The hosts of a scenario, served from a thread: whose a connection is, its address says."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import trustme
from aiohttp import web

from .http1 import respond
from .http2 import Http2
from .log import Log, Place
from .names import Datagrams, addresses_of, converse, reply_to
from .scenario import Answer, Heard, Scenario, Site, answer

Doors = list[tuple[str, socket.socket]]
_LARGEST = 64 * 1024 * 1024
_RESET = struct.pack("ii", 1, 0)


class Hosts:
    """Serves doors from its making until ``close``. ``log`` is of what was shown last, ``trouble`` what went wrong here
    or in a scenario's functions."""

    def __init__(self, doors: Doors, folder: Path) -> None:
        self.authority = trustme.CA(organization_name="Simulated Internet Authority")
        self.trouble: list[str] = []
        self._unknown = trustme.CA(organization_name="Nobody's Authority")
        self.log = Log(path=folder / "requests.jsonl")
        self._doors, self._folder = doors, folder
        self._families = frozenset(
            4 if door.family == socket.AF_INET else 6 for kind, door in doors if kind == "https"
        )
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="the simulated internet")
        self._serving, self._over = threading.Event(), asyncio.Event()
        self._shown = 0
        self._take(Scenario(sites={}), night=1)
        self._thread.start()
        self._serving.wait()

    def show(self, scenario: Scenario, night: int = 1) -> None:
        """Have the hosts be these from now on; requests are counted and logged anew."""
        done = threading.Event()

        def take() -> None:
            self._take(scenario, night)
            done.set()

        self._loop.call_soon_threadsafe(take)
        done.wait()

    def close(self) -> None:
        """End all connections. Calling it again does nothing."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._over.set)
            self._thread.join()
            self._loop.close()
        for _, door in self._doors:
            door.close()

    async def answer(self, place: Place, heard: Heard) -> tuple[Heard, Answer]:
        """The request with its number, and what is answered, once its time has come."""
        # A connection may be older than what is shown now.
        site = self._scenario.sites.get(place.host, Site())
        self._counted[place.host, heard.path] += 1
        heard = replace(heard, number=self._counted[place.host, heard.path], night=self._night)
        try:
            given = await asyncio.to_thread(site.answer, heard)
        except Exception as error:
            self.trouble.append(f"{heard.method} {place.host}{heard.target}: {type(error).__name__}: {error}")
            given = answer(500, "The scenario failed.\n")
        await asyncio.sleep(given.delay_s)
        return heard, given

    def _take(self, scenario: Scenario, night: int) -> None:
        self._shown += 1
        self._scenario, self._night = scenario, night
        self._addresses = addresses_of(scenario)
        self._hosts = {address: host for host, found in self._addresses.items() for address in found}
        self._contexts: dict[str, ssl.SSLContext] = {}
        self._counted: Counter[tuple[str, str]] = Counter()
        self.log = Log(path=self._folder / f"requests-{self._shown}.jsonl")

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.set_exception_handler(lambda _, context: self.trouble.append(str(context)))
        try:
            self._loop.run_until_complete(self._serve())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
        finally:
            self._serving.set()
            asyncio.set_event_loop(None)

    async def _serve(self) -> None:
        web_server = web.Server(self._handle, request_factory=_make_request)
        transports: set[asyncio.BaseTransport] = set()
        tasks: set[asyncio.Task[Any]] = set()
        for kind, door in self._doors:
            door.setblocking(False)
            if kind == "dns-udp":
                told = await self._loop.create_datagram_endpoint(
                    lambda: Datagrams(self._reply), sock=door.dup()
                )
                transports.add(told[0])
            else:
                tasks.add(asyncio.create_task(self._accept(kind, door, web_server, tasks, transports)))
        self._serving.set()
        await self._over.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await web_server.shutdown(0.1)
        for transport in transports:
            transport.abort() if isinstance(transport, asyncio.WriteTransport) else transport.close()
        await asyncio.sleep(0)  # connections hear of their end in the loop's next turn

    async def _accept(
        self,
        kind: str,
        door: socket.socket,
        server: web.Server[Any],
        tasks: set[asyncio.Task[Any]],
        transports: set[asyncio.BaseTransport],
    ) -> None:
        while True:
            connection, _ = await self._loop.sock_accept(door)
            connection.setblocking(False)
            if kind == "dns-tcp":
                reader, writer = await asyncio.open_connection(sock=connection)
                task = asyncio.create_task(converse(reader, writer, self._reply))
            else:
                task = asyncio.create_task(self._greet(kind, connection, server, transports))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

    async def _greet(
        self,
        scheme: str,
        connection: socket.socket,
        server: web.Server[Any],
        transports: set[asyncio.BaseTransport],
    ) -> None:
        address, port, *_ = connection.getsockname()
        host = self._hosts.get(address)
        if host is None or self._scenario.sites[host].down:
            if host is None:
                self.log.strays.append(f"{address}:{port}")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            connection.close()
            return
        context = self._context(host) if scheme == "https" else None
        greeting = partial(_Greeting, server, partial(self._http2, host, address))
        try:
            transport, _ = await self._loop.connect_accepted_socket(greeting, connection, ssl=context)
        except OSError:  # the client left, or did not take the certificate
            return
        transports.add(transport)

    def _http2(self, host: str, address: str) -> Http2:
        return Http2(self, Place(scheme="https", version="2", host=host, address=address))

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        assert request.transport is not None
        address = request.transport.get_extra_info("sockname")[0]
        secure = request.transport.get_extra_info("ssl_object") is not None
        host = self._hosts.get(address)
        if host is None:  # a connection from before another scenario was shown
            request.transport.abort()
            return web.Response()
        scheme = "https" if secure else "http"
        return await respond(request, self, Place(scheme=scheme, version="1.1", host=host, address=address))

    def _context(self, host: str) -> ssl.SSLContext:
        if host not in self._contexts:
            site = self._scenario.sites[host]
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.set_alpn_protocols(list(site.versions))
            authority = self._unknown if site.certificate == "unknown-authority" else self.authority
            name = "somebody-else.example" if site.certificate == "another-name" else host
            authority.issue_cert(name).configure_cert(context)
            self._contexts[host] = context
        return self._contexts[host]

    def _reply(self, data: bytes) -> bytes:
        return reply_to(data, self._addresses, self._families, self.log.names.append)


def _make_request(message: Any, payload: Any, protocol: Any, writer: Any, task: Any) -> web.BaseRequest:
    """As aiohttp makes requests, but for larger bodies: a conversation with a model grows."""
    loop = asyncio.get_running_loop()
    return web.BaseRequest(message, payload, protocol, writer, task, loop, client_max_size=_LARGEST)


class _Greeting(asyncio.Protocol):
    """Gives a connection to who speaks the protocol that was agreed on."""

    def __init__(self, server: Callable[[], asyncio.Protocol], http2: Callable[[], asyncio.Protocol]) -> None:
        self._server, self._http2 = server, http2

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        session = transport.get_extra_info("ssl_object")
        agreed = session.selected_alpn_protocol() if session is not None else None
        speaker = self._http2() if agreed == "h2" else self._server()
        transport.set_protocol(speaker)
        speaker.connection_made(transport)
