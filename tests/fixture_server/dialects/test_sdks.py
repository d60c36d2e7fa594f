"""Providers' own SDKs in a slot, as they are installed: what they find, and what they raise."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

CURRENT, GONE = "https://www.vendor.example/notes/current", "https://www.vendor.example/notes/gone"
QUERY = "version v3.2 August"


def wire(done: Any) -> list[tuple[str, str, str, int]]:
    """Role, channel, URL and status of each attempt."""
    return [(one.role, one.channel, one.url.partition("?")[0], one.status) for one in done.trace.attempts]


async def test_brave(inside: Any) -> None:
    # Its import leaves a file open, which is no matter of ours.
    done = await inside.run(f"""
        import warnings
        warnings.simplefilter("ignore")
        from brave_search_python_client import BraveSearch, NewsSearchRequest, WebSearchRequest
        found = asyncio.run(BraveSearch().web(WebSearchRequest(q="{QUERY}", count=1)))
        tell([(one.url, one.title, one.page_age) for one in found.web.results])
        news = asyncio.run(BraveSearch().news(NewsSearchRequest(q="tariff")))
        tell([(str(one.url), one.title) for one in news.results])
        tell(asyncio.run(failing_later(BraveSearch("invalid").web(WebSearchRequest(q="x")))))
    """)
    assert done.told[0] == [[CURRENT, "Release notes", "2026-08-21T00:00:00"]]
    assert done.told[1] == [["https://press.example/news/tariff", "Tariff rises"]]
    assert done.told[2][0] == "BraveSearchAPIError"
    assert "422" in done.told[2][1]
    base = "https://api.search.brave.com/res/v1"
    assert wire(done) == [
        ("api", "search-api", f"{base}/web/search", 200),
        ("api", "search-api", f"{base}/news/search", 200),
        ("api", "search-api", f"{base}/web/search", 422),
    ]


async def test_perplexity(inside: Any) -> None:
    done = await inside.run(f"""
        import perplexity
        found = perplexity.Perplexity().search.create(query="{QUERY}", max_results=1)
        tell([(one.url, one.title, one.date, "19.90" in one.snippet) for one in found.results])
        asked = perplexity.AsyncPerplexity(api_key="pplx-throttled", max_retries=1).search.create(query="x")
        tell(asyncio.run(failing_later(asked))[0])
        for key, given in (("invalid", {{"query": "x"}}), ("any", {{"query": "x", "max_results": 21}})):
            tell(failing(perplexity.Perplexity(api_key=key).search.create, **given)[0])
        # Whatever the model says: it is not the search.
        model = perplexity.Perplexity(max_retries=0).chat.completions.create
        failing(model, model="sonar", messages=[{{"role": "user", "content": "x"}}])
    """)
    assert done.told[0] == [[CURRENT, "Release notes", "2026-08-21", True]]
    assert done.told[1:] == ["RateLimitError", "AuthenticationError", "UnprocessableEntityError"]
    search = "https://api.perplexity.ai/search"
    assert wire(done)[:5] == [("api", "search-api", search, status) for status in (200, 429, 429, 401, 422)]
    assert [(role, channel) for role, channel, *_ in wire(done)[5:]] == [("model", "model")]
    assert [given.url for given in done.archive.representations if given.channel == "search-api"] == [CURRENT]


async def test_parallel(inside: Any) -> None:
    done = await inside.run(f"""
        import parallel
        client = parallel.Parallel()
        found = client.search(search_queries=["{QUERY}"], advanced_settings={{"max_results": 1}})
        tell([(one.url, one.title, one.publish_date, "19.90" in one.excerpts[0]) for one in found.results])
        read = client.extract(urls=["{CURRENT}", "{GONE}"], advanced_settings={{"full_content": True}})
        tell([(one.url, "19.90" in one.full_content) for one in read.results])
        tell([(one.url, one.error_type, one.http_status_code) for one in read.errors])
        tell(failing(client.search, search_queries=[])[0])
        tell(failing(parallel.Parallel(api_key="invalid").search, search_queries=["x"])[0])
        asked = parallel.AsyncParallel(api_key="throttled", max_retries=0).search(search_queries=["x"])
        tell(asyncio.run(failing_later(asked))[0])
    """)
    assert done.told[0] == [[CURRENT, "Release notes", "2026-08-21", True]]
    assert done.told[1:3] == [[[CURRENT, True]], [[GONE, "http_error", 404]]]
    assert done.told[3:] == ["UnprocessableEntityError", "AuthenticationError", "RateLimitError"]
    assert {(role, channel, url) for role, channel, url, _ in wire(done)} == {
        ("api", "search-api", "https://api.parallel.ai/v1/search"),
        ("api", "extract-api", "https://api.parallel.ai/v1/extract"),
    }


async def test_you(inside: Any) -> None:
    done = await inside.run(f"""
        from youdotcom import You
        with You() as client:
            found = client.search(query="{QUERY}", count=1)
            tell([(one.url, one.title, str(one.page_age), "19.90" in one.contents.highlights[0])
                  for one in found.results.web])
            pages = client.contents(urls=["{CURRENT}", "{GONE}"], formats=["markdown"])
            tell([(page.url, bool(page.markdown)) for page in pages])
            both = {{"include_domains": ["a.example"], "exclude_domains": ["b.example"]}}
            tell(failing(client.search, query="x", **both)[0])
        for key in ("invalid", "throttled"):
            with You(key) as client:
                tell(failing(client.search, query="x", retries=None)[0])
    """)
    assert done.told[0] == [[CURRENT, "Release notes", "2026-08-21 00:00:00", True]]
    assert done.told[1] == [[CURRENT, True], [GONE, False]]
    assert done.told[2:] == [
        "UnprocessableEntityResponseError",
        "UnauthorizedResponseError",
        "YouDefaultError",
    ]
    channels = [(channel, url) for _, channel, url, _ in wire(done)]
    assert channels[:2] == [
        ("search-api", "https://ydc-index.io/v1/search"),
        ("extract-api", "https://ydc-index.io/v1/contents"),
    ]


async def test_linkup(inside: Any) -> None:
    done = await inside.run(f"""
        from linkup import LinkupClient
        client = LinkupClient()
        found = client.search("{QUERY}", depth="fast", output_type="searchResults", max_results=1)
        tell([(one.url, one.name, "19.90" in one.content) for one in found.results])
        said = client.search("{QUERY}", depth="fast", output_type="sourcedAnswer")
        tell(["v3.2" in said.answer, said.sources[0].url])
        tell("19.90" in client.fetch("{CURRENT}").markdown)
        tell(failing(client.fetch, "{GONE}")[0])
        plain = {{"depth": "fast", "output_type": "searchResults"}}
        tell(failing(client.search, "xylophone", **plain)[0])
        tell(asyncio.run(failing_later(client.async_search("x", depth="deepest", output_type="searchResults")))[0])
        for key in ("invalid", "throttled", "exhausted"):
            tell(failing(LinkupClient(key).search, "x", **plain)[0])
    """)
    assert done.told[:3] == [[[CURRENT, "Release notes", True]], [True, CURRENT], True]
    assert done.told[3:] == [
        *("LinkupFetchTargetNotFoundError", "LinkupNoResultError", "LinkupInvalidRequestError"),
        *("LinkupAuthenticationError", "LinkupTooManyRequestsError", "LinkupInsufficientCreditError"),
    ]
    given = [(one.url, one.channel, one.status) for one in done.archive.representations]
    assert given == [
        (CURRENT, "search-api", None),
        (CURRENT, "extract-api", 200),
        (GONE, "extract-api", 404),
    ]


async def test_keenable(inside: Any) -> None:
    done = await inside.run(f"""
        from keenable import AsyncKeenable, Keenable
        found = Keenable().search("{QUERY}", site="vendor.example")
        tell([(one.url, one.title, one.published_at) for one in found][:1])
        tell("19.90" in Keenable().fetch("{CURRENT}").content)
        tell(failing(Keenable().fetch, "{GONE}")[0])
        tell(failing(Keenable("invalid").search, "x")[0])
        tell(failing(Keenable("throttled").search, "x")[0])
        async def without_a_key():
            async with AsyncKeenable("") as client:
                return [(await client.search("rain notes"))[0].title, (await client.fetch("{CURRENT}")).title]
        tell(asyncio.run(without_a_key()))
    """)
    assert done.told[0][0][:2] == [CURRENT, "Release notes"]
    assert done.told[1:5] == [True, "KeenableAPIError", "KeenableAuthError", "KeenableRateLimitError"]
    assert done.told[5] == ["Rain notes", "Release notes"]
    assert [url.removeprefix("https://api.keenable.ai/v1/") for _, _, url, _ in wire(done)] == [
        *("search", "fetch", "fetch", "search", "search", "search/public", "fetch/public"),
    ]


async def test_serper_and_searxng_by_plain_http(inside: Any) -> None:
    done = await inside.run(f"""
        import httpx
        given = {{"json": {{"q": "{QUERY}"}}, "headers": {{"X-API-KEY": os.environ["SERPER_API_KEY"]}}}}
        tell(httpx.post("https://google.serper.dev/search", **given).json()["organic"][0]["link"])
        for name in ("SEARXNG_BASE_URL", "SEARXNG_URL", "SEARX_HOST"):
            found = httpx.get(os.environ[name] + "/search", params={{"q": "{QUERY}", "format": "json"}})
            tell(found.json()["results"][0]["url"])
    """)
    assert done.told == [CURRENT] * 4
    assert {(role, channel) for role, channel, *_ in wire(done)} == {("api", "search-api")}
