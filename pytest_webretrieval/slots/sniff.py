"""The packet filter: which packets on loopback name a way out that has no door.

Classic BPF over packets that begin at the IP header. It passes TCP with SYN and without ACK, and UDP, to
an address that is not loopback and a port that has no door. Replies of the DNS doors come from port 53 and
are not passed.
"""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass
from socket import SOCK_DGRAM, SOL_SOCKET, socket

TCP_DOORS, UDP_DOORS = (443, 80, 53), (53,)
_AF_PACKET, _SOL_PACKET, _PACKET_IGNORE_OUTGOING = 17, 263, 23
_SO_ATTACH_FILTER, _ETH_P_ALL = 26, 3

_LD_B, _LD_H, _LD_W = 0x30, 0x28, 0x20  # load at a fixed offset
_IND_B, _IND_H = 0x50, 0x48  # load at an offset from X
_LDX_HEADER, _LDX_CONST = 0xB1, 0x01  # X = 4 * (byte & 15), X = k
_AND, _JEQ, _JSET, _JA, _RET = 0x54, 0x15, 0x45, 0x05, 0x06


@dataclass(frozen=True, slots=True)
class _Step:
    """One instruction; ``then`` and ``otherwise`` are labels, None for the next one."""

    code: int
    k: int = 0
    then: str | None = None
    otherwise: str | None = None
    label: str | None = None


def _program() -> list[_Step]:
    return [
        _Step(_LD_B, 0),
        _Step(_AND, 0xF0),
        _Step(_JEQ, 0x40, None, "v6?"),
        _Step(_LD_B, 16),
        _Step(_JEQ, 127, "drop"),
        _Step(_LD_H, 6),
        _Step(_JSET, 0x1FFF, "drop"),  # a later fragment has no ports
        _Step(_LDX_HEADER, 0),
        _Step(_LD_B, 9),
        _Step(_JA, then="protocol"),
        _Step(_JEQ, 0x60, None, "drop", label="v6?"),
        _Step(_LD_W, 24),  # ::1 in four words
        _Step(_JEQ, 0, None, "v6 web"),
        _Step(_LD_W, 28),
        _Step(_JEQ, 0, None, "v6 web"),
        _Step(_LD_W, 32),
        _Step(_JEQ, 0, None, "v6 web"),
        _Step(_LD_W, 36),
        _Step(_JEQ, 1, "drop"),
        _Step(_LDX_CONST, 40, label="v6 web"),
        _Step(_LD_B, 6),
        _Step(_JEQ, 17, "udp", label="protocol"),
        _Step(_JEQ, 6, None, "drop"),
        _Step(_IND_B, 13),
        _Step(_AND, 0x12),
        _Step(_JEQ, 0x02, None, "drop"),
        _Step(_IND_H, 2),
        *(_Step(_JEQ, port, "drop") for port in TCP_DOORS),
        _Step(_RET, 0xFFFF),
        _Step(_IND_H, 0, label="udp"),
        *(_Step(_JEQ, port, "drop") for port in UDP_DOORS),
        _Step(_IND_H, 2),
        *(_Step(_JEQ, port, "drop") for port in UDP_DOORS),
        _Step(_RET, 0xFFFF),
        _Step(_RET, 0, label="drop"),
    ]


def assemble() -> bytes:
    """The program as an array of ``struct sock_filter``."""
    steps = _program()
    places = {step.label: number for number, step in enumerate(steps) if step.label is not None}

    def jump(label: str | None, here: int) -> int:
        return 0 if label is None else places[label] - here - 1

    rows = []
    for here, step in enumerate(steps):
        if step.code == _JA:
            rows.append(struct.pack("=HBBI", step.code, 0, 0, jump(step.then, here)))
        else:
            rows.append(
                struct.pack("=HBBI", step.code, jump(step.then, here), jump(step.otherwise, here), step.k)
            )
    return b"".join(rows)


def packet_socket() -> socket:
    """A socket that names every first packet without a door. Each read gives one packet from its IP header
    on."""
    program = assemble()
    rows = ctypes.create_string_buffer(program, len(program))
    sniffer = socket(_AF_PACKET, SOCK_DGRAM, 0)  # protocol 0: nothing comes in before the filter is there
    try:
        filter_ = struct.pack("@HP", len(program) // 8, ctypes.addressof(rows))
        sniffer.setsockopt(SOL_SOCKET, _SO_ATTACH_FILTER, filter_)
        sniffer.setsockopt(_SOL_PACKET, _PACKET_IGNORE_OUTGOING, 1)  # loopback shows each packet twice
        sniffer.bind(("lo", _ETH_P_ALL))
    except BaseException:
        sniffer.close()
        raise
    return sniffer
