"""The account of a run, kept by the one process that writes: the run folder, the rows, the gates."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pytest_webretrieval import __version__
from pytest_webretrieval.cases.case import Corpus
from pytest_webretrieval.gates.gate import GateResult, RunView, evaluate
from pytest_webretrieval.gates.hard import GATES
from pytest_webretrieval.records.codec import to_json
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
from pytest_webretrieval.records.row import Row, row_of
from pytest_webretrieval.settings import Settings


class Ledger:
    """What the run has come to so far. ``planned`` are the node ids of the cases that were selected."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings, self.folder = settings, folder
        self.rows: list[Row] = []
        self.gates: list[GateResult] = []
        self.planned: tuple[str, ...] = ()
        self.not_applicable: list[str] = []
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

    def take(self, told: Mapping[str, Any], node: str, replayed: bool) -> None:
        """One finished run: into the folder unless it came from there, and into the rows."""
        self.rows.append(row_of(told["record"], node, told["attempts"]))
        if replayed:
            return
        self._writer.append(ATTEMPTS, told["attempts"])
        self._writer.append(RESULTS, (told["record"],))
        if told["trouble"]:
            self._trouble.append(told["trouble"])

    def judge(self, stopped: str | None) -> list[GateResult]:
        """Every gate over the rows so far; ``stopped`` says why not all that was planned has run."""
        seen = {row.node for row in self.rows} | set(self.not_applicable)
        missing = (
            () if stopped else tuple(node.rpartition("::")[2] for node in self.planned if node not in seen)
        )
        trouble = self._writer.failure or (self._trouble[0] if self._trouble else None)
        view = RunView(
            rows=self.rows, planned=len(self.planned), missing=missing, stopped=stopped, trouble=trouble
        )
        self.gates = [evaluate(name, gate, view) for name, gate in GATES.items()]
        return self.gates

    def close(self) -> None:
        """Write the summary; a folder in which nothing was recorded is taken away again."""
        if self.rows:
            self._writer.write(SUMMARY, self._summary())
        self._writer.close()
        if not self.rows and self.settings.resume is None:
            _take_away(self.folder, (MANIFEST,))

    def _summary(self) -> dict[str, Any]:
        labels: dict[str, int] = {}
        for row in self.rows:
            labels[row.label] = labels.get(row.label, 0) + 1
        return {
            "schema": "webretrieval.summary/1",
            "planned": len(self.planned),
            "runs": len(self.rows),
            "not_applicable": len(self.not_applicable),
            "labels": dict(sorted(labels.items())),
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
            "region": "local",
            "protocol": "web-retrieval",
        }


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
