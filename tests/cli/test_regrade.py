"""``webretrieval regrade``: stored evidence judged again, without running anything."""

from __future__ import annotations

import json
import shutil

import pytest

from ..plugin.project import ROOT, TWELVE, Project


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with a copy of the corpus and its truth, and a run over the twelve."""
    project = Project(tmp_path_factory.mktemp("regrade"))
    shutil.copytree(ROOT / "corpus", project.folder / "corpus")
    shutil.copytree(ROOT / "truth", project.folder / "truth")
    for lock in project.folder.glob("*/*.lock"):
        lock.unlink()
    run = project.pytest("--lane=fixture", "--webretrieval-fixture-seed=3", *TWELVE)
    assert run.code == 0, run.output
    return project


def test_the_same_evidence_gives_the_same_records(project: Project) -> None:
    (folder,) = project.run_folders()
    regraded = project.verb("regrade", "latest")
    assert regraded.code == 0, regraded.output
    assert regraded.lines[-1].startswith("12 of 12 as before; all in ")
    before, after = (
        [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("results.jsonl", "regraded.jsonl")
    )
    assert after == before


def test_a_new_truth_gives_a_new_label_and_says_so(project: Project) -> None:
    truth = project.folder / "truth" / "web-retrieval-v1" / "K01.yaml"
    text = truth.read_text(encoding="utf-8")
    truth.write_text(
        text.replace("fixture://harbour/notices/pontoon-dues", "fixture://harbour/notices/another"),
        encoding="utf-8",
    )
    try:
        regraded = project.verb("regrade", "latest")
        assert regraded.code == 1, regraded.output
        assert regraded.lines[0].startswith("K01  success [")
        assert "-> unsupported [" in regraded.lines[0]
        assert regraded.lines[-1].startswith("11 of 12 as before; all in ")
    finally:
        truth.write_text(text, encoding="utf-8")
    assert project.verb("regrade", "latest").code == 0


def test_it_works_from_another_folder_by_path(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (folder,) = project.run_folders()
    other = Project(tmp_path_factory.mktemp("other"))
    regraded = other.verb("regrade", str(folder))
    assert regraded.code == 0, regraded.output


@pytest.mark.parametrize("what", ["body", "evidence", "truth"])
def test_what_is_gone_is_one_line(project: Project, what: str) -> None:
    (folder,) = project.run_folders()
    path = {
        "body": next(path for path in (folder / "representations").rglob("*") if path.is_file()),
        "evidence": next(folder.glob("cases/*/K02/0/evidence.json")),
        "truth": project.folder / "truth" / "web-retrieval-v1" / "K02.yaml",
    }[what]
    kept = path.read_bytes()
    path.unlink()
    try:
        regraded = project.verb("regrade", "latest")
        assert (regraded.code, len(regraded.lines)) == (2, 1), regraded.output
        assert regraded.lines[0].startswith("webretrieval: ")
    finally:
        path.write_bytes(kept)


def test_a_run_with_a_half_line_is_judged_as_far_as_it_went(project: Project) -> None:
    (folder,) = project.run_folders()
    results = folder / "results.jsonl"
    kept = results.read_bytes()
    try:
        results.write_bytes(kept[:-20])
        regraded = project.verb("regrade", "latest")
        assert regraded.lines[-1].startswith("11 of 11 as before; all in "), regraded.output
    finally:
        results.write_bytes(kept)
