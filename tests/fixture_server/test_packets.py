"""Packets that leave, and a slot of one's own in which every address is local."""

from __future__ import annotations

import asyncio
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator

import pytest

from fixture_server.client import World
from fixture_server.packets import Packet, Watch, read_packet
from pytest_webretrieval.wire.addresses import address4
from pytest_webretrieval.wire.doors import Door


def _packet4(protocol: int, source: str, target: str, ports: tuple[int, int], flags: int = 0) -> bytes:
    header = struct.pack(">BBHHHBBH", 0x45, 0, 0, 0, 0, 64, protocol, 0)
    rest = struct.pack(">IIBB", 0, 0, 0x50, flags) + bytes(6) if protocol == 6 else struct.pack(">HH", 8, 0)
    return header + socket.inet_aton(source) + socket.inet_aton(target) + struct.pack(">HH", *ports) + rest


def _packet6(protocol: int, source: str, target: str, ports: tuple[int, int], flags: int = 0) -> bytes:
    rest = struct.pack(">IIBB", 0, 0, 0x50, flags) + bytes(6) if protocol == 6 else struct.pack(">HH", 8, 0)
    ends = socket.inet_pton(socket.AF_INET6, source) + socket.inet_pton(socket.AF_INET6, target)
    return struct.pack(">IHBB", 6 << 28, 8, protocol, 64) + ends + struct.pack(">HH", *ports) + rest


def test_opening_packets_are_read() -> None:
    assert read_packet(_packet4(6, "1.2.3.4", "8.8.8.8", (4000, 22), 0x02)) == Packet(
        "tcp", "1.2.3.4", 4000, "8.8.8.8", 22
    )
    assert read_packet(_packet4(17, "1.2.3.4", "8.8.8.8", (4000, 123))) == Packet(
        "udp", "1.2.3.4", 4000, "8.8.8.8", 123
    )
    assert read_packet(_packet6(6, "2600::1", "2600::2", (4000, 22), 0x02)) == Packet(
        "tcp", "2600::1", 4000, "2600::2", 22
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x45" + bytes(30),
        _packet4(6, "1.2.3.4", "8.8.8.8", (22, 4000), 0x12),
        _packet4(6, "1.2.3.4", "8.8.8.8", (22, 4000), 0x10),
        _packet4(1, "1.2.3.4", "8.8.8.8", (0, 0)),
        _packet4(17, "1.2.3.4", "8.8.8.8", (4000, 123))[:27],
    ],
)
def test_all_else_is_nothing(data: bytes) -> None:
    assert read_packet(data) is None


def test_what_leaves() -> None:
    watch = Watch({("tcp", 443), ("udp", 53)})
    assert watch.leaves(Packet("tcp", "1.1.1.1", 4000, "8.8.8.8", 22))
    assert not watch.leaves(Packet("tcp", "1.1.1.1", 4000, "8.8.8.8", 443))
    assert watch.leaves(Packet("udp", "1.1.1.1", 4000, "8.8.8.8", 443))
    assert not watch.leaves(Packet("udp", "9.9.9.9", 53, "1.1.1.1", 4000))
    assert not watch.leaves(Packet("tcp", "127.0.0.1", 4000, "127.0.0.1", 6379))
    assert not watch.leaves(Packet("tcp", "::1", 4000, "::1", 6379))
    assert watch.leaves(Packet("udp", "1.1.1.1", 5000, "8.8.4.4", 123))
    assert not watch.leaves(Packet("udp", "8.8.4.4", 123, "1.1.1.1", 5000))


def test_what_leaves_beside_relays_and_the_worlds_own_addresses() -> None:
    watch = Watch(
        {("tcp", 443), ("udp", 53)},
        {("10.0.0.5", 5432)},
        has_address=lambda address: address == "93.184.1.1",
        is_background=lambda address: address == "34.1.1.1",
    )
    assert not watch.leaves(Packet("tcp", "10.0.0.5", 4000, "10.0.0.5", 5432))
    assert watch.leaves(Packet("tcp", "10.0.0.5", 4000, "10.0.0.6", 5432))
    assert watch.leaves(Packet("udp", "10.0.0.5", 4000, "10.0.0.5", 5432))
    assert not watch.leaves(Packet("udp", "1.1.1.1", 4000, "93.184.1.1", 443))
    assert watch.leaves(Packet("tcp", "1.1.1.1", 4000, "93.184.1.1", 8443))
    assert not watch.leaves(Packet("tcp", "1.1.1.1", 4000, "34.1.1.1", 5228))
    assert not watch.leaves(Packet("udp", "1.1.1.1", 4000, "224.0.0.251", 5353))
    assert watch.leaves(Packet("udp", "1.1.1.1", 4000, "224.0.0.250", 5353))


