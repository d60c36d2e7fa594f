"""Files of a capture into a case folder, whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from pytest_webretrieval.cases.lock import write_whole
from pytest_webretrieval.cases.yaml_reader import shown

from .exchange import CaptureError


def write_files(folder: Path, files: Mapping[PurePosixPath, bytes], replace: bool) -> list[Path]:
    """Write what is not there yet as it should be; the paths that were written.

    Raises CaptureError, before anything is written, where another file has a name; with ``replace`` it is written anew.
    """
    fresh = {folder / name: body for name, body in files.items()}
    waiting = {path: body for path, body in fresh.items() if not path.exists() or path.read_bytes() != body}
    taken = [path for path in waiting if path.exists()]
    if taken and not replace:
        others = f" and {len(taken) - 1} more" if len(taken) > 1 else ""
        raise CaptureError(f"{shown(taken[0])}{others}: there already, and different; --replace writes anew")
    for path, body in waiting.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return sorted(waiting)


def write_case(path: Path, text: str, replace: bool) -> None:
    """Write a case file. Raises CaptureError where there is one of the name."""
    if path.exists() and not replace:
        raise CaptureError(f"{shown(path)}: there already; --replace writes it anew")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text)
