"""A connection as the world sees it: what aiohttp does not tell, and whose it is."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

from .exchange import Exchange, Passage
from .log import Log
from .message import Asked

if TYPE_CHECKING:
    from aiohttp.web_protocol import RequestHandler

    from .front.crossing import Crossing
    from .front.ways import Proxying
    from .gateway.hosts import Gateway

PENDING_KEPT = 16 * 1024
_HOST = re.compile(rb"(?im)^host:[ \t]*([^\r\n]*)")


@dataclass(slots=True)
class Slot:
    """A slot as the world sees it: its log in force, its open doors and connections.

    ``ports`` are (``tcp`` or ``udp``, port) of the doors that answer at every address, ``relays`` (address, port) of
    those to the real machine, ``allowed`` the names of whom these lead to. ``gateway`` passes on what the user listed,
    ``proxying`` makes the toxics of a run with faults; ``netfilter`` sets the rules for packets that are lost, and
    ``loses`` says that there are some.
    """

    name: str
    log: Log
    gateway: Gateway | None = None
    proxying: Proxying | None = None
    netfilter: socket.socket | None = None
    loses: bool = False
    closers: list[Callable[[], None]] = field(default_factory=list)
    connections: set[Tap] = field(default_factory=set)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    passages: set[Passage] = field(default_factory=set)
    ports: set[tuple[str, int]] = field(default_factory=set)
    relays: set[tuple[str, int]] = field(default_factory=set)
    allowed: frozenset[str] = frozenset()
    has_v6: bool = False

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that ends with the slot at the latest."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


@dataclass(slots=True)
class Greeting:
    """What is known of a connection before its first request: whether a client's hello was read, and its
    name."""

    read: bool = False
    name: str | None = None


greeting: ContextVar[Greeting] = ContextVar("greeting")


def greeted(name: str | None) -> None:
    """Called from within a handshake; the handshake runs in its connection's context."""
    known = greeting.get()
    known.read, known.name = True, name


class Tap(asyncio.Protocol):
    """Stands between a connection and aiohttp, to see what aiohttp does not tell: when a request's first byte
    came, and how a connection ended. ``crossing`` is what lies between it and a client that has met a fault,
    ``served`` counts the requests that the client's connection has carried."""

    def __init__(
        self,
        slot: Slot,
        handler: RequestHandler,
        scheme: str,
        hello: Greeting,
        port: int,
        crossing: Crossing | None = None,
        served: int = 0,
    ) -> None:
        self.slot, self.handler, self.scheme, self.hello, self.port = slot, handler, scheme, hello, port
        self.transport: asyncio.Transport | None = None
        self.pending = b""
        self.began = monotonic()
        self.log = slot.log
        self.crossing, self.served = crossing, served
        self.current: tuple[Log, Exchange] | None = None
        self.gone = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.slot.connections.add(self)
        counted = transport if self.crossing is None else self.crossing.counted(transport)
        self.handler.connection_made(counted)

    def data_received(self, data: bytes) -> None:
        if self.current is None:
            if not self.pending:
                self.began, self.log = monotonic(), self.slot.log
            if len(self.pending) < PENDING_KEPT:
                self.pending += data
        self.handler.data_received(data)

    def eof_received(self) -> None:
        self.handler.eof_received()

    def pause_writing(self) -> None:
        self.handler.pause_writing()

    def resume_writing(self) -> None:
        self.handler.resume_writing()

    def connection_lost(self, exc: BaseException | None) -> None:
        self.slot.connections.discard(self)
        self.gone.set()
        if self.current is None and self.pending:
            asked = half_asked(self.pending, self.scheme, self.hello.name)
            self.log.fail(asked, self.began, "incomplete_request")
        elif self.current is None and not self.served and isinstance(exc, ssl.SSLError):
            self.slot.log.fail(nothing_asked(self.scheme, self.hello.name), self.began, "tls")
        self.handler.connection_lost(exc)

    def begin(self, asked: Asked) -> tuple[Log, Exchange]:
        """A request's headers are complete."""
        log, began = (self.log, self.began) if self.pending else (self.slot.log, monotonic())
        known = None if self.crossing is None else self.crossing.adopt()
        self.current = known or (log, log.open(asked, began, self.served > 0))
        self.served += 1
        self.pending = b""
        return self.current

    def refuse(self) -> None:
        """What came is not HTTP; aiohttp answers 400 and closes."""
        self.log.fail(half_asked(self.pending, self.scheme, self.hello.name), self.began, "400", 400)
        self.pending = b""

    def end(self) -> None:
        """The request is answered; the next byte begins another."""
        self.current = None
        self.pending = b""


def half_asked(pending: bytes, scheme: str, name: str | None) -> Asked:
    """What can be read of a request that never was complete."""
    line = pending.partition(b"\r\n")[0].decode("latin-1").split(" ")
    found = _HOST.search(pending)
    host = found.group(1).decode("latin-1").strip().partition(":")[0].lower() if found else name or ""
    target = line[1] if len(line) > 1 and line[1].startswith("/") else "/"
    known = len(line) > 1 and line[0].isalpha() and line[0].isupper()
    method = line[0] if known else "?"
    return Asked(method=method, scheme=scheme, host=host, target=target)


def nothing_asked(scheme: str, name: str | None) -> Asked:
    """A connection that ended before a request."""
    return Asked(method="?", scheme=scheme, host=name or "", target="/")
