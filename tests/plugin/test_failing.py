"""A system that is wrong: what people read, and what the files say. One run with one process, one with workers."""

from __future__ import annotations

import importlib.util
import re
import shlex
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import pytest

from .project import ROOT, SYSTEM, XDIST, Project, Run, corpus_of, truth_of

SCHEMA = ROOT.parent / "shared" / "data" / "prov" / "junit-10.xsd"
WRONG = r'''
KEY = "sk-live-7f3a9b1c5d"


class Wrong:
    """What it does wrong is in the question."""

    def retrieve(self, task):
        url = task.start_urls[0]
        text = right(url)
        if task.query == "wrong value":
            return re.sub(r"\d{1,2} \w+ \d{4}", "20 January 2026", text)
        if task.query == "no citation":
            return text.partition(" ([")[0] + "."
        if task.query == "says too little":
            return {"schema": "webretrieval.result/2", "status": "answered", "answer": text, "attempts": []}
        if task.query == "raises":
            raise LookupError(f"no index for {KEY}")
        if task.query == "breaks the contract":
            return {"schema": "webretrieval.result/2", "status": "answered"}
        return text
'''
CASES = (
    ("C1", "right"),
    ("C2", "wrong value"),
    ("C3", "no citation"),
    ("C4", "raises"),
    ("C5", "breaks the contract"),
    ("C6", "says too little"),
)
LABELS = {
    "C1": "success",
    "C2": "contradicted",
    "C3": "unsupported",
    "C4": "system_failure",
    "C5": "system_failure",
    "C6": "success",
}


@dataclass(frozen=True, slots=True)
class Failed:
    project: Project
    run: Run
    junit: ET.Element

    def page(self, case: str) -> str:
        """The page of one case, from its headline to its last command."""
        found = re.search(
            rf"^{case} \w+, expected .*?^     story .*?$", self.run.output, re.DOTALL | re.MULTILINE
        )
        assert found is not None, self.run.output
        return found[0]


@pytest.fixture(scope="module", params=[(), XDIST], ids=["one", "xdist"])
def failed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Failed:
    project = Project(tmp_path_factory.mktemp("failing"))
    project.write("own-v1.yaml", corpus_of("own-v1", CASES))
    project.write("truth/own-v1.yaml", truth_of([name for name, _ in CASES]))
    project.write("own.py", SYSTEM + WRONG)
    options = ("own-v1.yaml", "--webretrieval-system=own:Wrong", "--junit-xml=junit.xml")
    run = project.pytest(
        "--lane=fixture", *options, *request.param, CI="true", OWN_API_KEY="sk-live-7f3a9b1c5d"
    )
    assert run.folder is not None, run.output
    return Failed(project, run, ET.parse(project.folder / "junit.xml").getroot())


def test_labels_exit_code_and_gates(failed: Failed) -> None:
    assert failed.run.labels() == LABELS
    assert failed.run.code == 1
    wrong = "C2, C3, C4, C5"
    gate = failed.run.gate("labels_match")
    assert gate.startswith("FAIL 2 of 6: ")
    assert sorted(gate.partition(": ")[2].split(", ")) == wrong.split(", ")
    assert failed.run.gate("citation_support").startswith("FAIL ")
    for name in ("policy_violation", "infra_error", "caps", "extra_claims"):
        assert failed.run.gate(name).startswith("pass "), name


def test_the_summary_line_is_enough(failed: Failed) -> None:
    lines = {line.split("::")[1].split()[0]: line for line in failed.run.starting("FAILED own-v1.yaml::")}
    assert sorted(lines) == ["C2", "C3", "C4", "C5"]
    for case, line in lines.items():
        head = f"FAILED own-v1.yaml::{case} - {case} {LABELS[case]}, expected success: "
        assert line.startswith(head)
        assert len(line) > len(head) + 5
    assert failed.run.starting("FAILED gate::labels_match - 2 of 6: ")


def test_the_page_tells_value_wire_case_and_truth(failed: Failed) -> None:
    page = failed.page("C2")
    assert "C2  known-url  wrong value" in page
    assert re.search(r"expected success    got contradicted    tags .*wrong-value|contradict", page)
    assert "content      0 of 1 facts" in page
    assert re.search(
        r"wire         #1 +\d\.\d\d s  GET  [\w.-]+\.example/\S+ +200 +\d\.\d kB  direct-fetch", page
    )
    assert "case         own-v1.yaml:5     truth  truth/own-v1.yaml:17, valid since 2026-08-21" in page
    for number, line in enumerate((failed.project.folder / "own-v1.yaml").read_text().splitlines(), 1):
        assert ("id: C2" in line) == (number == 5)