# A process with a network of its own; it opens doors, hands them out, then does what it is told line by line.
CHILD = """
import socket, subprocess, sys
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
subprocess.run(["ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo"], check=True)
names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind(("0.0.0.0", 53))
web = socket.socket()
web.bind(("0.0.0.0", 443))
web.listen()
packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
packets.bind(("lo", 0))
control = socket.socket(fileno=int(sys.argv[1]))
socket.send_fds(control, [b"doors"], [names.fileno(), web.fileno(), packets.fileno()])
for door in (names, web, packets):
    door.close()
for line in control.makefile("r"):
    kind, address, port, payload = line.split()
    client = socket.socket(type=socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM)
    client.settimeout(5)
    try:
        client.connect((address, int(port)))
        if kind == "udp":
            client.send(bytes.fromhex(payload))
            said = client.recv(4096).hex() if port == "53" else "sent"
        else:
            said = "connected"
    except OSError as error:
        said = type(error).__name__
    client.close()
    control.sendall((said + "\\n").encode())
"""


@pytest.fixture
def inside() -> Iterator[socket.socket]:
    """The control socket of such a process."""
    unshare = shutil.which("unshare")
    if unshare is None or shutil.which("ip") is None:
        pytest.skip("needs unshare and ip")
    if subprocess.run([unshare, "-Urn", "true"], capture_output=True, check=False).returncode:
        pytest.skip("no user namespaces here")
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            command = [unshare, "-Urn", sys.executable, "-c", CHILD, str(theirs.fileno())]
            process = subprocess.Popen(command, pass_fds=[theirs.fileno()])
        with process:
            yield ours
            process.kill()


@pytest.mark.asyncio
async def test_a_place_where_every_address_is_local(world: World, inside: socket.socket) -> None:
    from dnslib import DNSRecord  # type: ignore[import-untyped]

    inside.settimeout(20)
    _, fds, _, _ = await asyncio.to_thread(socket.recv_fds, inside, 16, 3)
    await world.open_slot(
        "n", [Door("dns-udp", 4, fds[0]), Door("https", 4, fds[1]), Door("packets", 0, fds[2])]
    )
    for fd in fds:
        socket.close(fd)
    await world.begin("n", seed=0, scene="known/notes")

    async def do(line: str) -> str:
        inside.sendall(f"{line}\n".encode())
        return (await asyncio.to_thread(inside.recv, 65536)).decode().strip()

    question = DNSRecord.question("api.tavily.com", "A").pack().hex()
    # A connected socket takes a reply only from the address that it asked.
    for server in ("9.9.9.9", "1.1.1.1"):
        reply = DNSRecord.parse(bytes.fromhex(await do(f"udp {server} 53 {question}")))
        assert str(reply.a.rdata) == address4("api.tavily.com")
    assert await do(f"tcp {address4('api.tavily.com')} 443 -") == "connected"
    assert await do("tcp 93.184.1.1 443 -") == "connected"
    assert await do("tcp 8.8.8.8 22 -") == "ConnectionRefusedError"
    assert await do("tcp 8.8.8.8 22 -") == "ConnectionRefusedError"
    assert await do("udp 8.8.4.4 123 00") == "sent"
    assert await do("tcp 127.0.0.1 6379 -") == "ConnectionRefusedError"
    trace, _ = await world.drain("n")
    # Doors and the packet socket are read in any order.
    assert sorted((left.protocol, left.address, left.port) for left in trace.egress) == [
        ("tcp", "8.8.8.8", 22),
        ("tcp", "93.184.1.1", 443),
        ("udp", "8.8.4.4", 123),
    ]
    assert [lookup.known for lookup in trace.lookups] == [True, True]
    await world.step("n", 2)
    await do("tcp 8.8.8.8 22 -")
    assert [(left.step, left.port) for left in (await world.drain("n"))[0].egress] == [(2, 22)]
