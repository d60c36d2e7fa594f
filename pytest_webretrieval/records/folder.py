"""A run folder: crash-safe, appended to in whole lines by one process, read again by resume, explain and regrade."""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from pytest_webretrieval.settings import DEFAULT_OUTPUT
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.secrets import scrubber

RESULTS, ATTEMPTS, MANIFEST, SUMMARY = "results.jsonl", "attempts.jsonl", "manifest.json", "summary.json"
# What all processes of the run have spent on models.
SPENDING = "spending.jsonl"


class FolderError(Exception):
    """A run folder that cannot be made, written, read or found; the message says which and how to mend it."""


def new_path(output: Path, now: datetime) -> Path:
    """The place of a fresh run folder, ``YYYYMMDD-HHMM-xxxx`` below ``output``, not made yet."""
    return output / f"{now:%Y%m%d-%H%M}-{secrets.token_hex(2)}"


def make_folder(path: Path) -> None:
    """Make a run folder and its parents. Raises FolderError where it cannot be made."""
    try:
        path.mkdir(parents=True)
        (path.parent / ".gitignore").write_text("*\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise FolderError(
            f"cannot make the run folder {path}: {error.strerror}; name another with --webretrieval-output DIR"
        ) from error


def find_folder(output: Path, run: str) -> Path:
    """The run folder that ``run`` names: a path, a folder's name, the end of one, or ``latest``."""
    if (Path(run) / RESULTS).is_file() or (Path(run) / MANIFEST).is_file():
        return Path(run)
    known = sorted((path.parent for path in output.glob(f"*/{MANIFEST}")), key=_begun)
    found = (
        known[-1:]
        if run == "latest"
        else [path for path in known if path.name == run or path.name.endswith(run)]
    )
    if len(found) == 1:
        return found[0]
    listed = ", ".join(path.name for path in found or known[-5:]) or "none"
    problem = "names more than one run" if found else "is no run"
    raise FolderError(f"{run} {problem} in {output}; there: {listed}")


def _begun(path: Path) -> tuple[str, int]:
    """What orders runs by their beginning: a name tells the minute, and the manifest is written first of all."""
    return path.name.rpartition("-")[0], (path / MANIFEST).stat().st_mtime_ns


class Writer:
    """The one process that writes a run folder's shared files. A failed write is kept in ``failure`` and ends writing,
    never the run: what was finished stays whole."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failure: str | None = None
        self._scrub = scrubber()
        self._files: dict[str, int] = {}

    def append(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add ``rows`` to a JSON-lines file in one write; a write that does not fit leaves no half line."""
        text = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
        data = self._scrub(text).encode("utf-8", "replace")
        if not data or self.failure:
            return
        try:
            file = self._file(name)
            size = os.fstat(file).st_size
            if os.write(file, data) != len(data):
                os.ftruncate(file, size)
                raise OSError(28, "No space left on device")
        except OSError as error:
            self.failure = (
                f"cannot write {self.path / name}: {error.strerror}; the records before it are kept"
            )

    def write(self, name: str, data: Any) -> None:
        """Replace one JSON file in one step."""
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        self.write_text(name, text)

    def write_text(self, name: str, text: str) -> None:
        """Replace one text file in one step."""
        if self.failure:
            return
        target = self.path / name
        partial = target.with_name(f".{target.name}.part")
        try:
            partial.write_text(self._scrub(text), encoding="utf-8", errors="replace", newline="\n")
            partial.replace(target)
        except OSError as error:
            self.failure = f"cannot write {target}: {error.strerror}; the records before it are kept"

    def close(self) -> None:
        """Close what is open; the folder can be read from the first line on."""
        for file in self._files.values():
            os.close(file)
        self._files.clear()

    def _file(self, name: str) -> int:
        if name not in self._files:
            self._files[name] = os.open(
                self.path / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644
            )
        return self._files[name]


