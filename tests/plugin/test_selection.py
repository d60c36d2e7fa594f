"""What runs: the benchmark alone, or what is named; pytest's own ways to select work on cases."""

from __future__ import annotations

import shutil

import pytest

from .project import ROOT, SYSTEM, XDIST, Project, corpus_of, truth_of

ID = "corpus/web-retrieval-v1.yaml"
HALF = '''
class System:
    """Right in every case but those with "wrong" in the question."""

    def retrieve(self, task):
        return "No idea." if "wrong" in task.query else right(task.start_urls[0])
'''


def collected(project: Project, *arguments: str) -> list[str]:
    run = project.pytest("--lane=fixture", "--collect-only", "-q", *arguments)
    assert run.code == 0, run.output
    return [line for line in run.lines if "::" in line]


@pytest.fixture
def own(project: Project) -> Project:
    """Four cases of which the second and fourth fail, and a test in Python."""
    cases = [("C1", "right"), ("C2", "wrong"), ("C3", "right"), ("C4", "wrong")]
    project.write("own-v1.yaml", corpus_of("own-v1", cases))
    project.write("truth/own-v1.yaml", truth_of([name for name, _ in cases]))
    project.write("half.py", SYSTEM + HALF)
    project.write("test_own.py", "def test_one() -> None:\n    pass\n")
    project.write("pytest.ini", "[pytest]\ntestpaths = .\nwebretrieval_system = half:System\n")
    return project


def test_without_paths_the_benchmark_alone_is_run(own: Project) -> None:
    names = collected(own, "-m", "known_url")
    assert names == [f"{ID}::K0{number}" for number in range(1, 7)]


def test_with_paths_those_are_run(own: Project) -> None:
    assert collected(own, "test_own.py") == ["test_own.py::test_one"]
    assert collected(own, "own-v1.yaml") == [f"own-v1.yaml::C{number}" for number in range(1, 5)]
    assert collected(own, "own-v1.yaml::C3", "test_own.py") == ["own-v1.yaml::C3", "test_own.py::test_one"]


def test_other_yaml_files_are_left_alone(own: Project) -> None:
    own.write("other.yaml", "a: [broken\n")
    assert collected(own, ".") == ["test_own.py::test_one"]


def test_a_packaged_corpus_keeps_its_ids_from_any_folder(project: Project) -> None:
    (project.folder / "deep" / "er").mkdir(parents=True)
    run = project.pytest("--lane=fixture", "--collect-only", "-q", "--rootdir=deep/er", "-c", "pytest.ini")
    assert f"{ID}::K01" in run.lines


def test_in_the_tree_the_ids_are_the_same(project: Project) -> None:
    run = project.pytest(
        "--lane=fixture", "--collect-only", "-q", f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml")
    )
    assert f"{ID}::K01" in run.lines


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("-k", "K01 or S06"), ["K01", "S06"]),
        (("-m", "known_url"), ["K01", "K02", "K03", "K04", "K05", "K06"]),
        (("-m", "search_api"), ["K05", "S01", "S02", "S03", "S04", "S05", "S06"]),
        (("-m", "known_url and not direct_fetch"), ["K05"]),
        (("-m", "known_url", "--deselect", f"{ID}::K02"), ["K01", "K03", "K04", "K05", "K06"]),
        (("--webretrieval-case", "web-retrieval-v1::S03"), ["S03"]),
    ],
)
def test_cases_are_selected(project: Project, arguments: tuple[str, ...], expected: list[str]) -> None:
    assert collected(project, *arguments) == [f"{ID}::{name}" for name in expected]


def test_every_mark_is_registered(project: Project) -> None:
    run = project.pytest("--lane=fixture", "--collect-only", "-q", "--strict-markers", "-W", "error")
    assert run.code == 0, run.output
    assert run.lines[-1].startswith("30 tests collected")


def test_last_failed_and_stepwise_know_cases(own: Project) -> None:
    first = own.pytest("--lane=fixture", "own-v1.yaml", "-q")
    assert (first.code, first.gate("labels_match")) == (1, "FAIL 2 of 4: C2, C4")
    again = own.pytest("--lane=fixture", "own-v1.yaml", "-q", "--lf")
    assert again.gate("labels_match") == "FAIL 0 of 2: C2, C4"
    step = own.pytest("--lane=fixture", "own-v1.yaml", "-q", "--sw")
    assert step.gate("labels_match") == "FAIL 1 of 2: C2"
    assert step.gate("caps") == "skipped stopped after 2 of 4"
    on = own.pytest("--lane=fixture", "own-v1.yaml", "-q", "--sw")
    assert on.gate("labels_match") == "FAIL 0 of 1: C2"
    assert list(on.labels()) == ["C2"]


def test_the_first_failure_stops_the_run(own: Project) -> None:
    run = own.pytest("--lane=fixture", "own-v1.yaml", "-x")
    assert run.code == 1, run.output
    assert sorted(run.labels()) == ["C1", "C2"]
    assert run.gate("labels_match") == "FAIL 1 of 2: C2"
    assert run.gate("policy_violation") == "skipped stopped after 2 of 4"
    assert own.left() == []


def test_a_maximum_of_failures_stops_the_run(own: Project) -> None:
    own.write("pytest.ini", "[pytest]\nwebretrieval_system = half:Wrong\n")
    own.write("half.py", "class Wrong:\n    def retrieve(self, task):\n        return 'No idea.'\n")
    run = own.pytest("--lane=fixture", "own-v1.yaml", "--maxfail=3")
    assert (run.code, sorted(run.labels())) == (1, ["C1", "C2", "C3"])
    assert run.gate("labels_match") == "FAIL 0 of 3: C1, C2, C3"


def test_with_workers_the_first_failure_stops_the_run(own: Project) -> None:
    run = own.pytest("--lane=fixture", "own-v1.yaml", "-x", *XDIST)
    assert run.code == 2, run.output
    assert run.gate("labels_match").startswith("FAIL ")
    assert run.gate("policy_violation").startswith("skipped stopped after ")
    assert own.left() == []


def test_python_tests_run_beside_cases(own: Project) -> None:
    run = own.pytest("--lane=fixture", "own-v1.yaml::C1", "test_own.py")
    assert run.code == 0
    assert "8 passed" in run.lines[-1]
    assert run.gate("labels_match") == "pass 1 of 1"


def test_python_tests_alone_make_no_run(own: Project) -> None:
    run = own.pytest("--lane=fixture", "test_own.py")
    assert (run.code, run.folder) == (0, None)
    assert "gate" not in run.output


def test_nothing_selected_is_exit_code_5_and_leaves_no_folder(project: Project) -> None:
    run = project.pytest("--lane=fixture", "-k", "nothing")
    assert (run.code, run.folder) == (5, None)
    assert "gate" not in run.output


def test_a_corpus_that_the_root_folder_holds_wins(project: Project) -> None:
    shutil.copytree(ROOT / "truth", project.folder / "truth")
    source = (ROOT / "corpus" / "web-retrieval-v1.yaml").read_text(encoding="utf-8")
    lines = [line for line in source.splitlines() if "id: K0" not in line or "K01" in line]
    project.write("corpus/web-retrieval-v1.yaml", "\n".join(lines) + "\n")
    assert collected(project, "-m", "known_url") == [f"{ID}::K01"]
