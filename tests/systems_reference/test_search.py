"""Search dialects."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

import pytest
from aiohttp import web

pytestmark = pytest.mark.asyncio
Opener = Callable[[], AbstractAsyncContextManager[Any]]
TAVILY = {
    "search-api": {"dialects": {"tavily": {"base_url": "http://tavily.test", "api_key_env": "OWN_KEY"}}}
}


async def test_tavily_is_asked_in_its_own_shape(small_web: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_KEY", "k1")
    asked: list[tuple[str | None, Any]] = []

    async def answer(request: web.Request) -> web.StreamResponse:
        asked.append((request.headers.get("Authorization"), await request.json()))
        return web.json_response(
            {
                "results": [
                    {"title": "Tide table", "url": "http://office.test/t", "content": "v9.9", "score": 0.9}
                ]
            }
        )

    async with small_web() as small, small.system() as system:
        small.pages["tavily.test/search"] = answer
        small.article(
            "office.test/t", "Tide table | Tide Office", "The Tide Office issues the tide table by law."
        )
        result = await system.retrieve(replace(small.task("Find the official tide table"), channels=TAVILY))
        assert [claim.citations[0].url for claim in result.claims] == ["http://office.test/t"] * len(
            result.claims
        )
        assert "v9.9" not in result.answer
        assert asked[0][0] == "Bearer k1"
        assert asked[0][1]["query"] == "official tide table"


@pytest.mark.parametrize("status", [401, 429, 500])
async def test_a_failed_search_is_sent_once_and_told(
    small_web: Opener, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("OWN_KEY", "k1")

    async def refuse(_: web.Request) -> web.StreamResponse:
        return web.json_response({"detail": {"error": "no"}}, status=status)

    async with small_web() as small, small.system() as system:
        small.pages["tavily.test/search"] = refuse
        result = await system.retrieve(replace(small.task("Find the official tide table"), channels=TAVILY))
        assert result.status == "declined"
        assert result.refusal is not None
        assert result.refusal.reason is None
        assert len(small.seen) == 1


async def test_without_a_key_nothing_is_sent(small_web: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OWN_KEY", raising=False)
    async with small_web() as small, small.system() as system:
        result = await system.retrieve(replace(small.task("Find the tide table"), channels=TAVILY))
        assert result.status == "declined"
        assert not small.seen


async def test_without_a_search_channel_it_says_so(small_web: Opener) -> None:
    async with small_web() as small, small.system() as system:
        result = await system.retrieve(
            replace(small.task("Find the tide table"), channels={"search-api": None})
        )
        assert result.status == "declined"
        assert not small.seen


async def test_the_budget_of_the_task_is_kept(small_web: Opener) -> None:
    async with small_web() as small, small.system() as system:
        for at in range(5):
            small.article(f"h{at}.test/x", "Tide table", "The tide table of the port.")
        await system.retrieve(
            replace(small.task("Find the tide table"), budget={"requests": 3, "retries": None})
        )
        assert len(small.seen) == 3
