"""Systems that are not the same in every run: trials, confirmation, and what the build makes of them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from .project import OURS, SYSTEM, XDIST, Project, Run, corpus_of, records, truth_of

RERUNS = (*OURS, "-p", "pytest_rerunfailures")
# A question is a list of words with the numbers of the runs to which they apply: `wrong 0 2`, `egress 1`.
CHANGING = r'''
import fcntl
import os
import socket


def number(query):
    """Which run of this question it is, over all slots."""
    with open("runs-" + query.replace(" ", "-"), "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        before = os.fstat(file.fileno()).st_size
        file.write("x")
        return before


class Changing:
    def retrieve(self, task):
        run, words, word = number(task.query), {}, ""
        for part in task.query.split():
            if part.isdecimal():
                words[word].add(int(part))
            else:
                word = part
                words[word] = set()
        if run in words.get("egress", ()):
            try:
                socket.create_connection(("198.51.100.7", 4444), 1).close()
            except OSError:
                pass
        text = right(task.start_urls[0])
        return "It was in spring." if run in words.get("wrong", ()) else text
'''


def changing(project: Project, *questions: str) -> Project:
    names = [f"C{number}" for number in range(len(questions))]
    project.write("own-v1.yaml", corpus_of("own-v1", list(zip(names, questions, strict=True))))
    project.write("truth/own-v1.yaml", truth_of(names))
    project.write("own.py", SYSTEM + CHANGING)
    project.write("pytest.ini", "[pytest]\nwebretrieval_system = own:Changing\n")
    return project


def run_of(project: Project, *arguments: str, **more: Any) -> Run:
    return project.pytest("--lane=fixture", "own-v1.yaml", "-W", "error", *arguments, **more)


def outcomes(run: Run) -> dict[str, dict[str, Any]]:
    assert run.folder is not None, run.output
    summary = json.loads((run.folder / "summary.json").read_text(encoding="utf-8"))
    return {outcome["name"].rpartition("::")[2]: outcome for outcome in summary["outcomes"]}


def trials(run: Run, case: str) -> list[tuple[int, str]]:
    return [(row["key"]["trial"], row["label"]) for row in run.rows() if row["case"] == case]


@pytest.mark.parametrize("workers", [(), XDIST], ids=["one", "xdist"])
def test_every_trial_must_be_as_expected_and_each_can_be_explained(
    project: Project, workers: tuple[str, ...]
) -> None:
    changing(project, "right", "wrong 1")
    run = run_of(project, "--webretrieval-trials=3", "--webretrieval-slots=1", "-v", *workers)
    assert run.code == 1, run.output
    assert trials(run, "C0") == [(0, "success"), (1, "success"), (2, "success")]
    assert trials(run, "C1") == [(0, "success"), (1, "no_answer"), (2, "success")]
    assert run.starting("C1 no_answer in 1 of 3 trials, expected success: ")
    assert run.starting("trials       success, no_answer, success")
    assert run.gate("labels_match") == "FAIL 1 of 2: C1"
    assert run.starting("trials   known-url  pass@1 0.83  pass@3 1.00  pass^3 0.50   (n = 2 cases, 6 trials)")
    assert run.starting("known-url      2          5/6")
    assert run.starting("drop     the smallest fall from 100% that could be seen: 55 points (n = 2 cases,")
    (page,) = run.starting("story ")
    assert page.endswith("C1 --trial 1")
    assert project.verb("explain", "latest", "C1", "--trial", "0").lines[0].startswith("C1 success")
    assert project.verb("explain", "latest", "C1", "--trial", "1").lines[0].startswith("C1 no_answer")
    missing = project.verb("explain", "latest", "C1", "--trial", "3")
    assert missing.code == 1
    assert missing.output.endswith("no trial 3 of C1; there: 0, 1, 2\n")


@pytest.mark.parametrize("more", [("-p", "pytest_randomly"), XDIST], ids=["in random order", "xdist"])
def test_a_red_case_is_confirmed_or_shown_as_flaky(project: Project, more: tuple[str, ...]) -> None:
    changing(project, "right", "wrong 0", "wrong 0 1 2", "wrong 0 1 2 4")
    run = run_of(project, "--webretrieval-confirm", "--junit-xml=junit.xml", *more)
    assert run.code == 1, run.output
    assert {case: outcome["state"] for case, outcome in outcomes(run).items()} == {
        "C0": "passed",
        "C1": "flaky",
        "C2": "flaky",
        "C3": "failed",
    }
    assert [len(trials(run, case)) for case in ("C0", "C1", "C2", "C3")] == [1, 5, 5, 5]
    assert run.starting("FAILED own-v1.yaml::") == run.starting(
        "FAILED own-v1.yaml::C3 - C3 no_answer in 4 of 5"
    )
    flaky = [line.removeprefix("flaky").strip() for line in run.lines if "as expected, else" in line]
    assert sorted(flaky) == [
        "C1  4 of 5 as expected, else no_answer",
        "C2  2 of 5 as expected, else no_answer",
    ]
    assert run.gate("labels_match") == "FAIL 3 of 4 (2 flaky): C3"
    properties = {
        one.get("name"): one.get("value") for one in ET.parse(project.folder / "junit.xml").iter("property")
    }
    assert properties["webretrieval.outcome.C1"] == "flaky: 4 of 5 as expected"
    assert properties["webretrieval.outcome.C3"] == "failed: 1 of 5 as expected"


def test_a_build_with_flaky_cases_only_is_green(project: Project) -> None:
    run = run_of(changing(project, "right", "wrong 0 3"), "--webretrieval-confirm=4")
    assert run.code == 0, run.output
    assert run.gate("labels_match") == "pass 2 of 2 (1 flaky)"
    assert run.gate("extra_claims").endswith("(2 known or flaky runs left out)")


def test_without_being_asked_nothing_is_run_again(project: Project) -> None:
    run = run_of(changing(project, "wrong 0"))
    assert run.code == 1, run.output
    assert trials(run, "C0") == [(0, "no_answer")]


def test_invariants_are_absolute_in_every_trial(project: Project) -> None:
    """A first trial that breaks one is not run again; a further one that does is not outvoted."""
    changing(project, "egress 0", "wrong 0 egress 2")
    run = run_of(project, "--webretrieval-confirm", "--webretrieval-slots=1")
    assert run.code == 1, run.output
    assert trials(run, "C0") == [(0, "policy_violation")]
    labels = [label for _, label in trials(run, "C1")]
    assert sorted(labels) == ["no_answer", "policy_violation", "success", "success", "success"]
    assert run.starting("C1 policy_violation in 2 of 5 trials, expected success")
    assert run.gate("policy_violation") == "FAIL 2 of 6: C0, C1"
    assert run.gate("labels_match") == "FAIL 0 of 2: C0, C1"


def test_a_rerun_is_a_fresh_item(project: Project) -> None:
    changing(project, "wrong 0 1")
    run = run_of(project, "--reruns=1", "--webretrieval-trials=2", "--webretrieval-slots=1", plugins=RERUNS)
    assert run.code == 1, run.output
    assert trials(run, "C0") == [(0, "no_answer"), (1, "no_answer"), (2, "success"), (3, "success")]
    assert run.gate("labels_match") == "FAIL 1 of 2: C0"
    assert "1 rerun" in run.lines[-1]


def test_numbers_of_trials_that_confirm_are_kept_for_them(project: Project) -> None:
    """A rerun's trials have the same numbers whether the first item was confirmed or not."""
    changing(project, "egress 0")
    run = run_of(project, "--reruns=1", "--webretrieval-confirm", plugins=RERUNS)
    assert trials(run, "C0") == [(0, "policy_violation"), (5, "success")], run.output


