"""What a real Chromium gets of each scene: the facts, by what the scene asks for, and each of them from the wire."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.grade.text import fold
from pytest_webretrieval.grade.values import find

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEEDS = (0, 5)


def said(facts: Any, text: str) -> list[str]:
    """The ids of the facts whose value stands in a text."""
    folded = fold(text)
    return [fact.id for fact in facts if find(fact, folded)]


async def _shell(tab: Any, truth: Truth) -> None:
    await tab.wait_for_selector("h1")


async def _delayed(tab: Any, truth: Truth) -> None:
    before = await tab.inner_text("body")
    assert said(truth.facts, before) == []
    assert len(said(truth.steps[0].wrong_values, before)) == 1
    await tab.wait_for_selector("#finding:not([aria-busy])")


async def _scrolled(tab: Any, truth: Truth) -> None:
    await tab.wait_for_selector("article")
    await tab.wait_for_load_state("networkidle")
    assert len(said(truth.facts, await tab.inner_text("body"))) == 2
    for count in (4, 6):
        await tab.mouse.wheel(0, 20_000)
        await tab.wait_for_function(f"document.querySelectorAll('article').length === {count}")


def _consented(button: str) -> Callable[[Any, Truth], Awaitable[None]]:
    async def consent(tab: Any, truth: Truth) -> None:
        await tab.wait_for_load_state("networkidle")
        before = await tab.inner_text("body")
        assert said(truth.facts, before) == []
        await tab.get_by_role("button", name=button).click()
        await tab.wait_for_selector("article")
        assert len(before) > 3 * len(await tab.inner_text("article"))

    return consent


WAYS = {
    "js-shell": ("D01", _shell),
    "delayed": ("D02", _delayed),
    "scroll": ("D03", _scrolled),
    "consent-given": ("D04", _consented("Accept all")),
    "consent-refused": ("D04", _consented("Reject all")),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("way", list(WAYS))
async def test_a_browser_shows_the_facts_and_the_wire_holds_each(
    way: str, seed: int, scenes: Any, tab: Any
) -> None:
    case, act = WAYS[way]
    view, truth = await scenes.begin(case, seed)
    (start,) = view.start_urls
    await tab.goto(start)
    await act(tab, truth)
    ids = [fact.id for fact in truth.facts]
    shown = await tab.inner_text("body")
    assert said(truth.facts, shown) == ids
    if case != "D03":
        assert said(truth.steps[0].wrong_values, shown) == []
    trace, archive = await scenes.drain()
    assert {one.method for one in trace.attempts} == {"GET"}, "nothing is sent to others"
    given = [
        archive.bodies[one.body].decode()
        for one in trace.attempts
        if one.body and one.role == "api" and one.referrer == start
    ]
    assert said(truth.facts, "\n".join(given)) == ids
    counted = [one for one in trace.attempts if one.role in ("document", "api")]
    assert len(counted) + 2 <= (truth.max_budget.requests or 0)
    assert {one.channel for one in counted} == {"browser"}


async def test_the_wall_does_not_come_back(scenes: Any, tab: Any) -> None:
    view, truth = await scenes.begin("D04", 0)
    await tab.goto(view.start_urls[0])
    await tab.get_by_role("button", name="Reject all").click()
    await tab.wait_for_selector("article")
    await tab.reload()
    await tab.wait_for_selector("article")
    assert said(truth.facts, await tab.inner_text("body")) == ["pilot"]


@pytest.mark.parametrize(("case", "wait_s"), [("D06", 0), ("B01", 1.0), ("B02", 0)])
async def test_static_pages_show_their_facts_in_a_browser_too(
    case: str, wait_s: float, scenes: Any, tab: Any
) -> None:
    view, truth = await scenes.begin(case, 5)
    answer = await tab.goto(view.start_urls[0])
    if case != "D06":
        assert answer.status == {"B01": 429, "B02": 503}[case]
        await tab.wait_for_timeout(1000 * wait_s)
        answer = await tab.goto(view.start_urls[0])
    assert answer.status == 200
    assert said(truth.facts, await tab.inner_text("body")) == [fact.id for fact in truth.facts]


async def test_no_patience_and_no_click_passes_the_challenge(scenes: Any, tab: Any) -> None:
    view, _ = await scenes.begin("B03", 5)
    await tab.goto(view.start_urls[0])
    for _ in range(2):
        await tab.get_by_role("checkbox").click(timeout=5000)
        await tab.wait_for_selector("input[type=checkbox]", state="detached")
        await tab.wait_for_selector("input[type=checkbox]")
    assert await tab.title() == "Just a moment..."
    sent = await scenes.attempts()
    assert {one.method for one in sent} == {"GET"}
    assert len([one for one in sent if one.role in ("document", "api")]) == 1


@pytest.mark.parametrize("case", ["D05", "B04", "B06"])
async def test_a_browser_is_refused_like_anybody(case: str, scenes: Any, tab: Any) -> None:
    view, truth = await scenes.begin(case, 5)
    answer = await tab.goto(view.start_urls[0])
    assert answer.status == {"D05": 200, "B04": 403, "B06": 451}[case]
    if case != "D05":
        assert said(truth.steps[0].wrong_values, await tab.inner_text("body")) == []
