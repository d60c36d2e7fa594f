"""What of a target and of its truth runs must have in common to be compared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_webretrieval.cases.data import corpus_path, live_truth, targets_path
from pytest_webretrieval.cases.live import terms_of
from pytest_webretrieval.cases.load import load_corpus
from pytest_webretrieval.cases.store import TruthStore
from pytest_webretrieval.cases.targets import Target, load_targets
from pytest_webretrieval.cases.truth import Truth

NAME = "web-retrieval-v1"


@pytest.fixture(scope="module")
def target() -> Target:
    found = load_targets(targets_path(NAME, {}, None), load_corpus(corpus_path(NAME, None)))
    return next(iter(found.values()))


@pytest.fixture(scope="module")
def truth(target: Target) -> Truth:
    return TruthStore(live_truth(NAME, None)).get(target.case)


def test_another_place_another_look_or_another_truth_are_other_terms(target: Target, truth: Truth) -> None:
    every = {
        terms_of(target, truth),
        terms_of(replace(target, start_urls=("https://example.org/elsewhere",)), truth),
        terms_of(replace(target, account="reader"), truth),
        terms_of(replace(target, splice=not target.splice), truth),
        terms_of(replace(target, probe=replace(target.probe, marker="another")), truth),
        terms_of(target, replace(truth, sha256="ab" * 32)),
    }
    assert len(every) == 6
    assert {len(terms) for terms in every} == {12}


def test_why_a_program_may_go_there_changes_no_terms(target: Target, truth: Truth) -> None:
    asked = replace(target, permission="asked again", checked=None, where=replace(target.where, line=99))
    assert terms_of(asked, truth) == terms_of(target, truth)
