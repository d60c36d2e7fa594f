"""The truth of a corpus, read at first use: ten thousand cases are collected without opening one file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from .case import Case, CaseError
from .lock import TruthLock, read_truth_lock, truth_lock_path
from .paraphrases import first_of
from .truth import Truth
from .truth_file import entries_by_case, load_truth_file, versions_in
from .yaml_reader import Mapping, error_at, read_yaml, shown


def resolve(versions: Sequence[Truth], now: datetime | None = None) -> Truth | None:
    """The version in force: the one recorded last among those valid by ``now`` (default: the real time)."""
    moment = now or datetime.now(UTC)
    valid = [version for version in versions if version.valid_at <= moment]
    return max(valid, key=lambda version: version.recorded_at, default=None)


def load_truths(folder: Path, now: datetime | None = None) -> dict[str, Truth]:
    """The truth in force of every case in a truth folder or file; cases without one are left out."""
    store = TruthStore(folder, now)
    found = {case_id: resolve(store.versions(case_id), now) for case_id in store.case_ids()}
    return {case_id: truth for case_id, truth in found.items() if truth is not None}


class TruthStore:
    """The truth in ``place``: a folder with one file a case, or one file for many cases.

    ``now`` decides which version is in force (default: the time at which the store was made).
    """

    def __init__(self, place: Path, now: datetime | None = None) -> None:
        self.place = place
        self.now = now or datetime.now(UTC)
        self._read: dict[str, tuple[Truth, ...]] = {}

    def get(self, case_id: str) -> Truth:
        """The truth in force; a paraphrase has that of its first case. Raises ``CaseError`` where there is none, or
        where the lock tells of a changed version."""
        case_id = first_of(case_id)
        versions = self.versions(case_id)
        if self.lock is not None:
            self.lock.check(case_id, versions)
        truth = resolve(versions, self.now)
        if truth is None:
            first = min(versions, key=lambda version: version.valid_at)
            begins = first.valid_at.isoformat().replace("+00:00", "Z")
            raise error_at(first.where.path, first.where.line, f"case {case_id}: valid only from {begins} on")
        return truth

    def versions(self, case_id: str) -> tuple[Truth, ...]:
        """Every version of a case, the oldest first. Raises ``CaseError`` where there is none."""
        if case_id not in self._read:
            self._read[case_id] = (
                self._from_folder(case_id) if self.place.is_dir() else self._from_file(case_id)
            )
        return self._read[case_id]

    def _from_folder(self, case_id: str) -> tuple[Truth, ...]:
        path = self._files.get(case_id)
        if path is None:
            raise _no_truth(case_id, self.place / f"{case_id}.yaml")
        found = load_truth_file(path)
        if set(found) != {case_id}:
            raise error_at(path, 1, f"holds case {', '.join(found)}; the file name says {case_id}")
        return found[case_id]

    def _from_file(self, case_id: str) -> tuple[Truth, ...]:
        entry = self._entries.get(case_id)
        if entry is None:
            raise _no_truth(case_id, self.place)
        return versions_in(case_id, entry, self.place)

    def missing(self, cases: Iterable[Case]) -> tuple[Case, ...]:
        """The cases without truth, by names alone: of the files, or of the entries of the one file."""
        known = set(self._known)
        return tuple(case for case in cases if first_of(case.id) not in known)

    def case_ids(self) -> tuple[str, ...]:
        """Every case that has truth, sorted."""
        return tuple(sorted(self._known))

    @cached_property
    def lock(self) -> TruthLock | None:
        """The lock beside the truth; None where there is none."""
        path = truth_lock_path(self.place)
        return read_truth_lock(path) if path.exists() else None

    def unlocked(self, case_id: str) -> tuple[Truth, ...]:
        """Versions of a case that no lock holds: a notice, not an error."""
        versions = self.versions(case_id)
        return versions if self.lock is None else self.lock.unlocked(versions)

    @cached_property
    def _files(self) -> dict[str, Path]:
        found = (path for path in self.place.iterdir() if path.suffix in (".yaml", ".yml"))
        return {path.stem: path for path in sorted(found)}

    @cached_property
    def _entries(self) -> dict[str, Mapping]:
        return entries_by_case(read_yaml(self.place), self.place)

    @property
    def _known(self) -> Iterable[str]:
        return (self._files if self.place.is_dir() else self._entries).keys()


def _no_truth(case_id: str, wanted: Path) -> CaseError:
    return CaseError(f"{shown(wanted)}: case {case_id} has no truth; write it, or deselect the case")
