"""The network inside: loopback up, and every address on it, by netlink (a container need not have ``ip``)."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct

# By name: a system may patch the module's own (gevent) before a slot is made.
from socket import AF_INET, AF_INET6, AF_NETLINK, SOCK_DGRAM, SOCK_RAW, if_nametoindex, socket

_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 0x1
_NETLINK_ROUTE = 0
_RTM_NEWROUTE, _NLMSG_ERROR = 24, 2
_NLM_F_REQUEST, _NLM_F_ACK, _NLM_F_CREATE = 0x1, 0x4, 0x400
_RT_TABLE_LOCAL, _RTPROT_STATIC, _RT_SCOPE_HOST, _RTN_LOCAL = 255, 4, 254, 2
_RTA_OIF = 4


def bring_up() -> list[int]:
    """Make every address local in this network namespace; returns the IP versions that it has: [4] or [4, 6].

    Raises OSError when IPv4 cannot be had.
    """
    with contextlib.suppress(OSError):  # off where the host has it off, and read-only in some containers
        _write_setting("net/ipv6/conf/all/disable_ipv6", "0")
    if os.getuid() == 0:
        # Root may open low ports outside; inside it has no power over the network, so the ports are let go.
        with contextlib.suppress(OSError):
            _write_setting("net/ipv4/ip_unprivileged_port_start", "0")
    _set_up("lo")
    _route_all_to("lo", AF_INET)
    try:
        _route_all_to("lo", AF_INET6)
    except OSError:
        return [4]
    return [4, 6]


def _write_setting(name: str, value: str) -> None:
    with open(f"/proc/sys/{name}", "w", encoding="ascii", newline="\n") as file:
        file.write(value)


def _set_up(link: str) -> None:
    with socket(AF_INET, SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", link.encode(), 0)
        _, flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request))
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", link.encode(), flags | _IFF_UP))


def _route_all_to(link: str, family: int) -> None:
    """``ip route add local default dev LINK``, for one family."""
    route = struct.pack(
        "=BBBBBBBBI", family, 0, 0, 0, _RT_TABLE_LOCAL, _RTPROT_STATIC, _RT_SCOPE_HOST, _RTN_LOCAL, 0
    )
    body = route + struct.pack("=HHI", 8, _RTA_OIF, if_nametoindex(link))
    flags = _NLM_F_REQUEST | _NLM_F_ACK | _NLM_F_CREATE
    with socket(AF_NETLINK, SOCK_RAW, _NETLINK_ROUTE) as kernel:
        kernel.sendto(struct.pack("=IHHII", 16 + len(body), _RTM_NEWROUTE, flags, 1, 0) + body, (0, 0))
        answer = kernel.recv(4096)
    _, kind, _, _, _ = struct.unpack_from("=IHHII", answer)
    (code,) = struct.unpack_from("=i", answer, 16)
    if kind == _NLMSG_ERROR and code != 0:
        raise OSError(-code, f"route: {os.strerror(-code)}")
