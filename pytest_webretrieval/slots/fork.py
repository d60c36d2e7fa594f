"""Forking a process into namespaces of its own, with its maps written from outside."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress

# By name, here and wherever a slot is made or kept: a system may patch the modules' own (gevent does) when it is
# imported, and that is before its slots are made.
from os import close, fork, pipe, read, waitpid, write
from typing import NoReturn

from .namespace import own_number, unshare, write_maps

FAILED = 70  # exit code of a process of ours that could not do its work

# What a child has to do before anything else, set for the moment of a fork.
_first: Callable[[], None] | None = None


def _do_first() -> None:
    if _first is not None:
        _first()


# Before those that the user's modules register, which may start threads (OpenTelemetry's do): a process with threads
# cannot enter a user namespace. Hooks run in the order in which they were registered.
os.register_at_fork(after_in_child=_do_first)


def fork_into(
    flags: int,
    maps: tuple[str, str],
    setgroups: str,
    body: Callable[[], NoReturn],
    before: Callable[[], None] = lambda: None,
) -> int:
    """The number of a forked process that runs ``before``, unshares ``flags`` (NEWUSER among them), and
    once its ids are mapped runs ``body``. Raises OSError when it could not get there."""
    global _first
    up, down = pipe(), pipe()
    _first = leave = _Leave(flags, before)
    try:
        number = _forked()
    finally:
        _first = None
    if number == 0:
        with _never_returning():
            close(up[0])
            close(down[1])
            _report(leave, up[1], down[0])
            close(up[1])
            close(down[0])
            body()
    close(up[1])
    close(down[0])
    try:
        told = read(up[0], 64).decode("ascii")
        if not told or told.startswith("-"):
            waitpid(number, 0)
            code = int(told[1:] or 0)
            raise OSError(code, os.strerror(code) if code else "the forked process ended at once")
        write_maps(told, maps, setgroups)
        write(down[1], b"+")
    finally:
        close(up[0])
        close(down[1])
    return number


def fork_here(body: Callable[[], NoReturn]) -> int:
    """The number of a forked process that runs ``body`` where its parent is. Raises OSError."""
    number = _forked()
    if number == 0:
        with _never_returning():
            body()
    return number


def _forked() -> int:
    with warnings.catch_warnings():
        # A system's import may have left threads; what is forked here runs Python as pre-forking servers do.
        warnings.simplefilter("ignore", DeprecationWarning)
        return fork()


class _Leave:
    """Leaving the namespaces of one's parent; ``error`` is why that failed."""

    def __init__(self, flags: int, before: Callable[[], None]) -> None:
        self.error: int | None = None
        self._flags, self._before = flags, before

    def __call__(self) -> None:
        try:
            self.number = own_number()
            self._before()
            unshare(self._flags)
        except OSError as error:
            self.error = error.errno or 0


def _report(leave: _Leave, up: int, down: int) -> None:
    """Say that it was done, or not, and wait until the ids are mapped."""
    if leave.error is not None:
        write(up, f"-{leave.error}".encode("ascii"))
        os._exit(FAILED)
    write(up, leave.number.encode("ascii"))
    if not read(down, 1):
        os._exit(FAILED)


class _never_returning:
    """Whatever happens in a forked process must not run on in its parent's frames."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *caught: object) -> NoReturn:
        with suppress(BaseException):
            traceback.print_exc()
            sys.stderr.flush()
        os._exit(FAILED)