def keep_evidence(path: Path, evidence: str, run: Mapping[str, Any], bodies: Iterable[Archive]) -> str | None:
    """Write one run's evidence and bodies. Any worker may: no two write the same file with other content.

    Returns what went wrong, None when all was kept.
    """
    scrub = scrubber()
    try:
        for archive in bodies:
            for digest, body in archive.bodies.items():
                _keep_body(path, digest, body)
        folder = path / evidence
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(exist_ok=True)
        text = scrub(json.dumps(run, ensure_ascii=False, separators=(",", ":")))
        (folder / "evidence.json").write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        return f"cannot keep the evidence in {path / evidence}: {error.strerror}"
    return None


def _body_path(path: Path, digest: str) -> Path:
    return path / "representations" / "sha256" / digest[:2] / digest


def _keep_body(path: Path, digest: str, body: bytes) -> None:
    target = _body_path(path, digest)
    if target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{digest}.{os.getpid()}")
    partial.write_bytes(body)
    partial.replace(target)


def body_reader(path: Path) -> Callable[[str], bytes]:
    """Reads bodies of a run by SHA-256. Raises FolderError for one that is missing."""

    def read(digest: str) -> bytes:
        try:
            return _body_path(path, digest).read_bytes()
        except OSError as error:
            raise FolderError(f"{path}: the body {digest} is missing: {error.strerror}") from error

    return read


def read_json(path: Path) -> Any:
    """One JSON file of a run folder. Raises FolderError."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FolderError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise FolderError(f"{path}: not JSON: {error}") from error


def read_rows(path: Path, name: str = RESULTS) -> Iterator[dict[str, Any]]:
    """Every whole line of a JSON-lines file; a half line at the end (a killed run's) is passed over."""
    try:
        file = (path / name).open(encoding="utf-8", newline="\n")
    except FileNotFoundError:
        return
    with file:
        for number, line in enumerate(file, 1):
            if not line.endswith("\n"):
                return
            try:
                yield json.loads(line)
            except ValueError as error:
                raise FolderError(
                    f"{path / name}:{number}: not JSON: {error}; remove the line to go on"
                ) from error


def set_half_lines_aside(path: Path) -> None:
    """Before a folder is appended to again: move a half last line of its shared files to ``NAME.half``, and with it the
    last attempts, where their run was killed before its record was written."""
    for name in (RESULTS, ATTEMPTS):
        set_half_line_aside(path, name)
    known = {_run_of(row.get("key", {})) for row in read_rows(path)}
    whole = 0
    if (path / ATTEMPTS).exists():
        data = (path / ATTEMPTS).read_bytes()
        for line in data.splitlines(keepends=True):
            if _run_of(json.loads(line), "webretrieval.") not in known:
                break
            whole += len(line)
        _set_aside(path, ATTEMPTS, data, whole)


def set_half_line_aside(path: Path, name: str) -> None:
    """Move a half last line of the file ``name`` to ``NAME.half``; one that is whole, or not there, stays as it is."""
    if (path / name).exists():
        data = (path / name).read_bytes()
        _set_aside(path, name, data, data.rfind(b"\n") + 1)


def _run_of(row: Mapping[str, Any], prefix: str = "") -> tuple[Any, ...]:
    return tuple(row.get(f"{prefix}{name}") for name in ("case", "seed", "trial"))


def _set_aside(path: Path, name: str, data: bytes, whole: int) -> None:
    if whole < len(data):
        with (path / f"{name}.half").open("ab") as aside:
            aside.write(data[whole:].rstrip(b"\n") + b"\n")
        os.truncate(path / name, whole)


def run_suffix(path: Path) -> str:
    """The short name of a run that people type: the last part of its folder's name."""
    return re.split(r"[-/]", path.name)[-1]


def run_name(path: Path, here: Path) -> str:
    """What finds the run from the folder ``here``: its short name where the command looks by itself, else its path."""
    if path.parent == here / DEFAULT_OUTPUT:
        return run_suffix(path)
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
