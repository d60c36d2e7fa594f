"""Signal handlers: the slot's parent has its own, and its children get back those that the import left."""

from __future__ import annotations

import os
import signal
from os import pipe
from signal import getsignal, set_wakeup_fd
from signal import signal as handle
from typing import Any

Handlers = dict[signal.Signals, Any]
_KEYS = (signal.SIGINT, signal.SIGQUIT)  # of the terminal, ignored by all of ours


def take_over() -> tuple[Handlers, tuple[int, int]]:
    """What the handlers were, and a pipe that can be read when a child has ended."""
    reading, writing = pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    before: Handlers = {number: getsignal(number) for number in (*_KEYS, signal.SIGCHLD)}
    for number in _KEYS:
        handle(number, signal.SIG_IGN)
    set_wakeup_fd(writing, warn_on_full_buffer=False)
    handle(signal.SIGCHLD, lambda *_: None)
    return before, (reading, writing)


def give_back(before: Handlers) -> None:
    """To a run: what the import left, and the usual where only we had changed something."""
    set_wakeup_fd(-1)
    usual: Handlers = {signal.SIGINT: signal.default_int_handler}
    for number, handler in before.items():
        ours = handler is None or (number in _KEYS and handler is signal.SIG_IGN)
        handle(number, usual.get(number, signal.SIG_DFL) if ours else handler)


def all_usual(before: Handlers) -> None:
    """To another program: the ones that Python had changed as well."""
    set_wakeup_fd(-1)
    for number in (*before, signal.SIGPIPE, signal.SIGXFSZ):
        handle(number, signal.SIG_DFL)
