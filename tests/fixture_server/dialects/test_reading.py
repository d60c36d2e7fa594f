"""What a dialect writes it reads, and it reads what its provider really sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from fixture_server.dialects import exa, firecrawl, jina, tavily
from fixture_server.dialects.shape import Delivered, Shape, rows

from .conftest import CURRENT

TITLE, DAY = "Release notes", "2026-08-21"
SEARCHES = [
    (
        tavily,
        "https://api.tavily.com/search",
        {"query": "v3.2", "topic": "news", "include_raw_content": True},
    ),
    (exa, "https://api.exa.ai/search", {"query": "v3.2", "contents": {"text": True, "highlights": True}}),
    (
        firecrawl,
        "https://api.firecrawl.dev/v2/search",
        {"query": "v3.2", "scrapeOptions": {"formats": ["markdown"]}},
    ),
    (
        firecrawl,
        "https://api.firecrawl.dev/v1/search",
        {"query": "v3.2", "scrapeOptions": {"formats": ["markdown"]}},
    ),
    (jina, "https://s.jina.ai/", {"q": "v3.2"}),
]
READERS = [
    (tavily, "https://api.tavily.com/extract", {"urls": [CURRENT]}),
    (exa, "https://api.exa.ai/contents", {"urls": [CURRENT], "text": True}),
    (exa, "https://api.exa.ai/contents", {"urls": [CURRENT], "highlights": True}),
    (firecrawl, "https://api.firecrawl.dev/v2/scrape", {"url": CURRENT}),
    (firecrawl, "https://api.firecrawl.dev/v1/scrape", {"url": CURRENT}),
    (jina, "https://r.jina.ai/", {"url": CURRENT}),
]
HEADERS = {"authorization": "Bearer any", "content_type": "application/json"}
FORMS = [{"accept": "application/json"}, {"accept": "*/*"}]


def _path(url: str) -> str:
    return "/" + url.removeprefix("https://").partition("/")[2]


@pytest.mark.parametrize("accept", FORMS)
@pytest.mark.parametrize(("dialect", "url", "given"), SEARCHES)
def test_a_search_that_was_written_is_read(api: Any, dialect: Any, url: str, given: Any, accept: Any) -> None:
    answer, _ = api.ask(dialect, "POST", url, given, **HEADERS, **accept)
    delivered = dialect.read(answer.body, _path(url))
    first = next(one for one in delivered if one.url == CURRENT)
    assert first.title == TITLE
    assert "v3.2" in first.snippet
    bodies = {given.url: given.body.decode() for given in answer.deliveries}
    assert first.content == bodies[CURRENT]
    assert {one.url: one.content for one in delivered if one.content} == bodies


@pytest.mark.parametrize("accept", FORMS)
@pytest.mark.parametrize(("dialect", "url", "given"), READERS)
def test_a_page_that_was_written_is_read(api: Any, dialect: Any, url: str, given: Any, accept: Any) -> None:
    answer, _ = api.ask(dialect, "POST", url, given, **HEADERS, **accept)
    (page,) = dialect.read(answer.body, _path(url))
    (body,) = (given.body.decode() for given in answer.deliveries)
    assert (page.url, page.content) == (CURRENT, body)


def test_dates_that_were_written_are_read(api: Any) -> None:
    for dialect, url, given in SEARCHES[:2]:
        answer, _ = api.ask(dialect, "POST", url, given, **HEADERS)
        first = next(one for one in dialect.read(answer.body, _path(url)) if one.url == CURRENT)
        assert first.published in ("Fri, 21 Aug 2026 00:00:00 GMT", f"{DAY}T00:00:00.000Z")


@pytest.mark.parametrize("dialect", [tavily, exa, firecrawl, jina])
@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"results": 1, "data": 2}', b"\xff\xfe", b'{"data": null}']
)
@pytest.mark.parametrize("path", ["/search", "/v2/scrape", "/contents", "/"])
def test_what_is_no_answer_has_no_results(dialect: Any, body: bytes, path: str) -> None:
    assert dialect.read(body, path) == ()


def test_content_alone_is_of_the_address_in_the_path() -> None:
    (page,) = jina.read("<p>Grüße</p>".encode(), f"/{CURRENT}")
    assert (page.url, page.content) == (CURRENT, "<p>Grüße</p>")


def test_a_shape_writes_nested_keys_and_lists() -> None:
    shape = Shape(url="about.link", title="about.name", snippet="parts[]", content=None)
    told = Delivered(url="https://a.example/", title="A", snippet="one\ntwo")
    written = shape.write(told)
    assert written == {"about": {"link": "https://a.example/", "name": "A"}, "parts": ["one", "two"]}
    assert shape.read(written) == told
    assert shape.read({"about": 3, "parts": "one"}) == Delivered(url="", snippet="one")
    assert rows({"a": {"b": [1, {"c": 2}]}}, "a.b") == [{"c": 2}]


SAMPLES = [
    (tavily, "tavily_search_basic.cassette.yaml", "/search", 2, "https://ai.pydantic.dev/"),
    (tavily, "tavily_search_include_domains.cassette.yaml", "/search", 5, "https://arxiv.org/abs/2507.13043"),
    (firecrawl, "firecrawl_search.cassette.yaml", "/v2/search", 3, "https://www.firecrawl.dev/"),
    (firecrawl, "firecrawl_scrape.cassette.yaml", "/v2/scrape", 1, "https://firecrawl.dev"),
]


@pytest.mark.parametrize(("dialect", "name", "path", "count", "first"), SAMPLES)
def test_real_answers_are_read(
    sample: Any, dialect: Any, name: str, path: str, count: int, first: str
) -> None:
    (exchange,) = yaml.safe_load(sample(name))["interactions"]
    body = exchange["response"]["body"]["string"].encode()
    delivered = dialect.read(body, path)
    assert len(delivered) == count
    assert delivered[0].url == first
    assert all(one.url.startswith("https://") and one.title and one.snippet for one in delivered)
    assert {bool(one.content) for one in delivered} == {dialect is firecrawl}
    assert json.loads(body)
