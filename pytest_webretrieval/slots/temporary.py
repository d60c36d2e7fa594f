"""Temporary folders that a killed process cannot leave for ever: they carry its number and the time it
started."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from .removal import MountedBelow, remove_tree

__all__ = ["MountedBelow", "new_folder", "remove", "sweep"]


def new_folder(name: str) -> Path:
    """A new folder of this name in that of this process; those of processes that are gone are swept first.

    It can be passed through by every user (a system may have several), and listed by none but ours.
    """
    parent = Path(tempfile.gettempdir()) / f"webretrieval-{os.getuid()}"
    while True:
        if not _is_ours(parent):
            # Somebody else's, in a place where everybody may write: stay out of it.
            return Path(tempfile.mkdtemp(prefix="webretrieval-"))
        sweep(parent)
        folder = parent / _name(os.getpid()) / name
        try:
            folder.parent.mkdir(mode=0o711, exist_ok=True)
            folder.mkdir(mode=0o711)
        except FileNotFoundError:
            continue  # somebody removed the empty one in this moment
        return folder


def remove(folder: Path) -> None:
    """Remove a folder that ``new_folder`` made, and what is empty above it.

    Raises MountedBelow, and removes nothing, where something is mounted in it: that would be deleted as well.
    """
    remove_tree(folder)
    with suppress(OSError):
        folder.parent.rmdir()
        folder.parent.parent.rmdir()


def sweep(parent: Path) -> None:
    """Remove the folders of processes that are gone."""
    try:
        folders = list(parent.iterdir())
    except FileNotFoundError:
        return
    for folder in folders:
        number = folder.name.partition("-")[0]
        if number.isdecimal() and folder.name != _name(int(number)):
            with suppress(MountedBelow):
                remove_tree(folder)


def _is_ours(folder: Path) -> bool:
    folder.mkdir(mode=0o711, exist_ok=True)
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return _is_ours(folder)
    return found.st_uid == os.getuid() and not folder.is_symlink() and not found.st_mode & 0o022


def _name(number: int) -> str:
    """``NUMBER-START``; the start tells a process from a later one with the same number. ``NUMBER-`` when
    gone."""
    try:
        text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return f"{number}-"
    # The name of the program, in parentheses, may hold spaces and parentheses.
    return f"{number}-{text.rpartition(')')[2].split()[19]}"