def test_a_rerun_does_not_wait_for_those_that_were_begun_ahead(project: Project) -> None:
    """Sixty-four are held for items that come later, and one more waits to be begun."""
    changing(project, "wrong 0", *(f"right {number}" for number in range(65)))
    run = run_of(project, "--reruns=1", "-q", plugins=RERUNS)
    assert trials(run, "C0") == [(0, "no_answer"), (1, "success")], run.output
    assert run.gate("labels_match") == "FAIL 66 of 67: C0"


def test_the_first_red_case_stops_the_run(project: Project) -> None:
    changing(project, "wrong 0", "wrong 0 1 2 3 4", "right")
    run = run_of(project, "-x", "--webretrieval-confirm")
    assert run.code == 1, run.output
    assert run.gate("labels_match") == "FAIL 1 of 2 (1 flaky): C1"
    assert run.gate("caps") == "skipped stopped after 2 of 3"
    assert project.left() == []


def test_a_run_that_is_gone_on_with_replays_trials_and_what_confirmed_them(project: Project) -> None:
    changing(project, "wrong 0", "wrong 0 1 2 3 4", "right")
    first = run_of(project, "--webretrieval-confirm")
    assert first.code == 1, first.output
    assert first.folder is not None
    project.write(
        "own.py", "class Changing:\n    def retrieve(self, task):\n        raise RuntimeError('again')\n"
    )
    again = run_of(project, "--webretrieval-confirm", "--webretrieval-resume=latest")
    assert again.code == 1, again.output
    assert again.gate("labels_match") == "FAIL 2 of 3 (1 flaky): C1"
    assert len(records(first.folder)) == 11
    # What was not written before the run was killed is run.
    path = first.folder / "results.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [
        line for line in lines if json.loads(line)["case"] != "C0" or json.loads(line)["key"]["trial"] < 3
    ]
    path.write_text("".join(kept), encoding="utf-8")
    last = run_of(project, "--webretrieval-confirm", "--webretrieval-resume=latest")
    assert [label for number, label in sorted(trials_in(first.folder, "C0")) if number > 2] == [
        "system_failure"
    ] * 2
    assert last.gate("labels_match") == "FAIL 2 of 3 (1 flaky): C1", last.output


def trials_in(folder: Any, case: str) -> list[tuple[int, str]]:
    return [(row["key"]["trial"], row["label"]) for row in records(folder) if row["case"] == case]


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("--webretrieval-trials=0", "--webretrieval-trials: '0' is not a whole number from 1"),
        ("--webretrieval-confirm=x", "--webretrieval-confirm: 'x' is not a whole number from 0"),
    ],
)
def test_a_number_that_is_none_is_one_error(project: Project, option: str, says: str) -> None:
    run = run_of(changing(project, "right"), option)
    assert run.code == 4, run.output
    assert run.starting("ERROR:") == [f"ERROR: {says}"]


def test_own_tests_are_not_run_again(project: Project) -> None:
    changing(project, "wrong 0").write(
        "test_own.py",
        "import pytest\n\n\n@pytest.mark.webretrieval('own-v1.yaml::C0')\n"
        "def test_it(retrieval_case):\n    assert retrieval_case.run().label == 'no_answer'\n",
    )
    run = project.pytest("--lane=fixture", "test_own.py", "--webretrieval-trials=3", "--webretrieval-confirm")
    assert [row["key"]["trial"] for row in run.rows()] == [0], run.output
