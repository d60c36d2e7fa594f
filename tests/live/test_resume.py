"""A night that was killed and gone on with is one night; one in two processes is one too; a selection is a part."""

from __future__ import annotations

import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from ..plugin.project import XDIST, Project, records
from .internet import town
from .internet.live import Outcome, live_run, live_start
from .internet.rig import Rig
from .internet.scenario import Answer, Heard
from .internet.town import question
from .small import SYSTEM, furnish_some

IDS = ("T01", "T02", "T03")
LAST = IDS[-1]
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("resumed"))
    furnish_some(project, IDS)
    return project


@pytest.fixture(scope="module")
def killed(rig: Rig, project: Project) -> Path:
    """The folder of a run that was killed while its last case waited for its page."""
    reached, over = threading.Event(), threading.Event()

    def wait(heard: Heard) -> Answer:
        reached.set()
        over.wait(PATIENCE_S)
        return question(LAST).page()

    rig.show(town.shown({LAST: wait}))
    with live_start(rig, project, SYSTEM) as process:
        was_reached = reached.wait(PATIENCE_S)
        os.killpg(process.pid, signal.SIGKILL)
        over.set()
        said, _ = process.communicate()
    assert was_reached, said.decode()
    assert process.returncode == -signal.SIGKILL
    (folder,) = project.run_folders()
    return folder


@pytest.fixture(scope="module")
def kept(killed: Path, project: Project) -> dict[str, dict[str, Any]]:
    """The records that were there when it was killed."""
    assert project.running() == [], "nothing of it goes on"
    return {row["case"]: row for row in records(killed)}


@pytest.fixture(scope="module")
def resumed(rig: Rig, project: Project, kept: dict[str, dict[str, Any]]) -> Outcome:
    return live_run(rig, project, town.town(), SYSTEM, "--webretrieval-resume=latest")


@pytest.fixture(scope="module")
def twice(rig: Rig, project: Project, resumed: Outcome) -> Outcome:
    """The same in two processes, on the next night."""
    return live_run(rig, project, town.town(), SYSTEM, *XDIST, night=2)


@pytest.fixture(scope="module")
def part(rig: Rig, project: Project, twice: Outcome) -> Outcome:
    """One of the cases, asked for by hand."""
    return live_run(rig, project, town.town(), SYSTEM, "-k", LAST, night=3)


def nights(project: Project) -> list[dict[str, Any]]:
    path = project.folder / "history" / f"{town.CORPUS}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_what_was_done_is_kept_and_the_rest_is_run(
    killed: Path, kept: dict[str, dict[str, Any]], resumed: Outcome
) -> None:
    assert set(kept) == set(IDS) - {LAST}
    assert resumed.code == 0, resumed.out
    assert resumed.folder is None, "no folder of its own"
    rows = {row["case"]: row for row in records(killed)}
    assert len(records(killed)) == len(IDS), "one record a case"
    assert {id: rows[id] for id in kept} == kept
    assert {row["label"] for row in rows.values()} == {"success"}
    assert {one.host for one in resumed.requests} == {question(LAST).host}, "nothing is asked twice"


def test_it_is_one_night(project: Project, killed: Path, resumed: Outcome) -> None:
    (night, *_) = nights(project)
    assert [one["run"] for one in nights(project)].count(killed.name) == 1
    assert (night["run"], night["accepted"], night["missing"]) == (killed.name, True, []), resumed.out
    assert [case["case"] for case in night["cases"]] == list(IDS)


def test_two_processes_are_one_night_with_the_same_labels(
    project: Project, killed: Path, twice: Outcome
) -> None:
    assert twice.code == 0, twice.out
    assert twice.run.labels() == {row["case"]: row["label"] for row in records(killed)}
    assert twice.folder is not None
    first, second, *_ = nights(project)
    assert (first["run"], second["run"]) == (killed.name, twice.folder.name)
    assert first["fingerprint"] == second["fingerprint"]
    assert sorted(case["case"] for case in second["cases"]) == list(IDS)
    assert twice.run.gate("success") == "calibrating 1 of 5 accepted runs to compare with"


def test_a_selection_is_written_down_and_is_no_baseline(project: Project, part: Outcome) -> None:
    assert part.code == 0, part.out
    assert part.folder is not None
    *_, night = nights(project)
    assert (night["run"], night["accepted"], night["why"]) == (
        part.folder.name,
        False,
        "partial: 1 of 3 cases",
    )
    assert ([case["case"] for case in night["cases"]], night["unasked"]) == ([LAST], ["T01", "T02"])
    assert part.run.gate("success") == (
        "calibrating 2 of 5 accepted runs to compare with; partial: 1 of 3 cases, which makes no baseline"
    )
