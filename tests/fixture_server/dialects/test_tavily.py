"""Tavily's own SDK in a slot."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import pytest

from .conftest import CURRENT, GONE

pytestmark = pytest.mark.asyncio(loop_scope="module")

TARIFF = "https://press.example/news/tariff"


async def test_it_searches(inside: Any) -> None:
    done = await inside.run("""
        from tavily import TavilyClient

        client = TavilyClient()
        plain = client.search("which version shipped on 21 August", max_results=1)
        tell(plain["results"])
        rich = client.search(
            "price of the small edition", max_results=1, search_depth="advanced", include_raw_content="text",
            include_answer=True, include_images=True, include_favicon=True, include_usage=True, auto_parameters=True,
        )
        tell([rich["results"][0], rich["answer"], rich["images"], rich["usage"], rich["auto_parameters"]])
        news = client.search("tariff", topic="news", days=7)
        tell([(one["url"], one["published_date"]) for one in news["results"]])
        tell([one["url"] for one in client.search("release", include_domains=["press.example"])["results"]])
        first = client.search("release notes", include_domains=["press.example"], include_domains_mode="prefer")
        tell([one["url"] for one in first["results"]][0])
        tell([one["title"] for one in client.search("颱風")["results"]])
        tell([one["url"] for one in client.search("v3.2", start_date="2026-08-01", end_date="2026-08-21")["results"]])
    """)
    (plain,), rich, news, inside_domain, preferred, typhoon, dated = done.told
    assert set(plain) == {"url", "title", "content", "score", "raw_content"}
    assert (plain["url"], plain["raw_content"]) == (CURRENT, None)
    result, answer, images, usage, chosen = rich
    assert "Small 19.90 EUR" in result["raw_content"]
    assert result["favicon"] == "https://www.vendor.example/favicon.ico"
    assert answer == result["content"]
    assert (images, usage) == (["https://www.vendor.example/shots/one.png"], {"credits": 2})
    assert chosen == {"topic": "general", "search_depth": "advanced"}
    ((url, date),) = news
    age = datetime.now(UTC) - parsedate_to_datetime(date)
    assert (url, age // timedelta(hours=36)) == (TARIFF, 1)
    assert (inside_domain, preferred, typhoon, dated) == ([TARIFF], TARIFF, ["颱風警報"], [CURRENT])
    (given,) = done.archive.representations
    assert (given.url, given.channel, given.status) == (CURRENT, "search-api", None)


async def test_it_extracts(inside: Any) -> None:
    done = await inside.run(f"""
        from tavily import AsyncTavilyClient

        async def main():
            client = AsyncTavilyClient()
            urls = ["{CURRENT}", "{GONE}", "https://nobody.example/", "https://www.vendor.example/notes/round"]
            both = await client.extract(urls, include_images=True, include_usage=True)
            tell([both["results"], both["failed_results"], both["usage"]])
            text = await client.extract("{CURRENT}", format="text", query="price", chunks_per_source=1)
            tell(text["results"][0]["raw_content"])
            later = await client.extract(["https://www.vendor.example/notes/later"])
            tell(later["results"][0]["raw_content"])

        asyncio.run(main())
    """)
    (results, failed, usage), text, later = done.told
    assert [(one["url"], one["images"]) for one in results] == [
        (CURRENT, ["https://www.vendor.example/shots/one.png"])
    ]
    assert "[older notes](https://www.vendor.example/notes/old)" in results[0]["raw_content"]
    assert [one["url"].rpartition("/")[2] for one in failed] == ["gone", "", "round"]
    assert usage == {"credits": 1}
    assert "19.90 EUR" in text
    assert "[older" not in text
    assert later == "Here after all."
    assert {attempt.channel for attempt in done.trace.attempts} == {"extract-api"}
    assert len(done.archive.representations) == 3


async def test_without_a_key(inside: Any) -> None:
    done = await inside.run(
        """
        from tavily import TavilyClient

        tell(TavilyClient().search("v3.2", max_results=1)["results"][0]["url"])
        """,
        TAVILY_API_KEY="",
    )
    assert done.told == [CURRENT]
    assert done.trace.attempts[0].request_headers["x-tavily-access-mode"] == "keyless"


async def test_how_it_fails(inside: Any) -> None:
    done = await inside.run("""
        from tavily import TavilyClient

        for key in ("tvly-invalid", "tvly-exhausted", "tvly-throttled"):
            tell(failing(TavilyClient(key).search, "release"))
        client = TavilyClient()
        tell(failing(client.search, "release", topic="sport"))
        tell(failing(client.search, "release " * 60))
        tell(failing(client.search, "release", max_results=21))
        tell(failing(client.extract, ["https://press.example/"] * 21))
    """)
    assert [name for name, _ in done.told] == [
        *("InvalidAPIKeyError", "ForbiddenError", "UsageLimitExceededError"),
        *["BadRequestError"] * 4,
    ]
    assert all(message for _, message in done.told)
    statuses = [attempt.status for attempt in done.trace.attempts]
    assert statuses == [401, 432, 429, 400, 400, 400, 400]
