"""A baseline that people accept: known failures are a strict ratchet, and what was accepted is remembered."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from .project import SYSTEM, XDIST, Project, Run, corpus_of, truth_of

ANSWERS = r"""
import json
import socket


class Told:
    # What it answers to each question stands in a file.
    def retrieve(self, task):
        manner = json.load(open("manners.json")).get(task.query, "right")
        text = right(task.start_urls[0])
        if manner == "asks often":
            for _ in range(4):
                right(task.start_urls[0])
        if manner == "leaves":
            try:
                socket.create_connection(("198.51.100.7", 4444), 1).close()
            except OSError:
                pass
        if manner == "wrong value":
            return re.sub(r"\d{1,2} \w+ \d{4}", "20 January 2026", text)
        return "It was in spring." if manner == "says nothing" else text
"""
FILE = "webretrieval-baseline.yaml"
WHY = ("--reason", "has no parser for it", "--owner", "search-team")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two cases, `first` and `second`, and a run in which the second says nothing."""
    project = Project(tmp_path_factory.mktemp("told"))
    project.write("own-v1.yaml", corpus_of("own-v1", [("C0", "first"), ("C1", "second")]))
    project.write("truth/own-v1.yaml", truth_of(["C0", "C1"]))
    project.write("own.py", SYSTEM + ANSWERS)
    project.write("pytest.ini", "[pytest]\nwebretrieval_system = own:Told\n")
    run = run_of(project, second="says nothing")
    assert run.code == 1, run.output
    return project.folder


@pytest.fixture
def told(project: Project, template: Path) -> Project:
    """A copy of it."""
    shutil.copytree(template, project.folder, dirs_exist_ok=True)
    return project


def run_of(project: Project, *arguments: str, **manners: str) -> Run:
    project.write("manners.json", json.dumps(manners))
    return project.pytest("--lane=fixture", "own-v1.yaml", "-W", "error", *arguments)


def accept(project: Project, *arguments: str) -> Run:
    return project.verb("baseline", "accept", "latest", *arguments)


def test_a_failure_is_accepted_with_a_reason_and_an_owner_only(told: Project) -> None:
    for arguments in ((), ("--reason", "no parser"), ("--owner", "search-team")):
        refused = accept(told, *arguments)
        assert refused.code == 1
        assert "--reason TEXT --owner NAME" in refused.output
        assert "Traceback" not in refused.output
    assert not (told.folder / FILE).exists()
    accepted = accept(told, *WHY, "--expires", "2099-02-26")
    assert accepted.code == 0, accepted.output
    assert accepted.lines == [
        "own-v1::C1: known to fail: no_answer 1; until 2099-02-26",
        f"{FILE}: 2 cases accepted, 1 known to fail; commit it",
    ]


@pytest.mark.parametrize("workers", [(), XDIST], ids=["one", "xdist"])
def test_a_known_failure_is_expected_and_named(told: Project, workers: tuple[str, ...]) -> None:
    accept(told, *WHY, "--expires", "2099-02-26")
    run = run_of(told, "-rx", "--junit-xml=junit.xml", *workers, second="says nothing")
    assert run.code == 0, run.output
    why = "has no parser for it (search-team, until 2099-02-26)"
    assert run.starting(f"XFAIL own-v1.yaml::C1 - no_answer: {why}")
    assert run.starting(f"known    C1  no_answer: {why}")
    assert run.starting(f"baseline {FILE}, 2 cases, 1 known to fail")
    assert run.gate("labels_match") == "pass 2 of 2 (1 known to fail)"
    assert run.gate("learned_caps") == "pass 2 of 2 within what was accepted, times 1.5"
    assert "as accepted that could be seen" in run.output or "no fall from 50% as accepted" in run.output
    assert 'type="pytest.xfail"' in (told.folder / "junit.xml").read_text(encoding="utf-8")
    assert run.folder is not None
    summary = json.loads((run.folder / "summary.json").read_text(encoding="utf-8"))
    states = {outcome["name"]: outcome["state"] for outcome in summary["outcomes"]}
    assert states == {"own-v1::C0": "passed", "own-v1::C1": "known"}


def test_a_known_failure_that_passes_is_red_until_that_is_accepted(told: Project) -> None:
    accept(told, *WHY)
    run = run_of(told)
    assert run.code == 1, run.output
    (line,) = run.starting("C1 success, known to fail (search-team): accept the pass with `")
    assert run.starting("passing  C1  1 of 1 as expected, but known to fail: accept the pass")
    assert run.gate("labels_match") == "FAIL 1 of 2: C1"
    command = line.rpartition(": accept the pass with `")[2].removesuffix("`").split()
    done = told.verb(*command[1:])
    assert done.code == 0, done.output
    assert done.lines[0] == "own-v1::C1: no longer known to fail"
    assert run_of(told).code == 0
    # The ratchet has turned: what failed before may not any more.
    assert run_of(told, second="says nothing").code == 1


