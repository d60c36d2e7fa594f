"""The account of a run, kept by the one process that writes: the run folder, the rows, the gates."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pytest_webretrieval import __version__
from pytest_webretrieval.cases.case import Case, Corpus
from pytest_webretrieval.gates.baseline import Baseline
from pytest_webretrieval.gates.claims import claims_checked
from pytest_webretrieval.gates.gate import Gate, GateResult, RunView, evaluate
from pytest_webretrieval.gates.hard import GATES, LIVE_GATES
from pytest_webretrieval.gates.learned import learned_caps
from pytest_webretrieval.gates.outcome import Outcome, outcome_of
from pytest_webretrieval.gates.replay import replay
from pytest_webretrieval.gates.trials import Reliability, drop_of, reliability
from pytest_webretrieval.nights import Missing, Nights
from pytest_webretrieval.records.codec import from_json, to_json
from pytest_webretrieval.records.folder import (
    ATTEMPTS,
    MANIFEST,
    RESULTS,
    SUMMARY,
    FolderError,
    Writer,
    make_folder,
    read_json,
    set_half_lines_aside,
)
from pytest_webretrieval.records.recordings import Recordings
from pytest_webretrieval.records.row import Row, row_of
from pytest_webretrieval.settings import LIVE, Settings
from pytest_webretrieval.wire.scan import scan


class Ledger:
    """What the run has come to so far. ``planned`` are the node ids of the cases that were selected, ``outcomes`` what
    each item came to: a case of the corpus with all its trials, or one run of a test of one's own. ``cassettes`` is the
    folder of recordings."""

    def __init__(
        self, settings: Settings, folder: Path, cassettes: Path, baseline: Baseline | None = None
    ) -> None:
        self.settings, self.folder, self.cassettes, self.baseline = settings, folder, cassettes, baseline
        self.rows: list[Row] = []
        self.outcomes: list[Outcome] = []
        self.gates: list[GateResult] = []
        self.planned: tuple[str, ...] = ()
        self.not_applicable: dict[str, str] = {}
        self.diverged: dict[str, str] = {}
        self.recordings = Recordings()
        self.nights = None if settings.live is None else Nights(settings, settings.live, folder)
        self._items: set[str] = set()
        self._writer = Writer(folder)
        self._trouble: list[str] = []

    def open(self, corpora: Sequence[Corpus]) -> None:
        """Make the folder and write the manifest, or go on with that of a stopped run. Raises FolderError where they
        do not agree."""
        manifest = self._manifest(corpora)
        if self.settings.resume is None:
            make_folder(self.folder)
            self._writer.write(MANIFEST, manifest)
            return
        set_half_lines_aside(self.folder)
        before = read_json(self.folder / MANIFEST)
        for name in ("corpora", "fingerprint", "seed", "lane"):
            if before.get(name) != manifest[name]:
                raise FolderError(
                    f"{self.folder} cannot be resumed: its {name} was {before.get(name)}, now {manifest[name]}; "
                    "run with the same options, or start a new run"
                )

    def plan(self, nodes: Sequence[str], corpora: Sequence[Corpus], unasked: Sequence[Case] = ()) -> None:
        """Take ``nodes`` as what will be run, of ``corpora``; ``unasked`` are their cases that could run too."""
        self.planned = tuple(nodes)
        if self.nights is not None:
            self.nights.corpora, self.nights.unasked = corpora, unasked

    def take_item(self, tolds: Sequence[Mapping[str, Any]], node: str, outcome: Mapping[str, Any]) -> None:
        """The finished runs of a case of the corpus, and what they came to."""
        self._items.add(node)
        self.outcomes.append(from_json(Outcome, outcome))
        for told in tolds:
            self._take(told, node, self.outcomes[-1])

    def take_own(self, tolds: Sequence[Mapping[str, Any]], node: str) -> None:
        """The finished runs of a test of one's own, each an item of its own."""
        for told in tolds:
            self.outcomes.append(outcome_of([told["record"]], 1, None, ""))
            self._take(told, node, self.outcomes[-1])

    @property
    def gate_table(self) -> dict[str, Gate]:
        """The gates of this run by name; what was accepted binds only where there is a baseline, and recordings of a
        model where it is replayed."""
        learned: dict[str, Gate] = (
            {} if self.baseline is None else {"learned_caps": learned_caps, "claims_checked": claims_checked}
        )
        if self.settings.lane == LIVE:
            return LIVE_GATES
        return GATES | learned | ({"replay": replay} if self.settings.model == "replay" else {})

    @property
    def gate_count(self) -> int:
        """How many gates the run has."""
        return len(self.gate_table) + (0 if self.nights is None else self.nights.count)

    def _take(self, told: Mapping[str, Any], node: str, outcome: Outcome) -> None:
        """One finished run: into the folder unless it came from there, and into the rows."""
        row = row_of(told["record"], node, told["attempts"])
        self.rows.append(
            replace(row, excused=outcome.excuses and not row.as_expected, tolerated=outcome.tolerated_caps)
        )
        if told["replayed"]:
            return
        self.recordings.take(told["recordings"])
        self._writer.append(ATTEMPTS, told["attempts"])
        self._writer.append(RESULTS, (told["record"],))
        if told["trouble"]:
            self._trouble.append(told["trouble"])

    def judge(self, stopped: str | None) -> list[GateResult]:
        """Every gate over the rows so far; ``stopped`` says why not all that was planned has run."""
        seen = {row.node for row in self.rows} | set(self.not_applicable) | set(self.diverged)
        missing = (
            () if stopped else tuple(node.rpartition("::")[2] for node in self.planned if node not in seen)
        )
        self._trouble += scan((self.folder, self.cassettes))
        trouble = self._writer.failure or (self._trouble[0] if self._trouble else None)
        view = RunView(
            rows=self.rows,
            outcomes=self.outcomes,
            planned=len(self.planned),
            missing=missing,
            stopped=stopped,
            trouble=trouble,
            accepted=self.baseline.cases if self.baseline is not None else {},
            diverged=tuple(self.diverged),
        )
        self.gates = [evaluate(name, gate, view) for name, gate in self.gate_table.items()]
        if self.nights is not None:
            self.gates += self.nights.judge(self.rows, self.gates, self._missing(seen, stopped), stopped)
        return self.gates

    def _missing(self, seen: set[str], stopped: str | None) -> list[Missing]:
        """What was planned and has no record, with its corpus."""
        by_file = {
            corpus.path.name: corpus.version for corpus in (self.nights.corpora if self.nights else ())
        }
        found = (node.partition("::") for node in self.planned if not stopped and node not in seen)
        return [Missing(by_file.get(Path(file).name, ""), case.partition("@")[0]) for file, _, case in found]

    def close(self) -> None:
        """Write the summary; a folder in which nothing was recorded is taken away again."""
        if self.rows or self.diverged:
            self._writer.write(SUMMARY, self._summary())
        self._writer.close()
        if not self.rows and not self.diverged and self.settings.resume is None:
            _take_away(self.folder, (MANIFEST,))

    def reliability(self) -> tuple[Reliability, ...]:
        """How reliable the system is, a stratum each; nothing where a case has one trial."""
        k = self.settings.trials
        return reliability((row for row in self.rows if row.node in self._items), k) if k > 1 else ()

    def _summary(self) -> dict[str, Any]:
        labels: dict[str, int] = {}
        for row in self.rows:
            labels[row.label] = labels.get(row.label, 0) + 1
        return {
            "schema": "webretrieval.summary/1",
            "planned": len(self.planned),
            "runs": len(self.rows),
            "not_applicable": len(self.not_applicable),
            "replay_diverged": dict(sorted(self.diverged.items())),
            "labels": dict(sorted(labels.items())),
            "trials": self.settings.trials,
            "confirm": self.settings.confirming,
            "outcomes": [_outcome(outcome) for outcome in self.outcomes],
            "reliability": [to_json(stratum) for stratum in self.reliability()],
            "smallest_drop": to_json(drop_of(self.outcomes)),
            "baseline": None if self.baseline is None else str(self.baseline.path),
            "cases": {
                f"{row.case}/{row.trial}": row.label for row in sorted(self.rows, key=lambda row: row.node)
            },
            "gates": [to_json(gate) for gate in self.gates],
        }

    def _manifest(self, corpora: Iterable[Corpus]) -> dict[str, Any]:
        settings = self.settings
        return {
            "schema": "webretrieval.manifest/1",
            "version": __version__,
            "started_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "lane": settings.lane,
            "seed": settings.fixture_seed,
            "corpora": {corpus.version: corpus.identity for corpus in corpora},
            "fingerprint": settings.fingerprint(),
            "configuration": to_json(settings) | {"resume": None},
            "commit": commit_of(Path.cwd()),
            "region": "local" if settings.live is None else settings.live.region,
            "live": None if settings.live is None else settings.live.pinned(),
            "protocol": "web-retrieval",
        }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    """An outcome as the summary has it: with what was accepted in short."""
    data: dict[str, Any] = to_json(outcome) | {"passed": outcome.passed, "trials": len(outcome.labels)}
    if outcome.accepted is not None:
        known = outcome.accepted.tolerated
        data["accepted"] = {
            "on": outcome.accepted.accepted,
            "passed": outcome.accepted.labels.get(outcome.expect, 0),
            "trials": outcome.accepted.trials,
            "known": to_json(known),
        }
    return data


def commit_of(folder: Path) -> str | None:
    """The commit that is checked out in ``folder``, None outside a repository or without git."""
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=folder, capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _take_away(folder: Path, files: Iterable[str]) -> None:
    """Remove ``folder`` with nothing but ``files`` in it; anything else stays."""
    try:
        for name in files:
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()
    except OSError:
        return
