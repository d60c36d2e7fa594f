"""Serper's search by plain HTTP, as its users speak it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fixture_server.dialects import serper

URL = "https://google.serper.dev/search"


def ask(api: Any, given: object, path: str = "/search", key: str = "any") -> tuple[Any, Any]:
    """The answer to a search, and its content."""
    answer, content = api.ask(serper, "POST", f"https://google.serper.dev{path}", given, x_api_key=key)
    return answer, content


def links(api: Any, **given: object) -> list[str]:
    """The titles of what a search finds."""
    return [result["title"] for result in ask(api, given)[1]["organic"]]


def test_a_search_has_places_dates_and_costs(api: Any) -> None:
    answer, content = ask(api, {"q": "release"})
    assert [result["position"] for result in content["organic"]] == [1, 2, 3]
    assert {result["title"]: result["date"] for result in content["organic"]} == {
        "Release notes": "Aug 21, 2026",
        "Older release notes": "Mar 2, 2026",
        "Tariff rises": "1 day ago",
    }
    assert content["searchParameters"]["type"] == "search"
    assert (content["credits"], ask(api, {"q": "x", "num": 20})[1]["credits"]) == (1, 2)
    assert not [name for name, _ in answer.headers if "ratelimit" in name]
    read = serper.read(answer.body, "/search")
    assert [(one.url, one.published) for one in read] == [
        (result["link"], result["date"]) for result in content["organic"]
    ]
    undated = ask(api, {"q": "rain"})[1]["organic"][0]
    assert "date" not in undated


def test_google_narrows(api: Any) -> None:
    assert links(api, q="release site:press.example") == ["Tariff rises"]
    assert links(api, q="release -site:vendor.example") == ["Tariff rises"]
    assert links(api, q="release before:2026-06-01") == ["Older release notes"]
    assert links(api, q="release", tbs="qdr:w") == ["Tariff rises"]
    assert links(api, q="release", tbs="cdr:1,cd_min:8/1/2026,cd_max:8/31/2026") == ["Release notes"]
    assert links(api, q="release", num=1, page=2) == links(api, q="release")[1:2]


def test_news_and_batches_and_queries(api: Any) -> None:
    _, content = ask(api, {"q": "tariff rain"}, "/news")
    assert [(news["title"], news["source"]) for news in content["news"]] == [
        ("Tariff rises", "press.example")
    ]
    _, both = ask(api, [{"q": "tariff"}, {"q": "rain"}])
    assert [one["organic"][0]["title"] for one in both] == ["Tariff rises", "Rain notes"]
    answer, content = api.ask(serper, "GET", f"{URL}?q=rain&apiKey=any")
    assert (answer.status, content["organic"][0]["title"]) == (200, "Rain notes")


@pytest.mark.parametrize(
    ("given", "path", "key", "status"),
    [
        ({"q": "x"}, "/search", "", 403),
        ({"q": "x"}, "/search", "invalid", 403),
        ({"q": "x"}, "/search", "exhausted", 400),
        ({"q": "x"}, "/search", "throttled", 429),
        ({}, "/search", "any", 400),
        ({"q": "x", "num": 101}, "/search", "any", 400),
        ("x", "/search", "any", 400),
        ({"q": "x"}, "/nothing", "any", 404),
    ],
)
def test_refusals_are_a_message_with_a_status(
    api: Any, given: object, path: str, key: str, status: int
) -> None:
    answer, content = ask(api, given, path, key)
    assert (answer.status, content["statusCode"]) == (status, status)
    assert content["message"]


def test_a_real_answer_is_read(sample: Callable[[str], bytes]) -> None:
    found = serper.read(sample("serper_search.json"), "/search")
    assert [one.published for one in found] == ["Jan 29, 2023", "Feb 10, 2023", "Mar 10, 2023", "Mar 1, 2023"]
    assert found[0].url == "https://example.com/link/1"
