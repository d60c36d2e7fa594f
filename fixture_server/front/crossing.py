"""A crossing: what passed between the server and a client by a chain of toxics, and what a request's end looked like
to the client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pytest_webretrieval.cases.faults import ENDING, Fault

if TYPE_CHECKING:
    from fixture_server.exchange import Ending, Exchange
    from fixture_server.log import Log

RESET, CLOSED, LEFT = "connection_reset", "connection_closed", "client_closed"


@dataclass(slots=True)
class _Held:
    """An ending that the server knows of; ``until`` counts the bytes after which it is the client's too."""

    ending: Ending
    began: int
    until: int
    note: Callable[[Ending], None]


@dataclass(slots=True, eq=False)
class Crossing:
    """One connection of the front to the server. ``written`` are the server's bytes, ``delivered`` those that came
    through to the client; ``end`` says how it ended before its time. ``exchange`` is the request under way, which the
    front has seen and the server perhaps not."""

    faults: tuple[Fault, ...] = ()
    written: int = 0
    delivered: int = 0
    end: str | None = None
    server_reset: bool = False
    began: int = 0
    exchange: Exchange | None = None
    log: Log | None = None
    _held: list[_Held] = field(default_factory=list)

    @property
    def label(self) -> str | None:
        """The toxics' names, as a trace has them."""
        return ", ".join(dict.fromkeys(fault.label for fault in self.faults)) or None

    @property
    def is_busy(self) -> bool:
        """Whether a request is under way, as the client sees it."""
        return self.exchange is not None and not self.exchange.done

    @property
    def resets(self) -> bool:
        """Whether it ends by a reset when it ends before its time."""
        own = any(
            fault.toxic == "reset_peer" or (fault.toxic in ENDING and fault.end == "reset")
            for fault in self.faults
        )
        return own or self.server_reset

    def adopt(self) -> tuple[Log, Exchange] | None:
        """The request that has reached the server, where the front has seen it begin."""
        self.began = self.written
        if self.exchange is None or self.exchange.reached or self.log is None or self.exchange.done:
            return None
        self.exchange.reached = True
        return self.log, self.exchange

    def finish(self, ending: Ending, note: Callable[[Ending], None]) -> None:
        """The server is done with a request; it is noted when the client is too."""
        if ending.error_type == RESET:
            self.server_reset = True
        held = _Held(ending, self.began, self.written, note)
        if self.end is None and self.delivered < self.written:
            self._held.append(held)
        else:
            note(self._seen(held))

    def came_through(self, size: int) -> None:
        """So many bytes are the client's."""
        self.delivered += size
        while self._held and self._held[0].until <= self.delivered:
            held = self._held.pop(0)
            held.note(held.ending)

    def over(self, how: str) -> None:
        """Nothing more comes through. What the server has answered is noted as far as the client has it; what it has
        not seen, as never answered."""
        if self.end is None:
            self.end = how
        held, self._held = self._held, []
        for one in held:
            one.note(self._seen(one))
        if self.exchange is not None and self.log is not None and not self.exchange.reached:
            self.log.finish(self.exchange, None, error_type=self.end)

    def counted(self, transport: asyncio.Transport) -> asyncio.Transport:
        """The server's side of it, which counts what is written."""
        return _Counted(transport, self)  # type: ignore[return-value]

    def _seen(self, held: _Held) -> Ending:
        """An ending as the client has it."""
        ending = held.ending
        if self.end is None or (self.delivered >= held.until and ending.error_type != LEFT):
            return ending
        came, head = self.delivered - held.began, held.until - held.began - ending.sent
        if ending.answer is None or came < max(1, head):
            return replace(ending, answer=None, sent=0, headers={}, error_type=self.end, status=None)
        return replace(ending, sent=min(ending.sent, came - head), error_type="incomplete_body")


class _Counted:
    """A transport that counts; whatever else is asked of it is the transport's."""

    def __init__(self, transport: asyncio.Transport, crossing: Crossing) -> None:
        self._transport, self._crossing = transport, crossing

    def write(self, data: bytes) -> None:
        self._crossing.written += len(data)
        self._transport.write(data)

    def writelines(self, pieces: Any) -> None:
        self.write(b"".join(pieces))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
