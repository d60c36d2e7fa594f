"""Content codings taken off, with what clients pass over: a body that ends before its own end."""

from __future__ import annotations

import zlib

ACCEPTED = "gzip, deflate"
_GZIP = b"\x1f\x8b"


class Undecodable(Exception):
    """The bytes are not in the coding that they claim."""


def unpacked(body: bytes, codings: str, limit: int) -> tuple[bytes, bool]:
    """The body without its codings, no further than ``limit`` bytes, and whether it came to its end. Raises
    Undecodable."""
    whole = True
    names = [part.strip().lower() for part in codings.split(",") if part.strip()]
    for name in reversed(names):
        if name in ("gzip", "x-gzip"):
            body, ended = _gunzipped(body, limit)
            # Servers pack what is packed, under one label.
            if ended and len(names) == 1 and body.startswith(_GZIP):
                body, ended = _gunzipped(body, limit)
        elif name == "deflate":
            body, ended = _inflated(body, limit)
        elif name != "identity":
            raise Undecodable(name)
        else:
            continue
        whole = whole and ended
    return body, whole


def _gunzipped(body: bytes, limit: int) -> tuple[bytes, bool]:
    """All members that came."""
    plain = bytearray()
    ended = True
    while body.startswith(_GZIP) or (body and not plain):
        member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        plain += _read(member, body, limit - len(plain) + 1)
        ended = member.eof
        if not ended or len(plain) > limit:
            break
        body = member.unused_data
    return bytes(plain), ended


def _inflated(body: bytes, limit: int) -> tuple[bytes, bool]:
    """With zlib's frame or without it: servers send both."""
    for bits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        stream = zlib.decompressobj(bits)
        try:
            return _read(stream, body, limit + 1), stream.eof
        except Undecodable:
            continue
    raise Undecodable("deflate")


def _read(stream: zlib._Decompress, body: bytes, most: int) -> bytes:
    try:
        return stream.decompress(body, most)
    except zlib.error as error:
        raise Undecodable(str(error)) from error
