"""``webretrieval explain``: a stored run's case, from the folder alone."""

from __future__ import annotations

import pytest

from ..plugin.project import SYSTEM, Project, corpus_of, truth_of

CASES = (("C1", "right"), ("C2", "wrong"), ("C3", "raises"), ("C4", "declines"))
MIXED = """
class System:
    def retrieve(self, task):
        if task.query == "raises":
            raise OSError("the index is gone")
        if task.query == "declines":
            refusal = {"reason": "not_found"}
            return {"schema": "webretrieval.result/2", "status": "declined", "answer": "", "refusal": refusal}
        text = right(task.start_urls[0])
        return text if task.query == "right" else "It was in spring."
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("explain"))
    project.write("own-v1.yaml", corpus_of("own-v1", CASES))
    project.write("truth/own-v1.yaml", truth_of([name for name, _ in CASES]))
    project.write("own.py", SYSTEM + MIXED)
    run = project.pytest("--lane=fixture", "own-v1.yaml", "--webretrieval-system=own:System")
    assert run.code == 1, run.output
    return project


def test_a_run_is_named_by_its_end_its_name_its_path_or_latest(project: Project) -> None:
    (folder,) = project.run_folders()
    shown = [
        [
            line
            for line in project.verb("explain", name, "C1").lines
            if not line.strip().startswith("evidence")
        ]
        for name in (folder.name[-4:], folder.name, str(folder), "latest")
    ]
    assert shown[1:] == shown[:1] * 3
    assert shown[0][0].startswith("C1 success, expected success")


def test_a_case_is_shown_with_its_wire_and_its_answer(project: Project) -> None:
    shown = project.verb("explain", "latest", "C1")
    assert shown.code == 0
    assert "Published on 12 March 2026" in shown.output
    assert [line for line in shown.lines if "GET " in line and "200" in line and "direct-fetch" in line]
    assert shown.lines[-1].split()[0] == "evidence"


@pytest.mark.parametrize(
    ("case", "says"),
    [
        ("C2", "It was in spring."),
        ("C3", "OSError: the index is gone"),
        ("C4", "(declined: not_found)"),
    ],
)
def test_what_a_system_said_is_shown_whatever_it_was(project: Project, case: str, says: str) -> None:
    shown = project.verb("explain", "latest", case)
    assert shown.code == 0, shown.output
    assert says in shown.output


@pytest.mark.parametrize(
    ("run", "case", "says"),
    [
        ("latest", "K99", "no record of K99; there: C1, C2, C3, C4"),
        ("zzzz", "C1", "zzzz is no run in .webretrieval; there: "),
    ],
)
def test_what_is_not_there_is_one_line(project: Project, run: str, case: str, says: str) -> None:
    shown = project.verb("explain", run, case)
    assert (shown.code, len(shown.lines)) == (1, 1)
    assert says in shown.lines[0]


def test_half_a_line_at_the_end_is_passed_over(project: Project) -> None:
    (folder,) = project.run_folders()
    results = folder / "results.jsonl"
    before = results.read_bytes()
    try:
        results.write_bytes(before + before[:200])
        assert project.verb("explain", "latest", "C4").code == 0
        results.write_bytes(before.replace(b"\n", b"\n{broken\n", 1))
        broken = project.verb("explain", "latest", "C4")
        assert (broken.code, len(broken.lines)) == (1, 1)
        assert "results.jsonl:2: not JSON" in broken.lines[0]
    finally:
        results.write_bytes(before)


def test_evidence_that_is_gone_is_one_line(project: Project) -> None:
    (folder,) = project.run_folders()
    (evidence,) = folder.glob("cases/own-v1/C1/0/evidence.json")
    text = evidence.read_bytes()
    evidence.unlink()
    try:
        shown = project.verb("explain", "latest", "C1")
        assert shown.code == 1
        assert shown.lines[-1].startswith("webretrieval: cannot read ")
    finally:
        evidence.write_bytes(text)
