"""Ending what a process has started where there is no PID namespace that does it.

On Linux a process can inherit its orphans, so that its descendants are all of them, whatever session they are in.
Elsewhere orphans go to the first process of the machine; what is left of them in the run's process group is ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from os import kill, killpg, waitpid
from pathlib import Path

from .namespace import die_with_parent
from .reaping import dead

_PR_SET_CHILD_SUBREAPER = 36
_ZOMBIE = "Z"


def inherit_orphans() -> None:
    """Become the parent of every descendant that loses its own; only Linux can."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def go_with_parent() -> None:
    """End with the thread that forked this process; only Linux can."""
    if sys.platform.startswith("linux"):
        die_with_parent()


def descendants(root: int) -> list[int]:
    """Every living process below ``root``, and its own children that have ended and are not told yet."""
    children: dict[int, list[int]] = {}
    for number, parent, state in _processes():
        if state != _ZOMBIE or parent == root:
            children.setdefault(parent, []).append(number)
    found, waiting = [], [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def end_descendants(groups: tuple[int, ...] = ()) -> dict[int, int]:
    """End every process below this one, and the process ``groups``; what ``reaping.dead`` would have told of each.

    Those that may not be ended (they have become another user) are left.
    """
    ended: dict[int, int] = {}
    while True:
        reached = [number for number in descendants(os.getpid()) if _ends(number)]
        for group in groups:
            with suppress(ProcessLookupError, PermissionError):
                killpg(group, signal.SIGKILL)
        if not reached:
            ended.update(dead())
            return ended
        with suppress(ChildProcessError):
            number, status = waitpid(-1, 0)
            ended[number] = os.waitstatus_to_exitcode(status)


def _ends(number: int) -> bool:
    try:
        kill(number, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _processes() -> Iterator[tuple[int, int, str]]:
    """Number, parent's number and state of every process."""
    if not Path("/proc/self/stat").exists():
        yield from _by_ps()
        return
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with suppress(OSError), open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                # The program's name, in parentheses, may hold spaces and parentheses.
                state, parent = file.read().rpartition(")")[2].split()[:2]
                yield int(name), int(parent), state


def _by_ps() -> Iterator[tuple[int, int, str]]:
    with subprocess.Popen(["ps", "-axo", "pid=,ppid=,state="], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        rows = [line.split() for line in process.stdout]
    for number, parent, state in rows:
        if int(number) != process.pid:
            yield int(number), int(parent), state[0]
