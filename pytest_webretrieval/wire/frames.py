"""Messages between the processes of a run: one JSON object and any number of byte strings.

A frame is a header of 8 bytes (big-endian: length of the JSON text, number of blobs), 8 bytes of length for each blob,
the JSON text, the blobs. JSON only, never pickle: the far end of a slot runs other people's code.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Iterator
from typing import Any

LIMIT = 256 * 1024 * 1024
PART = 16 * 1024 * 1024


class FrameError(Exception):
    """The far end closed in the middle of a frame, or sent what is not one."""


def pack(message: dict[str, Any], blobs: tuple[bytes, ...] = ()) -> bytes:
    """One frame as bytes."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    sizes = b"".join(struct.pack(">Q", len(blob)) for blob in blobs)
    return b"".join((struct.pack(">II", len(text), len(blobs)), sizes, text, *blobs))


def pack_parts(message: dict[str, Any], blobs: tuple[bytes, ...]) -> Iterator[bytes]:
    """A message with an ``id`` and any amount of blobs as frames, each of about PART bytes. All but the last say
    ``ahead``: their blobs come before those of the last. Raises FrameError for what the far end could not read."""
    ahead = {"id": message["id"], "ahead": True}
    part: list[bytes] = []
    size = 0
    for blob in blobs:
        if part and size + len(blob) > PART:
            yield _within_limit(pack(ahead, tuple(part)))
            part, size = [], 0
        part.append(blob)
        size += len(blob)
    yield _within_limit(pack(message, tuple(part)))


def _within_limit(frame: bytes) -> bytes:
    if len(frame) > LIMIT:
        raise FrameError(f"a frame of {len(frame)} bytes, and {LIMIT} is the limit")
    return frame


def _unpack_text(text: bytes) -> dict[str, Any]:
    try:
        message = json.loads(text.decode("utf-8", "surrogatepass"))
    except ValueError as error:
        raise FrameError(f"a frame that is not JSON: {error}") from error
    if not isinstance(message, dict):
        raise FrameError("a frame that is not an object")
    return message


async def read(reader: asyncio.StreamReader) -> tuple[dict[str, Any], tuple[bytes, ...]] | None:
    """The next frame, or None at the end of the stream.

    Raises FrameError when the stream ends inside a frame or a frame is larger than LIMIT.
    """
    try:
        head = await reader.readexactly(8)
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise FrameError("the stream ended inside a frame") from error
        return None
    except ConnectionError:
        return None
    length, count = struct.unpack(">II", head)
    try:
        sizes = [struct.unpack(">Q", await reader.readexactly(8))[0] for _ in range(min(count, LIMIT // 8))]
        if length + sum(sizes) > LIMIT:
            raise FrameError("a frame larger than the limit")
        text = await reader.readexactly(length)
        blobs = [await reader.readexactly(size) for size in sizes]
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        raise FrameError("the stream ended inside a frame") from error
    return _unpack_text(text), tuple(blobs)


def receive(connection: socket.socket) -> tuple[dict[str, Any], tuple[bytes, ...]] | None:
    """The same as ``read`` for a blocking socket."""
    head = _exactly(connection, 8, may_end=True)
    if head is None:
        return None
    length, count = struct.unpack(">II", head)
    sizes = [struct.unpack(">Q", _exactly(connection, 8) or b"")[0] for _ in range(min(count, LIMIT // 8))]
    if length + sum(sizes) > LIMIT:
        raise FrameError("a frame larger than the limit")
    text = _exactly(connection, length) or b""
    return _unpack_text(text), tuple(_exactly(connection, size) or b"" for size in sizes)


def _exactly(connection: socket.socket, size: int, may_end: bool = False) -> bytes | None:
    parts, missing = [], size
    while missing:
        part = connection.recv(min(missing, 1 << 20))
        if not part:
            if may_end and missing == size:
                return None
            raise FrameError("the stream ended inside a frame")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
