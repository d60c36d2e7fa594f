"""Whether a browser lives in a PID namespace, as its first process sees it."""

from __future__ import annotations

import os

# As the kernel shortens them: fifteen bytes.
_BROWSERS = frozenset(
    {
        b"chromium",
        b"chromium-browse",
        b"chrome",
        b"google-chrome",
        b"headless_shell",
        b"chrome-headless",
        b"firefox",
    }
)


def browser_lives() -> bool:
    """Whether a process of the namespace is a browser. Where /proc shows another namespace's, none is seen."""
    if os.readlink("/proc/self") != str(os.getpid()):
        return False
    return any(_name(number) in _BROWSERS for number in os.listdir("/proc") if number.isdecimal())


def _name(number: str) -> bytes:
    try:
        with open(f"/proc/{number}/comm", "rb") as file:
            return file.read().rstrip(b"\n")
    except OSError:
        return b""  # it has ended meanwhile
