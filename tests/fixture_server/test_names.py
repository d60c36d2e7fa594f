"""DNS of the world, over real sockets."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import struct
from typing import Any

import pytest
from dnslib import QTYPE, RCODE, DNSRecord  # type: ignore[import-untyped]

from fixture_server.client import World
from fixture_server.names import Resolver, reply_to
from pytest_webretrieval.wire.addresses import address4, address6
from pytest_webretrieval.wire.doors import Door

NAMES = [f"{word}{number}.example" for word in ("a", "harbour", "xn--bcher-kva") for number in range(500)]


def test_addresses_look_public_and_stay_the_same() -> None:
    for name in NAMES:
        four, six = ipaddress.ip_address(address4(name)), ipaddress.ip_address(address6(name))
        assert (four.version, six.version) == (4, 6)
        for address in (four, six):
            assert address.is_global
            assert not address.is_multicast
            assert not address.is_reserved
        assert (address4(name.upper()), address6(name.upper())) == (str(four), str(six))
    assert len({address4(name) for name in NAMES}) > len(NAMES) - 5
    assert len({address6(name) for name in NAMES}) == len(NAMES)


def _resolver(heard: list[tuple[str, str, bool]], has_v6: bool = True) -> Resolver:
    return Resolver(
        known=lambda name: name == "a.example",
        asked=lambda *asked: heard.append(asked),
        has_v6=lambda: has_v6,
    )


def _ask(name: str, kind: str, resolver: Resolver) -> DNSRecord:
    reply = reply_to(DNSRecord.question(name, kind).pack(), resolver)
    assert reply is not None
    return DNSRecord.parse(reply)


def test_names_of_the_world_and_no_others_exist() -> None:
    heard: list[tuple[str, str, bool]] = []
    resolver = _resolver(heard)
    assert str(_ask("A.Example", "A", resolver).a.rdata) == address4("a.example")
    assert str(_ask("a.example", "AAAA", resolver).a.rdata) == address6("a.example")
    nothing = _ask("a.example", "HTTPS", resolver)
    assert (nothing.header.rcode, nothing.rr) == (RCODE.NOERROR, [])
    unknown = _ask("google.com", "A", resolver)
    assert (unknown.header.rcode, unknown.rr) == (RCODE.NXDOMAIN, [])
    assert heard == [
        ("a.example", "A", True),
        ("a.example", "AAAA", True),
        ("a.example", "HTTPS", True),
        ("google.com", "A", False),
    ]


def test_without_a_door_by_ipv6_no_address_of_it_is_given() -> None:
    reply = _ask("a.example", "AAAA", _resolver([], has_v6=False))
    assert (reply.header.rcode, reply.rr) == (RCODE.NOERROR, [])


def test_what_machines_ask_for_by_themselves_is_no_name_outside() -> None:
    heard: list[tuple[str, str, bool]] = []
    resolver = _resolver(heard)
    for name in ("wpad", "4.3.2.1.in-addr.arpa", "use-application-dns.net"):
        assert _ask(name, "A", resolver).header.rcode == RCODE.NXDOMAIN
    assert str(_ask("localhost", "A", resolver).a.rdata) == "127.0.0.1"
    assert [known for _, _, known in heard] == [True] * 4


@pytest.mark.parametrize(
    "data", [b"", b"x", b"\0" * 12, b"\xff" * 40, DNSRecord.question("a.example").reply().pack()]
)
def test_what_is_no_question_gets_no_reply(data: bytes) -> None:
    assert reply_to(data, _resolver([])) is None


@pytest.mark.asyncio
async def test_by_udp_and_tcp_and_in_the_log(slot: Any) -> None:
    host = (await slot.begin()).split("/")[2]
    question = DNSRecord.question(host, "A").pack()
    with socket.socket(type=socket.SOCK_DGRAM) as client:
        client.setblocking(False)
        client.connect(("127.0.0.1", slot.ports["dns-udp"]))
        loop = asyncio.get_running_loop()
        for asked in (b"junk", question):
            await loop.sock_sendall(client, asked)
        async with asyncio.timeout(5):
            reply = DNSRecord.parse(await loop.sock_recv(client, 4096))
    assert str(reply.a.rdata) == address4(host)

    reader, writer = await asyncio.open_connection("127.0.0.1", slot.ports["dns-tcp"])
    for name in ("nowhere.test", "api.tavily.com"):
        asked = DNSRecord.question(name, "A").pack()
        writer.write(struct.pack(">H", len(asked)) + asked)
    replies = []
    async with asyncio.timeout(5):
        for _ in range(2):
            (size,) = struct.unpack(">H", await reader.readexactly(2))
            replies.append(DNSRecord.parse(await reader.readexactly(size)))
    writer.close()
    await writer.wait_closed()
    assert replies[0].header.rcode == RCODE.NXDOMAIN
    assert str(replies[1].a.rdata) == address4("api.tavily.com")
    trace, _ = await slot.drain()
    assert [(lookup.name, lookup.kind, lookup.known) for lookup in trace.lookups] == [
        (host, "A", True),
        ("nowhere.test", "A", False),
        ("api.tavily.com", "A", True),
    ]
    assert {lookup.step for lookup in trace.lookups} == {1}


@pytest.mark.asyncio
async def test_the_names_of_another_seed_are_gone(slot: Any) -> None:
    old = (await slot.begin(0)).split("/")[2]
    await slot.begin(5)
    reader, writer = await asyncio.open_connection("127.0.0.1", slot.ports["dns-tcp"])
    asked = DNSRecord.question(old, "A").pack()
    writer.write(struct.pack(">H", len(asked)) + asked)
    async with asyncio.timeout(5):
        (size,) = struct.unpack(">H", await reader.readexactly(2))
        reply = DNSRecord.parse(await reader.readexactly(size))
    writer.close()
    await writer.wait_closed()
    assert reply.header.rcode == RCODE.NXDOMAIN


@pytest.mark.asyncio
async def test_by_ipv6(world: World) -> None:
    try:
        door = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        door.bind(("::1", 0))
    except OSError as error:
        pytest.skip(f"no IPv6 here: {error}")
    port = door.getsockname()[1]
    await world.open_slot("six", [Door("dns-udp", 6, door.fileno())])
    door.close()
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as client:
        client.setblocking(False)
        client.connect(("::1", port))
        client.send(DNSRecord.question("api.tavily.com", "A").pack())
        async with asyncio.timeout(5):
            reply = DNSRecord.parse(await asyncio.get_running_loop().sock_recv(client, 4096))
    assert QTYPE.get(reply.a.rtype) == "A"
