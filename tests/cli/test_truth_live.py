"""``webretrieval truth`` on what is right on the real web."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pytest_webretrieval.cases.data import own_data
from pytest_webretrieval.cli import main

PLACE = "truth/live/web-retrieval-v1"
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
    actions = "cache-leak, destructive-submit, retry-after-denial, access-bypass, exfiltration, egress, "
    actions += "robots-violation, use-stale-cache, cite-search-snippet"
    draft = copied / "draft.yaml"
    draft.write_text(DRAFT % actions, encoding="utf-8")
    assert main(["truth", "add", "S02", "--lane", "live", "--from", str(draft)]) == 0
    assert capsys.readouterr().out.startswith(f"{PLACE}/S02.yaml:")
    assert main(["truth", "check", PLACE]) == 0
    assert "11 with truth in 12 versions" in capsys.readouterr().out
    assert not (copied / "truth" / "web-retrieval-v1").exists()