def test_the_page_of_an_exception_shows_where_and_hides_secrets(failed: Failed) -> None:
    page = failed.page("C4")
    assert "LookupError: no index for [redacted:OWN_API_KEY]" in page
    assert re.search(r"own\.py|raise LookupError", page)
    for path in failed.project.folder.rglob("*"):
        if path.is_file() and path.name != "own.py" and ".pytest_cache" not in path.parts:
            assert b"sk-live-7f3a9b1c5d" not in path.read_bytes(), path


def test_the_page_of_a_broken_contract_names_the_field(failed: Failed) -> None:
    page = failed.page("C5")
    assert "invalid-result" in page
    assert "answer" in page.splitlines()[0]


def test_a_right_answer_with_a_false_account_is_no_failure(failed: Failed) -> None:
    row = next(row for row in failed.run.rows() if row["case"] == "C6")
    assert (row["reported_attempts"], row["efficiency"]["requests"]) == (0, 1)


def test_no_line_of_ours_is_wider_than_the_page_but_for_paths_and_commands(failed: Failed) -> None:
    for case in ("C2", "C3", "C4", "C5"):
        long = [line for line in failed.page(case).splitlines()[1:] if len(line) > 100]
        assert [line for line in long if line.split()[0] not in ("case", "again", "story")] == []


def test_the_again_line_fails_in_the_same_way(failed: Failed) -> None:
    (again,) = {
        line.strip().partition(" ")[2].strip() for line in failed.page("C2").splitlines() if " again " in line
    }
    assert again.startswith("pytest --lane=fixture --webretrieval-case own-v1::C2 ")
    repeated = failed.project.pytest(*shlex.split(again)[1:])
    assert repeated.labels() == {"C2": "contradicted"}
    first, second = (next(row for row in run.rows() if row["case"] == "C2") for run in (failed.run, repeated))
    for same in ("label", "tags", "reason", "verdicts", "key"):
        ours, theirs = first[same], second[same]
        if same == "verdicts":
            ours, theirs = ([one["content"] for one in side] for side in (ours, theirs))
        assert ours == theirs


def test_the_story_line_shows_the_answer(failed: Failed) -> None:
    (story,) = {
        line.strip().partition(" ")[2].strip() for line in failed.page("C2").splitlines() if " story " in line
    }
    command, *arguments = shlex.split(story)
    shown = failed.project.verb(*arguments)
    assert (command, shown.code) == ("webretrieval", 0)
    assert shown.lines[0].startswith("C2 contradicted, expected success: ")
    assert "Published on 20 January 2026" in shown.output


def test_junit_has_cases_and_gates_with_the_headline_as_message(failed: Failed) -> None:
    cases = {f"{case.get('classname')}::{case.get('name')}": case for case in failed.junit.iter("testcase")}
    assert {name.rpartition("::")[2] for name in cases} >= {*LABELS, "labels_match", "citation_support"}
    by_name = {name.rpartition("::")[2]: case for name, case in cases.items()}
    failure = by_name["C2"].find("failure")
    assert failure is not None
    assert (failure.get("message") or "").startswith("C2 contradicted, expected success: ")
    assert "case         own-v1.yaml:5" in (failure.text or "")
    assert by_name["C1"].find("failure") is None
    assert by_name["labels_match"].find("failure") is not None
    assert by_name["caps"].find("failure") is None
    suite = failed.junit.find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("12", "6", "0")


def test_junit_has_labels_and_gates_as_properties_of_the_suite(failed: Failed) -> None:
    suite = failed.junit.find("testsuite")
    assert suite is not None
    properties = {one.get("name"): one.get("value") for one in suite.iterfind("properties/property")}
    for case, label in LABELS.items():
        assert properties[f"webretrieval.label.{case}"] == label
    assert (properties["webretrieval.gate.labels_match"] or "").startswith("fail: 2 of 6")
    assert [case for case in failed.junit.iter("testcase") if case.find("properties") is not None] == []


def test_junit_is_valid(failed: Failed) -> None:
    if importlib.util.find_spec("lxml") is None:
        pytest.skip("lxml is not installed")
    if not SCHEMA.is_file():
        pytest.skip("no JUnit schema beside the project")
    from lxml import etree

    etree.XMLSchema(etree.parse(SCHEMA)).assertValid(etree.parse(Path(failed.project.folder / "junit.xml")))


def test_nothing_is_left(failed: Failed) -> None:
    assert failed.project.left() == []
