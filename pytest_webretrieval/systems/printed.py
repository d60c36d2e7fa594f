"""What a process prints, passed on as it comes, with the end of it at hand."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from typing import IO

_CHUNK = 64 * 1024
_TAIL = 4096
_LINGER_S = 0.5  # how long the pipes of a process that has ended may stay open in the hands of its children


class Printed:
    """Reads both pipes of a process, which must be pipes, into this process' own standard output and error."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self._tail = bytearray()
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._read, args=given, daemon=True)
            for given in ((process.stdout, 1), (process.stderr, 2))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def tail(self) -> str:
        """The end of both, as they came."""
        with self._lock:
            return bytes(self._tail).decode("utf-8", "replace").strip()

    def finish(self) -> None:
        """Take in what is left of a process that has ended."""
        for thread in self._threads:
            thread.join(_LINGER_S)

    def _read(self, pipe: IO[bytes], to: int) -> None:
        with contextlib.suppress(OSError), pipe:
            while chunk := os.read(pipe.fileno(), _CHUNK):
                with self._lock:
                    self._tail = (self._tail + chunk)[-_TAIL:]
                view = memoryview(chunk)
                while view:
                    view = view[os.write(to, view) :]
