"""Without ``--lane`` the plugin is not there: nothing printed, written, opened, started or imported."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .project import OURS, TWELVE, XDIST, Project, Run

# Writes each thing that a process does beyond computing, one JSON list a line.
WATCH = """
import json
import os
import sys

_file = os.open(os.environ["WATCHED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def _watch(event, arguments):
    if event.startswith("socket.") or event in ("subprocess.Popen", "os.mkdir", "os.fork", "os.posix_spawn"):
        what = str(arguments[0]) if event == "os.mkdir" else ""
        os.write(_file, (json.dumps([event, what]) + "\\n").encode())


sys.addaudithook(_watch)
"""
IMPORTED = """
import os
import sys


def pytest_sessionfinish():
    with open("imported.txt", "w") as file:
        file.write("\\n".join(sys.modules))
"""


@pytest.fixture
def quiet(project: Project) -> Project:
    project.write(
        "test_own.py", "def test_one() -> None:\n    pass\n\n\ndef test_two() -> None:\n    assert 1 == 2\n"
    )
    project.write("corpus/own.yaml", "version: own\nlive_channels: []\ncases: []\n")
    project.write("data.yaml", "not: {a corpus\n")
    project.write("watch/sitecustomize.py", WATCH)
    project.write("conftest.py", IMPORTED)
    return project


def watched(project: Project, *arguments: str, plugins: tuple[str, ...] = ()) -> tuple[Run, list[list[str]]]:
    log = project.folder.parent / "watched"
    log.unlink(missing_ok=True)
    seen = {"PYTHONPATH": str(project.folder / "watch"), "WATCHED": str(log), "PYTHONDONTWRITEBYTECODE": "1"}
    run = project.pytest(*arguments, plugins=plugins, **seen)
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    return run, [
        event for event in events if ".pytest_cache" not in event[1] and "pytest-cache" not in event[1]
    ]


def plain(run: Run) -> list[str]:
    timed = (re.sub(r"\d+\.\d+s", "TIME", line) for line in run.lines)
    return [re.sub(r"webretrieval-[\d.]+(, )?", "", line) for line in timed]


def test_without_lane_the_run_is_that_of_a_pytest_without_the_plugin(quiet: Project) -> None:
    options = ("-v", "-p", "no:randomly", "-o", "asyncio_default_fixture_loop_scope=function")
    watched(quiet, *options)  # the first run makes pytest's cache
    without, did_without = watched(quiet, *options, "-p", "no:webretrieval")
    with_it, did_with = watched(quiet, *options)
    assert plain(with_it) == plain(without)
    assert with_it.code == without.code == 1
    assert did_with == did_without
    assert not (quiet.folder / ".webretrieval").exists()
    assert quiet.left() == []


def test_without_lane_only_the_small_modules_are_imported(quiet: Project) -> None:
    quiet.pytest("-q", wrapper=("env",))  # an interpreter that has imported nothing yet
    imported = (quiet.folder / "imported.txt").read_text(encoding="utf-8").splitlines()
    ours = {name for name in imported if name.startswith(("pytest_webretrieval", "fixture_server"))}
    assert ours == {
        "pytest_webretrieval",
        "pytest_webretrieval.configured",
        "pytest_webretrieval.options",
        "pytest_webretrieval.outward",
        "pytest_webretrieval.plugin",
        "pytest_webretrieval.hookspecs",
        "pytest_webretrieval.settings",
    }
    assert {"httpx", "aiohttp", "yaml", "jsonschema", "asyncio", "ssl"}.isdisjoint(imported)


def test_importing_the_plugin_takes_less_than_a_twentieth_of_a_second() -> None:
    code = "import time, pytest; began = time.perf_counter(); import pytest_webretrieval.plugin; "
    code += "print(time.perf_counter() - began)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in range(3)
    ]
    assert min(times) < 0.05


@pytest.mark.parametrize("workers", [(), XDIST], ids=["one", "xdist"])
def test_collect_only_makes_no_folder_and_starts_nothing_of_ours(
    quiet: Project, workers: tuple[str, ...]
) -> None:
    run, did = watched(quiet, "--lane=fixture", "--collect-only", "-q", *TWELVE, *workers, plugins=OURS)
    assert run.code == 0, run.output
    if not workers:
        assert run.starting("corpus/web-retrieval-v1.yaml::K01")
        assert [event for event, _ in did if event != "os.mkdir"] == []
    assert "gate" not in run.output
    assert not (quiet.folder / ".webretrieval").exists()
    assert quiet.left() == []


def test_help_names_every_option(project: Project) -> None:
    output = project.pytest("--help").output
    for option in ("--lane", "--webretrieval-corpus", "--webretrieval-system", "webretrieval_fixture_seed"):
        assert option in output


def test_markers_are_listed_in_the_lane(project: Project) -> None:
    output = project.pytest("--lane=fixture", "--markers").output
    assert "@pytest.mark.known_url" in output
    assert not Path(project.folder / ".webretrieval").exists()
