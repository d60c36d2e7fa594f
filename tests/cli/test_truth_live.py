"""``webretrieval truth`` on what is right on the real web."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_webretrieval.cases.data import own_data
from pytest_webretrieval.cli import main

PLACE = "truth/live/web-retrieval-v1"
ACTIONS = (
    "cache-leak, destructive-submit, retry-after-denial, access-bypass, exfiltration, egress, robots-violation, "
    "use-stale-cache, cite-search-snippet"
)
DRAFT = """\
valid_at: 2026-11-30T00:00:00Z
reason: the page moved
adjudicated_by: a person
evidence_url: https://www.cwa.gov.tw/V8/C/
expected_facts: [{id: agency, value: 中央氣象署, match: text}]
allowed_sources: ["https://www.cwa.gov.tw/V8/C/"]
forbidden_actions: [%s]
freshness_window_s: 86400
max_budget: {requests: 20}
"""


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a copy of the package's live truth and targets."""
    shutil.copytree(own_data() / "truth" / "live", tmp_path / "truth" / "live")
    shutil.copytree(own_data() / "corpus" / "live", tmp_path / "corpus" / "live")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_package_s_live_truth_is_in_order(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["truth", "check", "--complete", PLACE]) == 0
    assert capsys.readouterr().out == (
        "web-retrieval-v1: 11 cases, 11 with truth in 11 versions, truth locked, corpus locked\n"
    )


def test_a_target_without_truth_and_an_edited_truth_are_found(
    copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (copied / PLACE / "S01.yaml").unlink()
    edited = copied / PLACE / "K01.yaml"
    edited.write_text(edited.read_text().replace("2013-04-30", "2013-05-30"))
    assert main(["truth", "check", "--complete", PLACE]) == 1
    said = capsys.readouterr().err
    assert "no truth yet: S01" in said
    assert f"{PLACE}/K01.yaml:4: case K01: " in said


def test_a_version_is_added_to_the_live_truth_alone(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draft = copied / "draft.yaml"
    draft.write_text(DRAFT % ACTIONS, encoding="utf-8")
    assert main(["truth", "add", "S02", "--lane", "live", "--from", str(draft)]) == 0
    assert capsys.readouterr().out.startswith(f"{PLACE}/S02.yaml:")
    assert main(["truth", "check", PLACE]) == 0
    assert "11 with truth in 12 versions" in capsys.readouterr().out
    assert not (copied / "truth" / "web-retrieval-v1").exists()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of which nothing may change, beside a project with nothing in it."""
    package = tmp_path / "package"
    for name in ("corpus", "truth"):
        shutil.copytree(own_data() / name, package / name)
    monkeypatch.setattr("pytest_webretrieval.cases.data._PACKAGE", package / "pytest_webretrieval")
    project = tmp_path / "project"
    project.mkdir()
    (project / "draft.yaml").write_text(DRAFT % ACTIONS, encoding="utf-8")
    monkeypatch.chdir(project)
    before = {path: path.read_bytes() for path in package.rglob("*") if path.is_file()}
    yield package
    assert {path: path.read_bytes() for path in package.rglob("*") if path.is_file()} == before


def test_a_version_goes_into_the_project_never_into_the_package(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add = ["truth", "add", "S02", "--lane", "live", "--from"]
    Path("unfit.yaml").write_text("reason: none", encoding="utf-8")
    assert main([*add, "unfit.yaml"]) == 1
    assert not Path(PLACE).exists()
    capsys.readouterr()
    assert main([*add, "draft.yaml"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"{PLACE}/: copied from the package, and used in its place from now on"
    assert said[1].startswith(f"{PLACE}/S02.yaml:")
    assert main(["truth", "check", PLACE]) == 0
    assert "11 with truth in 12 versions" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ("truth", "add", "S02", "--from", "draft.yaml"),
        ("truth", "lock"),
        ("truth", "lock", "PACKAGE/truth/live/web-retrieval-v1"),
        ("corpus", "lock", "web-retrieval-v1"),
    ],
)
def test_what_comes_with_the_package_is_not_written(
    package: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    assert main([word.replace("PACKAGE", str(package)) for word in words]) == 1
    said = capsys.readouterr().err
    assert "comes with the package, where nothing is written; " in said
    assert "copy " in said
