"""A system whose import replaces what the slot's own processes are made of, as gevent and clock fakes do."""

from __future__ import annotations

import os
import select
import signal
import socket
import threading
import time
from typing import Any, NoReturn


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise AssertionError("what the import has replaced was called")


signal.signal(signal.SIGCHLD, lambda *_: None)
threading.Thread(target=threading.Event().wait, daemon=True).start()

for module, names in (
    (os, ("fork", "waitpid", "pipe", "kill", "setsid", "dup2")),
    (select, ("poll", "epoll", "select")),
    (socket, ("socket", "socketpair", "create_connection", "send_fds", "recv_fds")),
    (time, ("monotonic", "time", "sleep")),
    (signal, ("signal", "getsignal", "set_wakeup_fd")),
):
    for name in names:
        setattr(module, name, _refuse)


def answer(prompt: str) -> str:
    return f"{prompt} by {threading.active_count()} thread"
