"""What a system came to night by night: ``history/CORPUS.jsonl``, one line a run, never overwritten.

Which runs count as baseline is written there too: a run says it of itself when it ends, and a person may say otherwise
later, in a line of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .codec import from_json, to_json
from .folder import FolderError, read_rows
from .journal import append_line, journal
from .row import Row

DEFAULT_HISTORY = Path("history")
NIGHT, ACCEPTANCE = "webretrieval.night/1", "webretrieval.acceptance/1"
# Labels of a run of which nobody knows how the system did, and of one that says nothing of it.
UNGRADED = frozenset({"ungraded", "infra_error"})
INVALID = "probe_invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseNight:
    """One run of one case. ``checked`` of its cited claims were checked, of which ``supported`` and ``unknown``;
    seconds; US dollars, None where not known. ``quarantined``: its probe was under suspicion when it ran. ``terms`` are
    those of the row: runs of one case on other terms are not compared."""

    case: str
    stratum: str
    expect: str
    label: str
    trial: int = 0
    quarantined: bool = False
    checked: int = 0
    supported: int = 0
    unknown: int = 0
    duration_s: float = 0.0
    cost_usd: float | None = None
    tags: tuple[str, ...] = ()
    terms: str = ""

    @property
    def as_expected(self) -> bool:
        return self.label == self.expect

    @property
    def ungraded(self) -> bool:
        return self.label in UNGRADED and not self.quarantined

    @property
    def counts(self) -> bool:
        """Whether it says something of the system: its probe was sound, and it was graded."""
        return not self.quarantined and self.label != INVALID and self.label not in UNGRADED


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """One run over a corpus. ``run`` is the name of its folder, ``identity`` the hash of the corpus, ``missing`` are
    cases that were planned and have no record, ``unasked`` those that were not selected, though they could run.
    ``accepted``: it counts as baseline; ``why`` or why not."""

    run: str
    observed_at: datetime
    corpus: str
    identity: str
    lane: str
    region: str
    fingerprint: str
    system: str
    accepted: bool
    why: str
    cases: tuple[CaseNight, ...]
    missing: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()

    @property
    def partial(self) -> str | None:
        """How much of the corpus was asked for, where that is not all of it."""
        if not self.unasked:
            return None
        asked = len({one.case for one in self.cases}.union(self.missing))
        return f"partial: {asked} of {asked + len(self.unasked)} cases"

    @property
    def ungraded(self) -> tuple[str, ...]:
        """Cases that nobody can count, as they were not graded or not run."""
        return tuple(dict.fromkeys((*(one.case for one in self.cases if one.ungraded), *self.missing)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparable:
    """``nights`` may be pooled, oldest first; ``others`` counts the rest by what sets them apart."""

    nights: tuple[Night, ...]
    others: Mapping[str, int]


def case_night(row: Row, quarantined: frozenset[str] = frozenset()) -> CaseNight:
    """A run's row as the history keeps it; ``quarantined`` are ids of cases."""
    return CaseNight(
        case=row.case,
        stratum=row.stratum,
        expect=row.expect,
        label=row.label,
        trial=row.trial,
        quarantined=row.case in quarantined,
        checked=row.checked,
        supported=row.supported,
        unknown=row.unknown,
        duration_s=row.duration_s,
        cost_usd=row.cost_usd,
        tags=row.tags,
        terms=row.terms,
    )


def append_night(folder: Path, night: Night) -> bool:
    """Add a run; False where it is there already and whole: one that was stopped, or of a part of the corpus, and went
    on later is one night, of which the last line counts. Raises FolderError."""
    with journal(folder):
        there = [one for one in read_nights(folder, night.corpus) if one.run == night.run]
        if there and not there[0].missing and not there[0].unasked:
            return False
        append_line(folder, _file(night.corpus), {"schema": NIGHT, **to_json(night)})
    return True


def read_nights(folder: Path, corpus: str) -> tuple[Night, ...]:
    """Every run of a corpus once, oldest first, as accepted or not as was last said. Raises FolderError."""
    nights: dict[str, Night] = {}
    for line in read_rows(folder, _file(corpus)):
        if line.get("schema") == NIGHT:
            nights[line["run"]] = from_json(Night, line)
        elif line.get("schema") == ACCEPTANCE and line["run"] in nights:
            said = f"{'accepted' if line['accepted'] else 'withdrawn'} by {line['by']}: {line['because']}"
            nights[line["run"]] = replace(nights[line["run"]], accepted=line["accepted"], why=said)
    return tuple(sorted(nights.values(), key=lambda night: night.observed_at))


def corpora(folder: Path) -> tuple[str, ...]:
    """The corpora that have a history here, by name."""
    found = {
        line["corpus"]: None
        for path in sorted(folder.glob("*.jsonl"))
        for line in read_rows(folder, path.name)
        if line.get("schema") == NIGHT
    }
    return tuple(found)


def comparable(nights: Sequence[Night], like: Night) -> Comparable:
    """Those with the corpus identity, lane, region and fingerprint of ``like``, but for that run itself."""
    same: list[Night] = []
    others: dict[str, int] = {}
    for night in sorted(nights, key=lambda night: night.observed_at):
        if night.run == like.run:
            continue
        apart = next(_apart(night, like), None)
        if apart is None:
            same.append(night)
        else:
            others[apart] = others.get(apart, 0) + 1
    return Comparable(nights=tuple(same), others=others)


def _apart(night: Night, like: Night) -> Iterator[str]:
    if (night.corpus, night.identity) != (like.corpus, like.identity):
        yield "another corpus"
    if night.lane != like.lane:
        yield f"the {night.lane} lane"
    if night.region != like.region:
        yield f"region {night.region}"
    if night.fingerprint != like.fingerprint:
        yield f"fingerprint {night.fingerprint}"


def accept(folder: Path, run: str, by: str, because: str) -> Night:
    """Let a run count as baseline. ``run`` is its name or the end of it. Raises FolderError where it is none of the
    history, or more than one."""
    return _decide(folder, run, {"accepted": True, "by": by, "because": because})


def withdraw(folder: Path, run: str, by: str, because: str) -> Night:
    """Let a run not count as baseline any more. As ``accept``."""
    return _decide(folder, run, {"accepted": False, "by": by, "because": because})


def _decide(folder: Path, run: str, said: Mapping[str, Any]) -> Night:
    with journal(folder):
        night = _find(folder, run)
        line = {"schema": ACCEPTANCE, "run": night.run, "at": datetime.now(UTC).isoformat(timespec="seconds")}
        append_line(folder, _file(night.corpus), {**line, **said})
        return next(one for one in read_nights(folder, night.corpus) if one.run == night.run)


def _find(folder: Path, run: str) -> Night:
    every = [night for corpus in corpora(folder) for night in read_nights(folder, corpus)]
    found = [night for night in every if night.run == run] or [one for one in every if one.run.endswith(run)]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f"{night.corpus} {night.run}" for night in (found or every)[-5:]) or "none"
    raise FolderError(
        f"{run} {'names more than one run' if found else 'is no run'} of {folder}; there: {listed}"
    )


def _file(corpus: str) -> str:
    return f"{corpus.replace('/', '_')}.jsonl"
