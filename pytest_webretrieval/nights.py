"""What a live run is in the long run: a night of its corpora, held against those before it, and the next one's past."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pytest_webretrieval.cases.case import Case, Corpus
from pytest_webretrieval.configuration import LiveConfiguration
from pytest_webretrieval.gates.gate import GateResult
from pytest_webretrieval.gates.judged import waiting_gate
from pytest_webretrieval.gates.rolling import acceptance, rolling_gates
from pytest_webretrieval.judges.lock import DEFAULT_LOCK, LockError, read_lock
from pytest_webretrieval.records.folder import FolderError
from pytest_webretrieval.records.history import INVALID, Night, append_night, case_night, read_nights
from pytest_webretrieval.records.people import last_sample
from pytest_webretrieval.records.probe_proposal import FOLDER
from pytest_webretrieval.records.quarantine import Quarantine, open_quarantines, quarantine, undecided
from pytest_webretrieval.records.row import Row
from pytest_webretrieval.settings import Settings

# A gate for each of success, citation support, latency and cost.
GATES_A_CORPUS = 4


@dataclass(frozen=True, slots=True)
class Missing:
    """A case that was planned and has no record."""

    corpus: str
    case: str


class Nights:
    """The history of the corpora of a live run. ``folder`` is the run's own; ``unasked`` are the cases of ``corpora``
    that were not selected, though they could run."""

    def __init__(self, settings: Settings, live: LiveConfiguration, folder: Path) -> None:
        self._settings, self._live, self._folder = settings, live, folder
        self._root = live.path.parent
        self.corpora: Sequence[Corpus] = ()
        self.unasked: Sequence[Case] = ()
        self.trouble: str | None = None

    def judge(
        self,
        rows: Sequence[Row],
        hard: Sequence[GateResult],
        missing: Sequence[Missing],
        stopped: str | None,
    ) -> list[GateResult]:
        """Hold the run against its past, and write it down unless it was stopped. Probes that turned out invalid are
        put into quarantine."""
        now = datetime.now(UTC)
        results: list[GateResult] = []
        for corpus in self.corpora:
            try:
                results += self._judge(corpus, rows, hard, missing, stopped, now)
            except FolderError as error:
                self.trouble = str(error)
                results += [
                    GateResult(name=name, verdict="fail", line=str(error)) for name in self._names(corpus)
                ]
        results += self._judged()
        return results

    @property
    def count(self) -> int:
        """How many gates there are."""
        return GATES_A_CORPUS * len(self.corpora) + len(self._live.judged)

    def _judged(self) -> Iterator[GateResult]:
        """Whether a judge's word may count, where a gate is to rest on it."""
        for what in self._live.judged:
            try:
                lock = read_lock(self._root / DEFAULT_LOCK, what).identity(what)
            except LockError:
                yield waiting_gate(what, None, None)
            else:
                yield waiting_gate(what, lock, last_sample(self._live.history, what, lock))

    def undecided(self) -> tuple[Quarantine, ...]:
        """Every probe that nobody has decided about."""
        try:
            return undecided(self._live.history)
        except FolderError:
            return ()

    def _judge(
        self,
        corpus: Corpus,
        rows: Sequence[Row],
        hard: Sequence[GateResult],
        missing: Sequence[Missing],
        stopped: str | None,
        now: datetime,
    ) -> Iterator[GateResult]:
        history, live = self._live.history, self._live
        held = frozenset(one.case for one in open_quarantines(history, corpus.version, now))
        own = [row for row in rows if row.corpus == corpus.version]
        night = Night(
            run=self._folder.name,
            observed_at=now,
            corpus=corpus.version,
            identity=corpus.identity,
            lane=self._settings.lane,
            region=live.region,
            fingerprint=self._settings.fingerprint(),
            system=self._settings.system,
            accepted=False,
            why="",
            cases=tuple(case_night(row, held) for row in own),
            missing=tuple(one.case for one in missing if one.corpus == corpus.version),
            unasked=tuple(case.id for case in self.unasked if case.corpus == corpus.version),
        )
        gates = rolling_gates(
            night,
            read_nights(history, corpus.version),
            success=live.success,
            citation_support=live.citation_support,
            latency=live.latency,
            cost=live.cost,
            min_runs=live.min_runs,
            window=live.window,
            stopped=stopped,
        )
        accepted, why = acceptance(night, [*hard, *gates], stopped)
        if stopped is None:
            append_night(history, replace(night, accepted=accepted, why=why))
        for row in own:
            if row.label == INVALID:
                self._hold(row, now)
        names = self._names(corpus)
        yield from (replace(gate, name=name) for gate, name in zip(gates, names, strict=True))

    def _hold(self, row: Row, now: datetime) -> None:
        proposal = self._folder / FOLDER / f"{row.case}.yaml"
        found = Quarantine(
            case=row.case,
            corpus=row.corpus,
            since=now,
            until=now + timedelta(days=self._live.quarantine_days),
            run=self._folder.name,
            reason=row.reason,
            proposal=str(proposal) if proposal.is_file() else None,
        )
        quarantine(self._live.history, found)

    def _names(self, corpus: Corpus) -> list[str]:
        names = ("success", "citation_support", "latency", "cost")
        return [name if len(self.corpora) == 1 else f"{corpus.version}:{name}" for name in names]
