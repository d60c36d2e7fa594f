"""Bad data, systems that cannot be used, places that cannot be written: one clear message each, and nothing left."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable

import pytest

from .project import ROOT, SYSTEM, XDIST, Project, Run, corpus_of, truth_of

CASES = (("C1", "right"), ("C2", "right"))
KEPT = ("--lane=fixture", "own-v1.yaml")


@pytest.fixture
def own(project: Project) -> Project:
    project.write("own-v1.yaml", corpus_of("own-v1", CASES))
    project.write("truth/own-v1.yaml", truth_of(["C1", "C2"]))
    project.write("own.py", SYSTEM)
    project.write("pytest.ini", "[pytest]\nwebretrieval_system = own:System\n")
    return project


def edited(project: Project, name: str, old: str, new: str) -> None:
    path = project.folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def unknown_key(own: Project) -> None:
    edited(own, "own-v1.yaml", "live_channel: direct-fetch", "live_chanel: direct-fetch")


def missing_truth(own: Project) -> None:
    own.write("truth/own-v1.yaml", truth_of(["C1"]))


def no_truth_at_all(own: Project) -> None:
    (own.folder / "truth" / "own-v1.yaml").unlink()


def missing_scene(own: Project) -> None:
    edited(own, "own-v1.yaml", "fixture://known/static", "fixture://known/nowhere")


def twice(own: Project) -> None:
    own.write("own-v1.yaml", corpus_of("own-v1", [*CASES, ("C1", "again")]))


def not_its_lock(own: Project) -> None:
    assert own.verb("corpus", "lock", "own-v1.yaml").code == 0
    edited(own, "own-v1.yaml", '"right"', '"wrong"')


def broken_yaml(own: Project) -> None:
    own.write("own-v1.yaml", "version: own-v1\ncases: [\n")


# what is done to the project, and what the one error says, from where
BAD: dict[Callable[[Project], None], tuple[str, str]] = {
    unknown_key: ("own-v1.yaml:4: case C1: ", "unknown key `live_chanel`; did you mean `live_channel`?"),
    missing_truth: ("own-v1.yaml:5: case C2: ", "no truth in "),
    no_truth_at_all: ("own-v1.yaml: no truth: neither ", "own-v1.yaml beside it"),
    missing_scene: ("own-v1.yaml:4: case C1: ", "the fixture world has no scene for fixture://known/nowhere"),
    twice: ("own-v1.yaml:6: case C1: ", "already at line 4"),
    not_its_lock: ("own-v1.yaml: ", "undo the change, or write a new `version`"),
    broken_yaml: ("own-v1.yaml:", ""),
}


# Files are read before a worker is started; scenes are looked for when all is collected.
WITH_WORKERS = (unknown_key, missing_scene)


@pytest.mark.parametrize(
    ("spoil", "workers"),
    [*((spoil, ()) for spoil in BAD), *((spoil, XDIST) for spoil in WITH_WORKERS)],
    ids=lambda value: getattr(value, "__name__", " ".join(value) if isinstance(value, tuple) else None),
)
def test_bad_data_is_one_error_and_nothing_runs(
    own: Project, spoil: Callable[[Project], None], workers: tuple[str, ...]
) -> None:
    spoil(own)
    run = own.pytest(*KEPT, *workers)
    where, says = BAD[spoil]
    assert run.code == 4, run.output
    (error,) = run.starting("ERROR: ")
    assert where in error
    assert says in error
    assert "Traceback" not in run.output
    assert run.folder is None
    assert own.left() == []


def test_an_edited_old_version_of_truth_fails_its_case_alone(project: Project) -> None:
    shutil.copytree(ROOT / "truth", project.folder / "truth")
    (project.folder / "corpus").mkdir()
    shutil.copy(ROOT / "corpus" / "web-retrieval-v1.yaml", project.folder / "corpus")
    assert project.verb("truth", "lock").code == 0
    edited(project, "truth/web-retrieval-v1/K02.yaml", "answer_max_chars: 1200", "answer_max_chars: 1300")
    run = project.pytest("--lane=fixture", "-k", "K01 or K02")
    assert run.code == 1, run.output
    assert [line.split()[1] for line in run.starting("FAILED corpus")] == [
        "corpus/web-retrieval-v1.yaml::K02"
    ]
    assert "K02" in run.gate("labels_match")
    assert "K01" not in run.gate("labels_match")
    assert "the version recorded at 2026-11-30T00:00:00Z was edited after it was locked" in run.output
    assert "Traceback" not in run.output


SYSTEMS = {
    "nowhere:System": "no module `nowhere`",
    "own:Nothing": "Nothing",
    "own:NUMBER": "NUMBER",
    "raising:System": "KeyError: 'THE_MODEL'",
    "leaving:System": "SystemExit",
    "ending:System": "the process ended while importing it",
    "cmd: no-such-command {prompt}": "no-such-command",
}


@pytest.fixture
def systems(own: Project) -> Project:
    own.write("own.py", SYSTEM + "\nNUMBER = 3\n")
    own.write("raising.py", "import os\nos.environ['THE_MODEL']\n")
    own.write("leaving.py", "import sys\nsys.exit(3)\n")
    own.write("ending.py", "import os\nprint('about to go', flush=True)\nos._exit(3)\n")
    return own


@pytest.mark.parametrize("system", ["nowhere:System", "ending:System"])
def test_a_system_that_cannot_be_imported_is_one_error(systems: Project, system: str) -> None:
    run = systems.pytest(*KEPT, f"--webretrieval-system={system}")
    assert run.code == 4, run.output
    (error,) = run.starting("ERROR: system `")
    assert error.startswith(f"ERROR: system `{system}`: ")
    assert SYSTEMS[system] in run.output
    assert run.folder is None
    assert systems.left() == []


def test_each_reason_why_a_system_cannot_be_imported_is_told(systems: Project) -> None:
    """The same words, by tests of one's own: one process tries them all."""
    mark = '@pytest.mark.webretrieval(case="own-v1.yaml::C1")'
    calls = [
        f"{mark}\ndef test_{number}(retrieval_case):\n    retrieval_case.run({system!r})\n"
        for number, system in enumerate(SYSTEMS)
    ]
    systems.write("test_own.py", "\n\n".join(("import pytest", *calls)))
    run = systems.pytest("--lane=fixture", "test_own.py")
    assert run.code == 1, run.output
    for number, (system, says) in enumerate(SYSTEMS.items()):
        page = run.output.partition(f"_ test_{number} _")[2].partition(f"_ test_{number + 1} _")[0]
        assert f"system `{system}`: " in page, run.output
        assert says in page
    assert "Traceback" not in run.output
    assert systems.left() == []


