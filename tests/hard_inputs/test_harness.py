"""Runs that lose, hide or stain results (kind g of docs/hard-inputs.md), each in a real run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_webretrieval.judges.asking import Bench
from pytest_webretrieval.judges.lock import lock_for
from pytest_webretrieval.judges.parsing import UNGRADED

from ..plugin.project import SYSTEM, Project, Run, corpus_of, truth_of

QUERY = "找出台灣官方的颱風警報來源 ✓"
CASES = [("C1", QUERY), ("C2", f"{QUERY} raises"), ("C3", QUERY), ("C4", QUERY)]
MIXED = """
class System:
    def retrieve(self, task):
        if "raises" in task.query:
            raise PermissionError(f"401: wrong key for {task.query}")
        return right(task.start_urls[0])


def denied(task):
    raise PermissionError("401: wrong key")
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("harness"))
    project.write("own-v1.yaml", corpus_of("own-v1", CASES))
    project.write("truth/own-v1.yaml", truth_of([name for name, _ in CASES]))
    project.write("own.py", SYSTEM + MIXED)
    return project


@pytest.fixture(scope="module")
def mixed(project: Project) -> Run:
    """Good, failing, good, good, on a terminal that cannot say what is asked."""
    return project.pytest(
        "--lane=fixture", "own-v1.yaml", "--webretrieval-system=own:System", "--junit-xml=junit.xml",
        PYTHONIOENCODING="cp1252", PYTHONUTF8="0", LC_ALL="C",
    )  # fmt: skip


def test_g7_an_error_in_one_case_is_that_case_s_alone(mixed: Run) -> None:
    assert mixed.labels() == {"C1": "success", "C2": "system_failure", "C3": "success", "C4": "success"}
    assert mixed.gate("labels_match") == "FAIL 3 of 4: C2"


def test_g17_files_are_utf8_whatever_the_terminal_can_say(project: Project, mixed: Run) -> None:
    assert mixed.folder is not None
    assert [row["query"] for row in mixed.rows()] == [query for _, query in CASES]
    for path in (*mixed.folder.glob("*.json*"), project.folder / "junit.xml"):
        text = path.read_bytes()
        assert b"\r\n" not in text, path
        text.decode("utf-8")
    assert QUERY in (project.folder / "junit.xml").read_text(encoding="utf-8")
    assert "UnicodeEncodeError" not in mixed.output


@pytest.mark.parametrize(
    ("system", "label"), [("own:denied", "system_failure"), ("cmd: true", "no_answer")], ids=["raises", "says nothing"]
)  # fmt: skip
def test_g1_a_run_of_failed_calls_is_red(project: Project, system: str, label: str) -> None:
    run = project.pytest("--lane=fixture", "own-v1.yaml", f"--webretrieval-system={system}")
    assert run.code == 1, run.output
    assert set(run.labels().values()) == {label}
    assert run.gate("labels_match") == "FAIL 0 of 4: C1, C2, C3, C4"


def test_g16_a_reply_that_was_cut_costs_its_own_verdict_only(tmp_path: Path) -> None:
    cut = '{"verdict": "full", "quote": "covered with ice", "reason": "The source says in so many'
    bench = Bench(lock_for("some-model", 0.0), lambda _: cut, tmp_path)
    inputs = {"claim": "There is ice.", "source": "The lake is covered with ice."}
    opinion = bench.judge("support", inputs)
    assert (opinion.verdict, opinion.quote) == (UNGRADED, "")
    assert opinion.reason.startswith("no JSON object")
    (kept,) = tmp_path.glob("support/*.json")
    assert json.loads(kept.read_text(encoding="utf-8"))["reply"] == cut
    # It is asked once, however often it is cut.
    assert bench.judge("support", inputs).verdict == UNGRADED
    assert bench.asked == 1
