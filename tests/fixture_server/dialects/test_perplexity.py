"""Perplexity's search on a host that is a model's too."""

from __future__ import annotations

from typing import Any

import pytest

from fixture_server.dialects import perplexity
from fixture_server.message import Asked
from fixture_server.roles import channel_of, role_of
from fixture_server.route import answer

URL = "https://api.perplexity.ai/search"


def ask(api: Any, given: object, key: str = "Bearer any") -> tuple[Any, Any]:
    """The answer to a search, and its content."""
    answered, content = api.ask(perplexity, "POST", URL, given, authorization=key)
    return answered, content


def titles(api: Any, **given: object) -> list[str]:
    """What a search finds."""
    answered, content = ask(api, given)
    assert answered.status == 200, content
    return [one.title for one in perplexity.read(answered.body, "/search")]


def test_a_result_is_the_text_of_its_page_and_a_representation(api: Any) -> None:
    answered, content = ask(api, {"query": "release notes", "max_results": 1})
    (result,) = content["results"]
    assert set(result) == {"url", "title", "snippet", "date", "last_updated"}
    assert (result["date"], content["server_time"]) == ("2026-08-21", None)
    assert "19.90 EUR" in result["snippet"]
    (given,) = answered.deliveries
    assert (given.url, given.body.decode(), given.channel) == (result["url"], result["snippet"], "search-api")
    (read,) = perplexity.read(answered.body, "/search")
    assert (read.content, read.published) == (result["snippet"], "2026-08-21")


def test_a_budget_of_tokens_holds(api: Any) -> None:
    _, content = ask(api, {"query": "release", "max_tokens_per_page": 10, "max_tokens": 15})
    sizes = [len(result["snippet"]) for result in content["results"]]
    assert len(sizes) == 3
    assert sum(sizes) <= 15 * 4 + 3 * len("... ...")
    assert max(sizes) <= 10 * 4 + len("... ...")


def test_limits_narrow(api: Any) -> None:
    everything = titles(api, query="release")
    assert len(everything) == 3
    assert titles(api, query="release", search_domain_filter=["press.example"]) == ["Tariff rises"]
    assert "Tariff rises" not in titles(api, query="release", search_domain_filter=["-press.example"])
    assert titles(api, query="release", search_recency_filter="day") == []
    assert titles(api, query="release", search_recency_filter="week") == ["Tariff rises"]
    dates = {"search_after_date_filter": "8/1/2026", "search_before_date_filter": "08/31/2026"}
    assert titles(api, query="release", **dates) == ["Release notes"]
    assert titles(api, query="release", last_updated_before_filter="03/02/2026") == ["Older release notes"]
    assert titles(api, query="rain 颱風警報", search_language_filter=["zh"]) == ["颱風警報"]


def test_several_queries_are_answered_by_turns_each_page_once(api: Any) -> None:
    found = titles(api, query=["tariff", "rain notes", "tariff"])
    assert found[:2] == ["Tariff rises", "Rain notes"]
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"query": []},
        {"query": "x", "max_results": 21},
        {"query": "x", "search_context_size": "huge"},
        {"query": "x", "search_domain_filter": ["a.example", "-b.example"]},
        {"query": "x", "search_recency_filter": "day", "search_after_date_filter": "1/1/2026"},
        {"query": "x", "search_after_date_filter": "2026-01-01"},
    ],
)
def test_bad_parameters_are_told_as_fastapi_does(api: Any, given: object) -> None:
    answered, content = ask(api, given)
    assert answered.status == 422
    assert set(content["detail"][0]) == {"loc", "msg", "type"}


@pytest.mark.parametrize(
    ("key", "status"),
    [("", 401), ("Bearer invalid", 401), ("Bearer throttled", 429), ("Bearer exhausted", 429)],
)
def test_keys_that_do_not_open(api: Any, key: str, status: int) -> None:
    answered, content = ask(api, {"query": "x"}, key)
    assert answered.status == status
    assert set(content["error"]) == {"message", "type", "code"}


def test_the_path_says_whether_the_search_or_the_model_is_asked(api: Any) -> None:
    for path, role, channel in (
        ("/search", "api", "search-api"),
        ("/chat/completions", "model", "model"),
        ("/v1/responses", "model", "model"),
    ):
        asked = Asked(method="POST", scheme="https", host="api.perplexity.ai", target=path, body=b"{}")
        assert (role_of(asked), channel_of(asked)) == (role, channel)
    between_runs = Asked(
        method="POST", scheme="https", host="api.perplexity.ai", target="/search", body=b"{}"
    )
    assert answer(between_runs, None).status == 503
