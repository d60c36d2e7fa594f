"""What providers' answers and requests really looked like where clients went wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fixture_server.dialects import brave, exa, serper, tavily
from fixture_server.dialects.registry import dialects

from .conftest import CURRENT

HTML = b"<!DOCTYPE html><html><body><div id=root></div></body></html>"
BEARER = {"authorization": "Bearer any", "content_type": "application/json"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        HTML,
        b"null",
        b"[]",
        b'"text"',
        b"{",
        b"{}",
        b'{"results": null}',
        b'{"results": [null, 1, "x", []]}',
        b'{"organic": []}',
        b'{"data": {"web": {}}}',
        "{“results”: []}".encode(),
        b"\xff\xfe\x00",
    ],
)
def test_an_answer_without_results_is_read_as_none_by_every_dialect(body: bytes) -> None:
    for dialect in {one.name: one for one in dialects().values()}.values():
        if dialect.read is not None:
            for path in ("/", "/search", "/v1/search", "/v2/search", "/contents", "/extract"):
                delivered = dialect.read(body, path)
                # A reader that takes plain text (Jina's) may find a page in it; none may make up a result.
                assert all(not one.url for one in delivered) or "jina" in dialect.name, (dialect.name, path)


def test_a_result_without_one_of_its_parts_is_kept() -> None:
    body = json.dumps({"results": [{"url": CURRENT}, {"url": CURRENT, "title": None, "content": 3}]}).encode()
    assert [(one.url, one.title, one.content) for one in tavily.read(body, "/search")] == [
        (CURRENT, "", None)
    ] * 2


@pytest.mark.parametrize("query", ["颱風" * 200, "é" * 400])
def test_a_limit_counts_characters_and_not_bytes(api: Any, query: str) -> None:
    url = "https://api.tavily.com/search"
    assert api.ask(tavily, "POST", url, {"query": query}, **BEARER)[0].status == 200
    assert api.ask(tavily, "POST", url, {"query": f"{query}x"}, **BEARER)[0].status == 400


def test_operators_that_a_model_writes_narrow_the_search_and_do_not_break_it(api: Any) -> None:
    for dialect, url, given, key in (
        (serper, "https://google.serper.dev/search", {"q": "site:vendor.example release notes"}, "x_api_key"),
        (exa, "https://api.exa.ai/search", {"query": "site:vendor.example release notes"}, "x_api_key"),
        (
            tavily,
            "https://api.tavily.com/search",
            {"query": "site:vendor.example release notes"},
            "authorization",
        ),
    ):
        value = "Bearer any" if key == "authorization" else "any"
        answer, _ = api.ask(dialect, "POST", url, given, content_type="application/json", **{key: value})
        path = "/" + url.removeprefix("https://").partition("/")[2]
        assert CURRENT in [one.url for one in dialect.read(answer.body, path)], url


def test_highlights_alone_are_content_and_never_an_empty_list(api: Any) -> None:
    given = {"query": "which version shipped", "contents": {"highlights": True}}
    answer, content = api.ask(exa, "POST", "https://api.exa.ai/search", given, **BEARER)
    first = next(row for row in content["results"] if row["url"] == CURRENT)
    assert "v3.2" in " ".join(first["highlights"])
    assert "text" not in first
    assert CURRENT in {one.url for one in answer.deliveries}


def test_two_time_filters_that_exclude_each_other_are_refused_or_joined_never_ignored(api: Any) -> None:
    target = "https://api.search.brave.com/res/v1/web/search?q=release&freshness=2026-08-21to2026-08-21"
    answer, content = api.ask(brave, "GET", target, x_subscription_token="any")
    assert [row["url"] for row in content["web"]["results"]] == [CURRENT]
    given = {"query": "release", "topic": "general", "time_range": "day", "start_date": "2020-01-01"}
    answer, content = api.ask(tavily, "POST", "https://api.tavily.com/search", given, **BEARER)
    assert answer.status in (200, 400)
    assert all("2026-03" not in json.dumps(row) for row in content.get("results", ()))
