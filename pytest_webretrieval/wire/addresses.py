"""The addresses of the world's names: they look public, and each name has the same ones everywhere."""

from __future__ import annotations

import hashlib
import ipaddress
import struct

# First parts of networks that are in public use and hold nothing special.
_V4 = (23, 34, 52, 63, 74, 81, 93, 104, 151, 185)
# By the special-purpose address registries of IANA. IPv6 of the open internet is allocated from one block alone
# (RFC 4291), so that what is local or merely translates elsewhere (64:ff9b:1::/48, ::/96, fec0::/10) is none of it.
_GLOBAL6 = ipaddress.ip_network("2000::/3")
_SPECIAL6 = tuple(map(ipaddress.ip_network, ("2001::/23", "2001:db8::/32", "3fff::/20")))
_SPECIAL4 = ipaddress.ip_network("192.0.0.0/24")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_V6 = (0x2A00, 0x2A02, 0x2A03, 0x2400, 0x2600, 0x2604)


def address4(name: str) -> str:
    """A global unicast IPv4 address, the same for a name each time."""
    digest = hashlib.sha256(f"4:{name.lower()}".encode()).digest()
    return f"{_V4[digest[0] % len(_V4)]}.{1 + digest[1] % 250}.{digest[2]}.{1 + digest[3] % 254}"


def address6(name: str) -> str:
    """A global unicast IPv6 address, the same for a name each time."""
    digest = hashlib.sha256(f"6:{name.lower()}".encode()).digest()
    packed = struct.pack(">H", _V6[digest[0] % len(_V6)]) + digest[2:6] + b"\0\0" + digest[8:16]
    return str(ipaddress.IPv6Address(packed))


def endpoint(address: str, port: int) -> str:
    """``ADDRESS:PORT``, an IPv6 address in brackets."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def split_endpoint(text: str) -> tuple[str, int]:
    """The inverse of ``endpoint``, for names too. Raises ValueError for what is not HOST:PORT."""
    host, _, port = text.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = str(ipaddress.IPv6Address(host[1:-1]))
    elif not host or ":" in host:
        raise ValueError(f"{text!r} is not HOST:PORT")
    if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536):
        raise ValueError(f"{text!r} has no port from 1 to 65535")
    return host, int(port)


def is_public(address: str) -> bool:
    """Whether an address is one of the open internet, also where an IPv6 address stands for an IPv4 one."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour
        if inner is None and parsed in _NAT64:
            inner = ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
        if inner is None:
            return parsed in _GLOBAL6 and not any(parsed in block for block in _SPECIAL6)
        parsed = inner
    return parsed.is_global and not parsed.is_multicast and parsed not in _SPECIAL4
