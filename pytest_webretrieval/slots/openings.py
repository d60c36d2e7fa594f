"""The doors of a place: opened inside, handed out with the message that says which is which."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import dataclass
from socket import (
    AF_INET,
    AF_INET6,
    IPPROTO_IP,
    IPPROTO_IPV6,
    IPV6_RECVPKTINFO,
    IPV6_V6ONLY,
    SO_REUSEADDR,
    SOCK_DGRAM,
    SOCK_STREAM,
    SOL_SOCKET,
    send_fds,
    socket,
)

from pytest_webretrieval.faults.netfilter import open_netfilter
from pytest_webretrieval.wire.frames import pack

from .relays import Relay
from .sniff import packet_socket

_BACKLOG = 1024
_IP_PKTINFO, _IPV6_FREEBIND = 8, 78
_TCP_DOORS = (("https", 443), ("http", 80), ("dns-tcp", 53))


@dataclass(frozen=True, slots=True)
class Opening:
    """A door before it is handed out; the fields are those of ``wire.doors.Door``."""

    kind: str
    family: int
    socket: socket
    target: str = ""


def hand_out(control: socket, families: list[int], notes: list[str], relays: tuple[Relay, ...]) -> None:
    """Open the doors here and send them as one frame ``{doors: [[kind, family, target], ...], notes}``. Raises
    OSError.

    ``notes`` name what this place had to go without. The sockets are closed here: those who live here have
    no business with them.
    """
    with ExitStack() as stack:
        openings = []
        for family in families:
            openings += [_tcp(kind, family, port, stack) for kind, port in _TCP_DOORS]
            openings.append(_udp(family, stack))
        openings += [_relay(relay, stack) for relay in relays if relay.family in families]
        openings.append(Opening("packets", 0, stack.enter_context(packet_socket())))
        with suppress(OSError):  # a kernel without it; then no packets can be lost
            openings.append(Opening("netfilter", 0, stack.enter_context(open_netfilter())))
        names = [[opening.kind, opening.family, opening.target] for opening in openings]
        send_fds(
            control,
            [pack({"doors": names, "notes": notes})],
            [opening.socket.fileno() for opening in openings],
        )


def _tcp(kind: str, family: int, port: int, stack: ExitStack) -> Opening:
    door = stack.enter_context(socket(AF_INET if family == 4 else AF_INET6, SOCK_STREAM))
    door.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
    _bind(door, family, port)
    door.listen(_BACKLOG)
    return Opening(kind, family, door)


def _relay(relay: Relay, stack: ExitStack) -> Opening:
    """At one address only: the port stays the system's own at every other."""
    door = stack.enter_context(socket(AF_INET if relay.family == 4 else AF_INET6, SOCK_STREAM))
    door.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
    if relay.family == 6:
        # A local route is enough to receive at an address, but not to bind to it.
        door.setsockopt(IPPROTO_IPV6, _IPV6_FREEBIND, 1)
    door.bind((relay.address, relay.port))
    door.listen(_BACKLOG)
    return Opening("relay", relay.family, door, relay.target)


def _udp(family: int, stack: ExitStack) -> Opening:
    """A datagram comes with the address that was asked, so that the reply can come from there: ``recvmsg``
    gives it as ancillary data, and ``sendmsg`` takes the same data unchanged."""
    door = stack.enter_context(socket(AF_INET if family == 4 else AF_INET6, SOCK_DGRAM))
    if family == 4:
        door.setsockopt(IPPROTO_IP, _IP_PKTINFO, 1)
    else:
        door.setsockopt(IPPROTO_IPV6, IPV6_RECVPKTINFO, 1)
        # IPv6 sends only from an assigned address, though a local route is enough to receive at any.
        door.setsockopt(IPPROTO_IPV6, _IPV6_FREEBIND, 1)
    _bind(door, family, 53)
    return Opening("dns-udp", family, door)


def _bind(door: socket, family: int, port: int) -> None:
    if family == 6:
        door.setsockopt(IPPROTO_IPV6, IPV6_V6ONLY, 1)
    door.bind(("0.0.0.0" if family == 4 else "::", port))
