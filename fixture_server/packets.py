"""The packet door: a filtered packet socket on lo that shows first packets, also those to where no door
is."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

TCP, UDP = 6, 17
_ETHERNET = 14
_FLOWS = 4096
_EXTENSIONS = (0, 43, 60)
_QUIC = 443
# Multicast that no router passes on: mDNS, LLMNR, and SSDP, by which Chromium looks for screens.
_NEIGHBOURS = frozenset(
    (
        ("224.0.0.251", 5353),
        ("ff02::fb", 5353),
        ("224.0.0.252", 5355),
        ("ff02::1:3", 5355),
        ("239.255.255.250", 1900),
        ("ff02::c", 1900),
    )
)


@dataclass(frozen=True, slots=True)
class Packet:
    """A TCP packet that opens a connection, or a UDP datagram."""

    protocol: str
    source: str
    source_port: int
    address: str
    port: int


def read_packet(data: bytes) -> Packet | None:
    """A packet from its IP header on; None for anything but an opening TCP packet or a UDP datagram."""
    if len(data) < 28:
        return None
    if data[0] >> 4 == 4:
        protocol, start = data[9], (data[0] & 15) * 4
        source, target = data[12:16], data[16:20]
        if struct.unpack(">H", data[6:8])[0] & 0x1FFF:
            return None
    elif data[0] >> 4 == 6 and len(data) >= 48:
        protocol, start = data[6], 40
        source, target = data[8:24], data[24:40]
        while protocol in _EXTENSIONS and len(data) > start + 8:
            protocol, start = data[start], start + (data[start + 1] + 1) * 8
    else:
        return None
    if len(data) < start + (14 if protocol == TCP else 8):
        return None
    from_port, to_port = struct.unpack(">HH", data[start : start + 4])
    opens = protocol == UDP or (protocol == TCP and data[start + 13] & 0x12 == 0x02)
    if not opens:
        return None
    name = "tcp" if protocol == TCP else "udp"
    return Packet(
        name, str(ipaddress.ip_address(source)), from_port, str(ipaddress.ip_address(target)), to_port
    )


@dataclass(slots=True)
class Watch:
    """Decides which packets leave. ``doors`` holds (``tcp`` or ``udp``, port) of each door that answers at every
    address, ``relays`` (address, port) of each that leads on from one; ``has_address`` and ``is_background`` say whose
    an address is: a name's of the world, or a host's that browsers call by themselves.

    What stays on loopback addresses is between the slot's own processes. A datagram that answers an earlier
    one leaves nothing, nor does one that comes from a door, asks the neighbours, or tries a host of the world
    by QUIC, as browsers do before they take TCP.
    """

    doors: set[tuple[str, int]]
    relays: set[tuple[str, int]] = field(default_factory=set)
    has_address: Callable[[str], bool] = lambda _: False
    is_background: Callable[[str], bool] = lambda _: False
    flows: dict[tuple[str, int, str, int], None] = field(default_factory=dict)

    def leaves(self, packet: Packet) -> bool:
        """Whether a packet goes where no door is."""
        if ipaddress.ip_address(packet.address).is_loopback or (packet.protocol, packet.port) in self.doors:
            return False
        if self.is_background(packet.address):
            return False
        if packet.protocol == "tcp":
            return (packet.address, packet.port) not in self.relays
        if (packet.address, packet.port) in _NEIGHBOURS:
            return False
        if packet.port == _QUIC and self.has_address(packet.address):
            return False
        if ("udp", packet.source_port) in self.doors:
            return False
        back = (packet.address, packet.port, packet.source, packet.source_port)
        if back in self.flows:
            return False
        self.flows[packet.source, packet.source_port, packet.address, packet.port] = None
        if len(self.flows) > _FLOWS:
            del self.flows[next(iter(self.flows))]
        return True


def serve_packets(
    door: socket.socket, watch: Watch, left: Callable[[str, str, int], None]
) -> Callable[[], None]:
    """Tell ``left`` (protocol, address, port) of each packet that leaves; the function that it gives closes
    the door."""
    loop = asyncio.get_running_loop()
    door.setblocking(False)
    skip = _ETHERNET if door.type == socket.SOCK_RAW else 0

    def ready() -> None:
        for _ in range(256):
            try:
                data = door.recv(256)
            except (BlockingIOError, InterruptedError):
                return
            except OSError:
                continue
            packet = read_packet(data[skip:])
            if packet is not None and watch.leaves(packet):
                left(packet.protocol, packet.address, packet.port)

    def close() -> None:
        loop.remove_reader(door.fileno())
        door.close()

    loop.add_reader(door.fileno(), ready)
    return close
