"""How far a fetch goes: how much of a body is read, and to whom no page sends it."""

from __future__ import annotations

import ipaddress
import socket
import zlib
from urllib.parse import urlsplit

# What is read of a text; whoever writes more has said what he has to say before.
LARGEST_TEXT = 512 * 1024
LARGEST_FILE = 16 * 1024 * 1024
_TEXT = ("text/", "application/json", "application/xml", "application/xhtml")
_LOCAL_NAMES = (".localhost", ".local", ".internal")


def largest(content_type: str) -> int:
    """How many bytes of a body are read, once it is unpacked."""
    return LARGEST_TEXT if content_type.strip().lower().startswith(_TEXT) else LARGEST_FILE


class Gauge:
    """How much a body has come to, unpacked, while it still comes: a small one may hold any amount."""

    def __init__(self, codings: str, limit: int) -> None:
        self._limit, self._size = limit, 0
        packed = codings.strip().lower() in ("gzip", "x-gzip")
        self._packer = zlib.decompressobj(zlib.MAX_WBITS | 16) if packed else None

    def is_passed_by(self, chunk: bytes) -> bool:
        """Take another part of the body; whether the whole is more than the limit by now."""
        if self._packer is None:
            self._size += len(chunk)
        else:
            try:
                self._size += len(self._packer.decompress(chunk, self._limit + 1))
            except zlib.error:
                self._packer = None
        return self._size > self._limit


def leads_inside(url: str) -> bool:
    """Whether an address is one of this machine or of a network that is not public, in whatever notation: a page that
    sends there wants what only we can reach."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return False
    if host == "localhost" or host.endswith(_LOCAL_NAMES):
        return True
    try:
        address: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(host)
    except ValueError:
        try:
            address = ipaddress.ip_address(socket.inet_aton(host))
        except (OSError, UnicodeError):
            return False
    mapped = getattr(address, "ipv4_mapped", None)
    return not (mapped or address).is_global
