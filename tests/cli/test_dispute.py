"""``webretrieval dispute``: a file with the evidence and a place to decide; nothing else changes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from ..plugin.project import SYSTEM, Project, corpus_of, truth_of

CASES = (("C1", "right"), ("C2", "wrong"), ("C3", "raises"))
MIXED = """
class System:
    def retrieve(self, task):
        if task.query == "raises":
            raise OSError("the index is gone")
        text = right(task.start_urls[0])
        return text if task.query == "right" else "It was\\nin spring, 20 January 2026."
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("dispute"))
    project.write("own-v1.yaml", corpus_of("own-v1", CASES))
    project.write("truth/own-v1.yaml", truth_of([name for name, _ in CASES]))
    project.write("own.py", SYSTEM + MIXED)
    run = project.pytest("--lane=fixture", "own-v1.yaml", "--webretrieval-system=own:System")
    assert run.code == 1, run.output
    assert f"webretrieval dispute {project.run_folders()[0].name[-4:]} C2" in run.output
    return project


def written(project: Project, name: str) -> Path:
    (folder,) = project.run_folders()
    return project.folder / "disputes" / f"{folder.name}-{name}.yaml"


def test_a_proposal_holds_what_the_judgement_rests_on(project: Project) -> None:
    before = {path: path.read_bytes() for path in project.folder.rglob("*") if path.is_file()}
    done = project.verb("dispute", "latest", "C2", "--reason", "spring: it's # right")
    assert done.code == 0, done.output
    assert done.lines == [
        f"disputes/{written(project, 'C2').name}: decide there what is right; nothing else was changed"
    ]
    after = {path: path.read_bytes() for path in project.folder.rglob("*") if path.is_file()}
    assert set(after) - set(before) == {written(project, "C2")}
    assert {path: after[path] for path in before} == before
    data = yaml.safe_load(after[written(project, "C2")])
    assert data["schema"] == "webretrieval.dispute/1"
    assert (data["case"], data["trial"], data["seed"]) == ("own-v1::C2", 0, 0)
    assert data["judged"]["got"] == "contradicted"
    assert data["judged"]["likely home"].startswith("your code: ")
    assert data["truth"]["facts"] == {"published": "2026-03-12"}
    assert data["truth"]["file"].startswith("truth/own-v1.yaml:")
    (step,) = data["steps"]
    assert step["answer"] == "It was\nin spring, 20 January 2026."
    assert len(step["wire"]) == 1
    fact = step["grounds"][0]
    assert (fact["is"], fact["rule"]) == ("contradicted", "wrong-value")
    assert fact["in the answer"] == "It was in spring, 20 January 2026."
    assert "12 March 2026" in fact["on the page"]
    assert fact["sha256"] == step["representations"][0]["sha256"]
    assert data["decision"] == {"wrong": None, "right": None, "because": "spring: it's # right", "by": None}


def test_a_proposal_that_is_there_stays_as_it_is(project: Project) -> None:
    assert project.verb("dispute", "latest", "C1").code == 0
    path = written(project, "C1")
    path.write_text("decision: {wrong: truth}\n", encoding="utf-8", newline="\n")
    again = project.verb("dispute", "latest", "C1", "--reason", "another")
    assert again.code == 0
    assert "is there already, and stays as it is" in again.output
    assert path.read_text(encoding="utf-8") == "decision: {wrong: truth}\n"


def test_a_run_without_an_answer_can_be_disputed(project: Project) -> None:
    done = project.verb("dispute", "latest", "C3", "--to", "elsewhere")
    assert done.code == 0, done.output
    (path,) = (project.folder / "elsewhere").iterdir()
    (step,) = yaml.safe_load(path.read_text(encoding="utf-8"))["steps"]
    assert step["answer"] is None
    assert "OSError: the index is gone" in step["status"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("latest", "K99"), "no record of K99; there: C1, C2, C3"),
        (("latest", "C1", "--trial", "3"), "no trial 3 of C1; there: 0"),
        (("zzzz", "C1"), "zzzz is no run in .webretrieval; there: "),
    ],
)
def test_what_is_not_there_is_one_line(project: Project, arguments: tuple[str, ...], says: str) -> None:
    done = project.verb("dispute", *arguments)
    assert (done.code, len(done.lines)) == (1, 1)
    assert says in done.lines[0]


def test_a_place_that_cannot_be_written_is_one_line(project: Project) -> None:
    project.write("taken", "a file")
    done = project.verb("dispute", "latest", "C2", "--to", "taken")
    assert (done.code, len(done.lines)) == (1, 1)
    assert "name another folder with --to" in done.lines[0]
    assert os.path.isfile(project.folder / "taken")
