"""DNS of the world: every name that it has gets an address that looks public; any other does not exist."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from dnslib import (  # type: ignore[import-untyped]
    AAAA,
    QTYPE,
    RCODE,
    RR,
    SOA,
    A,
    DNSError,
    DNSLabel,
    DNSRecord,
)

from pytest_webretrieval.wire.addresses import address4, address6

from .background import LOOKUPS

TTL_S = 60
IP_PKTINFO, IPV6_RECVPKTINFO, IPV6_PKTINFO = 8, 49, 50

# This machine's own name: a resolver that passes over the hosts file asks for it.
_OWN = socket.gethostname().lower()


@dataclass(frozen=True, slots=True)
class Resolver:
    """How names are answered: which exist, who is told of each question, whether there is a way by IPv6. ``find`` looks
    for a name where that takes time; afterwards ``known`` knows."""

    known: Callable[[str], bool]
    asked: Callable[[str, str, bool], None]
    has_v6: Callable[[], bool]
    find: Callable[[str], Awaitable[None]] | None = None


def question_in(data: bytes) -> DNSRecord | None:
    """The question that a message asks; None where it is none."""
    try:
        question = DNSRecord.parse(data)
    except (DNSError, ValueError, IndexError, struct.error):
        return None
    return None if question.header.qr or not question.questions else question


def name_in(question: DNSRecord) -> str:
    """The name that is asked for."""
    return str(question.q.qname).rstrip(".").lower()


async def reply_in_time(data: bytes, resolver: Resolver) -> bytes | None:
    """The same as ``reply_to``, once the name was looked for."""
    question = question_in(data)
    if question is not None and resolver.find is not None:
        name = name_in(question)
        if not is_quiet(name) and not resolver.known(name):
            await resolver.find(name)
    return reply_to(data, resolver)


def reply_to(data: bytes, resolver: Resolver) -> bytes | None:
    """The reply to one message; None to what is not a question."""
    question = question_in(data)
    if question is None:
        return None
    reply = question.reply(ra=1, aa=0)
    name = name_in(question)
    kind = QTYPE.get(question.q.qtype)
    known = resolver.known(name)
    resolver.asked(name, str(kind), known or is_quiet(name))
    if name == "localhost" and kind == "A":
        reply.add_answer(RR(question.q.qname, QTYPE.A, rdata=A("127.0.0.1"), ttl=TTL_S))
    elif not known:
        reply.header.rcode = RCODE.NXDOMAIN
    elif kind == "A":
        reply.add_answer(RR(question.q.qname, QTYPE.A, rdata=A(address4(name)), ttl=TTL_S))
    elif kind == "AAAA" and resolver.has_v6():
        reply.add_answer(RR(question.q.qname, QTYPE.AAAA, rdata=AAAA(address6(name)), ttl=TTL_S))
    if not reply.rr:
        authority = SOA("ns.invalid", "hostmaster.invalid", (1, 3600, 600, 86400, TTL_S))
        zone = DNSLabel(question.q.qname.label[1:])
        reply.add_auth(RR(zone, QTYPE.SOA, rdata=authority, ttl=TTL_S))
    packed: bytes = reply.pack()
    return packed


def is_quiet(name: str) -> bool:
    """Whether asking for a name asks nobody outside: it has no dot (the machine's own network at most, and how browsers
    test for a resolver that invents answers), is made from an address, or is asked for by browsers and machines
    themselves."""
    if "." not in name or name == _OWN or name in LOOKUPS:
        return True
    return name.endswith((".localhost", ".arpa"))


def serve_udp(door: socket.socket, resolver: Resolver) -> Callable[[], None]:
    """Answer datagrams, each from the address that was asked; the function that it gives closes the door."""
    loop = asyncio.get_running_loop()
    waiting: set[asyncio.Task[None]] = set()
    door.setblocking(False)
    if door.family == socket.AF_INET6:
        door.setsockopt(socket.IPPROTO_IPV6, IPV6_RECVPKTINFO, 1)
    else:
        door.setsockopt(socket.IPPROTO_IP, IP_PKTINFO, 1)

    def ready() -> None:
        for _ in range(64):
            try:
                data, ancillary, _, client = door.recvmsg(4096, 256)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                continue
            if resolver.find is None:
                answer(reply_to(data, resolver), ancillary, client)
            else:
                task = loop.create_task(answer_in_time(data, ancillary, client))
                waiting.add(task)
                task.add_done_callback(waiting.discard)

    def answer(
        reply: bytes | None, ancillary: list[tuple[int, int, bytes]], client: tuple[object, ...]
    ) -> None:
        if reply is not None:
            _send(door, reply, ancillary, client)

    async def answer_in_time(
        data: bytes, ancillary: list[tuple[int, int, bytes]], client: tuple[object, ...]
    ) -> None:
        answer(await reply_in_time(data, resolver), ancillary, client)

    def close() -> None:
        for task in waiting:
            task.cancel()
        loop.remove_reader(door.fileno())
        door.close()

    loop.add_reader(door.fileno(), ready)
    return close


def _send(
    door: socket.socket, reply: bytes, ancillary: list[tuple[int, int, bytes]], client: tuple[object, ...]
) -> None:
    try:
        door.sendmsg(
            [reply], [_from_where_asked(*part) for part in ancillary if _is_address(*part)], 0, client
        )
    except OSError:
        # The client's address is gone, or its buffer is full: it asks again, as after any lost datagram.
        return


def _is_address(level: int, kind: int, _: bytes) -> bool:
    return (level, kind) in ((socket.IPPROTO_IP, IP_PKTINFO), (socket.IPPROTO_IPV6, IPV6_PKTINFO))


def _from_where_asked(level: int, kind: int, data: bytes) -> tuple[int, int, bytes]:
    """The source for a reply: in_pktinfo is (interface, local address, destination), in6_pktinfo
    (destination, interface). The interface is left to the kernel."""
    if level == socket.IPPROTO_IPV6:
        return level, kind, data[:16] + struct.pack("i", 0)
    asked = data[8:12]
    return level, kind, struct.pack("i", 0) + asked + bytes(4)


async def serve_tcp(door: socket.socket, resolver: Resolver) -> Callable[[], None]:
    """Answer messages with a length before each (RFC 1035, 4.2.2)."""

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                (size,) = struct.unpack(">H", await reader.readexactly(2))
                reply = await reply_in_time(await reader.readexactly(size), resolver)
                if reply is None:
                    return
                writer.write(struct.pack(">H", len(reply)) + reply)
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            return
        finally:
            writer.close()

    door.setblocking(False)
    server = await asyncio.start_server(converse, sock=door)
    return server.close
