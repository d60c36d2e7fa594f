"""``webretrieval init``: what it writes is green with a right system, red with a wrong one, and never in the way."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from pytest_webretrieval.cli.init import STARTER

from ..plugin.project import Project

SYSTEM = """
import re

import httpx


def answer(prompt):
    url = re.search(r"https://\\S+", prompt)[0]
    text = httpx.get(url).text
    return f"The latest stable release is {re.search(PATTERN, text)[1]} ([source]({url}))."


PATTERN = r"stable release of Bramble is version ([0-9.]+[0-9])"
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    (project.folder / "pytest.ini").unlink()
    return project


def test_in_an_empty_folder_all_is_written_and_the_next_command_is_said(project: Project) -> None:
    done = project.verb("init")
    assert done.code == 0, done.output
    assert done.starting("written") == [f"written  {place}" for _, place in STARTER]
    assert done.starting("next") == ["next     pytest --lane=fixture cases/"]
    run = project.pytest("--lane=fixture", "cases/")
    assert run.code == 0, run.output
    assert "cases/first.yaml ." in run.output
    workflow = yaml.safe_load(
        (project.folder / ".github/workflows/webretrieval.yml").read_text(encoding="utf-8")
    )
    assert "pytest --lane=fixture cases/" in [step.get("run") for step in workflow["jobs"]["cases"]["steps"]]


def test_a_right_system_is_green_and_a_wrong_one_red(project: Project) -> None:
    assert project.verb("init").code == 0
    conftest = (project.folder / "conftest.py").read_text(encoding="utf-8")
    project.write("conftest.py", conftest.replace("SYSTEM = None", 'SYSTEM = "agent:answer"'))
    project.write("agent.py", SYSTEM)
    right = project.pytest("--lane=fixture", "cases/")
    assert (right.code, right.labels()) == (0, {"first-release": "success"}), right.output
    project.write("agent.py", SYSTEM + 'PATTERN = r"Bramble (5[^ ]+)"\n')
    wrong = project.pytest("--lane=fixture", "cases/")
    assert (wrong.code, wrong.labels()) == (1, {"first-release": "contradicted"}), wrong.output


def test_what_is_there_is_kept(project: Project) -> None:
    project.write("conftest.py", "# mine\n")
    project.write("cases/first.yaml", "id: MINE\nquery: Q\ndraft: true\n")
    done = project.verb("init")
    assert done.starting("kept") == ["kept     cases/first.yaml", "kept     conftest.py"]
    assert done.starting("or") == [
        "or       conftest.py is yours: `webretrieval_system = my_agent:answer` in the pytest ini is enough"
    ]
    assert (project.folder / "conftest.py").read_text(encoding="utf-8") == "# mine\n"
    assert project.verb("init").starting("written") == []


def test_another_folder_may_be_named(project: Project) -> None:
    done = project.verb("init", "bench")
    assert (project.folder / "bench" / "cases" / "first.yaml").is_file()
    assert done.starting("next") == ["next     cd bench && pytest --lane=fixture cases/"]


def test_where_nothing_can_be_written_one_line_says_so(project: Project) -> None:
    project.write("cases", "a file")
    done = project.verb("init")
    assert done.code == 1
    assert done.lines[-1] == "webretrieval: init: cases: File exists"


def test_without_the_plugin_the_conftest_is_in_nobodys_way(project: Project) -> None:
    assert project.verb("init").code == 0
    project.write("test_one.py", "def test_one():\n    pass\n")
    run = project.pytest("-p", "no:webretrieval", "-W", "error", plugins=("-p", "no:randomly"))
    assert run.code == 0, run.output
