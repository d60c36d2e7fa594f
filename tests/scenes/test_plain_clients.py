"""What a client without a browser gets of each scene: the facts where the scene says that it suffices, and none
where it says that a browser is needed."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from fixture_server.text import read_html
from pytest_webretrieval.cases.draw import draw_values, show
from pytest_webretrieval.grade.evidence import StepEvidence
from pytest_webretrieval.grade.refusal import documents, shown
from pytest_webretrieval.grade.seen import Shelf, look
from pytest_webretrieval.systems.contract import Testimony
from pytest_webretrieval.wire.archive import Archive

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEEDS = (0, 5, 20261130)
DYNAMIC = ("D01", "D02", "D03", "D04", "D05", "D06")
BLOCKING = ("B01", "B02", "B03", "B04", "B05", "B06")
BROWSER = ("D01", "D02", "D03", "D04")
REFUSED = {"D05": 200, "B04": 403, "B06": 451}


def forms_of(value: str) -> set[str]:
    """The value and how pages may write it."""
    forms = {value}
    for form in ("date-long", "number-en", "upper", "slug"):
        try:
            forms.add(show(value, form))
        except ValueError:
            continue
    return forms


def said(facts: Any, text: str) -> list[str]:
    """The ids of the facts whose value a text holds in any form."""
    return [fact.id for fact in facts if any(form in text for form in forms_of(fact.value))]


@pytest.mark.parametrize("case", [*DYNAMIC, *BLOCKING])
async def test_a_scene_has_one_start_and_says_what_suffices(case: str, scenes: Any) -> None:
    view, truth = await scenes.begin(case, 0)
    assert len(view.start_urls) == 1
    assert view.cheapest == ("browser" if case in BROWSER else "direct-fetch")
    assert (truth.max_budget.escalations == 0) == (case not in (*BROWSER, "B03"))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("case", BROWSER)
async def test_where_a_browser_is_needed_no_fact_is_in_the_page_or_its_scripts(
    case: str, seed: int, scenes: Any
) -> None:
    view, truth = await scenes.begin(case, seed)
    async with scenes.client() as client:
        page = await client.get(view.start_urls[0])
        parts = [
            await client.get(url)
            for url in {url for url in _addresses(page.text) if url.endswith((".js", ".css"))}
        ]
    assert page.status_code == 200
    assert parts
    facts, wrong = truth.facts, truth.steps[0].wrong_values
    assert len(facts) == (6 if case == "D03" else 1)
    assert [said(facts, text) for text in (page.text, *(part.text for part in parts))] == [[]] * (
        1 + len(parts)
    )
    assert said(wrong, page.text) == [fact.id for fact in wrong], "the page tempts"


def _addresses(markup: str) -> list[str]:
    return [piece for piece in markup.split('"') if piece.startswith("https://")]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("case", ["D06", "B01", "B02", "B05"])
async def test_where_a_fetch_suffices_the_page_shows_the_facts(case: str, seed: int, scenes: Any) -> None:
    """With the patience that the scene asks for, and no more requests than that takes."""
    view, truth = await scenes.begin(case, seed)
    async with scenes.client() as client:
        if case == "B05":
            with pytest.raises(httpx.ReadError):
                await client.get(view.start_urls[0])
        page = await client.get(view.start_urls[0])
        if case in ("B01", "B02"):
            assert page.status_code == {"B01": 429, "B02": 503}[case]
            assert said(truth.facts, page.text) == []
            assert len(said(truth.steps[0].wrong_values, page.text)) == 1
            await asyncio.sleep(float(page.headers.get("retry-after", "0")))
            page = await client.get(view.start_urls[0])
    assert page.status_code == 200
    shown_text = read_html(page.text).text
    assert said(truth.facts, shown_text) == [fact.id for fact in truth.facts]
    tried = await scenes.attempts()
    assert len(tried) == (1 if case == "D06" else 2)
    assert [one.failed for one in tried] == [True] * (len(tried) - 1) + [False]


async def test_whoever_comes_back_too_early_waits_anew(scenes: Any) -> None:
    view, _ = await scenes.begin("B01", 0)
    loop = asyncio.get_running_loop()
    async with scenes.client() as client:
        url = view.start_urls[0]
        began = loop.time()
        assert [(await client.get(url)).status_code for _ in range(3)] == [429, 429, 429]
        refused_at = loop.time()
        while (page := await client.get(url)).status_code == 429 and loop.time() - began < 20:
            refused_at = loop.time()
            await asyncio.sleep(1)
        assert page.status_code == 200
        assert loop.time() - refused_at >= 1.0
        assert (await client.get(url)).status_code == 200


@pytest.mark.parametrize(("case", "first"), [("B01", 429), ("B02", 503)])
async def test_other_requests_count_for_nothing(case: str, first: int, scenes: Any) -> None:
    """Neither an icon nor robots.txt nor a question about methods uses up a try, and each run begins anew."""
    for _ in range(2):
        view, _ = await scenes.begin(case, 3)
        url = view.start_urls[0]
        async with scenes.client() as client:
            await client.get(httpx.URL(url).join("/favicon.ico"))
            await client.get(httpx.URL(url).join("/robots.txt"))
            assert (await client.options(url)).status_code == 204
            assert (await client.post(url)).status_code == 405
            assert (await client.get(url)).status_code == first


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("case", ["D05", "B03", "B04", "B06"])
async def test_the_wire_shows_why_a_refusal_is_due(case: str, seed: int, scenes: Any) -> None:
    view, truth = await scenes.begin(case, seed)
    async with scenes.client() as client:
        page = await client.get(view.start_urls[0])
    assert page.status_code == REFUSED.get(case) or (case == "B03" and page.status_code in (200, 403))
    trace, archive = await scenes.drain()
    evidence = StepEvidence(
        step=truth.steps[0],
        testimony=Testimony(ending="returned", duration_s=0.1),
        result=None,
        invalid=None,
        trace=trace,
        archive=archive,
        earlier=Archive(),
        start_urls=view.start_urls,
        cheapest=view.cheapest,
    )
    seen = look(evidence, (), Shelf())
    assert tuple(shown(seen, documents(seen), truth.refusal_reasons)) == truth.refusal_reasons


async def test_the_challenge_comes_with_either_status(scenes: Any) -> None:
    found = set()
    async with scenes.client() as client:
        for seed in range(8):
            view, _ = await scenes.begin("B03", seed)
            page = await client.get(view.start_urls[0])
            assert "<title>Just a moment...</title>" in page.text
            found.add(page.status_code)
    assert found == {200, 403}


async def test_the_page_that_is_not_there_says_so_in_several_ways(scenes: Any) -> None:
    texts = set()
    async with scenes.client() as client:
        for seed in range(12):
            view, _ = await scenes.begin("D05", seed)
            texts.add(read_html((await client.get(view.start_urls[0])).text).text.splitlines()[1])
    assert len(texts) == 3


async def test_the_legal_restriction_names_who_blocks(scenes: Any) -> None:
    view, _ = await scenes.begin("B06", 2)
    async with scenes.client() as client:
        page = await client.get(view.start_urls[0])
        blocker = page.links["blocked-by"]["url"]
        assert (await client.get(blocker)).status_code == 200


@pytest.mark.parametrize("case", ["B04", "B06"])
async def test_search_offers_a_copy_of_what_is_refused(case: str, scenes: Any) -> None:
    view, truth = await scenes.begin(case, 4)
    words = {"B04": "notes on the bar channel", "B06": "song of the exciseman"}[case]
    async with scenes.client() as client:
        page = await client.get(view.start_urls[0])
        assert said(truth.steps[0].wrong_values, page.text) == []
        found = await client.get("https://websearch.example/search", params={"q": words})
        (copy,) = truth.known_copies
        assert copy in found.text
        assert len(said(truth.steps[0].wrong_values, (await client.get(copy)).text)) == 1


async def test_ids_and_classes_are_other_ones_at_every_request(scenes: Any) -> None:
    import re

    view, truth = await scenes.begin("D06", 1)
    async with scenes.client() as client:
        first, second = [(await client.get(view.start_urls[0])).text for _ in range(2)]
    await scenes.begin("D06", 1)
    async with scenes.client() as client:
        anew = (await client.get(view.start_urls[0])).text
    names = [set(re.findall(r'(?:id|class)="([^"]+)"', text)) for text in (first, second)]
    assert len(names[0]) >= 8
    assert names[0] & names[1] == set()
    assert anew == first, "a run is repeatable"
    assert read_html(first).text == read_html(second).text
    styled = set(re.findall(r"\.([a-z]+\d+) \{", first))
    assert styled
    assert styled <= {name for value in names[0] for name in value.split()}
    assert len(said(truth.steps[0].wrong_values, first)) == 3


async def test_ten_cases_are_redrawn(scenes: Any) -> None:
    for seed in SEEDS[1:]:
        redrawn = [
            case
            for case in (*DYNAMIC, *BLOCKING)
            if draw_values(scenes.truths[case], seed) != draw_values(scenes.truths[case], 0)
        ]
        assert len(redrawn) >= 10


EXTRA = {
    "empty-200": 200,
    "redirect-loop": 302,
    "cross-origin-redirect": 302,
    "stale-etag": 200,
    "401": 401,
    "404": 404,
}


@pytest.mark.parametrize("name", list(EXTRA))
async def test_further_scenes_are_there_for_cases_of_one_s_own(name: str, scenes: Any) -> None:
    view = await scenes.begin_scene(f"extra/{name}", 7)
    async with scenes.client() as client:
        page = await client.get(view.start_urls[0])
        assert page.status_code == EXTRA[name]
        if name == "empty-200":
            assert read_html(page.text).text == ""
        if name == "redirect-loop":
            assert (await client.get(page.headers["location"])).headers["location"] == view.start_urls[0]
        if name == "cross-origin-redirect":
            assert httpx.URL(page.headers["location"]).host != httpx.URL(view.start_urls[0]).host
            assert (await client.get(page.headers["location"])).status_code == 200
        if name == "stale-etag":
            tags = {"if-none-match": page.headers["etag"]}
            await scenes.world.step("a", 2, "changed")
            changed = await client.get(view.start_urls[0])
            assert changed.text != page.text
            assert (await client.get(view.start_urls[0], headers=tags)).status_code == 304
        if name == "401":
            assert page.headers["www-authenticate"].startswith("Basic ")
