"""The world's own pages, scenes and truth, loaded once for all tests here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

import pytest

from fixture_server.sites import Sites, load_sites
from fixture_server.stage import Edition, Stage, make_edition, now
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.data import own_truths
from pytest_webretrieval.cases.load import load_corpus, load_truths
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.lanes.grounds import sites_for

# Test folders are no packages (import mode importlib), so a helper beside the tests needs its folder on the path.
sys.path.insert(0, str(Path(__file__).parent))

ROOT = Path(__file__).resolve().parents[2]
CORPUS = "web-retrieval-v1"
STRATA = ("known-url", "search", "dynamic", "auth", "blocking")

StageAt = Callable[..., Stage]


@pytest.fixture(scope="session")
def page_files() -> list[Path]:
    """Every file of the pages of every host."""
    folders = (site / "pages" / "https" for site in sites_for(own_truths()))
    return [path for folder in folders for path in folder.rglob("*") if path.is_file()]


@pytest.fixture(scope="session")
def sites() -> Sites:
    """Every page and scene."""
    return load_sites(sites_for(own_truths()))


@pytest.fixture(scope="session")
def all_truths() -> Mapping[str, Truth]:
    """The truth of every case that comes with the package, those of other corpora included."""
    return {case: truth for place in own_truths() for case, truth in load_truths(place).items()}


@pytest.fixture(scope="session")
def cases() -> Mapping[str, Case]:
    """The cases of STRATA by id."""
    corpus = load_corpus(ROOT / "corpus" / f"{CORPUS}.yaml")
    return {case.id: case for case in corpus.cases if case.stratum in STRATA}


@pytest.fixture(scope="session")
def truths(all_truths: Mapping[str, Truth], cases: Mapping[str, Case]) -> Mapping[str, Truth]:
    """The truth of ``cases``."""
    return {case: all_truths[case] for case in cases}


@pytest.fixture(scope="session")
def stage_at(sites: Sites, all_truths: Mapping[str, Truth]) -> StageAt:
    """``stage_at(seed, scene, state)``: one run of a scene."""
    started = now()

    @lru_cache
    def edition(seed: int) -> Edition:
        return make_edition(sites, all_truths, seed, started.date())

    def stage(seed: int, scene: str, state: str = "initial") -> Stage:
        return Stage(edition=edition(seed), scene=sites.scenes[scene], started=started, state=state)

    return stage
