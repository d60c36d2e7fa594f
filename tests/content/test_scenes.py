"""Each scene of the strata known-url and search holds what its truth says, and lets a true answer be true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO

import pytest
from pypdf import PdfReader

from fixture_server.respond import plain_answer
from fixture_server.sites import Sites
from fixture_server.stage import Stage
from fixture_server.text import read_html
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.draw import show
from pytest_webretrieval.cases.tokens import stands_in
from pytest_webretrieval.cases.truth import Fact, Truth

StageAt = Callable[..., Stage]
SEEDS = (0, 3, 11)
KNOWN = ("K01", "K02", "K03", "K04", "K05", "K06")
SEARCH = ("S01", "S02", "S03", "S04", "S05", "S06")


def lines_of(stage: Stage, address: str) -> list[str]:
    """The title and the lines that a reader of the page sees."""
    page = stage.edition.sites.pages[address]
    answer = plain_answer(page, stage.serve(page), stage)
    if page.media_type(stage.serve(page)).startswith("application/pdf"):
        return [
            line
            for sheet in PdfReader(BytesIO(answer.body)).pages
            for line in sheet.extract_text().split("\n")
        ]
    read = read_html(answer.body.decode("utf-8"))
    return [read.title, *read.text.split("\n")]


def says(line: str, fact: Fact) -> bool:
    forms = [fact.value, *fact.aliases]
    if fact.match == "date":
        forms.append(show(fact.value, "date-long"))
    if fact.match == "number":
        forms.append(show(fact.value, "number-en"))
    return any(stands_in(form, line) for form in forms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One step in one of its states, at one seed."""

    stage: Stage
    facts: tuple[Fact, ...]
    wrong: tuple[Fact, ...]


def steps_of(stage_at: StageAt, case: Case, truth: Truth, seed: int) -> Iterator[Asked]:
    """Every step in every state that it may have."""
    for step in truth.steps:
        for state in step.states or (step.state,):
            stage = stage_at(seed, case.scene, state)
            chosen = step.when.get(state, step)
            yield Asked(
                stage=stage,
                facts=tuple(redrawn(stage, case.id, fact) for fact in chosen.expected_facts),
                wrong=tuple(redrawn(stage, case.id, fact) for fact in chosen.wrong_values),
            )


def redrawn(stage: Stage, case: str, fact: Fact) -> Fact:
    value = stage.edition.values[f"{case}.{fact.id}"]
    return fact if value == fact.value else replace(fact, value=value, aliases=())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("case", [*KNOWN, *SEARCH])
def test_an_allowed_page_states_each_fact_alone(
    case: str, seed: int, cases: Mapping[str, Case], truths: Mapping[str, Truth], stage_at: StageAt
) -> None:
    """Each fact stands in a line of ``min_sources`` allowed pages, and no such line holds a wrong value."""
    truth = truths[case]
    if truth.refusal_reasons:
        assert truth.facts == ()
        return
    for asked in steps_of(stage_at, cases[case], truth, seed):
        for fact in asked.facts:
            stating = 0
            for address in truth.allowed_sources:
                lines = [line for line in lines_of(asked.stage, address) if says(line, fact)]
                stating += bool(lines)
                assert [line for line in lines for other in asked.wrong if says(line, other)] == []
            assert stating >= truth.min_sources, f"{case}.{fact.id} = {fact.value}"


@pytest.mark.parametrize("case", [*KNOWN, *SEARCH])
def test_scene_begins_as_its_stratum_says(case: str, cases: Mapping[str, Case], sites: Sites) -> None:
    scene = sites.scenes[cases[case].scene]
    assert bool(scene.start_urls) == case.startswith("K")
    assert scene.cheapest == ("search-api" if case.startswith("S") or case == "K05" else "direct-fetch")


@pytest.mark.parametrize("case", [*KNOWN, *SEARCH])
def test_every_wrong_value_tempts(
    case: str, cases: Mapping[str, Case], truths: Mapping[str, Truth], stage_at: StageAt
) -> None:
    """Each wrong value that is drawn stands in a page of the scene."""
    for asked in steps_of(stage_at, cases[case], truths[case], 0):
        pages = [address for address in asked.stage.scene.pages if is_html(asked.stage, address)]
        raw = "\n".join(raw_text(stage_at, cases[case], address) for address in pages)
        for fact in asked.wrong:
            if fact.draw != "fixed":
                forms = {fact.value, show(fact.value, "date-long") if fact.match == "date" else fact.value}
                assert any(form in raw for form in forms), f"{case}.{fact.id}"


