"""Whole answers from a small real web: what is said, what it cites, what is declined."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from aiohttp import web

from pytest_webretrieval.systems.contract import RetrievalResult

pytestmark = pytest.mark.asyncio
Opener = Callable[[], AbstractAsyncContextManager[Any]]
TODAY = datetime.now(UTC).date()


def cited(result: RetrievalResult) -> set[str]:
    return {citation.url for claim in result.claims for citation in claim.citations}


def reason(result: RetrievalResult) -> str | None:
    assert result.status == "declined"
    assert result.refusal is not None
    return result.refusal.reason


async def test_every_claim_is_a_span_of_the_answer_and_cites_what_was_fetched(small_web: Opener) -> None:
    async with small_web() as small:
        small.html(
            "pier.test/dues", "<h1>Dues</h1><p>Boats pay by the metre. Short stays are free of charge.</p>"
        )
        result = await small.ask("What are the dues?", "http://pier.test/dues")
        assert result.claims
        assert all(result.answer[claim.start : claim.end] == claim.text for claim in result.claims)
        assert cited(result) <= set(small.urls())


async def test_the_wanted_version_is_the_current_one(small_web: Opener) -> None:
    async with small_web() as small:
        small.html(
            "maker.test/notes",
            "<h1>Firmware</h1><p>Upgrades from v2.9 work.</p><p>Current version: v3.1</p><p>v3.0 was withdrawn.</p>",
        )
        result = await small.ask("Which firmware version is current?", "http://maker.test/notes")
        assert "v3.1" in result.answer
        assert "v2.9" not in result.answer
        assert "v3.0" not in result.answer


async def test_no_day_on_the_page_is_no_day_in_the_answer(small_web: Opener) -> None:
    async with small_web() as small:
        small.html(
            "pier.test/dues", "<h1>Dues</h1><p>Boats pay by the metre.</p><footer>&copy; 2026</footer>"
        )
        result = await small.ask("When was this published?", "http://pier.test/dues")
        assert reason(result) is None
        assert "2026" not in result.answer


async def test_the_linked_file_is_read_and_cited(small_web: Opener) -> None:
    async def minutes(_: web.Request) -> web.StreamResponse:
        return web.Response(
            text="Minutes of the winter sitting\nThe board resolved on new dues.", content_type="text/plain"
        )

    async with small_web() as small:
        small.html(
            "pier.test/papers", "<h1>Papers</h1><p><a href=/files/m.txt>What was said (download)</a></p>"
        )
        small.pages["pier.test/files/m.txt"] = minutes
        result = await small.ask("What is the title of the linked document?", "http://pier.test/papers")
        assert "Minutes of the winter sitting" in result.answer
        assert cited(result) == {"http://pier.test/files/m.txt"}


async def test_binary_is_declined_with_its_reason(small_web: Opener) -> None:
    async def roll(_: web.Request) -> web.StreamResponse:
        return web.Response(body=b"\x00\x01\x02roll" * 99, content_type="text/html")

    async with small_web() as small:
        small.pages["pier.test/roll"] = roll
        result = await small.ask("Summarise this file", "http://pier.test/roll")
        assert reason(result) == "unsupported_media"
        assert small.urls() == ["http://pier.test/roll"]


async def test_a_removed_page_leads_to_the_one_that_says_it_replaces_it(small_web: Opener) -> None:
    async with small_web() as small:
        small.html(
            "town.test/bins", "<h1>Removed</h1><p>“Collection of garden waste” was removed.</p>", status=410
        )
        small.article("forum.test/t/9", "Collection of garden waste?", "What replaces it?")
        small.article("town.test/glass", "Glass", "Replaces “Bottle banks”. Collection is on Mondays.")
        small.article(
            "town.test/green", "Green round (leaflet G7)", "It replaces “Collection of garden waste”."
        )
        result = await small.ask("Find the replacement for this removed page", "http://town.test/bins")
        assert "leaflet G7" in result.answer
        assert cited(result) == {"http://town.test/green"}
        assert small.queries == ["Collection of garden waste"]


async def test_a_removed_page_is_declined_when_nothing_takes_its_place(small_web: Opener) -> None:
    async with small_web() as small:
        small.html(
            "town.test/bins", "<h1>Removed</h1><p>The page “Garden waste” was removed.</p>", status=410
        )
        assert reason(await small.ask("Find the replacement", "http://town.test/bins")) == "gone"


async def test_a_removed_page_is_not_replaced_unasked(small_web: Opener) -> None:
    async with small_web() as small:
        small.html("town.test/bins", "<h1>Removed</h1>", status=410)
        assert reason(await small.ask("Read this page", "http://town.test/bins")) == "gone"
        assert not small.queries


STORY = "The ferry that sank in the old harbour was raised by two cranes on Sunday and towed to the yard."


async def test_copies_lead_to_the_origin_that_they_link_to(small_web: Opener) -> None:
    link = "Syndicated. Read <a href=http://north.test/n/1>the original</a>."
    async with small_web() as small:
        own = "This story first ran in the North Echo."
        small.article("north.test/n/1", "Ferry raised | North Echo", STORY, own, listed=False)
        small.article("a.test/x", "Ferry raised | Bay Mail", STORY, link)
        small.article("b.test/y", "Ferry up | Day Star", STORY, "First appeared in the North Echo.")
        result = await small.ask("Remove the syndicated copies of the ferry story and cite the origin")
        assert "North Echo" in result.answer
        assert cited(result) == {"http://north.test/n/1"}


async def test_without_the_origin_no_copy_is_passed_off_as_it(small_web: Opener) -> None:
    async with small_web() as small:
        for host in ("a", "b"):
            small.article(f"{host}.test/x", "Ferry", STORY, "First appeared in the North Echo.")
        assert reason(await small.ask("Find the original of the syndicated ferry story")) == "no_result"


MEASURED = "We measured the tide mill ourselves for a year: it gives 41.5% more at springs."


async def test_two_sources_are_two_that_measured(small_web: Opener) -> None:
    async with small_web() as small:
        small.article("office.test/r", "Tide mill report | Mill Office", MEASURED)
        small.article(
            "lab.test/d", "Tide mill | Sea Lab", "Our own readings of the tide mill: 41.5% more at springs."
        )
        small.article(
            "news.test/s", "Tide mill | News", "According to the Mill Office the tide mill gives 41.5% more."
        )
        small.article(
            "copy.test/c", "Tide mill report (reprint) | Town", MEASURED, "Reprinted from the Mill Office."
        )
        small.article(
            "maker.test/p", "Tide mill | Maker", "Save up to 60.2% with our product, the tide mill."
        )
        result = await small.ask("Find two independent primary sources on the gain of the tide mill")
        assert cited(result) == {"http://office.test/r", "http://lab.test/d"}
        assert all("41.5%" in claim.text for claim in result.claims)
        assert "60.2" not in result.answer


async def test_one_source_is_not_passed_off_as_two(small_web: Opener) -> None:
    async with small_web() as small:
        small.article("office.test/r", "Tide mill report | Mill Office", MEASURED)
        assert reason(await small.ask("Find two independent primary sources on the tide mill")) == "no_result"


@pytest.mark.parametrize(
    "query",
    ["Find ABC 70777", "Fetch abc-document number 70777 of the ABC series", "What does ABC-70777 say?"],
)
async def test_a_number_that_names_nothing_is_not_found(small_web: Opener, query: str) -> None:
    async with small_web() as small:
        small.article("a.test/t", "Ticket 70777: cannot find ABC by number", "Closed.")
        small.article("b.test/p", "Of ABC numbers", "I tried ABC 70777. It does not exist.")
        small.article("c.test/j", "ABC 70777", "A satirical standard.")
        assert reason(await small.ask(query)) == "no_result"
        assert len(small.queries) == 1


async def test_an_empty_result_list_is_not_asked_for_twice(small_web: Opener) -> None:
    async with small_web() as small:
        assert reason(await small.ask("Find the harbour plan")) == "no_result"
        assert len(small.seen) == 1


async def test_today_means_today(small_web: Opener) -> None:
    async with small_web() as small:
        for at, (days, version) in enumerate([(40, "v1.8"), (0, "v1.9")]):
            day = TODAY - timedelta(days=days)
            released = f"Released {day.day} {day:%B %Y}. Today's release of Loom: {version} ships today."
            small.article(f"maker.test/{at}", f"Loom {version} release note for today", released)
        result = await small.ask("Find today's release note for Loom")
        assert "v1.9" in result.answer
        assert "v1.8" not in result.answer


async def test_the_official_source_is_the_office_itself(small_web: Opener) -> None:
    async with small_web() as small:
        small.article(
            "forum.test/q", "Where is the official tide table?", "I look for the official tide table."
        )
        small.article(
            "guide.test/g", "How to find the official tide table", "My guide to the official tide table."
        )
        small.article(
            "old.test/t", "Tide table | Tide Office", "This tide table was the official one until 2020."
        )
        small.article(
            "office.test/t", "Tide table | Tide Office", "The Tide Office issues the tide table by law."
        )
        result = await small.ask("Find the official tide table")
        assert cited(result) == {"http://office.test/t"}


async def test_requests_are_bounded(small_web: Opener) -> None:
    async with small_web() as small:
        for at in range(20):
            small.article(f"h{at}.test/x", f"Ferry {at}", STORY, "Source: The Sea News.")
        await small.ask("Find the original of the syndicated ferry story")
        assert len(small.seen) <= 10
