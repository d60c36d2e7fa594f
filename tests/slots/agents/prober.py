"""A system that tries to leave its slot, and says how far it came."""

from __future__ import annotations

import os
import subprocess


def answer(prompt: str) -> object:
    way, _, rest = prompt.partition(" ")
    return globals()[way](*rest.split())


def command(*argv: str) -> str:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return f"{done.returncode} {done.stdout.strip()}"


def kill(number: str) -> str:
    try:
        os.kill(int(number), 0)
    except OSError as error:
        return type(error).__name__
    return "reached"


def join(path: str) -> str:
    """setns(2), the way that nsenter takes."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError as error:
        return type(error).__name__
    try:
        return "joined" if libc.setns(descriptor, 0) == 0 else os.strerror(ctypes.get_errno())
    finally:
        os.close(descriptor)


def ids() -> list[int]:
    return [os.getuid(), os.getgid(), os.geteuid()]


def processes() -> list[int]:
    return sorted(int(name) for name in os.listdir("/proc") if name.isdecimal())


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        return type(error).__name__


def connect_path(path: str) -> str:
    import socket

    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
        except OSError as error:
            return type(error).__name__
    return "connected"


def open_files() -> list[str]:
    """What this process holds open, without the descriptor that lists them."""
    found = []
    for name in sorted(os.listdir("/proc/self/fd"), key=int):
        try:
            found.append(os.readlink(f"/proc/self/fd/{name}").partition(":")[0])
        except OSError:
            continue
    return found


def connect_abstract(name: str) -> str:
    return connect_path(f"\0{name}")


def set(*names: str) -> list[str]:
    return [name for name in names if name in os.environ]


def write(path: str) -> str:
    try:
        with open(path, "ab", buffering=0) as file:
            file.write(b"0")
    except OSError as error:
        return type(error).__name__
    return "written"


def trace(number: str) -> str:
    """ptrace(PTRACE_ATTACH)."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, int(number), 0, 0) == 0:
        return "attached"
    return type(OSError(ctypes.get_errno(), "")).__name__


def raw_packets() -> str:
    return _opened(17, 3)


def raw_ip() -> str:
    return _opened(2, 3)


def _opened(family: int, kind: int) -> str:
    import socket

    try:
        socket.socket(family, kind, 1).close()
    except OSError as error:
        return type(error).__name__
    return "opened"


def route() -> str:
    """RTM_NEWROUTE by netlink, without a tool."""
    import socket

    from pytest_webretrieval.slots import netlink

    try:
        netlink._route_all_to("lo", socket.AF_INET)
    except OSError as error:
        return type(error).__name__
    return "routed"


def shell_in_own_network(*words: str) -> str:
    return command("unshare", "-Urn", "bash", "-c", " ".join(words))
