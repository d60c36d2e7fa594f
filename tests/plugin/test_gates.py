"""Gates as reports: present in every way a run can end, absent where there is nothing to judge."""

from __future__ import annotations

from .project import SYSTEM, XDIST, Project, corpus_of, truth_of

DYING = """
import os


def test_dies() -> None:
    os._exit(1)
"""


def own(project: Project, cases: int) -> Project:
    names = [f"C{number}" for number in range(cases)]
    project.write("own-v1.yaml", corpus_of("own-v1", [(name, "right") for name in names]))
    project.write("truth/own-v1.yaml", truth_of(names))
    project.write("own.py", SYSTEM)
    project.write("pytest.ini", "[pytest]\nwebretrieval_system = own:System\n")
    return project


def test_a_worker_that_dies_costs_no_more_than_its_own_test(project: Project) -> None:
    own(project, 8).write("test_a.py", DYING)
    run = project.pytest("--lane=fixture", "test_a.py", "own-v1.yaml", *XDIST, "-v")
    assert run.code == 1, run.output
    assert len(run.starting("FAILED test_a.py::test_dies")) == 1
    lost = {f"C{number}" for number in range(8)} - set(run.labels())
    # Cases that went down with the worker are run by its successor, or are named as missing.
    line = run.gate("labels_match")
    if lost:
        assert line.startswith(f"FAIL {8 - len(lost)} of 8: ")
        assert set(line.partition(": ")[2].split(", ")) == lost
    else:
        assert line == "pass 8 of 8"
    assert run.gate("infra_error").startswith("pass 0 of ")
    assert project.running() == []
    # What the dead worker had in temporary folders is swept by the next run.
    assert project.pytest("--lane=fixture", "own-v1.yaml::C0").code == 0
    assert project.left() == []


def test_a_case_that_no_worker_can_run_is_named_as_missing(project: Project) -> None:
    own(project, 3)
    project.write(
        "conftest.py",
        "import os\n\ndef pytest_runtest_setup(item):\n    if item.name == 'C1':\n        os._exit(1)\n",
    )
    run = project.pytest("--lane=fixture", "own-v1.yaml", *XDIST)
    assert run.code == 1, run.output
    assert sorted(run.labels()) == ["C0", "C2"]
    assert run.gate("labels_match") == "FAIL 2 of 3: C1"
    assert project.running() == []


def test_a_failing_test_in_python_breaks_no_gate(project: Project) -> None:
    own(project, 2).write("test_b.py", "def test_no() -> None:\n    assert 1 == 2\n")
    run = project.pytest("--lane=fixture", "own-v1.yaml", "test_b.py")
    assert run.code == 1, run.output
    assert run.gate("labels_match") == "pass 2 of 2"
    assert "1 failed, 8 passed" in run.lines[-1]


def test_a_broken_gate_alone_fails_the_run(project: Project) -> None:
    """Every label is right, and one case goes over its budget of two requests."""
    own(project, 2)
    project.write(
        "own.py",
        SYSTEM.replace(
            "        return right(",
            "        right(task.start_urls[0]), right(task.start_urls[0])\n        return right(",
        ),
    )
    run = project.pytest("--lane=fixture", "own-v1.yaml", "-x")
    assert set(run.labels().values()) == {"success"}
    assert run.gate("caps") == "FAIL 0 of 2 within budget: C0 (requests), C1 (requests)"
    assert run.gate("labels_match") == "pass 2 of 2"
    assert run.code == 1
    assert run.starting("FAILED gate::caps - 0 of 2 within budget: C0 (requests), C1 (requests)")


def test_progress_ends_at_all_of_it(project: Project) -> None:
    run = own(project, 6).pytest("--lane=fixture", "own-v1.yaml")
    assert [line.rpartition("[")[2] for line in run.lines if line.endswith("%]")] == [" 50%]", "100%]"]
    both = project.pytest("--lane=fixture", "own-v1.yaml", *XDIST, "-v")
    assert [line for line in both.lines if line.endswith("[100%]")][-1].startswith("gate::")
    assert "12 passed" in both.lines[-1]


def test_gates_are_seen_by_reports_that_read_the_log(project: Project) -> None:
    run = own(project, 1).pytest("--lane=fixture", "own-v1.yaml", "-rA", "--durations=3", "-v")
    assert len(run.starting("gate::")) == 6
    assert len(run.starting("PASSED gate::")) == 6
    assert "7 passed" in run.lines[-1]