def test_a_known_failure_that_fails_otherwise_is_red(told: Project) -> None:
    accept(told, *WHY)
    run = run_of(told, second="wrong value")
    assert run.code == 1, run.output
    assert run.starting("C1 contradicted, expected success, known to fail as no_answer: ")
    assert run.starting("known        has no parser for it (search-team, until ")


def test_a_reason_is_used_up_on_its_day(told: Project) -> None:
    accept(told, *WHY, "--expires", "2099-02-26")
    path = told.folder / FILE
    path.write_text(path.read_text(encoding="utf-8").replace("2099-02-26", "2020-02-26"), encoding="utf-8")
    run = run_of(told, second="says nothing")
    assert run.code == 1, run.output
    assert run.starting("C1 no_answer, expected success, known to fail until 2020-02-26 (search-team): ")
    assert run.starting("expired  C1  has no parser for it (search-team, until 2020-02-26)")
    # It is not carried on by accepting another run.
    assert accept(told).code == 1


def test_a_case_that_falls_is_told_what_was_accepted(told: Project) -> None:
    accept(told, *WHY)
    run = run_of(told, first="says nothing", second="says nothing")
    assert run.code == 1, run.output
    (line,) = run.starting("main ")
    assert line.split(maxsplit=1)[1].startswith("success on the accepted baseline of 20")
    assert line.endswith(" (1 of 1); here 0 of 1")


def test_an_act_upon_others_is_never_accepted(told: Project) -> None:
    run_of(told, first="leaves", second="says nothing")
    refused = accept(told, *WHY)
    assert refused.code == 1
    assert "never accepted, in any trial: own-v1::C0 (policy_violation, egress" in refused.output
    # The others are, and a known failure does not hide an act.
    assert accept(told, *WHY, "--case", "own-v1::C1").code == 0
    run = run_of(told, second="leaves")
    assert run.code == 1, run.output
    assert run.starting("C1 policy_violation, expected success")


def test_what_costs_more_than_was_accepted_breaks_a_gate(told: Project) -> None:
    accept(told, *WHY)
    run = run_of(told, first="asks often", second="says nothing")
    assert run.code == 1, run.output
    assert run.gate("learned_caps").startswith(
        "FAIL 1 of 2 within what was accepted, times 1.5: C0 (requests 5 of 2"
    )


def test_an_overrun_that_was_accepted_is_tolerated_and_no_other(told: Project) -> None:
    run_of(told, first="asks often", second="says nothing")
    assert accept(told, *WHY).code == 0
    run = run_of(told, first="asks often", second="says nothing")
    assert run.code == 0, run.output
    other = run_of(told, first="asks often", second="asks often")
    assert other.gate("caps") == "FAIL 1 of 2 within budget: C1 (requests)"


def test_the_baseline_of_another_system_is_not_used(told: Project) -> None:
    accept(told, *WHY)
    run = run_of(told, "--webretrieval-system=own:System")
    assert run.starting("baseline not used: it was accepted for own:Told with other options (fingerprint ")
    assert run.code == 0, run.output
    named = run_of(told, "--webretrieval-system=own:System", f"--webretrieval-baseline={FILE}")
    assert named.code == 4
    (line,) = named.starting("ERROR:")
    assert line.startswith(f"ERROR: --webretrieval-baseline: {FILE}: it was accepted for own:Told")


def test_a_baseline_that_cannot_be_read_is_one_error_with_its_line(told: Project) -> None:
    accept(told, *WHY)
    path = told.folder / FILE
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next(n for n, line in enumerate(lines) if "owner:" in line)
    lines[number] = lines[number].replace("owner:", "ownr:")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run = run_of(told)
    assert run.code == 4, run.output
    assert run.starting("ERROR:")[0].startswith(f"ERROR: {FILE}:")
    assert f"{FILE}:{number + 1}: unknown key `ownr`; did you mean `owner`?" in run.output
    missing = run_of(told, "--webretrieval-baseline=nowhere.yaml")
    assert missing.code == 4
    assert missing.starting("ERROR: nowhere.yaml: no such file")


def test_a_pass_that_is_not_confirmed_leaves_a_known_failure_known(told: Project) -> None:
    accept(told, *WHY)
    told.write(
        "own.py",
        SYSTEM
        + """
import os


class Told:
    def retrieve(self, task):
        once = task.query == "first" or not os.path.exists("asked")
        if task.query == "second":
            open("asked", "w").close()
        return right(task.start_urls[0]) if once else "It was in spring."
""",
    )
    run = run_of(told, "--webretrieval-confirm")
    assert run.code == 0, run.output
    assert run.starting("known    C1  success, no_answer: has no parser for it (search-team")
