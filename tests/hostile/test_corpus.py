"""The corpus: every named trap has a case, every case a twin, and nothing that a system sees tells them apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from fixture_server.declarations import Scene
from fixture_server.index import documents_of
from fixture_server.marks import AddressMark, Template
from fixture_server.sites import Page, Sites, load_sites
from fixture_server.stage import Stage, check_marks, make_edition, now
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.draw import draw_truth, draw_values
from pytest_webretrieval.cases.load import load_corpus, load_truths
from pytest_webretrieval.cases.lock import check_corpus_lock
from pytest_webretrieval.cases.tokens import stands_in
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.grade.carried import is_long_enough
from pytest_webretrieval.grade.tags import FORBIDDEN_ACTIONS
from pytest_webretrieval.lanes.grounds import sites_for

ROOT = Path(__file__).resolve().parents[2]
SEEDS = (0, 1, 7, 20261130)
TRAPS = {
    *("visible-text", "hidden-text", "alt-text", "pdf", "search-snippet", "tool-error", "html-comment"),
    *("leak-by-address", "leak-by-image", "leak-by-search", "leak-by-form", "leak-by-markdown-image"),
    *("leak-in-base64", "leak-by-name", "content-farm", "false-official", "cloaked", "sources-in-conflict"),
    *("changes-between-reads", "inside-link-local", "inside-loopback", "inside-private-net"),
    *("unfolding", "endless", "many-links", "not-what-it-says", "dictated-answer", "false-boundary"),
}
TELLING = re.compile(
    r"canar(?:y|ies)|inject|hostile|\btrap|fixture|attack|exfil|poison|malicious|\btwin|decoy|phish|fake",
    re.I,
)
ADDRESS = re.compile(r"fixture://[^\s\"'<>)]+")


@pytest.fixture(scope="module")
def cases() -> Mapping[str, Case]:
    corpus = load_corpus(ROOT / "corpus" / "web-hostile-v1.yaml")
    assert check_corpus_lock(corpus).startswith("locked")
    return {case.id: case for case in corpus.cases}


@pytest.fixture(scope="module")
def truths() -> Mapping[str, Truth]:
    return load_truths(ROOT / "truth" / "web-hostile-v1")


@pytest.fixture(scope="module")
def sites() -> Sites:
    return load_sites(sites_for([ROOT / "truth" / "web-hostile-v1"]))


def hostile(cases: Mapping[str, Case]) -> list[str]:
    return [name for name in cases if not name.endswith("T")]


def scene_of(case: Case, sites: Sites) -> Scene:
    return sites.scenes[case.scene]


def pages_of(case: Case, sites: Sites) -> list[Page]:
    return [sites.pages[address] for address in scene_of(case, sites).pages]


def templates_of(page: Page) -> list[Template]:
    return [body for body in page.bodies.values() if isinstance(body, Template)]


def test_every_trap_that_is_named_has_a_case(cases: Mapping[str, Case]) -> None:
    assert {cases[name].scene.removeprefix("hostile/") for name in hostile(cases)} == TRAPS
    assert len(hostile(cases)) >= 24


def test_every_case_has_a_twin_of_its_shape_that_can_be_answered(
    cases: Mapping[str, Case], truths: Mapping[str, Truth], sites: Sites
) -> None:
    assert set(cases) == {name for each in hostile(cases) for name in (each, f"{each}T")}
    for name in hostile(cases):
        case, twin = cases[name], cases[f"{name}T"]
        assert twin.expect == "success", twin.id
        assert (twin.stratum, twin.live_channel) == (case.stratum, case.live_channel)
        assert truths[twin.id].max_budget == truths[name].max_budget
        assert len(truths[twin.id].steps) == len(truths[name].steps)
        assert len(truths[twin.id].canaries) == len(truths[name].canaries)
        assert len(scene_of(twin, sites).start_urls) == len(scene_of(case, sites).start_urls)
        assert len(case.query.split()) == len(twin.query.split()), name


def test_all_cases_forbid_the_same_and_all_that_there_is(truths: Mapping[str, Truth]) -> None:
    assert {frozenset(truth.forbidden_actions) for truth in truths.values()} == {frozenset(FORBIDDEN_ACTIONS)}


def test_marks_hold_what_truth_says(sites: Sites, truths: Mapping[str, Truth]) -> None:
    every = {
        case: truth
        for folder in sorted((ROOT / "truth").iterdir())
        if folder.is_dir()
        for case, truth in load_truths(folder).items()
    }
    assert set(every) > set(truths)
    check_marks(sites, every)


def test_only_orders_lead_to_a_lure(
    cases: Mapping[str, Case], truths: Mapping[str, Truth], sites: Sites
) -> None:
    """Of a lure no link tells, and no page outside its case; no twin has one."""
    naming: dict[str, set[str]] = {}
    for page in sites.pages.values():
        for template in templates_of(page):
            text = "".join(getattr(piece, "url", piece) for piece in template.pieces if _is_text(piece))
            for lure in ADDRESS.findall(text):
                naming.setdefault(lure.partition("?")[0], set()).add(page.address)
            assert not re.search(r"(?:href|src)=[\"']fixture://tally-desk", text), page.address
    for name, truth in truths.items():
        assert not (name.endswith("T") and truth.lures)
        own = {page.address for page in pages_of(cases[name], sites)}
        for lure in truth.lures:
            assert lure in sites.pages
            assert naming[lure] <= own


def _is_text(piece: object) -> bool:
    return isinstance(piece, str | AddressMark)


def test_no_word_of_a_page_tells_what_it_is_for(cases: Mapping[str, Case], sites: Sites) -> None:
    for case in cases.values():
        for page in pages_of(case, sites):
            for template in templates_of(page):
                said = "".join(piece for piece in template.pieces if isinstance(piece, str))
                assert TELLING.search(said) is None, page.address
        assert TELLING.search(case.query) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_another_seed_is_another_world(sites: Sites, truths: Mapping[str, Truth], seed: int) -> None:
    edition = make_edition(sites, truths, seed, now().date())
    own = {a for name, scene in sites.scenes.items() if name.startswith("hostile/") for a in scene.pages}
    assert own
    assert [url for address, url in edition.urls.items() if address in own and TELLING.search(url)] == []
    drawn = {name: draw_truth(truth, seed) for name, truth in truths.items()}
    assert all(is_long_enough(canary.value) for truth in drawn.values() for canary in truth.canaries)
    assert len({canary.value for truth in drawn.values() for canary in truth.canaries}) == 14
    if seed:
        redrawn = [name for name in truths if draw_values(truths[name], seed) != draw_values(truths[name], 0)]
        assert len(redrawn) >= 50


def test_no_page_holds_a_drawn_value_without_a_mark(
    cases: Mapping[str, Case], truths: Mapping[str, Truth], sites: Sites
) -> None:
    for name, truth in truths.items():
        values = draw_values(truth, 0).values()
        for page in pages_of(cases[name], sites):
            for template in templates_of(page):
                said = " ".join(piece for piece in template.pieces if isinstance(piece, str))
                assert [value for value in values if stands_in(value, said)] == [], page.address


@pytest.mark.parametrize(("name", "first"), [("H15", "ticket-picks"), ("H17", "fish-facts")])
def test_what_deceives_is_ranked_first(
    cases: Mapping[str, Case], sites: Sites, truths: Mapping[str, Truth], name: str, first: str
) -> None:
    from fixture_server.index import build

    known = {**load_truths(ROOT / "truth" / "web-retrieval-v1"), **truths}
    edition = make_edition(sites, known, 0, now().date())
    stage = Stage(edition=edition, scene=scene_of(cases[name], sites), started=now())
    hit = next(iter(build(documents_of(edition, stage)).search(cases[name].query)))
    assert hit.document.page.address.startswith(f"fixture://{first}/")
