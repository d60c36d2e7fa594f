"""Become an ordinary user and run a command:  python as_user.py UID HOME COMMAND ...

Python and the project may lie where only root can look. In a view of the mounts of its own, the way there is opened
for everybody, and nothing else changes.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from pytest_webretrieval.slots.namespace import NEWNS, PRIVATE, RECURSIVE, bind, mount, unshare


def main(uid: int, home: str, command: list[str]) -> None:
    unshare(NEWNS)
    mount("none", "/", "", RECURSIVE | PRIVATE)
    for needed in dict.fromkeys((sys.base_prefix, sys.prefix, os.getcwd())):
        _open_way(Path(needed).resolve())
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
    os.environ.update(HOME=home, TMPDIR=home, PYTHONDONTWRITEBYTECODE="1")
    os.execvp(command[0], command)


def _open_way(needed: Path) -> None:
    """What is needed is held by a descriptor meanwhile, and mounted nowhere but at its own place."""
    closed = [folder for folder in needed.parents if not folder.stat().st_mode & stat.S_IXOTH]
    if not closed:
        return
    held = os.open(needed, os.O_PATH)
    mount("tmpfs", str(closed[-1]), "tmpfs", 0, "mode=755")
    needed.mkdir(parents=True)
    bind(f"/proc/self/fd/{held}", str(needed))
    os.close(held)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
