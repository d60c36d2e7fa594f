"""JSON-lines files that are only ever appended to, by several processes if need be, one whole line at a time."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .folder import FolderError, Writer, set_half_line_aside


@contextmanager
def journal(folder: Path) -> Iterator[Path]:
    """Make ``folder`` where it is not there and hold it alone, so that what was read still holds when a line is added.
    Raises FolderError where it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("a")
    except OSError as error:
        raise FolderError(f"cannot make the history folder {folder}: {error.strerror}") from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def append_line(folder: Path, name: str, line: Mapping[str, Any]) -> None:
    """Add one line to a file of a folder that is held. A half line of a killed process is moved to ``NAME.half`` first.
    Raises FolderError where it cannot be written; then no part of it stays."""
    try:
        set_half_line_aside(folder, name)
    except OSError as error:
        raise FolderError(f"cannot write {folder / name}: {error.strerror}") from error
    writer = Writer(folder)
    writer.append(name, (line,))
    writer.close()
    if writer.failure is not None:
        raise FolderError(writer.failure)
