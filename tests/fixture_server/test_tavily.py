"""The Tavily dialect as its SDK speaks it, and the plain one."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import pytest
import pytest_asyncio

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEARCH, EXTRACT = "https://api.tavily.com/search", "https://api.tavily.com/extract"
PLAIN = "https://websearch.example/search"
KEY = {"authorization": "Bearer tvly-any"}


@pytest.fixture
def slot(slot_in_shared_world: Any) -> Any:
    """A slot of the test's own."""
    return slot_in_shared_world


@pytest_asyncio.fixture(loop_scope="module")
async def client(slot: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client with a key, in a run."""
    await slot.begin()
    async with slot.client(headers=KEY) as client:
        yield client


async def _search(client: httpx.AsyncClient, **given: object) -> dict[str, Any]:
    response = await client.post(SEARCH, json=given)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def test_a_search_has_every_field_and_falling_scores(slot: Any, client: httpx.AsyncClient) -> None:
    answer = await _search(client, query="which version do the release notes say", include_answer=True)
    assert set(answer) == {
        *("query", "follow_up_questions", "answer", "images", "results", "response_time", "request_id")
    }
    first = answer["results"][0]
    assert answer["answer"] == first["content"]
    assert answer["images"] == []
    assert set(first) == {"url", "title", "content", "score", "raw_content"}
    assert first["title"] == "Release notes"
    assert "v3.2" in first["content"]
    assert first["raw_content"] is None
    scores = [result["score"] for result in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)
    trace, archive = await slot.drain()
    assert [(attempt.role, attempt.channel) for attempt in trace.attempts] == [("api", "search-api")]
    assert archive.representations == ()


async def test_raw_content_is_a_representation_of_the_page(slot: Any, client: httpx.AsyncClient) -> None:
    answer = await _search(client, query="release notes version", include_raw_content=True, max_results=1)
    raw = answer["results"][0]["raw_content"].encode()
    assert b"21 August 2026" in raw
    _, archive = await slot.drain()
    (given,) = archive.representations
    assert given.url == answer["results"][0]["url"]
    assert (given.channel, given.status, given.media_type) == ("search-api", None, "text/markdown")
    assert archive.bodies[given.sha256] == raw
    assert given.sha256 == hashlib.sha256(raw).hexdigest()


async def test_extract_gives_pages_and_names_what_it_cannot(slot: Any, client: httpx.AsyncClient) -> None:
    url = (await _search(client, query="release notes"))["results"][0]["url"]
    await slot.drain()
    response = await client.post(EXTRACT, json={"urls": [url, "https://nobody.example/"]})
    answer = response.json()
    assert [result["url"] for result in answer["results"]] == [url]
    assert "v3.2" in answer["results"][0]["raw_content"]
    assert [failed["url"] for failed in answer["failed_results"]] == ["https://nobody.example/"]
    trace, archive = await slot.drain()
    assert [attempt.channel for attempt in trace.attempts] == ["extract-api"]
    assert [(given.url, given.channel) for given in archive.representations] == [(url, "extract-api")]
    await slot.world.step("a", 2, "changed")
    again = (await client.post(EXTRACT, json={"urls": url})).json()
    assert "next version" in again["results"][0]["raw_content"]


async def test_without_a_key_nothing_is_searched(slot: Any) -> None:
    await slot.begin()
    async with slot.client() as client:
        refused = await client.post(SEARCH, json={"query": "x"})
        keyless = await client.post(SEARCH, json={"query": "x"}, headers={"x-tavily-access-mode": "keyless"})
    assert refused.status_code == 401
    assert refused.json()["detail"]["error"].startswith("Unauthorized")
    assert keyless.status_code == 200


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"query": ""},
        {"query": "x", "max_results": 21},
        {"query": "x", "max_results": "many"},
        {"query": "x", "topic": "sport"},
        {"query": "x", "time_range": "decade"},
        {"query": "x", "start_date": "yesterday"},
        {"query": "x", "include_domains": [1]},
        ["query"],
    ],
)
async def test_bad_requests_have_the_shape_of_errors(client: httpx.AsyncClient, given: object) -> None:
    response = await client.post(SEARCH, json=given)
    assert response.status_code == 400
    assert isinstance(response.json()["detail"]["error"], str)


async def test_news_are_dated_and_ranges_hold(client: httpx.AsyncClient) -> None:
    news = await _search(client, query="release notes", topic="news")
    (only,) = news["results"]
    age = datetime.now(UTC) - parsedate_to_datetime(only["published_date"])
    assert timedelta(days=2) <= age < timedelta(days=2, minutes=5)
    assert (await _search(client, query="release notes", time_range="day"))["results"] == []
    assert len((await _search(client, query="release notes", time_range="week"))["results"]) == 1


async def test_domains_are_kept_in_and_out(client: httpx.AsyncClient) -> None:
    hosts = {
        httpx.URL(result["url"]).host
        for result in (await _search(client, query="release tariff caches"))["results"]
    }
    assert len(hosts) == 3
    one = (await _search(client, query="release tariff caches", include_domains=["standards.example"]))[
        "results"
    ]
    assert {httpx.URL(result["url"]).host for result in one} == {"www.standards.example"}
    rest = (await _search(client, query="release tariff caches", exclude_domains=["standards.example"]))[
        "results"
    ]
    assert {httpx.URL(result["url"]).host for result in rest} == hosts - {"www.standards.example"}


async def test_quoted_phrases_hold_when_exact(client: httpx.AsyncClient) -> None:
    loose = await _search(client, query='"tariff harbour" rises')
    exact = await _search(client, query='"tariff harbour" rises', exact_match=True)
    found = await _search(client, query='"harbour tariff" rises', exact_match=True)
    assert [len(answer["results"]) for answer in (loose, exact, found)] == [1, 0, 1]


async def test_other_methods_and_paths(client: httpx.AsyncClient) -> None:
    assert (await client.get(SEARCH)).status_code == 405
    assert (await client.post("https://api.tavily.com/nothing", json={})).status_code == 404


async def test_the_plain_dialect(slot: Any, client: httpx.AsyncClient) -> None:
    answers = [
        await client.get(PLAIN, params={"q": "harbour tariff", "limit": 3}),
        await client.post(PLAIN, data={"q": "harbour tariff", "limit": "3"}),
        await client.post(PLAIN, json={"q": "harbour tariff", "limit": 3}),
    ]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert len({answer.text for answer in answers}) == 1
    answer = answers[0].json()
    assert answer["query"] == "harbour tariff"
    first = answer["results"][0]
    assert (first["title"], first["published"]) == ("Tariff rises", None)
    assert "19.90 EUR" in first["snippet"]
    assert (await client.get(PLAIN)).status_code == 400
    assert (await client.get(PLAIN, params={"q": "x", "limit": "0"})).status_code == 400
    dated = (await client.get(PLAIN, params={"q": "release notes"})).json()["results"]
    start = datetime.now(UTC).date() - timedelta(days=2)
    assert start - timedelta(days=1) <= datetime.fromisoformat(dated[0]["published"]).date() <= start
    assert {attempt.channel for attempt in await slot.attempts()} == {"search-api"}
