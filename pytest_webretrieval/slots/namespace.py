"""Namespaces and mounts, by system call.

A user namespace is entered in two parts: the process leaves by ``unshare`` and gives its number, and the
process that asked for it writes the maps, because only the one outside may map more than its own id.
``Ids`` holds both kinds of map: ``outer`` makes the caller root over a new network and its mounts;
``inner`` gives the caller's own ids back, and with them no power over what the outer one owns.
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
from dataclasses import dataclass

NEWNS, NEWUSER, NEWPID, NEWNET = 0x00020000, 0x10000000, 0x20000000, 0x40000000
BIND, RECURSIVE, PRIVATE = 0x1000, 0x4000, 0x40000
NOSUID, NODEV, NOEXEC, READ_ONLY, REMOUNT = 0x2, 0x4, 0x8, 0x1, 0x20
_DETACH = 2
_PR_SET_PDEATHSIG = 1


@functools.cache
def _libc() -> ctypes.CDLL:
    """Found when it is needed: this module is imported where there is none of its kind, too."""
    return ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True, slots=True)
class Ids:
    """Texts for ``/proc/PID/uid_map`` and ``gid_map``, in this order. ``setgroups`` is ``deny`` where the
    kernel demands it of an ordinary user."""

    outer: tuple[str, str]
    inner: tuple[str, str]
    setgroups: str


def all_ids() -> Ids:
    """Every id of this process's namespace, each mapped to itself: for root, who may own files of any id."""
    maps = (_identity("/proc/self/uid_map"), _identity("/proc/self/gid_map"))
    return Ids(outer=maps, inner=maps, setgroups="allow")


def own_ids() -> Ids:
    """Only the caller's own ids: all that an ordinary user may map."""
    uid, gid = os.geteuid(), os.getegid()
    return Ids(outer=(f"0 {uid} 1", f"0 {gid} 1"), inner=(f"{uid} 0 1", f"{gid} 0 1"), setgroups="deny")


def _identity(path: str) -> str:
    with open(path, encoding="ascii") as file:
        rows = [line.split() for line in file]
    return "\n".join(f"{inside} {inside} {count}" for inside, _, count in rows)


def unshare(flags: int) -> None:
    """Raises OSError. A process with several threads cannot unshare NEWUSER (EINVAL)."""
    _check(_libc().unshare(flags), "unshare")


def own_number() -> str:
    """This process's number in the /proc that it sees, which may be that of an outer PID namespace."""
    return os.readlink("/proc/self")


def write_maps(number: str, maps: tuple[str, str], setgroups: str) -> None:
    """Map the ids of a process that has unshared NEWUSER. Raises OSError."""
    if setgroups == "deny":
        _write(f"/proc/{number}/setgroups", setgroups)
    _write(f"/proc/{number}/uid_map", maps[0])
    _write(f"/proc/{number}/gid_map", maps[1])


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode("ascii"))
    finally:
        os.close(descriptor)


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """mount(2). Raises OSError."""
    done = _libc().mount(
        os.fsencode(source), os.fsencode(target), os.fsencode(kind), ctypes.c_ulong(flags), os.fsencode(data)
    )
    _check(done, f"mount {target}")


def bind(source: str, target: str) -> None:
    """Show one file or folder in the place of another. Raises OSError."""
    mount(source, target, "", BIND | RECURSIVE)


def unmount(target: str) -> None:
    """Take off what was mounted last, with all that is mounted in it. Raises OSError."""
    _check(_libc().umount2(os.fsencode(target), _DETACH), f"unmount {target}")


def mount_proc() -> None:
    """Show this PID namespace's processes only. Raises OSError where a container masks parts of /proc."""
    mount("proc", "/proc", "proc", NOSUID | NODEV | NOEXEC)


def shut_kernel_settings() -> None:
    """Make /proc/sys read-only: the real root owns its files, whatever namespace it is in. Raises OSError."""
    bind("/proc/sys", "/proc/sys")
    mount("", "/proc/sys", "", BIND | REMOUNT | READ_ONLY | NOSUID | NODEV | NOEXEC)


def die_with_parent() -> None:
    """SIGKILL when the thread that forked this process ends. Changing credentials undoes it."""
    _check(_libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")


def _check(returned: int, what: str) -> None:
    if returned != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
