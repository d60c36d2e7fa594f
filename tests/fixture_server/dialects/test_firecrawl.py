"""Firecrawl's own SDKs in a slot: version 2 and what it keeps of version 1."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from .conftest import CURRENT, GONE

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOVED, TARIFF = "https://www.vendor.example/notes/moved", "https://press.example/news/tariff"


async def test_it_scrapes(inside: Any) -> None:
    done = await inside.run(f"""
        from firecrawl import Firecrawl

        page = Firecrawl().scrape("{CURRENT}", formats=["markdown", "links", "html"])
        tell([page.markdown, page.links, "<nav>" in page.html])
        about = page.metadata
        tell([about.title, about.description, about.status_code, about.source_url, about.url, about.credits_used])
    """)
    (markdown, links, has_navigation), about = done.told
    assert markdown.startswith("# Release notes\n\nVersion v3.2 shipped on 21 August 2026.")
    assert links == ["https://www.vendor.example/notes/old"]
    assert not has_navigation
    assert about == ["Release notes", "What is new in each release", 200, CURRENT, CURRENT, 1]
    (attempt,) = done.trace.attempts
    assert (attempt.role, attempt.channel, attempt.status) == ("api", "extract-api", 200)
    (given,) = done.archive.representations
    assert (given.url, given.channel, given.status) == (CURRENT, "extract-api", 200)
    assert done.archive.bodies[given.sha256].decode() == markdown


async def test_a_page_that_is_an_error_is_told_as_one(inside: Any) -> None:
    done = await inside.run(f"""
        from firecrawl import Firecrawl

        page = Firecrawl().scrape("{GONE}")
        tell([page.markdown, page.metadata.status_code, page.metadata.error])
    """)
    assert done.told == [["# This page is gone", 404, "Not Found"]]
    (given,) = done.archive.representations
    assert (given.url, given.status) == (GONE, 404)


async def test_where_a_redirect_led_to_is_told(inside: Any) -> None:
    done = await inside.run(f"""
        from firecrawl import Firecrawl

        page = Firecrawl().scrape("{MOVED}", only_main_content=False)
        tell([page.metadata.source_url, page.metadata.url, page.markdown.splitlines()[0]])
    """)
    home = "[Home of the vendor](https://www.vendor.example/)"
    assert done.told == [[MOVED, CURRENT, home]]
    assert [given.url for given in done.archive.representations] == [MOVED, CURRENT]


async def test_it_searches(inside: Any) -> None:
    done = await inside.run("""
        from firecrawl import AsyncFirecrawl
        from firecrawl.v2.types import ScrapeOptions

        async def main():
            client = AsyncFirecrawl()
            found = await client.search("release", limit=2)
            tell([(one.url, one.title, one.position) for one in found.web])
            found = await client.search("release tariff", sources=["web", "news"], tbs="qdr:w")
            tell([[one.url for one in found.web], [(one.url, one.date) for one in found.news]])
            found = await client.search("release", limit=1, scrape_options=ScrapeOptions(formats=["markdown"]))
            tell([(one.markdown, one.metadata.status_code) for one in found.web])
            found = await client.search('"harbour tariff" -spring site:press.example')
            tell([one.url for one in found.web])
            found = await client.search("release", include_domains=["press.example"])
            tell([one.url for one in found.web])
            found = await client.search("颱風")
            tell([one.title for one in found.web])

        asyncio.run(main())
    """)
    first, dated, scraped, *rest = done.told
    assert [place for *_, place in first] == [1, 2]
    assert {title for _, title, _ in first} <= {"Release notes", "Older release notes", "Tariff rises"}
    web, ((url, date),) = dated
    assert (web, url) == ([TARIFF], TARIFF)
    age = datetime.now(UTC) - datetime.fromisoformat(date).replace(tzinfo=UTC)
    assert timedelta(hours=36) <= age <= timedelta(hours=61)
    ((markdown, status),) = scraped
    assert (bool(markdown), status) == (True, 200)
    assert rest == [[TARIFF], [TARIFF], ["颱風警報"]]
    assert {attempt.channel for attempt in done.trace.attempts} == {"search-api"}
    assert [given.channel for given in done.archive.representations] == ["search-api"]


async def test_how_it_fails(inside: Any) -> None:
    done = await inside.run(f"""
        from firecrawl import Firecrawl

        client = Firecrawl()
        tell(failing(client.scrape, "https://nobody.example/"))
        tell(failing(client.scrape, "https://www.vendor.example/notes/broken"))
        tell(failing(client.scrape, "{CURRENT}", exclude_tags=["p >"]))
        for key in ("fc-invalid", "fc-exhausted", "fc-throttled"):
            tell(failing(Firecrawl(key).search, "release"))
    """)
    assert [name for name, _ in done.told] == [
        *("DNSResolutionError", "InternalServerError", "BadRequestError"),
        *("UnauthorizedError", "PaymentRequiredError", "RateLimitError"),
    ]
    assert "nobody.example" in done.told[0][1]
    assert done.trace.attempts[-1].response_headers["retry-after"] == "1"
    assert done.archive.representations == ()


async def test_version_1(inside: Any) -> None:
    done = await inside.run(f"""
        from firecrawl import V1FirecrawlApp, V1ScrapeOptions

        client = V1FirecrawlApp(api_key="fc-any")
        page = client.scrape_url("{CURRENT}", formats=["markdown", "rawHtml"])
        tell([page.markdown.splitlines()[0], "<nav>" in page.rawHtml, page.metadata["statusCode"]])
        found = client.search("release", limit=2)
        tell([(one["url"], "markdown" in one) for one in found.data])
        found = client.search("v3.2", limit=1, scrape_options=V1ScrapeOptions(formats=["markdown"]))
        tell([one["markdown"] for one in found.data])
    """)
    page, found, scraped = done.told
    assert page == ["# Release notes", True, 200]
    assert [has_content for _, has_content in found] == [False, False]
    assert len(scraped[0]) > 10
