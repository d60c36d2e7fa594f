"""Binary files with the right first bytes: a picture, a recording, a package, a program. Nothing in them can be read as
text."""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixture_server.respond import Making

SIDE = 96  # pixels
FRAMES, FRAME_BYTES = 120, 417  # MPEG 1 layer III at 128 kbit/s and 44.1 kHz


def picture(seed: int, values: Mapping[str, str], page: Making) -> bytes:
    """A PNG of coloured noise, SIDE pixels square."""
    rows = b"".join(b"\0" + row for row in _chunks(_noise(seed, page), SIDE * 3, SIDE))
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    parts = (_png(b"IHDR", header), _png(b"IDAT", zlib.compress(rows, 1)), _png(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def recording(seed: int, values: Mapping[str, str], page: Making) -> bytes:
    """An MP3 stream: an empty ID3 tag, then frames of noise."""
    frame = b"\xff\xfb\x90\x44"
    sound = _chunks(_noise(seed, page), FRAME_BYTES - len(frame), FRAMES)
    return b"ID3\x03\0\0\0\0\0\0" + b"".join(frame + part for part in sound)


def sealed_package(seed: int, values: Mapping[str, str], page: Making) -> bytes:
    """A ZIP archive of one stored file of noise."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        entry = zipfile.ZipInfo("roll.bin", date_time=(2020, 1, 1, 0, 0, 0))
        archive.writestr(entry, b"".join(_chunks(_noise(seed, page), 1024, 16)))
    return stream.getvalue()


def program(seed: int, values: Mapping[str, str], page: Making) -> bytes:
    """What begins as a program for Windows does: a DOS header that points to a PE one, and noise. It runs nowhere."""
    dos = b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0".ljust(60, b"\0") + struct.pack("<I", 64)
    return dos + b"PE\0\0\x64\x86" + b"".join(_chunks(_noise(seed, page), 1024, 16))


def _png(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _noise(seed: int, page: Making) -> Iterator[bytes]:
    """Blocks of 32 bytes, without any byte that could begin a run of letters."""
    counter = 0
    while True:
        yield bytes(
            0x80 | byte for byte in hashlib.sha256(f"{seed}:{page.address}:{counter}".encode()).digest()
        )
        counter += 1


def _chunks(noise: Iterator[bytes], size: int, count: int) -> Iterator[bytes]:
    held = b""
    for _ in range(count):
        while len(held) < size:
            held += next(noise)
        yield held[:size]
        held = held[size:]
