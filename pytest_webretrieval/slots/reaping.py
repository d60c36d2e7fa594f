"""The duty and the power of the first process in a PID namespace: every orphan is its child, and it can end all."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from os import kill, waitpid


def dead() -> Iterator[tuple[int, int]]:
    """Number and exit code (or minus the signal) of each child that has ended; each is told once."""
    with suppress(ChildProcessError):
        while (ended := waitpid(-1, os.WNOHANG))[0] != 0:
            yield ended[0], os.waitstatus_to_exitcode(ended[1])


def anybody_left() -> bool:
    """Whether there is a child, living or not yet told."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def end_everybody() -> dict[int, int]:
    """End every other process of the namespace and wait for it; what ``dead`` would have told of each."""
    ended: dict[int, int] = {}
    while True:
        with suppress(ProcessLookupError):
            kill(-1, signal.SIGKILL)
        try:
            number, status = waitpid(-1, 0)
        except ChildProcessError:
            return ended
        ended[number] = os.waitstatus_to_exitcode(status)
