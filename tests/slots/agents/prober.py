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
