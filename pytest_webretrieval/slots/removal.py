"""Removing a tree without ever leaving it: neither by a link nor by a mount.

A folder of the user's that is mounted somewhere in the tree would be emptied with it. So nothing is removed where the
kernel lists a mount, and each folder is opened without following links and told from a mount before it is entered.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_MNT_ID = re.compile(r"^mnt_id:\s*(\d+)", re.MULTILINE)


class MountedBelow(Exception):
    """A folder is not removed because something is mounted in it."""


def remove_tree(folder: Path) -> None:
    """Remove a folder and what is in it; what may not be removed is left. None there: nothing is done.

    Raises MountedBelow, and removes nothing, where something is mounted in it.
    """
    with suppress(OSError):
        os.rmdir(folder)  # most are empty, and what is mounted on one keeps it busy
        return
    if mounts := mounted_in(folder):
        raise MountedBelow(f"{folder} is not removed: mounted in it are {', '.join(mounts)}")
    with suppress(OSError, RecursionError):
        parent = os.open(folder.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            _remove(parent, folder.name, None)
        finally:
            os.close(parent)


def mounted_in(folder: Path) -> list[str]:
    """Mount points at or below a folder, as this process sees them."""
    try:
        lines = (
            Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        )
    except FileNotFoundError:
        return []  # no Linux, and so nothing of ours is mounted
    points = (re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), line.split()[4]) for line in lines)
    real = Path(os.path.realpath(folder))
    return [point for point in points if Path(point).is_relative_to(real)]


def _remove(parent: int, name: str, around: tuple[int, int] | None) -> None:
    """``around`` tells the mount of the folder in which ``name`` is; None for the outermost, which may be anywhere."""
    folder = _opened(parent, name)
    try:
        here = _mount_of(folder)
        if around not in (None, here):
            return  # mounted since we looked
        if os.fstat(folder).st_mode & stat.S_IRWXU != stat.S_IRWXU:
            os.fchmod(folder, stat.S_IRWXU)
        for entry in os.listdir(folder):
            with suppress(OSError):
                try:
                    os.unlink(entry, dir_fd=folder)
                except (IsADirectoryError, PermissionError):
                    _remove(folder, entry, here)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=parent)


def _opened(parent: int, name: str) -> int:
    """A folder that may have been closed to its own owner is opened for them first."""
    try:
        return os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:
        if not hasattr(os, "O_PATH"):
            raise
        found = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
        try:
            os.chmod(f"/proc/self/fd/{found}", stat.S_IRWXU)
        finally:
            os.close(found)
        return os.open(name, _FOLDER, dir_fd=parent)


def _mount_of(descriptor: int) -> tuple[int, int]:
    """Device and mount. A bind mount has the device of what it shows, and a number of its own as a mount."""
    try:
        with open(f"/proc/self/fdinfo/{descriptor}", encoding="ascii") as file:
            found = _MNT_ID.search(file.read())
    except FileNotFoundError:
        found = None  # no Linux
    return os.fstat(descriptor).st_dev, int(found[1]) if found else 0
