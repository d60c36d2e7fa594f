"""web-questions-v1: a natural question over a twin of every scene, in four wordings and several languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from fixture_server.places import CORPORA
from fixture_server.respond import render
from fixture_server.sheets import SUFFIX
from fixture_server.sheets.shapes import ODD, name_for
from fixture_server.sheets.sheet import read_sheet
from fixture_server.sites import Sites, load_sites
from fixture_server.stage import Edition, Stage, check_marks, make_edition, now
from fixture_server.text import read_html
from pytest_webretrieval.cases.case import STRATA, Case
from pytest_webretrieval.cases.draw import draw_values
from pytest_webretrieval.cases.forms import forms_of
from pytest_webretrieval.cases.load import load_corpus, load_truths
from pytest_webretrieval.cases.tokens import stands_in
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.lanes.grounds import sites_for

ROOT = Path(__file__).resolve().parents[2]
SITE = CORPORA / "web-questions-v1"
CORPUS = load_corpus(ROOT / "corpus" / "web-questions-v1.yaml")
FIRST = [case for case in CORPUS.cases if ".p" not in case.id]
TELLING = re.compile(
    r"\b(?:soft-?404|stale|mirror|decoy|trap|fake|near-?miss|duplicate|no-result|obsolete|poison|wrong|canary"
    r"|fixture|test|benchmark)\b",
    re.I,
)
LANGUAGES = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "zh": re.compile("^[^\u3040-\u30ff]*[\u4e00-\u9fff]"),
    "es": re.compile("¿"),
    "de": re.compile(r"^(?:W(?:ann|as|ie|elche[rns]?|er|o)|Ab|Mit|Um|Von)\b"),
    "en": re.compile(r"^(?:Wh|How|By how|From which|On which|At what|Under which)"),
}
SEEDS = (0, 1, 6)


@pytest.fixture(scope="module")
def sites() -> Sites:
    return load_sites([SITE])


@pytest.fixture(scope="module")
def truths() -> Mapping[str, Truth]:
    return load_truths(ROOT / "truth" / "web-questions-v1")


@cache
def edition_of(seed: int) -> Edition:
    return make_edition(
        load_sites([SITE]), load_truths(ROOT / "truth" / "web-questions-v1"), seed, now().date()
    )


def language_of(query: str) -> str:
    return next((name for name, pattern in LANGUAGES.items() if pattern.search(query)), "?")


def bodies(seed: int) -> Iterator[tuple[str, str]]:
    """Every text that a scene's pages give, in all of its states, by address."""
    edition = edition_of(seed)
    for scene in edition.sites.scenes.values():
        for state in ("initial", *scene.states):
            stage = Stage(edition=edition, scene=scene, started=now(), state=state)
            for address in scene.pages:
                page = edition.sites.pages[address]
                for serve in (
                    part for states in page.variants for one in states.values() for part in one.parts
                ):
                    if not page.media_type(serve).startswith(
                        ("application/octet", "application/x-", "application/pdf")
                    ):
                        yield address, render(page, serve, stage).decode("utf-8")


def test_every_scene_has_a_twin_that_is_asked_for_in_four_ways() -> None:
    twins = {f"Q{case.id}": case for case in load_corpus(ROOT / "corpus" / "web-retrieval-v1.yaml").cases}
    assert {case.id for case in FIRST} == set(twins)
    for case in FIRST:
        twin = twins[case.id]
        assert (case.stratum, case.live_channel, case.expect) == (
            twin.stratum,
            twin.live_channel,
            twin.expect,
        )
        assert case.scene != twin.scene
    assert len(CORPUS.cases) == 120
    assert len({case.query for case in CORPUS.cases}) == 120
    assert all(sum(case.id.startswith(f"{first.id}.") for case in CORPUS.cases) == 3 for first in FIRST)


def test_questions_are_whole_and_in_five_languages() -> None:
    spoken: dict[str, int] = {}
    for case in CORPUS.cases:
        language = language_of(case.query)
        spoken[language] = spoken.get(language, 0) + 1
    assert set(spoken) == set(LANGUAGES)
    assert min(spoken.values()) >= 10
    assert all(
        len({language_of(case.query) for case in CORPUS.cases if case.id.startswith(first.id)}) > 1
        for first in FIRST
    )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("stratum", STRATA)
def test_pages_of_a_stratum_have_six_shapes(stratum: str, seed: int, sites: Sites) -> None:
    names = {
        name_for(seed, read_sheet(path.read_text(encoding="utf-8")).shape)
        for case in FIRST
        if case.stratum == stratum
        for address in sites.scenes[case.scene].pages
        for path in sites.pages[address].files.values()
        if path.suffix == SUFFIX
    }
    assert len(names) >= 6
    assert names & set(ODD) == (set(ODD) if seed % 2 else set())


def test_marks_equal_truth(sites: Sites, truths: Mapping[str, Truth]) -> None:
    check_marks(sites, truths)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_word_that_a_system_sees_tells_what_it_is_for(seed: int) -> None:
    edition = edition_of(seed)
    seen = [
        *(case.query for case in CORPUS.cases),
        *edition.urls.values(),
        *(text for _, text in bodies(seed)),
    ]
    assert [found.group() for text in seen if (found := TELLING.search(text))] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_no_question_holds_its_answer(seed: int, truths: Mapping[str, Truth]) -> None:
    told = [
        (case.id, value)
        for case in CORPUS.cases
        for value in draw_values(truths[case.id.partition(".")[0]], seed).values()
        for form in forms_of(value)
        if stands_in(form, case.query)
    ]
    assert told == []


def test_no_value_is_left_from_seed_zero(truths: Mapping[str, Truth]) -> None:
    texts = list(bodies(7))
    left = [
        (address, value)
        for truth in truths.values()
        for value in draw_values(truth, 0).values()
        for form in forms_of(value)
        for address, text in texts
        if stands_in(form, read_html(text).text)
        and value not in draw_values(truth, 7).values()
        and address.split("/")[2] in " ".join(truth.allowed_sources)
    ]
    assert left == []


@pytest.mark.parametrize("case", FIRST, ids=lambda case: case.id)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_page_states_each_fact_apart_from_what_is_wrong(
    case: Case, seed: int, truths: Mapping[str, Truth]
) -> None:
    """In a cell or a sentence of an allowed page; those that are no text (a PDF) are read elsewhere."""
    truth, values = truths[case.id], draw_values(truths[case.id], seed)
    if case.id == "QK03":
        return
    lines = [
        line
        for address, text in bodies(seed)
        if address in truth.allowed_sources
        for line in re.split(r"<[^>]+>|(?<=\D\.)\s|(?<=。)", text)
    ]
    for step in truth.steps:
        for chosen in (step, *step.when.values()):
            wrong = {values[fact.id] for fact in chosen.wrong_values}
            for fact in chosen.expected_facts:
                stating = [
                    line for line in lines if any(stands_in(form, line) for form in forms_of(values[fact.id]))
                ]
                assert stating, fact.id
                assert [line for line in stating if not any(stands_in(value, line) for value in wrong)], (
                    fact.id
                )


def test_other_corpora_do_not_wait_for_these_pages() -> None:
    assert SITE in sites_for([ROOT / "truth" / "web-questions-v1"])
    assert SITE not in sites_for([ROOT / "truth" / "web-retrieval-v1"])
