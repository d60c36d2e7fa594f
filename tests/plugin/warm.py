"""Processes that need not import first what every one of them imports.

A quarter of what a short run costs, and nearly all that an error before it costs, is importing. A process of ours has
imported once and forks for each call: a process of its own, with the arguments, environment, folder and output of that
call, which ends as an interpreter ends. The plugin's own module is left for the call to import, as pytest rewrites it.

    python warm.py FD    # answers at the socket FD until its other end is closed
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import random
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

# Rooms of a run that bring all others; beside them pytest's own modules, and a library that is imported late.
_ROOMS = ("configure", "controller", "own_runs", "own_tests", "collect", "lanes.inside", "cli")


class Warm:
    """The side that calls, one call at a time. ``wrapper`` stands before the interpreter's command."""

    def __init__(self, wrapper: Sequence[str] = ()) -> None:
        self._ours, theirs = socket.socketpair()
        with theirs:
            self._server = subprocess.Popen(
                [*wrapper, sys.executable, "-P", __file__, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self._replies = self._ours.makefile("r", encoding="ascii")
        atexit.register(self.close)

    def run(
        self,
        module: str,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        timeout: float,
    ) -> tuple[int, bytes]:
        """As ``python -m MODULE ARGUMENTS``: the exit code (negative: a signal) and what both streams said.

        Raises subprocess.TimeoutExpired after ``timeout`` seconds.
        """
        call = json.dumps([module, list(arguments), str(folder), dict(environment)])
        reading, writing = os.pipe()
        with open(reading, "rb") as output:
            socket.send_fds(self._ours, [b"-"], [writing])
            os.close(writing)
            self._ours.sendall(f"{call}\n".encode())
            number = int(self._replies.readline())
            ended = threading.Event()
            late = threading.Timer(timeout, lambda: (ended.set(), os.kill(number, signal.SIGKILL)))
            late.start()
            try:
                said = output.read()
                code = int(self._replies.readline())
            finally:
                late.cancel()
        if ended.is_set():
            raise subprocess.TimeoutExpired([module, *arguments], timeout, said)
        return code, said

    def close(self) -> None:
        self._replies.close()
        self._ours.close()
        self._server.wait()


def main(descriptor: int) -> None:
    """Fork for each call. A forked process leaves by ``SystemExit`` and ends as any interpreter does."""
    from _pytest.config import default_plugins

    for name in default_plugins:
        importlib.import_module(f"_pytest.{name}")
    for name in (*(f"pytest_webretrieval.{room}" for room in _ROOMS), "cryptography.x509"):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=descriptor) as theirs, theirs.makefile("r", encoding="utf-8") as calls:
        while True:
            given, descriptors, _, _ = socket.recv_fds(theirs, 1, 1)
            if not given:
                return
            (output,) = descriptors
            call = json.loads(calls.readline())
            if (child := os.fork()) == 0:
                break
            os.close(output)
            theirs.sendall(f"{child}\n".encode())
            _, status = os.waitpid(child, 0)
            theirs.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    # What Python knows of its streams is what they were when the server started.
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", 1, "utf-8", "backslashreplace", closefd=False)
    _become(*call)


def _become(module: str, arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    # What was settled while the server started: where temporary files lie, and the numbers that are drawn.
    tempfile.tempdir = None
    random.seed()
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
