"""Three hundred runs in four slots: nothing is left, and the harness does not grow."""

from __future__ import annotations

import json
from pathlib import Path

from ..plugin.project import SYSTEM, Project, corpus_of, truth_of

RUNS = 300
# Resident memory of the pytest process and its descriptors, after each record.
WATCH = """
import json, os

def pytest_runtest_logreport(report):
    if report.when == "call" and "::C" in report.nodeid:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
        seen = {"kib": pages * os.sysconf("SC_PAGE_SIZE") // 1024, "fds": len(os.listdir("/proc/self/fd"))}
        with open("watched.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(seen) + "\\n")
"""
# What a report and a row cost, which pytest and the gates keep: far below what one run's bodies are.
GROWTH_KIB_A_RUN = 16


def mounts() -> list[str]:
    return Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()


def test_nothing_is_left_and_memory_is_flat(tmp_path: Path) -> None:
    project = Project(tmp_path)
    names = [f"C{number:03}" for number in range(RUNS)]
    project.write("own-v1.yaml", corpus_of("own-v1", [(name, "right") for name in names]))
    project.write("truth/own-v1.yaml", truth_of(names))
    project.write("own.py", SYSTEM)
    project.write("conftest.py", WATCH)
    project.write("pytest.ini", "[pytest]\nwebretrieval_system = own:System\n")
    before = mounts()
    run = project.pytest(
        "--lane=fixture", "own-v1.yaml", "-q", "-p", "no:cacheprovider", "--webretrieval-slots=4"
    )
    assert run.code == 0, run.output
    assert len(run.rows()) == RUNS
    # A namespace lives as long as a process in it, a descriptor or a mount: none of the three is left.
    assert project.left() == []
    assert mounts() == before
    watched = [
        json.loads(line) for line in (project.folder / "watched.jsonl").read_text("utf-8").splitlines()
    ]
    early, late = watched[RUNS // 3], watched[-1]
    assert late["fds"] <= early["fds"]
    assert late["kib"] - early["kib"] < GROWTH_KIB_A_RUN * (RUNS - RUNS // 3), (early, late)
