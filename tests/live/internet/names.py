"""The names of the simulated internet: each host has an address of either family, every other name does not exist."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import struct
from collections.abc import Callable, Mapping

from dnslib import AAAA, QTYPE, RCODE, RR, A, DNSRecord

from .scenario import Scenario

_V4, _V6 = ipaddress.IPv4Address("93.184.0.0"), ipaddress.IPv6Address("2606:2800::")


def addresses_of(scenario: Scenario) -> dict[str, tuple[str, ...]]:
    """The addresses of each host: one of its own choice, or two of the public networks, always the same."""
    found: dict[str, tuple[str, ...]] = {}
    taken: set[int] = set()
    for host, site in sorted(scenario.sites.items()):
        if site.address is not None:
            found[host] = (site.address,)
            continue
        number = int.from_bytes(hashlib.sha256(host.encode()).digest()[:2], "big") or 1
        while number in taken:
            number = number % 65535 + 1
        taken.add(number)
        found[host] = (str(_V4 + number), str(_V6 + number))
    return found


def reply_to(
    data: bytes,
    addresses: Mapping[str, tuple[str, ...]],
    families: frozenset[int],
    asked: Callable[[str], None],
) -> bytes:
    """The reply to a question; ``asked`` is told of the name."""
    question = DNSRecord.parse(data)
    reply = question.reply(ra=1)
    name = str(question.q.qname).rstrip(".").lower()
    asked(name)
    known = addresses.get(name)
    if known is None:
        reply.header.rcode = RCODE.NXDOMAIN
    for address in known or ():
        version = ipaddress.ip_address(address).version
        kind, data_of = (QTYPE.A, A) if version == 4 else (QTYPE.AAAA, AAAA)
        if question.q.qtype == kind and version in families:
            reply.add_answer(RR(question.q.qname, kind, rdata=data_of(address), ttl=0))
    packed: bytes = reply.pack()
    return packed


class Datagrams(asyncio.DatagramProtocol):
    """Questions in datagrams."""

    def __init__(self, reply: Callable[[bytes], bytes]) -> None:
        self._reply = reply

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        self._transport = transport

    def datagram_received(self, data: bytes, client: tuple[str, int]) -> None:
        self._transport.sendto(self._reply(data), client)


async def converse(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, reply: Callable[[bytes], bytes]
) -> None:
    """Questions on a connection, a length before each."""
    try:
        while True:
            (size,) = struct.unpack(">H", await reader.readexactly(2))
            answer = reply(await reader.readexactly(size))
            writer.write(struct.pack(">H", len(answer)) + answer)
            await writer.drain()
    except (asyncio.IncompleteReadError, OSError):
        return
    finally:
        writer.close()
