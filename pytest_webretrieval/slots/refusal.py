"""Why this machine makes no slots, and how to mend it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

APPARMOR = "kernel/apparmor_restrict_unprivileged_userns"
CLONE = "kernel/unprivileged_userns_clone"
LIMITS = tuple(f"user/max_{kind}_namespaces" for kind in ("user", "net", "mnt", "pid"))


def explain(step: str, number: int | None) -> str:
    """What is missing and the command that mends it, for a step that the kernel refused."""
    said = f"{os.strerror(number)}" if number else "no reason given"
    return f"no slot can be made here: {_what(step)} was refused ({said}).\n{mend(number)}"


def _what(step: str) -> str:
    return {
        "unshare": "a user and network namespace",
        "ids": "a map of user ids",
        "mount": "a private view of the mounts",
        "network": "a network in which every address is local",
        "processes": "a PID namespace",
        "namespaces": "a namespace for a slot",
    }.get(step, step)


def mend(number: int | None) -> str:
    """The most likely reason on this machine, from what the kernel says about itself."""
    if setting(APPARMOR) == "1" and os.geteuid() != 0:
        return (
            "AppArmor restricts user namespaces of ordinary users (Ubuntu 24.04 does). Mend: "
            "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
        )
    if setting(CLONE) == "0" and os.geteuid() != 0:
        return "User namespaces are off. Mend: sudo sysctl -w kernel.unprivileged_userns_clone=1"
    for name in LIMITS:
        if setting(name) == "0":
            return f"{name.replace('/', '.')} is 0. Mend: sudo sysctl -w {name.replace('/', '.')}=10000"
    if number == errno.ENOSPC:
        return "A limit on namespaces is reached. Mend: sudo sysctl -w user.max_user_namespaces=10000"
    if number == errno.ENOSYS:
        return "The kernel has no namespaces: a Linux kernel of 5.4 or later is needed."
    if in_container():
        return (
            "This is a container whose seccomp profile keeps namespaces out. Mend: "
            "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined ..."
        )
    return "A security module or a seccomp profile keeps namespaces out; `webretrieval doctor` says more."


def in_container() -> bool:
    return Path("/.dockerenv").exists() or Path("/run/.containerenv").exists() or "container" in os.environ


def setting(name: str) -> str | None:
    """A value under /proc/sys; None where there is none."""
    try:
        return Path("/proc/sys", name).read_text(encoding="ascii").strip()
    except OSError:
        return None
