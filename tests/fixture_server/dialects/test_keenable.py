"""Keenable's search and fetch, with a key and without."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from fixture_server.dialects import keenable

HOST = "https://api.keenable.ai/v1"
CURRENT = "https://www.vendor.example/notes/current"


def ask(api: Any, given: object, path: str = "/search", **headers: str) -> tuple[Any, Any]:
    """The answer to a search, and its content."""
    answer, content = api.ask(keenable, "POST", f"{HOST}{path}", given, **(headers or {"x_api_key": "any"}))
    return answer, content


def test_a_search_gives_text_and_dates(api: Any) -> None:
    answer, content = ask(api, {"query": "version v3.2 August", "max_results": 1})
    (result,) = content["results"]
    assert (content["mode"], result["url"]) == ("pro", CURRENT)
    assert (result["published_at"], result["acquired_at"]) == ("2026-08-21T00:00:00Z", "2026-11-30T12:00:00Z")
    (read,) = keenable.read(answer.body, "/v1/search")
    assert (read.content, read.published) == (result["snippet"], "2026-08-21T00:00:00Z")
    assert "published_at" not in ask(api, {"query": "rain"})[1]["results"][0]
    _, short = ask(api, {"query": "version v3.2 August", "snippet_max_length": 50})
    assert max(len(result["snippet"]) for result in short["results"]) <= 50 + len("... ...")


def test_limits_narrow(api: Any) -> None:
    def titles(**given: object) -> set[str]:
        return {result["title"] for result in ask(api, {"query": "release", **given})[1]["results"]}

    assert titles(site="press.example") == {"Tariff rises"}
    assert titles(exclude_domains=["press.example"]) == {"Release notes", "Older release notes"}
    assert titles(published_after="7d") == {"Tariff rises"}
    assert titles(published_before="2026-08-21") == {"Release notes", "Older release notes"}
    assert titles(published_before="2026-08-21T00:00:00Z") == {"Older release notes"}
    assert titles(query_time="2026-06-01") == {"Older release notes"}


def test_without_a_key_a_title_is_needed(api: Any) -> None:
    assert ask(api, {"query": "x"}, "/search/public", accept="*/*")[0].status == 400
    answer, content = ask(api, {"query": "rain"}, "/search/public", x_keenable_title="tests")
    assert (answer.status, content["results"][0]["title"]) == (200, "Rain notes")


def test_a_page_is_fetched_from_the_index(api: Any) -> None:
    answer, content = api.ask(keenable, "GET", f"{HOST}/fetch?url={CURRENT}", x_api_key="any")
    assert set(content) == {"url", "title", "content", "published_at", "description"}
    assert "| Small | 19.90 EUR |" in content["content"]
    assert [(told.url, told.channel) for told in answer.deliveries] == [(CURRENT, "extract-api")]
    (read,) = keenable.read(answer.body, "/v1/fetch")
    assert (read.url, read.content) == (CURRENT, content["content"])
    gone = f"{HOST}/fetch/public?url=https://www.vendor.example/notes/gone"
    assert api.ask(keenable, "GET", gone, x_keenable_title="tests")[0].status == 404


@pytest.mark.parametrize(
    ("given", "key", "status"),
    [
        ({"query": "x"}, "invalid", 401),
        ({"query": "x"}, "exhausted", 402),
        ({"query": "x"}, "throttled", 429),
        ({}, "any", 400),
        ({"query": "x", "max_results": 51}, "any", 400),
    ],
)
def test_refusals_have_a_message(api: Any, given: object, key: str, status: int) -> None:
    answer, content = ask(api, given, x_api_key=key)
    assert (answer.status, set(content)) == (status, {"message"})


@pytest.mark.parametrize(
    "filters",
    [
        {"exclude_domains": ["a.example/path"]},
        {"exclude_domains": ["*.example"]},
        {"exclude_domains": ["com"]},
        {"exclude_domains": ["10.0.0.1"]},
        {"published_after": "soon"},
    ],
)
def test_a_bad_filter_is_named(api: Any, filters: dict[str, Any]) -> None:
    answer, content = ask(api, {"query": "x", **filters})
    assert (answer.status, content["error"]) == (400, "invalid_filter")


def test_real_answers_are_read(sample: Callable[[str], bytes]) -> None:
    bodies = json.loads(sample("keenable_bodies.json"))
    found = keenable.read(json.dumps(bodies["search_body"]).encode(), "/v1/search")
    assert [one.url for one in found] == [
        "https://cerebras.ai/chip",
        "https://cerebras.ai/blog/moe-guide-scale",
    ]
    assert (found[0].published, found[1].published) == ("2026-05-31T23:57:19Z", None)
    (page,) = keenable.read(json.dumps(bodies["fetch_body"]).encode(), "/v1/fetch")
    assert (page.title, page.content) == ("Example Domain", bodies["fetch_body"]["content"])
