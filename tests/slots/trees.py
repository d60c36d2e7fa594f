"""What a folder holds, as one number."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def tree_hash(folder: Path) -> str:
    """Over every name, mode, link, modification time and content below a folder; links are not followed."""
    digest = hashlib.sha256()
    for place, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted((*files, *folders)):
            path = Path(place, name)
            found = path.lstat()
            digest.update(f"{path.relative_to(folder)} {found.st_mode:o} {found.st_mtime_ns}\n".encode())
            if path.is_symlink():
                digest.update(os.fsencode(os.readlink(path)))
            elif path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()
