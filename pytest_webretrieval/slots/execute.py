"""Any command in a slot, on the caller's own terminal."""

from __future__ import annotations

import os
from collections.abc import Iterable
from os import close, dup2
from typing import NoReturn

from .child import Fork
from .handlers import Handlers, all_usual

NOT_FOUND, NOT_RUNNABLE = 127, 126


def start(
    argv: list[str], fork: Fork, handlers: Handlers, not_for_it: Iterable[int], terminal: tuple[int, ...]
) -> int:
    """The process of a command, on ``terminal`` (standard input, output and error). It stays in the
    caller's session, so that the terminal's keys reach it. Raises OSError."""

    def body() -> NoReturn:
        for descriptor in not_for_it:
            close(descriptor)
        for target, source in enumerate(terminal):
            dup2(source, target)
            close(source)
        all_usual(handlers)
        try:
            os.execvp(argv[0], argv)
        except FileNotFoundError:
            code = NOT_FOUND
        except OSError as error:
            os.write(2, f"{argv[0]}: {error.strerror}\n".encode())
            os._exit(NOT_RUNNABLE)
        os.write(2, f"{argv[0]}: not found\n".encode())
        os._exit(code)

    return fork(body)
