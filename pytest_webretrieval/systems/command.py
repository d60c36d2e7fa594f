"""Systems that are commands: one process a question."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

from .codec import task_to_json
from .contract import MAX_BYTES, ContractError, Task
from .ends import describe_end, end_type
from .payload import from_stdout, unreadable
from .ways import CommandWay, SystemUnusable

_CHUNK = 64 * 1024
_STDERR_TAIL = 4096
_LINGER_S = 0.5  # how long the pipes of a command that has ended may stay open in the hands of its children


class CommandFailed(Exception):
    """A command ended with another code than 0; ``error_type`` is ``exit:3`` or ``signal:9``."""

    def __init__(self, code: int, stderr: str) -> None:
        self.error_type = end_type(code)
        super().__init__(f"the command {describe_end(code)}" + (f"\n{stderr}" if stderr else ""))


class CommandSystem:
    """A command that gets the prompt as an argument, or the task as JSON on standard input."""

    capabilities: frozenset[str] | None = None

    def __init__(self, way: CommandWay, folder: Path) -> None:
        self._way = way
        self._folder = folder

    def start(self) -> None:
        """Nothing: a command starts with each question."""

    def ask(self, task: Task) -> Any:
        """What it wrote: text or JSON; standard error is passed on. Raises CommandFailed and OSError."""
        # Words are filled in after splitting, so no prompt can break out of its word.
        words = [word.replace("{prompt}", task.prompt) for word in self._way.words]
        given = b"" if self._way.takes_prompt else json.dumps(task_to_json(task)).encode()
        process = subprocess.Popen(
            words, cwd=self._folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        with process:
            try:
                output = _Output(process)
                output.feed(given)
                code = process.wait()
                output.finish()
            except BaseException:
                process.kill()
                raise
        if code != 0:
            raise CommandFailed(code, output.stderr_tail)
        try:
            return from_stdout(bytes(output.stdout), whole=output.whole)
        except ContractError as error:
            return unreadable(error)

    def close(self) -> None:
        """Nothing: no process outlives its question."""


class _Output:
    """Reads both pipes of a process at once and keeps no more than it may."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.stdout = bytearray()
        self.whole = True
        self._stderr = bytearray()
        self._process = process
        self._threads = [
            threading.Thread(target=self._read, args=(process.stdout, self._keep_stdout), daemon=True),
            threading.Thread(target=self._read, args=(process.stderr, self._keep_stderr), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def stderr_tail(self) -> str:
        return bytes(self._stderr).decode("utf-8", "replace").strip()

    def feed(self, given: bytes) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # a command need not read what it is given
            self._process.stdin.write(given)
            self._process.stdin.close()

    def finish(self) -> None:
        for thread in self._threads:
            thread.join(_LINGER_S)

    def _read(self, pipe: IO[bytes], keep: Any) -> None:
        # The pipe is closed under a reader that a surviving child keeps waiting: fileno() raises ValueError.
        with contextlib.suppress(ValueError):
            while chunk := os.read(pipe.fileno(), _CHUNK):
                keep(chunk)

    def _keep_stdout(self, chunk: bytes) -> None:
        room = MAX_BYTES - len(self.stdout)
        self.stdout += chunk[:room]
        self.whole = self.whole and len(chunk) <= room

    def _keep_stderr(self, chunk: bytes) -> None:
        self._stderr = (self._stderr + chunk)[-_STDERR_TAIL:]
        sys.stderr.write(chunk.decode("utf-8", "replace"))


def load_command(way: CommandWay, folder: Path) -> CommandSystem:
    """Raises SystemUnusable when the command is not found."""
    find_program(way.spec, way.words[0], folder)
    return CommandSystem(way, folder)


def find_program(spec: str, program: str, folder: Path) -> None:
    """Raises SystemUnusable when ``program``, the first word of a command that runs in ``folder``, is not found."""
    if "/" in program:
        path = folder / program
        if not (path.is_file() and os.access(path, os.X_OK)):
            raise SystemUnusable(f"system `{spec}`: `{program}` is not an executable file in {folder}")
    elif shutil.which(program) is None:
        raise SystemUnusable(f"system `{spec}`: there is no command `{program}` on PATH")
