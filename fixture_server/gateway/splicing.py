"""Connections that are passed on unopened: for a site that refuses whoever greets it otherwise than a client does.

What they carry is nobody's to see here; that they were made, by which name, how long and how much, is.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from fixture_server.exchange import Passage

from .public import PrivateAddress, public_addresses

if TYPE_CHECKING:
    from fixture_server.connection import Slot

PATIENCE_S = 20.0
_GREETING = 16 * 1024
_PIECE = 1 << 16
_LOOK_AGAIN_S = 0.01


async def name_of(connection: socket.socket) -> str | None:
    """The host that a client names in its greeting, which is left unread; None where it names none, or says nothing."""
    seen = 0
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(PATIENCE_S):
            while True:
                greeting = await _peek(connection, seen)
                name, whole = read_name(greeting)
                if whole or len(greeting) >= _GREETING:
                    return name
                seen = len(greeting)
    return None


def read_name(greeting: bytes) -> tuple[str | None, bool]:
    """The name in a TLS greeting, and whether all of it was there."""
    found: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    def note(_: object, name: str | None, __: object) -> int:
        found.append(name)
        return ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME

    context.sni_callback = note
    incoming = ssl.MemoryBIO()
    incoming.write(greeting)
    try:
        context.wrap_bio(incoming, ssl.MemoryBIO(), server_side=True).do_handshake()
    except ssl.SSLWantReadError:
        return None, False
    except ssl.SSLError:
        pass
    name = found[0] if found else None
    return (None if name is None else name.lower()), True


async def splice(slot: Slot, connection: socket.socket, host: str, port: int) -> None:
    """Pass a connection on to a public address of ``host``, byte for byte, to its end."""
    passage = Passage(target=f"{host}:{port}", began=monotonic())
    slot.passages.add(passage)
    there: asyncio.StreamWriter | None = None
    here: asyncio.StreamWriter | None = None
    try:
        async with asyncio.timeout(PATIENCE_S):
            far, there = await asyncio.open_connection((await public_addresses(host, port))[0], port)
        near, here = await asyncio.open_connection(sock=connection)
        async with asyncio.TaskGroup() as both:
            both.create_task(_pump(near, there, None))
            both.create_task(_pump(far, here, passage))
    except* PrivateAddress:
        passage.error_type = "upstream_private"
        slot.log.leave("https", host, port)
    except* (OSError, TimeoutError):
        passage.error_type = "connect"
    finally:
        slot.passages.discard(passage)
        slot.log.note_passage(passage)
        for writer in (there, here):
            if writer is not None:
                writer.close()
        if here is None:
            connection.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, passage: Passage | None) -> None:
    while data := await reader.read(_PIECE):
        if passage is not None:
            passage.brought_back(len(data))
        writer.write(data)
        await writer.drain()
    with suppress(OSError):
        writer.write_eof()


async def _peek(connection: socket.socket, beyond: int) -> bytes:
    """What has come so far, once it is more than ``beyond`` bytes. Raises OSError at the end."""
    while True:
        try:
            data = connection.recv(_GREETING, socket.MSG_PEEK)
        except BlockingIOError:
            data = b""
        else:
            if not data:
                raise OSError("closed before a greeting")
        if len(data) > beyond:
            return data
        await asyncio.sleep(_LOOK_AGAIN_S)
