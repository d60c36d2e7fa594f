"""Content codings (RFC 9110, 8.4.1): those that can be read here, taken off and put on again."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

_PIECE = 4096
READABLE = ("gzip", "x-gzip", "deflate", "identity")


def narrowed(accept: str) -> str:
    """An Accept-Encoding without what nobody here could read later; ``identity`` where nothing is left."""
    wanted = (part.strip() for part in accept.split(","))
    return (
        ", ".join(part for part in wanted if part.partition(";")[0].strip().lower() in READABLE) or "identity"
    )


def decoded(body: bytes, codings: str | None, limit: int = 0) -> bytes | None:
    """The body without its codings, as far as it came where it was cut, and no further than ``limit`` bytes (0: all);
    None where it is not what they say or they are not known."""
    for coding in reversed(_names(codings)):
        if coding not in _DECODERS:
            return None
        try:
            body = _DECODERS[coding](body, limit)
        except zlib.error:
            return None
    return body


def encoded(body: bytes, codings: str | None) -> bytes:
    """The body in codings that ``decoded`` takes off; the same each time."""
    for coding in _names(codings):
        body = zlib.compress(body) if coding == "deflate" else gzip.compress(body, mtime=0)
    return body


def _names(codings: str | None) -> list[str]:
    names = (name.strip().lower() for name in (codings or "").split(","))
    return [name for name in names if name not in ("", "identity")]


def _gunzip(body: bytes, limit: int) -> bytes:
    """All members; what is missing at the end is missing. It is read by the piece, as what stands behind a member is
    copied each time, and there may be very many."""
    plain, at = bytearray(), 0
    member = zlib.decompressobj(zlib.MAX_WBITS | 16)
    while at < len(body) and (not limit or len(plain) < limit):
        piece = body[at : at + _PIECE]
        plain += member.decompress(piece, limit and limit - len(plain))
        at += len(piece) - len(member.unused_data)
        if member.eof:
            member = zlib.decompressobj(zlib.MAX_WBITS | 16)
    return bytes(plain)


def _inflate(body: bytes, limit: int) -> bytes:
    """With or without zlib's frame: servers send both."""
    for bits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        try:
            return zlib.decompressobj(bits).decompress(body, limit)
        except zlib.error:
            if bits < 0:
                raise
    return body


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _inflate,
}
