"""The files that runs on the simulated internet are given."""

from __future__ import annotations

from pathlib import Path

from pytest_webretrieval.cases.data import live_truth
from pytest_webretrieval.cases.load import load_corpus, load_truths
from pytest_webretrieval.cases.targets import load_targets
from pytest_webretrieval.configuration import read_live

from ..plugin.project import Project
from .internet import town
from .internet.live import KEYS, furnish


def test_corpus_targets_truth_and_configuration_are_read_without_complaint(tmp_path: Path) -> None:
    project = Project(tmp_path)
    furnish(project)
    configuration = read_live(project.folder)
    corpus = load_corpus(project.folder / f"{town.CORPUS}.yaml")
    targets = load_targets(configuration.targets[town.CORPUS], corpus)
    truths = load_truths(live_truth(town.CORPUS, project.folder))
    ids = [one.id for one in town.QUESTIONS]
    assert [case.id for case in corpus.cases] == ids
    assert sorted(targets) == sorted(truths) == ids
    assert {id: target.probe.url for id, target in targets.items()} == {
        one.id: one.url for one in town.QUESTIONS
    }
    assert configuration.missing(KEYS) == ()
    assert not any(
        key in path.read_text() for key in KEYS.values() for path in project.folder.rglob("*.toml")
    )
