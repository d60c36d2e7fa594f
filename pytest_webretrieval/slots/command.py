"""A command in a slot, as ``webretrieval net -- COMMAND`` runs it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .proxy import ProxySlot
from .slot import Slot

TERMINAL = (0, 1, 2)


async def run_command(slot: Slot | ProxySlot, argv: list[str]) -> int:
    """The exit code of a command on this process's own terminal; 128 + n for signal n, 127 not found, 126 not
    runnable.

    The slot must have been opened with ``terminal=TERMINAL``. The terminal's keys are the command's while
    it runs. Raises SlotFailure.
    """
    with suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    with _keys_left_alone():
        status = await slot.execute(argv)
    return 128 - status if status < 0 else status


@contextmanager
def _keys_left_alone() -> Iterator[None]:
    """Ctrl-C goes to the whole foreground group: here it is not ours. A shell may also leave the terminal
    to a group that is gone; take it back."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGQUIT)}
    try:
        yield
    finally:
        if os.isatty(0):
            writing = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            with suppress(OSError):
                os.tcsetpgrp(0, os.getpgrp())
            signal.signal(signal.SIGTTOU, writing)
        for number, handler in before.items():
            signal.signal(number, handler)
