"""Relays: doors that the user has opened to the real machine, passed on byte for byte."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from time import monotonic

from pytest_webretrieval.wire.addresses import split_endpoint

from .connection import Slot
from .exchange import Passage

CONNECT_S = 10.0
_PIECE = 1 << 16


def serve_relay(slot: Slot, door: socket.socket, target: str) -> Callable[[], None]:
    """Pass each connection on to ``target`` (HOST:PORT, as this process reaches it); the function that it
    gives closes the door."""
    loop = asyncio.get_running_loop()
    door.setblocking(False)

    def ready() -> None:
        for _ in range(64):
            try:
                connection, _ = door.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            task = loop.create_task(_pass_on(slot, connection, target))
            slot.tasks.add(task)
            task.add_done_callback(slot.tasks.discard)

    def close() -> None:
        loop.remove_reader(door.fileno())
        door.close()

    loop.add_reader(door.fileno(), ready)
    return close


async def _pass_on(slot: Slot, connection: socket.socket, target: str) -> None:
    passage = Passage(target=target, began=monotonic())
    slot.passages.add(passage)
    connection.setblocking(False)
    try:
        async with asyncio.timeout(CONNECT_S):
            there = await asyncio.open_connection(*split_endpoint(target))
    except (OSError, TimeoutError) as error:
        passage.error_type = "connection_refused" if isinstance(error, ConnectionRefusedError) else "connect"
        _reset(connection)
        _end(slot, passage)
        return
    except asyncio.CancelledError:
        slot.passages.discard(passage)
        connection.close()
        raise
    here = await asyncio.open_connection(sock=connection)
    try:
        async with asyncio.TaskGroup() as both:
            both.create_task(_pump(here[0], there[1], passage.sent_on))
            both.create_task(_pump(there[0], here[1], passage.brought_back))
    except* OSError:
        # One end was reset: so is the other.
        for _, writer in (here, there):
            writer.transport.abort()
    finally:
        _end(slot, passage)
        for _, writer in (here, there):
            writer.close()


async def _pump(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, count: Callable[[int], None]
) -> None:
    while data := await reader.read(_PIECE):
        count(len(data))
        writer.write(data)
        await writer.drain()
    writer.write_eof()


def _end(slot: Slot, passage: Passage) -> None:
    slot.passages.discard(passage)
    slot.log.note_passage(passage)


def _reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
