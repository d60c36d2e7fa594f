"""The command as people call it, in a process of its own where that matters."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from pytest_webretrieval.cli import VERBS, main

Run = Callable[..., subprocess.CompletedProcess[str]]
Write = Callable[[str, str], Path]

ROOT = Path(__file__).parents[2]

CORPUS = (
    "version: v\ncases:\n"
    "  - {id: S03, stratum: search, query: 找出, fixture: fixture://search/a, live_channel: browser, "
    "expect: success}\n"
)
DRAFT = """\
valid_at: 2026-08-21T00:00:00Z
reason: first adjudication
adjudicated_by: human
evidence_url: fixture://vendor/a
expected_facts: [{id: a, value: v3.2, draw: version}]
allowed_sources: ["fixture://vendor/*"]
forbidden_actions: [use-stale-cache]
freshness_window_s: 60
max_budget: {}
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
        return path

    return write_file


def lines(capsys: pytest.CaptureFixture[str]) -> tuple[list[str], list[str]]:
    out, err = capsys.readouterr()
    return out.splitlines(), err.splitlines()


def test_help_imports_no_verb_and_no_heavy_library() -> None:
    code = (
        "import sys\nfrom pytest_webretrieval.cli import main\ncode = main(['--help'])\n"
        "heavy = {'yaml', 'httpx', 'aiohttp', 'jsonschema', 'pytest'} & set(sys.modules)\n"
        "verbs = [name for name in sys.modules if name.startswith('pytest_webretrieval.cli.')]\n"
        "print(code, sorted(heavy), verbs)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 [] []"
    assert all(f"    {name}" in done.stdout for name, _ in VERBS)


@pytest.mark.parametrize("verb", [name for name, _ in VERBS])
def test_every_verb_has_its_file(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert callable(import_module(f"pytest_webretrieval.cli.{verb.replace('-', '_')}").add)
    assert main([verb, "--help"]) == 0
    assert lines(capsys)[0][0].startswith(f"usage: webretrieval {verb}")


@pytest.mark.parametrize(
    "call",
    [[], ["trut"], ["truth"], ["truth", "chek"], ["corpus", "lock"], ["truth", "add", "S03"], ["--lane"]],
)
def test_calls_that_make_no_sense_exit_2(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(call) == 2
    assert lines(capsys)[1][0].startswith("usage: webretrieval")


def test_the_whole_life_of_a_corpus_and_its_truth(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write("corpus/v.yaml", CORPUS)
    write("draft.yaml", DRAFT)
    Path("truth/v").mkdir(parents=True)

    assert main(["corpus", "check", "v"]) == 0
    assert lines(capsys)[0][0].endswith(", unlocked")
    assert main(["corpus", "lock", "corpus/v.yaml"]) == 0
    assert lines(capsys)[0][0].startswith("corpus/v.lock: v is locked to 1 cases, ")
    assert main(["corpus", "check", "v"]) == 0
    assert lines(capsys)[0][0].endswith(", locked")

    assert main(["truth", "check", "v"]) == 0
    assert lines(capsys)[0] == [
        "corpus/v.yaml: no truth yet: S03",
        "v: 1 cases, 0 with truth in 0 versions, truth unlocked, corpus locked",
    ]
    assert main(["truth", "check", "v", "--complete"]) == 1
    assert lines(capsys) == ([], ["corpus/v.yaml: no truth yet: S03"])

    assert main(["truth", "add", "S03", "--from", "draft.yaml", "--corpus", "v"]) == 0
    assert lines(capsys)[0][0].startswith("truth/v/S03.yaml:3: case S03: version recorded at 2")
    for target in ("v", "truth/v", "truth/v/S03.yaml", "corpus/v.yaml"):
        assert main(["truth", "check", "--complete", target]) == 0
        assert lines(capsys)[0] == ["v: 1 cases, 1 with truth in 1 version, truth locked, corpus locked"]
    assert main(["truth", "lock", "v"]) == 0
    assert lines(capsys)[0] == ["truth/v.lock: 0 added, 1 versions locked"]

    path = Path("truth/v/S03.yaml")
    path.write_text(path.read_text(encoding="utf-8").replace("v3.2", "v3.3"), encoding="utf-8", newline="\n")
    for call in (["truth", "check", "v"], ["truth", "lock", "v"], ["truth", "check", "truth/v/S03.yaml"]):
        assert main(call) == 1
        out, err = lines(capsys)
        assert out == []
        assert len(err) == 1
        assert err[0].startswith("truth/v/S03.yaml:3: case S03: the version recorded at 2")


def test_versions_written_by_hand_are_locked(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write("corpus/v.yaml", CORPUS)
    write("truth/v/S03.yaml", "case_id: S03\nrecorded_at: 2026-08-21T00:00:00Z\n" + DRAFT)
    assert main(["truth", "lock", "v"]) == 0
    assert lines(capsys)[0] == ["truth/v.lock: 1 added, 1 versions locked"]
    Path("truth/v/S03.yaml").unlink()
    assert main(["truth", "lock", "v"]) == 1
    assert lines(capsys)[1][0].endswith("was removed; restore it from the history")


@pytest.mark.parametrize(
    ("call", "first"),
    [
        (["corpus", "check", "w"], "no corpus `w`"),
        (["corpus", "check", "none.yaml"], "none.yaml: no such corpus file"),
        (
            ["corpus", "check", "bad.yaml"],
            "bad.yaml:1: unknown key `a`; known: version, live_channels, cases",
        ),
        (["truth", "check", "bad.yaml"], "bad.yaml:1: missing key `case_id`"),
        (["truth", "add", "S04", "--from", "draft.yaml", "--corpus", "v"], "corpus/v.yaml: no case S04"),
        (["truth", "add", "S03", "--from", "none.yaml", "--corpus", "v"], "none.yaml: no such file"),
    ],
)
def test_data_errors_are_lines_and_exit_1(
    write: Write, capsys: pytest.CaptureFixture[str], call: list[str], first: str
) -> None:
    write("corpus/v.yaml", CORPUS)
    write("bad.yaml", "a: 1\n")
    write("draft.yaml", DRAFT)
    Path("truth/v").mkdir(parents=True)
    assert main(call) == 1
    out, err = lines(capsys)
    assert out == []
    assert err[0].startswith(first)


def test_every_problem_of_a_file_is_a_line(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    write("corpus/v.yaml", CORPUS.replace("success", "sucess").replace("browser", "browsr"))
    assert main(["corpus", "check", "v"]) == 1
    assert [line.split(": ", 2)[1:] for line in lines(capsys)[1]] == [
        ["case S03", "unknown live_channel `browsr`; did you mean `browser`?"],
        ["case S03", "unknown expect `sucess`; did you mean `success`?"],
    ]


def test_a_console_without_the_letters_degrades(write: Write) -> None:
    write("corpus/v.yaml", CORPUS.replace("query: 找出", "qüery: 找出"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest_webretrieval.cli", "corpus", "check", "v"],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"},
        check=False,
    )
    assert done.returncode == 1
    assert b"unknown key `q?ery`" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_reader_that_leaves_makes_no_noise(write: Write) -> None:
    write("corpus/v.yaml", CORPUS)
    command = [sys.executable, "-m", "pytest_webretrieval.cli", "corpus", "check", "v"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        noise = running.stderr.read()
    assert noise == b""
    assert running.returncode == 1


def test_the_project_s_own_corpus_and_truth_are_in_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["truth", "check"]) == 0
    assert lines(capsys)[0][-1].endswith("truth locked, corpus locked")
