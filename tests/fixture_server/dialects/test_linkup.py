"""Linkup's search and fetch: an empty search is an error, and so is a page that is not there."""

from __future__ import annotations

from typing import Any

import pytest

from fixture_server.dialects import linkup

HOST = "https://api.linkup.so/v1"
CURRENT = "https://www.vendor.example/notes/current"
SEARCH = {"q": "version v3.2 August", "depth": "fast", "outputType": "searchResults"}


def ask(api: Any, path: str, given: object, key: str = "Bearer any") -> tuple[Any, Any]:
    """The answer to a POST, and its content."""
    answer, content = api.ask(linkup, "POST", f"{HOST}{path}", given, authorization=key)
    return answer, content


def test_a_search_gives_content(api: Any) -> None:
    answer, content = ask(api, "/search", SEARCH | {"maxResults": 1})
    (result,) = content["results"]
    assert set(result) == {"type", "name", "url", "content", "favicon"}
    assert (result["type"], result["url"]) == ("text", CURRENT)
    (read,) = linkup.read(answer.body, "/v1/search")
    assert (read.title, read.content) == ("Release notes", result["content"])
    assert [told.body.decode() for told in answer.deliveries] == [result["content"]]


def test_an_answer_in_words_has_its_sources(api: Any) -> None:
    answer, content = ask(api, "/search", SEARCH | {"outputType": "sourcedAnswer"})
    assert "v3.2" in content["answer"]
    assert content["sources"][0]["url"] == CURRENT
    assert linkup.read(answer.body, "/v1/search")[0].title == "Release notes"
    assert answer.deliveries == ()


def test_limits_narrow(api: Any) -> None:
    def names(**given: object) -> list[str]:
        return [
            result["name"] for result in ask(api, "/search", SEARCH | {"q": "release"} | given)[1]["results"]
        ]

    assert names(includeDomains=["press.example"]) == ["Tariff rises"]
    assert "Tariff rises" not in names(excludeDomains=["press.example"])
    assert names(fromDate="2026-08-01", toDate="2026-08-21") == ["Release notes"]


def test_nothing_found_is_an_error(api: Any) -> None:
    answer, content = ask(api, "/search", SEARCH | {"q": "xylophone"})
    assert (answer.status, content["error"]["code"]) == (400, "SEARCH_QUERY_NO_RESULT")


def test_a_fetch_gives_markdown(api: Any) -> None:
    given = {"url": CURRENT, "includeRawHtml": True, "includeRawContent": True, "extractImages": True}
    answer, content = ask(api, "/fetch", given)
    assert "| Small | 19.90 EUR |" in content["markdown"]
    assert content["rawHtml"] == content["rawContent"]
    assert content["images"] == [{"alt": "", "url": "https://www.vendor.example/shots/one.png"}]
    assert [(told.url, told.status) for told in answer.deliveries] == [(CURRENT, 200)]


@pytest.mark.parametrize(
    ("url", "code", "status"),
    [
        ("https://www.vendor.example/notes/gone", "FETCH_TARGET_NOT_FOUND", 404),
        ("https://www.vendor.example/notes/barred", "FETCH_ERROR", 403),
        ("https://www.vendor.example/notes/broken", "FETCH_TARGET_UNREACHABLE", None),
        ("https://nobody.example/", "FETCH_TARGET_UNREACHABLE", None),
    ],
)
def test_a_fetch_that_fails(api: Any, url: str, code: str, status: int | None) -> None:
    answer, content = ask(api, "/fetch", {"url": url})
    assert (answer.status, content["error"]["code"]) == (400, code)
    assert [told.status for told in answer.deliveries] == ([] if status is None else [status])


@pytest.mark.parametrize(
    ("path", "given", "key", "status", "code"),
    [
        ("/search", SEARCH, "", 401, "UNAUTHORIZED"),
        ("/search", SEARCH, "Bearer invalid", 401, "UNAUTHORIZED"),
        ("/search", SEARCH, "Bearer exhausted", 429, "INSUFFICIENT_FUNDS_CREDITS"),
        ("/search", SEARCH, "Bearer throttled", 429, "TOO_MANY_REQUESTS"),
        ("/search", {"q": "x", "depth": "fast"}, "Bearer any", 400, "VALIDATION_ERROR"),
        ("/search", SEARCH | {"depth": "deepest"}, "Bearer any", 400, "VALIDATION_ERROR"),
        ("/fetch", {}, "Bearer any", 400, "VALIDATION_ERROR"),
        ("/nothing", {}, "Bearer any", 404, "NOT_FOUND"),
    ],
)
def test_refusals(api: Any, path: str, given: object, key: str, status: int, code: str) -> None:
    answer, content = ask(api, path, given, key)
    assert (answer.status, content["error"]["code"]) == (status, code)


def test_the_balance(api: Any) -> None:
    _, content = api.ask(linkup, "GET", f"{HOST}/credits/balance", authorization="Bearer any")
    assert set(content) == {"balance"}
