"""Packets that are lost: nftables rules of a network namespace, by netlink (a machine need not have ``nft``).

A socket stays in the namespace where it was made, so the rules can be set from outside, by whoever owns the namespace.
"""

from __future__ import annotations

import ipaddress
import os
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# By name: a system may patch the module's own (gevent) before a slot is made.
from socket import AF_NETLINK, SOCK_RAW, socket

_NETLINK_NETFILTER, _SUBSYSTEM = 12, 10 << 8
_BATCH_BEGIN, _BATCH_END = 16, 17
_NEW_TABLE, _DELETE_TABLE, _NEW_CHAIN, _NEW_RULE = 0, 2, 3, 6
_REQUEST, _ACK, _CREATE, _APPEND = 0x1, 0x4, 0x400, 0x800
_ERROR = 2
_NESTED = 1 << 15
_FAMILIES = {4: 2, 6: 10}  # NFPROTO_IPV4, NFPROTO_IPV6
_HOOK_INPUT = 1
_TABLE, _CHAIN = b"webretrieval\0", b"loss\0"
_REGISTER, _VERDICT_REGISTER, _DROP = 8, 0, 0  # NFT_REG32_00, NFT_REG_VERDICT, NF_DROP
_EQUAL, _LESS = 0, 2
_RANDOM, _NETWORK_HEADER = 1, 1
# Where source and destination stand in an IP header, and how long they are.
_PLACES = {4: ((12, 16), 4), 6: ((8, 24), 16)}
_PARTS = 100


@dataclass(frozen=True, slots=True)
class Loss:
    """So many percent of the packets from and to an address."""

    address: str
    percent: int


def open_netfilter() -> socket:
    """A socket that sets rules in the network namespace of the caller. Raises OSError."""
    channel = socket(AF_NETLINK, SOCK_RAW, _NETLINK_NETFILTER)
    channel.bind((0, 0))
    channel.settimeout(2.0)
    return channel


def lose(channel: socket, losses: Sequence[Loss]) -> None:
    """Lose these packets from now on, and no others. Raises OSError where the kernel or the namespace does not allow
    it."""
    for version in _FAMILIES:
        here = [loss for loss in losses if ipaddress.ip_address(loss.address).version == version]
        # The table may not be there: it is made before it is taken away.
        _send(channel, [_table(version, _NEW_TABLE), _table(version, _DELETE_TABLE), *_rules(version, here)])


def refused() -> str | None:
    """Why packets cannot be lost in the network namespace of the caller; None where they can."""
    try:
        with open_netfilter() as channel:
            lose(channel, [Loss("127.0.0.1", 1), Loss("::1", 1)])
            lose(channel, [])
    except OSError as error:
        return f"nftables: {error.strerror or error}"
    return None


def _table(version: int, kind: int) -> bytes:
    return _message(kind, version, _attribute(1, _TABLE))


def _rules(version: int, losses: Iterable[Loss]) -> list[bytes]:
    rules = [_rule(version, loss, place) for loss in losses for place in _PLACES[version][0]]
    if not rules:
        return []
    hook = _nested(4, _attribute(1, struct.pack(">I", _HOOK_INPUT)) + _attribute(2, struct.pack(">i", 0)))
    chain = _attribute(1, _TABLE) + _attribute(3, _CHAIN) + hook + _attribute(7, b"filter\0")
    return [_table(version, _NEW_TABLE), _message(_NEW_CHAIN, version, chain), *rules]


def _rule(version: int, loss: Loss, place: int) -> bytes:
    """``ADDRESS numgen random mod 100 < PERCENT drop``."""
    size = _PLACES[version][1]
    register, number = struct.pack(">I", _REGISTER), struct.pack(">I", _PARTS)
    packed = ipaddress.ip_address(loss.address).packed
    load = (
        _attribute(1, register)
        + _attribute(2, struct.pack(">I", _NETWORK_HEADER))
        + _attribute(3, struct.pack(">I", place))
        + _attribute(4, struct.pack(">I", size))
    )
    draw = (
        _attribute(1, register)
        + _attribute(2, number)
        + _attribute(3, struct.pack(">I", _RANDOM))
        + _attribute(4, struct.pack(">I", 0))
    )
    # numgen writes in the machine's order, and comparisons are byte by byte.
    turned = _expression(b"byteorder\0", _turn(register))
    drop = _attribute(1, struct.pack(">I", _VERDICT_REGISTER)) + _nested(
        2, _nested(2, _attribute(1, struct.pack(">i", _DROP)))
    )
    expressions = (
        _expression(b"payload\0", load)
        + _expression(b"cmp\0", _compare(_EQUAL, packed))
        + _expression(b"numgen\0", draw)
        + turned
        + _expression(b"cmp\0", _compare(_LESS, struct.pack(">I", loss.percent)))
        + _expression(b"immediate\0", drop)
    )
    return _message(
        _NEW_RULE, version, _attribute(1, _TABLE) + _attribute(2, _CHAIN) + _nested(4, expressions)
    )


def _turn(register: bytes) -> bytes:
    """Host to network order, four bytes of four."""
    return (
        _attribute(1, register)
        + _attribute(2, register)
        + _attribute(3, struct.pack(">I", 1))
        + _attribute(4, struct.pack(">I", 4))
        + _attribute(5, struct.pack(">I", 4))
    )


def _compare(how: int, value: bytes) -> bytes:
    return (
        _attribute(1, struct.pack(">I", _REGISTER))
        + _attribute(2, struct.pack(">I", how))
        + _nested(3, _attribute(1, value))
    )


def _expression(name: bytes, data: bytes) -> bytes:
    return _nested(1, _attribute(1, name) + _nested(2, data))


def _attribute(kind: int, data: bytes) -> bytes:
    return struct.pack("=HH", 4 + len(data), kind) + data + b"\0" * (-len(data) % 4)


def _nested(kind: int, data: bytes) -> bytes:
    return _attribute(kind | _NESTED, data)


def _message(kind: int, version: int, data: bytes) -> bytes:
    flags = _REQUEST | _ACK | (_APPEND if kind == _NEW_RULE else 0)
    flags |= _CREATE if kind != _DELETE_TABLE else 0
    body = struct.pack("=BB", _FAMILIES[version], 0) + struct.pack(">H", 0) + data
    return struct.pack("=IHHII", 16 + len(body), _SUBSYSTEM | kind, flags, 1, 0) + body


def _edge(kind: int) -> bytes:
    body = struct.pack("=BB", 0, 0) + struct.pack(">H", 10)
    return struct.pack("=IHHII", 16 + len(body), kind, _REQUEST, 0, 0) + body


def _send(channel: socket, messages: Sequence[bytes]) -> None:
    """All or none. Raises OSError."""
    channel.send(b"".join((_edge(_BATCH_BEGIN), *messages, _edge(_BATCH_END))))
    waiting = len(messages)
    while waiting > 0:
        answer = channel.recv(1 << 16)
        place = 0
        while place + 20 <= len(answer):
            size, kind = struct.unpack_from("=IH", answer, place)
            if kind == _ERROR:
                (code,) = struct.unpack_from("=i", answer, place + 16)
                if code != 0:
                    raise OSError(-code, os.strerror(-code))
                waiting -= 1
            place += max(16, size + -size % 4)
