"""Frames of ``wire.frames`` taken out of a growing buffer, for those who must not block on the far end."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from typing import Any

from pytest_webretrieval.wire.frames import LIMIT, FrameError


@dataclass(frozen=True, slots=True)
class Frame:
    """A whole frame: its JSON text, not read yet, and its blobs."""

    text: bytes
    blobs: tuple[bytes, ...]

    def message(self) -> dict[str, Any]:
        """Raises FrameError when the text is not a JSON object."""
        try:
            message = json.loads(self.text.decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError) as error:
            raise FrameError(f"a frame that is not JSON: {error}") from error
        if not isinstance(message, dict):
            raise FrameError("a frame that is not an object")
        return message


def split(buffer: bytearray, limit: int = LIMIT) -> Frame | None:
    """Take the first frame out of ``buffer``; None while it is not whole. Raises FrameError above
    ``limit`` bytes."""
    if len(buffer) < 8:
        return None
    length, count = struct.unpack_from(">II", buffer)
    if length > limit or count > 16:
        raise FrameError("a frame larger than the limit")
    begin = 8 + 8 * count
    if len(buffer) < begin:
        return None
    sizes = struct.unpack_from(f">{count}Q", buffer, 8)
    end = begin + length + sum(sizes)
    if end > limit:
        raise FrameError("a frame larger than the limit")
    if len(buffer) < end:
        return None
    text = bytes(buffer[begin : begin + length])
    blobs, at = [], begin + length
    for size in sizes:
        blobs.append(bytes(buffer[at : at + size]))
        at += size
    del buffer[:end]
    return Frame(text, tuple(blobs))