def is_html(stage: Stage, address: str) -> bool:
    page = stage.edition.sites.pages[address]
    serve = stage.serve(page)
    return page.media_type(serve).startswith("text/html") and not serve.make


def raw_text(stage_at: StageAt, case: Case, address: str) -> str:
    """The page in all states of its scene."""
    stages = [stage_at(0, case.scene, state) for state in ("initial", *stage_at(0, case.scene).scene.states)]
    return "\n".join(
        plain_answer(page, stage.serve(page), stage).body.decode("utf-8")
        for stage in stages
        for page in [stage.edition.sites.pages[address]]
    )


def test_no_page_but_the_notice_s_own_line_says_published(stage_at: StageAt) -> None:
    lines = lines_of(stage_at(0, "known/static"), "fixture://harbour/notices/pontoon-dues")
    assert [line for line in lines if "ublished" in line] == ["Published 12 March 2026"]


def test_the_old_address_leads_to_the_canonical_page(stage_at: StageAt) -> None:
    stage = stage_at(4, "known/redirect")
    page = stage.edition.sites.pages[stage.scene.start_urls[0]]
    answer = plain_answer(page, stage.serve(page), stage)
    assert answer.status == 301
    target = stage.edition.urls["fixture://gallery/exhibitions/upper-rooms"]
    assert dict(answer.headers)["location"] == target
    canonical = stage.edition.sites.pages["fixture://gallery/exhibitions/upper-rooms"]
    body = plain_answer(canonical, stage.serve(canonical), stage).body.decode("utf-8")
    assert f'<link rel="canonical" href="{target}">' in body


@pytest.mark.parametrize("variant", [0, 1, 2])
def test_the_pdf_shows_its_title_whatever_its_metadata_say(variant: int, stage_at: StageAt) -> None:
    stage = stage_at(0, "known/document.pdf")
    page = stage.edition.sites.pages["fixture://hydrology/files/yearbook.pdf"]
    page = replace(page, variants=(page.variants[variant],))
    reader = PdfReader(BytesIO(plain_answer(page, stage.serve(page), stage).body))
    assert "Rivers, Meadows and Ice" in reader.pages[0].extract_text()
    said = reader.metadata.title if reader.metadata else None
    assert said == ("Rivers, Meadows and Ice", None, "Microsoft Word - draft7.docx")[variant]


def test_the_linking_page_calls_the_pdf_otherwise(stage_at: StageAt) -> None:
    stage = stage_at(5, "known/document.pdf")
    text = "\n".join(lines_of(stage, stage.scene.start_urls[0]))
    assert stage.edition.values["K03.link-name"] in text
    assert stage.edition.values["K03.title"] not in text


def test_the_etag_changes_with_the_version_only(stage_at: StageAt) -> None:
    tags = {}
    for state in ("filled", "changed", "unchanged"):
        stage = stage_at(2, "known/etag", state)
        page = stage.edition.sites.pages[stage.scene.start_urls[0]]
        headers = dict(plain_answer(page, stage.serve(page), stage).headers)
        assert headers["cache-control"] == "no-cache"
        tags[state] = headers["etag"]
    assert tags["filled"] == tags["unchanged"] != tags["changed"]


def test_only_search_leads_from_the_removed_page_to_its_replacement(stage_at: StageAt) -> None:
    stage = stage_at(0, "known/gone")
    page = stage.edition.sites.pages[stage.scene.start_urls[0]]
    answer = plain_answer(page, stage.serve(page), stage)
    replacement = "fixture://library/joining/short-stay"
    assert answer.status == 410
    assert b"href" not in answer.body
    linking = [
        other.address
        for other in stage.edition.sites.pages.values()
        for body in other.bodies.values()
        if not isinstance(body, bytes)
        for piece in body.pieces
        if getattr(piece, "url", None) == replacement
    ]
    assert linking == []


@pytest.mark.parametrize("variant", [0, 1, 2])
def test_the_recording_is_no_text_under_any_media_type(variant: int, stage_at: StageAt) -> None:
    stage = stage_at(0, "known/binary")
    page = stage.edition.sites.pages[stage.scene.start_urls[0]]
    page = replace(page, variants=(page.variants[variant],))
    body = plain_answer(page, stage.serve(page), stage).body
    assert b"\x00" in body
    with pytest.raises(UnicodeDecodeError):
        body.decode("utf-8")
