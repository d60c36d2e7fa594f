"""Exa's own SDK in a slot."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import CURRENT, GONE

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_it_searches_and_reads(inside: Any) -> None:
    done = await inside.run("""
        from exa_py import Exa

        found = Exa().search("release notes", num_results=2)
        tell([(one.url, one.title, one.published_date) for one in found.results])
        tell([one.text for one in found.results])
        tell([found.cost_dollars.total, found.resolved_search_type])
    """)
    pages, texts, costs = done.told
    assert pages[0] == [CURRENT, "Release notes", "2026-08-21T00:00:00.000Z"]
    assert "shipped on 21 August 2026" in texts[0]
    assert "| Small | 19.90 EUR |" in texts[0]
    assert costs == [0.007, "neural"]
    (attempt,) = done.trace.attempts
    assert (attempt.role, attempt.channel, attempt.status) == ("api", "search-api", 200)
    given = [(one.url, done.archive.bodies[one.sha256].decode()) for one in done.archive.representations]
    assert given == [(url, text) for (url, *_), text in zip(pages, texts, strict=True)]


async def test_the_other_client_does_too(inside: Any) -> None:
    done = await inside.run("""
        from exa_py import AsyncExa

        async def main():
            exa = AsyncExa()
            found = await exa.search("颱風警報", contents=False)
            tell([(one.url, one.title, one.text) for one in found.results])
            read = await exa.get_contents([found.results[0].url], text=True)
            tell([one.text for one in read.results])

        asyncio.run(main())
    """)
    ((url, title, text),), (content,) = done.told
    assert (url, title, text) == ("https://weather.example/alerts", "颱風警報", None)
    assert "海上陸上颱風警報" in content
    assert [attempt.channel for attempt in done.trace.attempts] == ["search-api", "extract-api"]
    assert [one.channel for one in done.archive.representations] == ["extract-api"]


async def test_what_cannot_be_read_has_a_status(inside: Any) -> None:
    done = await inside.run(f"""
        from exa_py import Exa

        read = Exa().get_contents(["{CURRENT}", "{GONE}", "https://nobody.example/"], text=True)
        tell([one.url for one in read.results])
        tell([(one.status, one.error and (one.error.tag, one.error.http_status_code)) for one in read.statuses])
    """)
    assert done.told == [
        [CURRENT],
        [["success", None], ["error", ["CRAWL_NOT_FOUND", 404]], ["error", ["CRAWL_NOT_FOUND", 404]]],
    ]


async def test_filters_and_kinds_of_content(inside: Any) -> None:
    done = await inside.run(f"""
        import warnings
        from exa_py import Exa

        exa = Exa()
        def urls(**options):
            return [one.url for one in exa.search("release tariff", contents=False, **options).results]
        tell(urls(include_domains=["press.example"]))
        tell(urls(exclude_domains=["vendor.example"]))
        tell(urls(start_published_date="2026-08-01", end_published_date="2026-09-01T00:00:00.000Z"))
        tell(urls(include_text=["harbour tariff"]))
        one = exa.search("v3.2", num_results=1, contents={{"highlights": {{"query": "price"}}, "summary": True}})
        tell([one.results[0].text, one.results[0].highlights, one.results[0].summary, one.cost_dollars.total])
        warnings.simplefilter("ignore", DeprecationWarning)
        near = exa.find_similar("{CURRENT}", num_results=3)
        tell([one.url for one in near.results])
    """)
    tariff, old = "https://press.example/news/tariff", "https://www.vendor.example/notes/old"
    assert done.told[:4] == [[tariff], [tariff], [CURRENT], [tariff]]
    text, highlights, summary, cost = done.told[4]
    assert text is None
    assert "19.90 EUR" in highlights[0]
    assert "Release notes" in summary
    assert cost == 0.008
    assert done.told[5][0] == old
    assert CURRENT not in done.told[5]


async def test_keys_that_open_nothing(inside: Any) -> None:
    done = await inside.run("""
        from exa_py import Exa

        for key in ("invalid", "exhausted", "throttled"):
            tell(failing(Exa(key).search, "release notes"))
    """)
    for (name, message), status, words in zip(
        done.told,
        (401, 402, 429),
        ("INVALID_API_KEY", "NO_MORE_CREDITS", "exceeded your rate limit"),
        strict=True,
    ):
        assert name == "ValueError"
        assert f"status code {status}" in message
        assert words in message


async def test_bad_parameters(inside: Any) -> None:
    done = await inside.run("""
        from exa_py import Exa

        exa = Exa()
        tell(failing(exa.search, "release", num_results=101))
        tell(failing(exa.search, "release", type="loud"))
        tell(failing(exa.search, "release", start_published_date="yesterday"))
        tell(failing(exa.search, "release", category="people", include_text=["x"]))
    """)
    assert [name for name, _ in done.told] == ["ValueError"] * 4
    assert [message.count("status code 400") for _, message in done.told] == [1] * 4
    assert "INVALID_NUM_RESULTS" in done.told[0][1]
