"""An own instance of SearXNG by plain HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from fixture_server.dialects import searxng
from fixture_server.message import Asked

URL = "https://searxng.example/search"


def ask(api: Any, query: str) -> tuple[Any, Any]:
    """The answer to a GET, and its content."""
    answer, content = api.ask(searxng, "GET", f"{URL}?{query}")
    return answer, content


def test_json_has_every_key(api: Any) -> None:
    answer, content = ask(api, "q=version+v3.2+August&format=json")
    assert content["query"] == "version v3.2 August"
    assert content["unresponsive_engines"] == []
    first = content["results"][0]
    assert (first["title"], first["publishedDate"]) == ("Release notes", "2026-08-21T00:00:00")
    assert first["parsed_url"][1] == "www.vendor.example"
    scores = [result["score"] for result in content["results"]]
    assert scores == sorted(scores, reverse=True)
    assert [one.url for one in searxng.read(answer.body, "/search")] == [
        result["url"] for result in content["results"]
    ]


def test_html_is_the_default_and_other_formats_are_not_enabled(api: Any) -> None:
    answer, page = ask(api, "q=release")
    assert answer.header("content-type") == "text/html; charset=utf-8"
    assert 'href="https://www.vendor.example/notes/current"' in page
    assert ask(api, "q=release&format=csv")[0].status == 403
    assert ask(api, "")[0].status == 200
    assert ask(api, "format=json")[0].status == 400


def test_time_pages_and_operators(api: Any) -> None:
    def titles(query: str) -> list[str]:
        return [result["title"] for result in ask(api, f"{query}&format=json")[1]["results"]]

    assert titles("q=release&time_range=week") == ["Tariff rises"]
    assert titles("q=release+site:press.example") == ["Tariff rises"]
    assert titles("q=release&pageno=2") == []


@pytest.mark.parametrize("query", ["q=x&time_range=decade", "q=x&pageno=0"])
def test_bad_parameters(api: Any, query: str) -> None:
    answer, content = ask(api, f"{query}&format=json")
    assert (answer.status, set(content)) == (400, {"error"})
    assert ask(api, query)[0].status == 400


def test_a_form_is_as_good_as_a_query(api: Any) -> None:
    asked = Asked(
        method="POST", scheme="https", host="searxng.example", target="/", body=b"q=release&format=json"
    )
    answer = searxng.respond(asked, api.stage)
    assert len(searxng.read(answer.body, "/")) == 3
