"""Locks: a corpus keeps its identity under its version; a written version of truth never changes."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from .case import CaseError, Corpus
from .truth import Truth
from .yaml_reader import error_at, shown

_TRUTH_LINE = re.compile(r"(?P<case>\S+) (?P<at>\S+) sha256:(?P<sha>[0-9a-f]{64})\Z")
_HEADER = "# One line a version of truth, written by `webretrieval truth`. Lines are only ever added.\n"


def corpus_lock_path(corpus: Corpus) -> Path:
    """``<version>.lock`` beside the corpus file: a new version leaves the lock of the old one as it is."""
    return corpus.path.parent / f"{corpus.version}.lock"


def truth_lock_path(place: Path) -> Path:
    """The lock of a truth folder or file: beside it, with the suffix ``.lock``."""
    stem = place.name if place.is_dir() else place.stem
    return place.parent / f"{stem}.lock"


def check_corpus_lock(corpus: Corpus) -> str:
    """``locked`` or ``unlocked`` (no lock file). Raises ``CaseError`` where other cases are locked."""
    path = corpus_lock_path(corpus)
    if not path.exists():
        return "unlocked"
    identity = _read_corpus_lock(path, corpus.version)
    if identity != corpus.identity:
        raise CaseError(
            f"{shown(corpus.path)}: is not the corpus {corpus.version} that was locked (identity "
            f"{corpus.identity[:12]}, locked {identity[:12]}); undo the change, or {_rename(corpus)}"
        )
    return "locked"


def write_corpus_lock(corpus: Corpus) -> Path:
    """Lock a corpus. Raises ``CaseError`` where its version is locked to other cases."""
    path = corpus_lock_path(corpus)
    if path.exists():
        identity = _read_corpus_lock(path, corpus.version)
        if identity != corpus.identity:
            raise CaseError(
                f"{shown(path)}: version {corpus.version} is locked to other cases (identity "
                f"{identity[:12]}, now {corpus.identity[:12]}), and results under one version must be "
                f"comparable; {_rename(corpus)}"
            )
        return path
    write_whole(path, f'version = "{corpus.version}"\nidentity = "sha256:{corpus.identity}"\n')
    return path


def _rename(corpus: Corpus) -> str:
    if corpus.own:
        return f"give {shown(corpus.path)} a new name, which is its version"
    return f"write a new `version` into {shown(corpus.path)}"


def _read_corpus_lock(path: Path, version: str) -> str:
    """The identity that ``path`` locks ``version`` to."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        if data["version"] != version:
            raise ValueError(f"it locks {data['version']}")
        if not re.fullmatch("sha256:[0-9a-f]{64}", data["identity"]):
            raise ValueError("identity is no SHA-256")
    except (KeyError, TypeError, ValueError) as error:
        fault = f"no key {error}" if isinstance(error, KeyError) else str(error)
        raise CaseError(
            f"{shown(path)}: is no lock of {version} ({fault}); restore it from the history"
        ) from None
    identity: str = data["identity"]
    return identity.removeprefix("sha256:")


@dataclass(frozen=True, slots=True)
class Locked:
    """One line of a truth lock; ``recorded_at`` as it is written there, in UTC."""

    case_id: str
    recorded_at: str
    sha256: str
    line: int


@dataclass(frozen=True, slots=True)
class TruthLock:
    """The versions of truth that must not change, by case."""

    path: Path
    lines: dict[str, tuple[Locked, ...]]

    def check(self, case_id: str, versions: Sequence[Truth]) -> None:
        """Raises ``CaseError`` with a line for each version of the case that was edited or removed."""
        faults = self.faults(case_id, versions)
        if faults:
            raise CaseError("\n".join(faults))

    def faults(self, case_id: str, versions: Sequence[Truth]) -> list[str]:
        """A message for each version of the case that was edited or removed since it was locked."""
        there = {stamp(version): version for version in versions}
        faults = []
        for locked in self.lines.get(case_id, ()):
            what = f"case {case_id}: the version recorded at {locked.recorded_at}"
            version = there.get(locked.recorded_at)
            if version is None:
                where = f"{shown(self.path)}:{locked.line}"
                faults.append(f"{where}: {what} was removed; restore it from the history")
            elif version.sha256 != locked.sha256:
                where = f"{shown(version.where.path)}:{version.where.line}"
                mend = f"undo the change and run `webretrieval truth add {case_id} --from FILE`"
                faults.append(f"{where}: {what} was edited after it was locked; {mend}")
        return faults

    def unlocked(self, versions: Iterable[Truth]) -> tuple[Truth, ...]:
        """The versions without a line."""
        held = {(line.case_id, line.recorded_at) for lines in self.lines.values() for line in lines}
        return tuple(version for version in versions if (version.case_id, stamp(version)) not in held)


def read_truth_lock(path: Path) -> TruthLock:
    """Read a truth lock. Raises ``CaseError`` for a line that is none, or a version that is there twice."""
    lines: dict[str, tuple[Locked, ...]] = {}
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not text or text.startswith("#"):
            continue
        found = _TRUTH_LINE.match(text)
        if found is None:
            raise error_at(
                path, number, "is no line `CASE TIME sha256:...`; restore the file from the history"
            )
        locked = Locked(found["case"], found["at"], found["sha"], number)
        before = lines.get(locked.case_id, ())
        if any(other.recorded_at == locked.recorded_at for other in before):
            raise error_at(path, number, f"case {locked.case_id}: {locked.recorded_at} is locked twice")
        lines[locked.case_id] = (*before, locked)
    return TruthLock(path, lines)


def lock_truth(place: Path, versions: Sequence[Truth]) -> int:
    """Add a line for each version that has none; the number of lines added. Check the lock before."""
    path = truth_lock_path(place)
    lock = read_truth_lock(path) if path.exists() else TruthLock(path, {})
    fresh = lock.unlocked(versions)
    if fresh:
        before = path.read_text(encoding="utf-8") if path.exists() else _HEADER
        added = "".join(f"{version.case_id} {stamp(version)} sha256:{version.sha256}\n" for version in fresh)
        write_whole(path, before + added)
    return len(fresh)


def stamp(version: Truth) -> str:
    """``recorded_at`` in UTC, as a lock writes it."""
    return version.recorded_at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader, or a crash, meets the old text or the new one, never half."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
