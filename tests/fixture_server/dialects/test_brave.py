"""Brave's search: its answers, its refusals, and real answers read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from fixture_server.dialects import brave

WEB, NEWS = f"https://api.search.brave.com{brave.WEB}", f"https://api.search.brave.com{brave.NEWS}"


def ask(api: Any, query: str, url: str = WEB, key: str = "any") -> tuple[Any, Any]:
    """The answer to a GET, and its content."""
    answer, content = api.ask(brave, "GET", f"{url}?{query}", x_subscription_token=key)
    return answer, content


def test_a_result_is_as_brave_writes_it(api: Any) -> None:
    answer, content = ask(api, "q=version+v3.2+August+release&count=1")
    assert answer.status == 200
    (result,) = content["web"]["results"]
    assert (result["title"], result["age"]) == ("Release notes", "August 21, 2026")
    assert result["page_age"] == "2026-08-21T00:00:00"
    assert "<strong>Version</strong> <strong>v3.2</strong> shipped" in result["description"]
    assert result["meta_url"]["path"] == "› notes  › current"
    assert content["mixed"]["main"] == [{"type": "web", "index": 0, "all": False}]
    assert content["query"]["more_results_available"]
    assert answer.header("x-ratelimit-limit") == "50, 0"
    assert answer.header("x-ratelimit-policy") == "50;w=1, 0;w=2678400"


def test_what_is_written_is_read(api: Any) -> None:
    answer, _ = ask(api, "q=version+v3.2+August")
    first = brave.read(answer.body, brave.WEB)[0]
    assert (first.title, first.content, first.published) == ("Release notes", None, "2026-08-21T00:00:00")
    assert "Version v3.2 shipped" in first.snippet
    answer, _ = ask(api, "q=tariff", NEWS)
    (news,) = brave.read(answer.body, brave.NEWS)
    assert news.title == "Tariff rises"


def test_news_are_dated_and_pages_within_the_time_asked_for(api: Any) -> None:
    def titles(query: str, url: str = WEB) -> list[str]:
        answer, _ = ask(api, query, url)
        return [
            one.title for one in brave.read(answer.body, url.removeprefix("https://api.search.brave.com"))
        ]

    assert titles("q=rain", NEWS) == []
    assert titles("q=rain") == ["Rain notes"]
    assert ask(api, "q=rain+tariff", NEWS)[1]["results"][0]["age"] == "1 day ago"
    assert titles("q=release&freshness=pw") == ["Tariff rises"]
    assert titles("q=release&freshness=2026-08-01to2026-08-31") == ["Release notes"]


def test_operators_and_pages(api: Any) -> None:
    def titles(query: str) -> list[str]:
        return [one.title for one in brave.read(ask(api, query)[0].body, brave.WEB)]

    everything = titles("q=release")
    assert len(everything) == 3
    assert [titles(f"q=release&count=1&offset={place}")[0] for place in range(3)] == everything
    assert titles("q=release+site:press.example") == ["Tariff rises"]
    assert titles("q=release+-tariff+-spring") == ["Release notes"]
    # It knows no after:, which is a word like any other.
    assert titles("q=release+after:2999-01-01") == everything
    assert titles("q=release+site:press.example&operators=false") == titles("q=release+site+press.example")


def test_a_post_takes_the_same_and_marks_can_be_left_out(api: Any) -> None:
    given = {"q": "tariff", "text_decorations": False}
    _, content = api.ask(brave, "POST", WEB, given, x_subscription_token="any")
    assert content["web"]["results"][0]["description"].startswith("The harbour tariff rises")


@pytest.mark.parametrize(
    ("key", "status", "code"),
    [
        ("invalid", 422, "SUBSCRIPTION_TOKEN_INVALID"),
        ("", 422, "VALIDATION"),
        ("throttled", 429, "RATE_LIMITED"),
        ("exhausted", 429, "RATE_LIMITED"),
    ],
)
def test_keys_that_do_not_open(api: Any, key: str, status: int, code: str) -> None:
    answer, content = ask(api, "q=x", key=key)
    assert (answer.status, content["type"]) == (status, "ErrorResponse")
    assert (content["error"]["status"], content["error"]["code"]) == (status, code)
    assert answer.header("x-ratelimit-remaining") == ("0, 0" if status == 429 else None)
    assert answer.header("retry-after") is None


@pytest.mark.parametrize(
    "query",
    [
        "",
        "q=+",
        f"q={'x' * 401}",
        f"q={'+'.join(51 * ['x'])}",
        "q=x&count=21",
        "q=x&offset=10",
        "q=x&freshness=yesterday",
        "q=x&safesearch=perhaps",
    ],
)
def test_bad_parameters_are_a_422(api: Any, query: str) -> None:
    answer, content = ask(api, query)
    assert (answer.status, content["error"]["code"]) == (422, "VALIDATION")
    assert content["error"]["meta"]["errors"][0]["loc"] == ["query"]


def test_nothing_else_is_there(api: Any) -> None:
    assert ask(api, "q=x", "https://api.search.brave.com/res/v1/tea/search")[0].status == 404


def test_a_real_answer_is_read(sample: Callable[[str], bytes]) -> None:
    body = sample("brave_web_search.json")
    found = brave.read(body, brave.WEB)
    assert [one.url for one in found] == [row["url"] for row in json.loads(body)["web"]["results"]]
    assert found[0].published == "2024-12-27T15:49:55"
    assert found[0].snippet.startswith('A "Hello, World!" program is usually a simple')
    news = brave.read(sample("brave_news_search.json"), brave.NEWS)
    assert (news[0].url, news[0].published) == ("https://www.npr.org/sections/world/", "2024-12-31T17:09:03")
