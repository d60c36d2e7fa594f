"""Answers over HTTP/2."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    RequestReceived,
    StreamEnded,
    StreamReset,
    WindowUpdated,
)
from h2.exceptions import ProtocolError

from .log import Place
from .scenario import Answer, Heard

if TYPE_CHECKING:
    from .hosts import Hosts

_OF_THE_CONNECTION = frozenset({"connection", "keep-alive", "transfer-encoding", "upgrade"})


@dataclass(slots=True)
class _Stream:
    headers: dict[str, str]
    body: bytearray = field(default_factory=bytearray)


class Http2(asyncio.Protocol):
    """One connection. An answer that ends by a reset resets its stream."""

    def __init__(self, hosts: Hosts, place: Place) -> None:
        self._hosts, self._place = hosts, place
        self._connection = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self._streams: dict[int, _Stream] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._room = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._connection.initiate_connection()
        self._flush()

    def connection_lost(self, error: Exception | None) -> None:
        for task in self._tasks.values():
            task.cancel()

    def data_received(self, data: bytes) -> None:
        try:
            events = self._connection.receive_data(data)
        except ProtocolError:
            self._flush()
            self._transport.close()
            return
        for event in events:
            if isinstance(event, RequestReceived):
                self._streams[event.stream_id] = _Stream({str(k): str(v) for k, v in event.headers})
            elif isinstance(event, DataReceived):
                self._streams[event.stream_id].body += event.data
                self._connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, StreamEnded):
                task = asyncio.create_task(self._respond(event.stream_id, self._streams.pop(event.stream_id)))
                self._tasks[event.stream_id] = task
                task.add_done_callback(lambda _, number=event.stream_id: self._tasks.pop(number, None))
            elif isinstance(event, StreamReset) and event.stream_id in self._tasks:
                self._tasks[event.stream_id].cancel()
            elif isinstance(event, WindowUpdated):
                self._room.set()
            elif isinstance(event, ConnectionTerminated):
                self._transport.close()
        self._flush()

    async def _respond(self, number: int, stream: _Stream) -> None:
        log, fields = self._hosts.log, stream.headers
        heard = Heard(
            method=fields[":method"],
            host=self._place.host,
            target=fields[":path"],
            headers={name: value for name, value in fields.items() if not name.startswith(":")},
            body=bytes(stream.body),
        )
        heard, answer = await self._hosts.answer(self._place, heard)
        if answer.ending == "reset":
            log.keep(self._place, heard, None, b"")
            self._connection.reset_stream(number, ErrorCodes.INTERNAL_ERROR)
            self._flush()
            return
        body = b"" if heard.method == "HEAD" or answer.status in (204, 304) else answer.body
        if answer.ending == "cut":
            body = body[: len(body) // 2]
        log.keep(self._place, heard, answer.status, body)
        self._connection.send_headers(number, _head(answer), end_stream=not body)
        self._flush()
        await self._send(number, body)
        if answer.ending == "cut":
            self._connection.reset_stream(number, ErrorCodes.INTERNAL_ERROR)
        elif body:
            self._connection.end_stream(number)
        self._flush()

    async def _send(self, number: int, body: bytes) -> None:
        while body:
            most = min(
                self._connection.local_flow_control_window(number), self._connection.max_outbound_frame_size
            )
            if most < 1:
                self._room.clear()
                await self._room.wait()
                continue
            self._connection.send_data(number, body[:most])
            self._flush()
            body = body[most:]

    def _flush(self) -> None:
        self._transport.write(self._connection.data_to_send())


def _head(answer: Answer) -> list[tuple[str, str]]:
    headers = [(name.lower(), value) for name, value in answer.headers]
    kept = [(name, value) for name, value in headers if name not in _OF_THE_CONNECTION]
    return [(":status", str(answer.status)), *kept, ("content-length", str(len(answer.body)))]