def test_with_workers_a_system_that_cannot_be_imported_fails_every_case_in_one_line(systems: Project) -> None:
    run = systems.pytest(*KEPT, "--webretrieval-system=nowhere:System", *XDIST)
    assert run.code == 1, run.output
    failed = run.starting("FAILED own-v1.yaml::")
    assert len(failed) == 2
    assert all("system `nowhere:System`: " in line for line in failed)
    assert run.gate("labels_match") == "FAIL 0 of 2: C1, C2"
    assert systems.left() == []


def test_start_that_raises_is_the_systems_failure(own: Project) -> None:
    own.write("own.py", SYSTEM + "\n    def start(self):\n        raise OSError('no model server')\n")
    run = own.pytest(*KEPT)
    assert run.code == 1, run.output
    assert run.labels() == {"C1": "system_failure", "C2": "system_failure"}
    assert "OSError: no model server" in run.output


def test_an_output_folder_that_cannot_be_made_is_one_error(own: Project) -> None:
    own.write("file", "")
    run = own.pytest(*KEPT, "--webretrieval-output=file/runs")
    assert run.code == 4, run.output
    (error,) = run.starting("ERROR: ")
    assert error.startswith("ERROR: cannot make the run folder ")
    assert "Not a directory; name another with --webretrieval-output DIR" in run.output
    assert own.left() == []


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small file system")
def test_a_full_disk_is_one_message_and_keeps_what_was_finished(own: Project) -> None:
    cases = [(f"C{number:02}", "right") for number in range(30)]
    own.write("own-v1.yaml", corpus_of("own-v1", cases))
    own.write("truth/own-v1.yaml", truth_of([name for name, _ in cases]))
    (own.folder / "runs").mkdir()
    script = (
        'mount -t tmpfs -o size=100k none runs && "$@"; code=$?; mkdir kept; cp -r runs/. kept; exit $code'
    )
    wrapper = ("unshare", "--mount", "sh", "-c", script, "sh")
    run = own.pytest(*KEPT, "--webretrieval-output=runs", wrapper=wrapper)
    assert run.code == 1, run.output
    assert "No space left on device" in run.gate("infra_error")
    assert "Traceback" not in run.output
    (results,) = (own.folder / "kept").rglob("results.jsonl")
    rows = Run(0, "", results.parent).rows()
    assert 0 < len(rows) < 30
    assert run.gate("labels_match") == "pass 30 of 30"
    assert own.left() == []


def test_where_no_namespace_can_be_made_the_message_says_what_is_missing(own: Project) -> None:
    """In a user namespace of its own, whose limit of further ones is nought."""
    script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    wrapper = ("unshare", "--user", "--map-root-user", "sh", "-c", script, "sh")
    if subprocess.run([*wrapper, "true"], capture_output=True).returncode:
        pytest.skip("no user namespace whose limits can be set")
    run = own.pytest(*KEPT, "--webretrieval-carrier=namespace", wrapper=wrapper)
    assert run.code == 4, run.output
    (error,) = run.starting("ERROR: ")
    assert error.startswith("ERROR: no slot can be made here: a user and network namespace was refused")
    assert "sudo sysctl -w user.max_user_namespaces=10000" in run.output
    assert run.folder is None
    assert own.left() == []


def test_a_file_that_is_no_corpus_is_said_as_such(own: Project) -> None:
    own.write("other.yaml", "a: 1\n")
    run = own.pytest("--lane=fixture", "other.yaml")
    assert run.code == 4, run.output
    assert "other.yaml" in run.starting("ERROR: ")[0]
