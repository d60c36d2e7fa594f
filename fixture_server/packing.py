"""How a page's bytes are packed, rightly or wrongly: what a server makes of a text on its way out."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass

# What is left of a compressed body that breaks off: enough to read on in, and never to its end.
_LEFT = 0.6


@dataclass(frozen=True, slots=True)
class Packing:
    """``pack`` makes of a body what is sent, under this ``coding`` (None: no Content-Encoding)."""

    pack: Callable[[bytes], bytes]
    coding: str | None = None


def _zipped(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def _short(body: bytes) -> bytes:
    """Stored and not compressed: then a reader that does not mind has text up to where it breaks off."""
    whole = gzip.compress(body, compresslevel=0, mtime=0)
    return whole[: int(len(whole) * _LEFT)]


def _encoded_twice(body: bytes) -> bytes:
    """UTF-8 that was taken for windows-1252 and made UTF-8 once more. The five bytes that windows-1252 leaves open stay
    what they are, as in browsers."""
    return "".join(_as_windows_1252(byte) for byte in body).encode("utf-8")


def _as_windows_1252(byte: int) -> str:
    try:
        return bytes((byte,)).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


PACKINGS: Mapping[str, Packing] = {
    "gzip": Packing(_zipped, "gzip"),
    "gzip-short": Packing(_short, "gzip"),
    "utf-8-twice": Packing(_encoded_twice),
}
