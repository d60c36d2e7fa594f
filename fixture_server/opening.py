"""A slot is opened: each door that came with the message is served."""

from __future__ import annotations

import socket
from typing import Any

from pytest_webretrieval.wire.addresses import split_endpoint

from .connection import Slot
from .doors import open_door
from .hall import Hall, Refused
from .log import Log
from .names import Resolver, serve_tcp, serve_udp
from .outside import has_address, is_background, is_outside
from .packets import Watch, serve_packets
from .proxy import open_proxy_door
from .relay import serve_relay
from .route import knows

_DNS = 53


async def open_slot(hall: Hall, message: dict[str, Any]) -> None:
    """Open the slot that a message describes. Raises Refused."""
    name, kinds = message["slot"], message["doors"]
    doors = [socket.socket(fileno=fd) for fd in _receive_fds(hall.fds, name, len(kinds))]
    if name in hall.slots:
        for door in doors:
            door.close()
        raise Refused(f"slot {name!r} is open already")
    slot = hall.slots[name] = Slot(name, Log(stage=None, reach=hall.gateway.reach), hall.gateway)
    slot.has_v6 = any(kind == "https" and family == 6 for kind, family, _ in kinds)
    slot.ports = {
        ("udp" if kind == "dns-udp" else "tcp", door.getsockname()[1])
        for (kind, _, _), door in zip(kinds, doors, strict=True)
        if kind not in ("packets", "relay", "netfilter")
    }
    slot.relays = {
        door.getsockname()[:2] for (kind, _, _), door in zip(kinds, doors, strict=True) if kind == "relay"
    }
    slot.allowed = frozenset(split_endpoint(target)[0] for _, _, target in kinds if target)
    resolver = _resolver(hall, slot)
    for (kind, _, target), door in zip(kinds, doors, strict=True):
        match kind:
            case "https" | "http":
                open_door(slot, kind, door, hall.context if kind == "https" else None)
            case "dns-udp":
                slot.closers.append(serve_udp(door, resolver))
            case "dns-tcp":
                slot.closers.append(await serve_tcp(door, resolver))
            case "packets":
                watch = Watch(
                    slot.ports,
                    slot.relays,
                    has_address=lambda address: has_address(address, slot.log.stage, slot.log.reach),
                    is_background=is_background,
                )
                slot.closers.append(serve_packets(door, watch, lambda *left: slot.log.leave(*left)))
            case "netfilter":
                slot.netfilter = door
                slot.closers.append(door.close)
            case "proxy":
                open_proxy_door(slot, door, hall.context, resolver)
            case "relay":
                slot.closers.append(serve_relay(slot, door, target))


def _resolver(hall: Hall, slot: Slot) -> Resolver:
    """DNS of a slot: the world's names, those that a relay leads to, and in the live lane the real ones; a question for
    a name outside is a try to leave."""

    def asked(name: str, kind: str, known: bool) -> None:
        slot.log.look_up(name, kind, known)
        if not known and is_outside(name, slot.log.stage, slot.log.reach):
            slot.log.leave("dns", name, _DNS)

    names = hall.gateway.names
    return Resolver(
        known=lambda name: (
            name in slot.allowed | slot.log.reach.listed or names.has(name) or knows(name, slot.log.stage)
        ),
        asked=asked,
        has_v6=lambda: slot.has_v6,
        find=None if hall.outward.web is None else names.find,
    )


def _receive_fds(channel: socket.socket, name: str, count: int) -> list[int]:
    text, fds, _, _ = socket.recv_fds(channel, 4096, count)
    if text.decode() != name or len(fds) != count:
        raise Refused(
            f"{len(fds)} doors came for slot {text.decode()!r}, {count} were announced for {name!r}"
        )
    return fds
