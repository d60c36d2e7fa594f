"""A run that is killed or stopped at any moment: what was finished is kept, nothing is left, and it can go on."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ..plugin.project import SYSTEM, Project, Run, corpus_of, records, truth_of

CASES = 40
KILLS = 20
OPTIONS = ("--lane=fixture", "own-v1.yaml", "-q", "-p", "no:cacheprovider", "--webretrieval-isolation=run")


def project_of(place: Path) -> Project:
    project = Project(place)
    names = [f"C{number:02}" for number in range(CASES)]
    project.write("own-v1.yaml", corpus_of("own-v1", [(name, "right") for name in names]))
    project.write("truth/own-v1.yaml", truth_of(names))
    project.write("own.py", SYSTEM)
    project.write("pytest.ini", "[pytest]\nwebretrieval_system = own:System\n")
    return project


@dataclass(frozen=True, slots=True)
class Whole:
    """A run that nobody disturbed, and how long it took until its folder was there and until its end, in seconds."""

    summary: dict[str, Any]
    labels: dict[str, str]
    began_s: float
    ended_s: float


def summary_of(folder: Path) -> dict[str, Any]:
    summary: dict[str, Any] = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    return summary


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return project_of(tmp_path_factory.mktemp("killed"))


@pytest.fixture(scope="module")
def whole(project: Project) -> Whole:
    project.pytest(*OPTIONS, "-k", "C00")  # whatever only the first run of all pays for
    began = time.monotonic()
    process = project.start(*OPTIONS)
    before = set(project.run_folders())
    while not (fresh := set(project.run_folders()) - before):
        assert process.poll() is None
    there = time.monotonic()
    assert process.wait(60) == 0
    ended = time.monotonic()
    (folder,) = fresh
    labels = {row["case"]: row["label"] for row in records(folder)}
    assert set(labels.values()) == {"success"}
    return Whole(summary_of(folder), labels, there - began, ended - began)


def killed_after(project: Project, number: int, seconds: float) -> Path | None:
    """Start a run, end it by a signal after ``seconds``; its folder, None where none was made before."""
    before = set(project.run_folders())
    process = project.start(*OPTIONS)
    try:
        process.wait(seconds)
    except Exception:
        os.kill(process.pid, number)
        process.wait(30)
    fresh = set(project.run_folders()) - before
    return fresh.pop() if fresh else None


def stopped_at(project: Project, number: int, finished: int) -> Path:
    """Start a run, and end it by a signal as soon as so many of its cases are finished; its folder."""
    before = set(project.run_folders())
    process = project.start(*OPTIONS)
    while not (fresh := set(project.run_folders()) - before) or len(whole_rows(next(iter(fresh)))) < finished:
        assert process.poll() is None
        time.sleep(0.005)
    os.kill(process.pid, number)
    process.wait(30)
    return fresh.pop()


def whole_rows(folder: Path) -> list[dict[str, Any]]:
    """The records of a killed run: every line that ends is JSON; at most one, the last, does not end."""
    path = folder / "results.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    whole, _, half = text.rpartition("\n")
    assert "\n" not in half
    return [json.loads(line) for line in whole.splitlines()]


def test_killed_at_any_moment_every_finished_case_is_kept_and_nothing_runs_on(
    project: Project, whole: Whole
) -> None:
    chance = random.Random(20261130)
    counts = []
    for _ in range(KILLS):
        folder = killed_after(project, signal.SIGKILL, chance.uniform(whole.began_s * 0.5, whole.ended_s))
        assert project.running() == []
        if folder is None:
            continue
        rows = whole_rows(folder)
        counts.append(len(rows))
        for row in rows:
            assert row["label"] == "success"
            assert (folder / row["evidence"] / "evidence.json").is_file()
    assert any(0 < count < CASES for count in counts), counts
    # Temporary files of a killed run are swept when the next one starts.
    assert project.pytest(*OPTIONS, "-k", "C00").code == 0
    assert project.left() == []


def test_a_killed_run_goes_on_to_the_same_end(project: Project, whole: Whole) -> None:
    folder = stopped_at(project, signal.SIGKILL, CASES // 4)
    assert 0 < len(whole_rows(folder)) < CASES
    finished = [row["case"] for row in whole_rows(folder)]
    with (folder / "results.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"schema":"webretrieval.record/1","key":{"corp')
    # Killed between the two files: attempts of a run without its record.
    attempts = (folder / "attempts.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    lost = json.loads(attempts[0]) | {"webretrieval.case": f"C{CASES - 1}"}
    with (folder / "attempts.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(lost) + "\n" + attempts[0][:40])
    run = project.pytest(*OPTIONS, f"--webretrieval-resume={folder.name}")
    assert run.code == 0, run.output
    assert run.folder is None  # no other folder was made
    rows = records(folder)
    assert [row["case"] for row in rows[: len(finished)]] == finished
    assert {row["case"]: row["label"] for row in rows} == whole.labels
    assert len(rows) == CASES
    assert (folder / "results.jsonl.half").read_text(encoding="utf-8").startswith('{"schema"')
    assert summary_of(folder) == whole.summary
    assert run.gate("labels_match") == f"pass {CASES} of {CASES}"
    kept = (folder / "attempts.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line)["webretrieval.case"] for line in kept]
    assert sorted(asked) == sorted(whole.labels)  # one request a case
    again = project.pytest(*OPTIONS, f"--webretrieval-resume={folder.name}")
    assert (again.code, again.gate("labels_match")) == (0, f"pass {CASES} of {CASES}")
    assert len(records(folder)) == CASES


def test_a_run_is_not_resumed_with_other_options(project: Project, whole: Whole) -> None:
    refused = project.pytest(*OPTIONS, "--webretrieval-resume", "--webretrieval-fixture-seed=4")
    assert refused.code == 4, refused.output
    (error,) = refused.starting("ERROR: ")
    assert "cannot be resumed: its seed was 0, now 4" in error
    assert project.left() == []


@pytest.mark.parametrize("finished", [0, 1, CASES // 2])
def test_ctrl_c_ends_the_run_in_order(project: Project, finished: int) -> None:
    folder = stopped_at(project, signal.SIGINT, finished)
    output = (project.temporary.parent / "output.txt").read_text(encoding="utf-8")
    run = Run(2, output, folder)
    assert "KeyboardInterrupt" in output
    assert project.left() == []
    rows = records(folder)
    if "gates" not in output:
        assert (finished, rows) == (0, [])  # stopped before the cases were collected
        return
    assert finished <= len(rows) < CASES
    stopped = f"stopped after {len(rows)} of {CASES}"
    assert run.gate("labels_match") == f"skipped {stopped}"
    assert run.gate("infra_error") == f"skipped {stopped}"
    assert {row["label"] for row in rows} <= {"success"}
    if rows:
        assert summary_of(folder)["runs"] == len(rows)


def test_ctrl_c_is_exit_code_2_and_broken_gates_fail(tmp_path: Path) -> None:
    project = project_of(tmp_path)
    project.write("own.py", SYSTEM.replace("return right(", "return 'No idea.' or right("))
    process = project.start(*OPTIONS, "--webretrieval-slots=1")
    output = project.temporary.parent / "output.txt"
    while not re.search(rb"^F", output.read_bytes(), re.MULTILINE):
        assert process.poll() is None, output.read_text(encoding="utf-8")
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(30) == 2
    run = Run(2, output.read_text(encoding="utf-8"), project.run_folders()[0])
    count = len(run.rows())
    assert 0 < count < CASES
    assert run.gate("labels_match").startswith(f"FAIL 0 of {count}: ")
    assert run.gate("caps") == f"skipped stopped after {count} of {CASES}"
    assert project.left() == []
