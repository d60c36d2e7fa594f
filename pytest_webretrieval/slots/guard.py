"""The guard: in a process without a network of its own, it refuses what does not go to loopback, and names it.

A Python audit hook sees what Python's own sockets do; what a library does in C by itself, and what another program
does, it does not see. It cannot be taken out again, so it sleeps while no door is set. This file uses nothing but the
standard library: it is also loaded by path, into Python processes that have none of our packages.
"""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import sys

TELL_S = 5.0
_FAMILIES = (socket.AF_INET, socket.AF_INET6)

_door = 0  # the port of the proxy door on loopback; 0 while asleep
_allowed: frozenset[str] = frozenset()
_installed = False


def wake(door: int, allowed: frozenset[str] = frozenset()) -> None:
    """Guard this process, and what it forks. ``allowed`` are hosts that it may reach."""
    global _door, _allowed, _installed
    _door, _allowed = door, allowed
    if not _installed:
        _installed = True
        sys.addaudithook(_watch)


def sleep() -> None:
    """Let everything pass."""
    global _door
    _door = 0


def _watch(event: str, arguments: tuple) -> None:  # type: ignore[type-arg]
    if _door and event.startswith("socket."):
        judge = _JUDGES.get(event)
        if judge is not None:
            judge(*arguments)


def _connects(sock: socket.socket, address: object) -> None:
    """Binding a datagram socket to a peer sends nothing (it is how programs find their own address)."""
    if _leaves(sock, address):
        if sock.type == socket.SOCK_STREAM:
            _tell("tcp", *_host_and_port(address))
            raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused: outside the world")
        raise OSError(errno.ENETUNREACH, "Network is unreachable: outside the world")


def _sends(sock: socket.socket, address: object) -> None:
    if _leaves(sock, address):
        _tell("udp", *_host_and_port(address))
        raise OSError(errno.ENETUNREACH, "Network is unreachable: outside the world")


def _looks_up(host: object, *_: object) -> None:
    name = _text(host)
    if not _is_here(name) and not _is_address(name):
        _tell("name", name, 53)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known: this slot has a proxy only")


def _looks_back(address: object, *_: object) -> None:
    name = _text(address[0] if isinstance(address, tuple) else address)
    if not _is_here(name):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known: this slot has a proxy only")


_JUDGES: dict = {  # type: ignore[type-arg]
    "socket.connect": _connects,
    "socket.sendto": _sends,
    "socket.sendmsg": _sends,
    "socket.getaddrinfo": _looks_up,
    "socket.gethostbyname": _looks_up,
    "socket.gethostbyaddr": _looks_back,
    "socket.getnameinfo": _looks_back,
}


def _leaves(sock: socket.socket, address: object) -> bool:
    if sock.family not in _FAMILIES or not isinstance(address, tuple) or len(address) < 2:
        return False
    return not _is_here(_host_and_port(address)[0])


def _is_here(host: str) -> bool:
    """Whether a host is this machine, or one that is allowed."""
    if host in ("", "localhost", socket.gethostname().lower()) or host.endswith(".localhost"):
        return True
    if host in _allowed:
        return True
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return bool(mapped.is_loopback or mapped.is_unspecified)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _host_and_port(address: object) -> tuple[str, int]:
    assert isinstance(address, tuple)
    return _text(address[0]), int(address[1])


def _text(host: object) -> str:
    if isinstance(host, (bytes, bytearray)):
        host = host.decode("utf-8", "replace")
    return "" if host is None else str(host).lower().rstrip(".")


def _tell(what: str, host: str, port: int) -> None:
    """Put it into the run's log; returns when it is there. Where nobody hears, the refusal stands all the same."""
    named = "".join(host.split()) or "?"
    try:
        with socket.create_connection(("127.0.0.1", _door), timeout=TELL_S) as connection:
            connection.sendall(f"REFUSED {what} {named} {port}\r\n\r\n".encode())
            connection.recv(16)
    except OSError:
        return


def wake_by_environment() -> None:
    """For a Python process that something in a slot started."""
    if os.environ.get("WEBRETRIEVAL_DOOR", "").isdecimal() and hasattr(sys, "addaudithook"):
        allowed = os.environ.get("WEBRETRIEVAL_ALLOWED", "").split()
        wake(int(os.environ["WEBRETRIEVAL_DOOR"]), frozenset(allowed))
