"""The look at what was written: no secret of the environment may stand in it."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from pytest_webretrieval.keyshapes import looks_random

from .secrets import Values, secrets_of

# A word that may stand anywhere, as the value of some variable, is no proof.
_TELLING = 12


def scan(folders: Iterable[Path], environment: Mapping[str, str] | None = None) -> list[str]:
    """One line for each file in which a secret of the environment stands: the file and the variable, not the value."""
    told = secrets_of(os.environ if environment is None else environment)
    values = Values({value: name for value, name in told.items() if _is_telling(value)})
    found = []
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
            name = values.within(str(path.relative_to(folder)).encode()) or values.within(_read(path))
            if name is not None:
                variable = name.removeprefix("[redacted:").removesuffix("]")
                found.append(f"the secret {variable} stands in {path}; remove the file and renew the secret")
    return found


def _is_telling(value: str) -> bool:
    return looks_random(value) or (len(value) >= _TELLING and not value.isalpha())


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (OSError, EOFError, zlib.error):
        return b""
