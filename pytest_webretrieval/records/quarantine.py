"""Probes under suspicion: ``history/quarantine.jsonl``, what was seen and what people decided, never overwritten.

A quarantined case runs on, and counts on neither side of a rate until its quarantine is over or a person releases it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from .codec import from_json, to_json
from .folder import FolderError, read_rows
from .journal import append_line, journal

QUARANTINE = "quarantine.jsonl"
BEGUN, KEPT, RELEASED = "webretrieval.quarantine/1", "webretrieval.kept/1", "webretrieval.release/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantine:
    """``case`` is an id, ``run`` the run that found the probe wanting, ``proposal`` the file that says what was seen.
    Where a person kept it, ``by`` says who, and ``reason`` why. ``first`` is when the first one began, where others
    were over before this one and nobody decided."""

    case: str
    corpus: str
    since: datetime
    until: datetime
    run: str
    reason: str
    proposal: str | None = None
    by: str | None = None
    first: datetime | None = None

    def open(self, now: datetime) -> bool:
        return now < self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    case: str
    corpus: str
    at: datetime
    until: datetime
    by: str
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Released:
    case: str
    corpus: str
    at: datetime
    by: str
    because: str


def quarantine(folder: Path, found: Quarantine) -> bool:
    """Begin a quarantine; False where one of the case is open then: what a later run sees does not make it longer.
    Raises FolderError."""
    with journal(folder):
        if any(one.case == found.case for one in open_quarantines(folder, found.corpus, found.since)):
            return False
        append_line(folder, QUARANTINE, {"schema": BEGUN, **to_json(found)})
    return True


def keep(
    folder: Path, corpus: str, case: str, by: str, because: str, days: int, now: datetime | None = None
) -> Quarantine:
    """A person's word that the probe stays in quarantine for so many days from now. Raises FolderError where the case
    has none."""
    at = now or datetime.now(UTC)
    with journal(folder):
        before = _undecided(folder, corpus, case)
        until = at + timedelta(days=days)
        kept = _Kept(case=case, corpus=corpus, at=at, until=until, by=by, because=because)
        append_line(folder, QUARANTINE, {"schema": KEPT, **to_json(kept)})
    return replace(before, until=until, by=by, reason=because)


def release(
    folder: Path, corpus: str, case: str, by: str, because: str, now: datetime | None = None
) -> Quarantine:
    """A person's word that the case counts again from now on. Raises FolderError where it has no quarantine."""
    at = now or datetime.now(UTC)
    with journal(folder):
        before = _undecided(folder, corpus, case)
        released = _Released(case=case, corpus=corpus, at=at, by=by, because=because)
        append_line(folder, QUARANTINE, {"schema": RELEASED, **to_json(released)})
    return before


def open_quarantines(folder: Path, corpus: str, now: datetime) -> tuple[Quarantine, ...]:
    """Those in force, the oldest first. Raises FolderError."""
    return tuple(one for one in undecided(folder, corpus) if one.open(now))


def expired(folder: Path, corpus: str, now: datetime) -> tuple[Quarantine, ...]:
    """Those that are over without a person having decided: their cases count again. Raises FolderError."""
    return tuple(one for one in undecided(folder, corpus) if not one.open(now))


def undecided(folder: Path, corpus: str | None = None) -> tuple[Quarantine, ...]:
    """The last quarantine of each case that nobody released, the oldest first; of every corpus where none is named.
    Raises FolderError."""
    last: dict[tuple[str, str], Quarantine] = {}
    for line in read_rows(folder, QUARANTINE):
        schema, key = line.get("schema"), (line.get("corpus", ""), line.get("case", ""))
        if schema == BEGUN:
            begun, before = from_json(Quarantine, line), last.get(key)
            last[key] = begun if before is None else replace(begun, first=before.first or before.since)
        elif schema == KEPT and key in last:
            kept = from_json(_Kept, line)
            last[key] = replace(last[key], until=kept.until, by=kept.by, reason=kept.because)
        elif schema == RELEASED:
            last.pop(key, None)
    found = [one for one in last.values() if corpus in (None, one.corpus)]
    return tuple(sorted(found, key=lambda one: (one.since, one.case)))


def _undecided(folder: Path, corpus: str, case: str) -> Quarantine:
    found = next((one for one in undecided(folder, corpus) if one.case == case), None)
    if found is None:
        raise FolderError(f"{folder / QUARANTINE}: {corpus}::{case} is in no quarantine")
    return found
