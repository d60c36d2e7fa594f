"""You.com's search and contents: sections, what content they bring, limits told with each answer."""

from __future__ import annotations

from typing import Any

import pytest

from fixture_server.dialects import you

HOST = "https://ydc-index.io"
CURRENT, GONE = "https://www.vendor.example/notes/current", "https://www.vendor.example/notes/gone"


def ask(api: Any, given: object, path: str = "/v1/search", key: str = "any") -> tuple[Any, Any]:
    """The answer to a POST, and its content."""
    answer, content = api.ask(you, "POST", f"{HOST}{path}", given, x_api_key=key)
    return answer, content


def test_a_plain_search_has_snippets(api: Any) -> None:
    answer, content = ask(api, {"query": "version v3.2 August", "count": 1})
    (result,) = content["results"]["web"]
    assert set(result) == {"url", "title", "description", "page_age", "favicon_url", "snippets"}
    assert (result["url"], result["page_age"]) == (CURRENT, "2026-08-21T00:00:00")
    assert "news" not in content["results"]
    assert set(content["metadata"]) == {"search_uuid", "query", "latency"}
    assert answer.deliveries == ()
    (read,) = you.read(answer.body, "/v1/search")
    assert (read.snippet, read.content) == (result["description"], None)


def test_highlights_stand_for_snippets(api: Any) -> None:
    extraction = {"extraction_mode": "highlights"}
    answer, content = ask(api, {"query": "version v3.2 August", "count": 1, "extraction": extraction})
    (result,) = content["results"]["web"]
    assert "snippets" not in result
    (told,) = answer.deliveries
    assert result["contents"]["highlights"] == [told.body.decode()]


@pytest.mark.parametrize(
    "given",
    [
        {
            "extraction": {
                "extraction_mode": "full_page",
                "full_page": {"extraction_formats": ["html", "markdown"]},
            }
        },
        {"livecrawl": "all", "livecrawl_formats": ["html", "markdown"]},
    ],
)
def test_whole_pages_are_representations(api: Any, given: dict[str, Any]) -> None:
    answer, content = ask(api, {"query": "version v3.2 August", "count": 1, **given})
    contents = content["results"]["web"][0]["contents"]
    assert "| Small | 19.90 EUR |" in contents["markdown"]
    assert contents["html"].startswith("<!doctype html>")
    assert [told.body.decode() for told in answer.deliveries] == [contents["markdown"]]
    (read,) = you.read(answer.body, "/v1/search")
    assert read.content == contents["markdown"]


def test_news_are_a_section_where_news_are_meant(api: Any) -> None:
    answer, content = ask(api, {"query": "latest rain tariff news"})
    assert "Tariff rises" in [result["title"] for result in content["results"]["news"]]
    assert "Rain notes" not in [result["title"] for result in content["results"]["news"]]
    assert len({one.url for one in you.read(answer.body, "/v1/search")}) == len(content["results"]["web"])


def test_limits_narrow(api: Any) -> None:
    def titles(**given: object) -> list[str]:
        return [result["title"] for result in ask(api, {"query": "release", **given})[1]["results"]["web"]]

    assert titles(include_domains=["press.example"]) == ["Tariff rises"]
    assert titles(boost_domains=["press.example"])[0] == "Tariff rises"
    assert titles(freshness="week") == ["Tariff rises"]
    assert titles(freshness="2026-08-01to2026-08-31") == ["Release notes"]
    assert titles(count=1, offset=1) == titles()[1:2]
    both = {"query": "x", "include_domains": ["a.example"], "exclude_domains": ["b.example"]}
    answer, content = ask(api, both)
    assert (answer.status, set(content)) == (422, {"error"})


def test_a_query_has_lists_by_commas_and_one_path_needs_no_key(api: Any) -> None:
    url = "https://api.you.com/v1/agents/search?query=release&include_domains=press.example,a.example"
    answer, content = api.ask(you, "GET", url)
    assert [result["title"] for result in content["results"]["web"]] == ["Tariff rises"]
    assert answer.status == 200


def test_contents_are_a_list(api: Any) -> None:
    answer, content = ask(api, {"urls": [CURRENT, GONE], "formats": ["markdown"]}, "/v1/contents")
    assert [page["url"] for page in content] == [CURRENT, GONE]
    assert "| Small | 19.90 EUR |" in content[0]["markdown"]
    assert content[1]["markdown"] is None
    assert [told.url for told in answer.deliveries] == [CURRENT]
    assert [one.content for one in you.read(answer.body, "/v1/contents")] == [content[0]["markdown"], None]


def test_an_eleventh_search_within_a_second_is_too_many(api: Any) -> None:
    answers = [ask(api, {"query": "rain"})[0] for _ in range(11)]
    remaining = [answer.header("x-ratelimit-remaining") for answer in answers]
    assert remaining == [*(str(count) for count in range(9, -1, -1)), "0"]
    assert [answer.status for answer in answers] == [*(10 * [200]), 429]
    assert answers[-1].header("retry-after") == "1"


@pytest.mark.parametrize(
    ("given", "key", "status", "told"),
    [
        ({"query": "x"}, "", 401, "detail"),
        ({"query": "x"}, "invalid", 401, "detail"),
        ({"query": "x"}, "exhausted", 402, "upgrade_url"),
        ({"query": "x"}, "throttled", 429, "detail"),
        ({}, "any", 422, "detail"),
        ({"query": "x", "count": 101}, "any", 422, "detail"),
        ({"query": "x", "livecrawl": "web", "livecrawl_formats": ["pdf"]}, "any", 422, "error"),
    ],
)
def test_refusals(api: Any, given: object, key: str, status: int, told: str) -> None:
    answer, content = ask(api, given, key=key)
    assert answer.status == status
    assert told in content
    assert answer.header("x-ratelimit-limit") == "10"
