"""One connection at the front: request by request it goes on to the server by the toxics that meet it.

TLS ends here, as at a load balancer, and toxics stand between here and the server: they count, cut and delay the bytes
of HTTP, an upstream one keeps a request from the origin, a downstream one its answer from the client.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any

from pytest_webretrieval.cases.faults import Fault
from pytest_webretrieval.faults.toxiproxy import ToxiproxyFailure

from ..connection import PENDING_KEPT, Greeting, Slot, greeting, half_asked, nothing_asked
from ..kept import API_CHANNELS
from ..message import Asked, flat
from ..outside import tell
from ..roles import channel_of, role_of
from .client_end import ClientEnd, Refused
from .crossing import CLOSED, LEFT, RESET, Crossing
from .plan import Plan
from .ways import Proxying, Way, open_way

HANDSHAKE_S = 20.0
_PIECE = 32 * 1024
_BEGINS = re.compile(rb"[A-Z]{3,16}( |\Z)")
_ABSOLUTE = re.compile(r"http://[^/?#]*")  # as a proxy's clients ask
_WAITING = re.compile(rb"[A-Z]{0,16}\Z")
# Serves a connection that has come by a way; the last argument says how many requests its client's had carried before.
Serving = Callable[[socket.socket, Greeting, Crossing, int], Coroutine[Any, Any, None]]


class Front:
    """One client's connection. ``serve`` serves the far end of a way, ``by`` makes the proxies."""

    def __init__(self, slot: Slot, scheme: str, port: int, serve: Serving, by: Proxying) -> None:
        self._slot, self._scheme, self._port, self._serve, self._by = slot, scheme, port, serve, by
        self._hello = Greeting()
        self._began = monotonic()
        self._head = b""
        self._asked = 0
        self._plan: Plan | None = None
        self._lasting: tuple[Fault, ...] = ()
        self._number = 0
        self._way: Way | None = None
        self._crossing = Crossing()
        self._client: ClientEnd
        self._down: asyncio.Task[None] | None = None
        self._over: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def take(self, connection: socket.socket, context: ssl.SSLContext | None, host: str | None) -> None:
        """Serve a connection to its end; ``host`` is whose address it came to, where that is somebody's."""
        self._client = ClientEnd(connection, context)
        greeting.set(self._hello)
        try:
            async with asyncio.timeout(HANDSHAKE_S):
                await self._client.greet(lambda: self._is_refused(host))
        except Refused:
            await self._client.reset()
            return
        except (OSError, TimeoutError) as error:
            self._client.cut()
            tell(self._slot.log, self._scheme, self._hello.name, self._port)
            if self._hello.read or isinstance(error, ssl.SSLError):
                self._slot.log.fail(nothing_asked(self._scheme, self._hello.name), self._began, "tls")
            return
        except BaseException:
            self._client.cut()
            raise
        tell(self._slot.log, self._scheme, self._hello.name, self._port)
        await self._pass(host)

    def _is_refused(self, host: str | None) -> bool:
        """Whether nobody answers; asked again once the client has named its host."""
        name = (self._hello.name or host or "").lower()
        stage = self._slot.log.stage
        if not name or stage is None or (fault := stage.faults.refuses(name)) is None:
            return False
        self._note_unreached(nothing_asked(self._scheme, name), fault.label)
        return True

    def _note_unreached(self, asked: Asked, label: str | None) -> None:
        exchange = self._slot.log.open(asked, self._began, False)
        exchange.reached, exchange.fault = False, label
        self._slot.log.finish(exchange, None, error_type=RESET)

    async def _pass(self, host: str | None) -> None:
        reading = asyncio.create_task(self._read(host))
        try:
            how = await self._over
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            await self._leave()
        if how == RESET:
            await self._client.reset()
        elif how == CLOSED:
            self._client.cut()
        else:
            await self._client.close()

    async def _read(self, host: str | None) -> None:
        """Pass on what the client says until it says no more."""
        how = LEFT
        try:
            while data := await self._client.read():
                await self._hear(data, host)
        except OSError:
            pass
        except ToxiproxyFailure as error:
            self._slot.log.trouble.append(str(error))
            how = RESET
        if self._head:
            asked = half_asked(self._head, self._scheme, self._hello.name)
            self._slot.log.fail(asked, self._began, "incomplete_request")
        self._end(how)

    async def _hear(self, data: bytes, host: str | None) -> None:
        if self._way is not None and self._crossing.is_busy:
            await self._send(data)
            return
        if not self._head:
            self._began = monotonic()
        self._head += data
        waits = _BEGINS.match(self._head) or _WAITING.match(self._head)
        if waits and b"\r\n\r\n" not in self._head and len(self._head) < PENDING_KEPT:
            return
        head, self._head = self._head, b""
        asked = _read_head(head, self._scheme, self._hello.name or host)
        await self._open(asked, host)
        if asked is not None:
            log = self._slot.log
            exchange = log.open(asked, self._began, self._asked > 0)
            exchange.crossing, exchange.reached = self._crossing, False
            exchange.fault = ", ".join(filter(None, (self._crossing.label, exchange.fault))) or None
            self._crossing.log, self._crossing.exchange = log, exchange
            self._asked += 1
        await self._send(head)

    async def _open(self, asked: Asked | None, host: str | None) -> None:
        """Have the way that this request shall take."""
        faults = self._faults(asked, host)
        if self._way is not None and self._crossing.faults == faults and not _is_counted(faults):
            return
        await self._leave()
        plan = self._plan or Plan()
        name = f"{self._slot.name}-{plan.case.replace('::', '-').replace('/', '-')}"
        seed = f"{plan.seed}:{plan.case}:{self._number}:{self._asked}"
        self._crossing = Crossing(faults=faults)
        try:
            way = self._way = await open_way(faults, self._by, name, seed)
        except OSError as error:
            raise ToxiproxyFailure(f"no way to the server by {self._crossing.label}: {error}") from None
        crossing = self._crossing
        self._slot.spawn(self._serve(way.there, self._hello, crossing, self._asked))
        self._down = asyncio.create_task(self._bring(way, crossing))

    def _faults(self, asked: Asked | None, host: str | None) -> tuple[Fault, ...]:
        stage = self._slot.log.stage
        plan = Plan() if stage is None else stage.faults
        name = (self._hello.name or (asked.host if asked else "") or host or "").lower()
        if plan is not self._plan:
            self._plan, self._lasting = plan, plan.of_connection(name)
            self._number = plan.connections
        if asked is None or not (role_of(asked) == "document" or channel_of(asked) in API_CHANNELS):
            return self._lasting
        return self._lasting + plan.of_document(asked.host, asked.path)

    async def _send(self, data: bytes) -> None:
        assert self._way is not None
        try:
            await asyncio.get_running_loop().sock_sendall(self._way.here, data)
        except OSError:
            # The way has ended; whoever brings what comes from there says so.
            await asyncio.sleep(0)

    async def _bring(self, way: Way, crossing: Crossing) -> None:
        """Bring the client what comes from the server, until there is no more."""
        loop = asyncio.get_running_loop()
        try:
            while data := await loop.sock_recv(way.here, _PIECE):
                try:
                    await self._client.write(data)
                except OSError:
                    self._end(LEFT)
                    return
                crossing.came_through(len(data))
        except OSError:
            pass
        if not crossing.is_busy and crossing.delivered >= crossing.written and not crossing.server_reset:
            self._end("")  # the server has said all
        else:
            self._end(RESET if crossing.resets else CLOSED)

    def _end(self, how: str) -> None:
        if how:
            self._crossing.over(how)
        if not self._over.done():
            self._over.set_result(how)

    async def _leave(self) -> None:
        """Close the way."""
        way, self._way = self._way, None
        if way is None:
            return
        if self._down is not None:
            self._down.cancel()
            await asyncio.gather(self._down, return_exceptions=True)
        way.here.close()
        if way.proxy is None:
            return
        try:
            await self._by.close(way.proxy)
        except ToxiproxyFailure as error:
            self._slot.log.trouble.append(str(error))


def _is_counted(faults: tuple[Fault, ...]) -> bool:
    """Whether a document meets them anew, on a way of its own."""
    return any(fault.by == "document" for fault in faults)


def _read_head(head: bytes, scheme: str, name: str | None) -> Asked | None:
    """The request that a head makes; None where it is none."""
    lines = head.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    if b"\r\n\r\n" not in head or len(words) != 3 or not words[2].startswith("HTTP/"):
        return None
    pairs = [line.partition(":")[::2] for line in lines[1:]]
    headers = flat((key, value.strip()) for key, value in pairs)
    host = headers.get("host", "").lower().partition(":")[0].rstrip(".") or name or ""
    target = _ABSOLUTE.sub("", words[1]) or "/"
    return Asked(method=words[0], scheme=scheme, host=host, target=target, headers=headers)
