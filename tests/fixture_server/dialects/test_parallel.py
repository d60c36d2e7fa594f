"""Parallel's search and extract: both forms, excerpts, errors."""

from __future__ import annotations

from typing import Any

import pytest

from fixture_server.dialects import parallel

HOST = "https://api.parallel.ai"
CURRENT, GONE = "https://www.vendor.example/notes/current", "https://www.vendor.example/notes/gone"


def ask(api: Any, path: str, given: object, key: str = "any") -> tuple[Any, Any]:
    """The answer to a POST, and its content."""
    answer, content = api.ask(parallel, "POST", f"{HOST}{path}", given, x_api_key=key)
    return answer, content


def titles(api: Any, policy: dict[str, Any]) -> set[str]:
    """What a search under a source policy finds."""
    given = {"search_queries": ["release"], "advanced_settings": {"source_policy": policy}}
    return {result["title"] for result in ask(api, "/v1/search", given)[1]["results"]}


def test_a_search_gives_excerpts_and_each_is_a_representation(api: Any) -> None:
    given = {
        "search_queries": ["version v3.2 August"],
        "advanced_settings": {"max_results": 1},
        "session_id": "s1",
    }
    answer, content = ask(api, "/v1/search", given)
    (result,) = content["results"]
    assert (result["url"], result["publish_date"]) == (CURRENT, "2026-08-21")
    assert (content["session_id"], content["usage"][0]["count"]) == ("s1", 1)
    assert content["search_id"].startswith("search_")
    (told,) = answer.deliveries
    assert [told.body.decode()] == result["excerpts"]
    (read,) = parallel.read(answer.body, "/v1/search")
    assert (read.content, read.published) == (result["excerpts"][0], "2026-08-21")


def test_sizes_hold(api: Any) -> None:
    settings = {"excerpt_settings": {"max_chars_per_result": 40}}
    given = {"search_queries": ["release"], "max_chars_total": 60, "advanced_settings": settings}
    _, content = ask(api, "/v1/search", given)
    sizes = [len(text) for result in content["results"] for text in result["excerpts"]]
    assert max(sizes) <= 40 + len("... ...")
    assert sum(sizes) <= 60 + 3 * len("... ...")


def test_a_source_policy_narrows(api: Any) -> None:
    assert titles(api, {"include_domains": ["press.example"], "exclude_domains": [".example"]}) == {
        "Tariff rises"
    }
    assert "Tariff rises" not in titles(api, {"exclude_domains": ["press.example"]})
    assert titles(api, {"after_date": "2026-08-01"}) == {"Release notes", "Tariff rises"}


def test_the_older_form_has_its_settings_on_top(api: Any) -> None:
    given = {
        "objective": "the release",
        "max_results": 1,
        "source_policy": {"include_domains": ["press.example"]},
    }
    _, content = ask(api, "/v1beta/search", given)
    assert [result["title"] for result in content["results"]] == ["Tariff rises"]
    for top in ({"objective": "the release"}, {"search_queries": ["x"], "max_results": 1}):
        assert ask(api, "/v1/search", top)[0].status == 422


def test_an_extract_mixes_pages_and_errors(api: Any) -> None:
    urls = [CURRENT, GONE, "https://nobody.example/"]
    answer, content = ask(api, "/v1/extract", {"urls": urls, "advanced_settings": {"full_content": True}})
    (result,) = content["results"]
    assert result["title"] == "Release notes"
    assert "| Small | 19.90 EUR |" in result["full_content"]
    assert {error["url"]: error["http_status_code"] for error in content["errors"]} == {
        GONE: 404,
        "https://nobody.example/": None,
    }
    assert {(told.url, told.status) for told in answer.deliveries} == {(CURRENT, 200), (GONE, 404)}
    (read,) = parallel.read(answer.body, "/v1/extract")
    assert read.content == result["full_content"]
    _, short = ask(api, "/v1/extract", {"urls": [CURRENT]})
    assert short["results"][0]["full_content"] is None
    assert "v3.2" in short["results"][0]["excerpts"][0]


@pytest.mark.parametrize(
    ("path", "given", "key", "status"),
    [
        ("/v1/search", {"search_queries": ["x"]}, "", 401),
        ("/v1/search", {"search_queries": ["x"]}, "exhausted", 402),
        ("/v1/search", {"search_queries": ["x"]}, "throttled", 429),
        ("/v1/search", {"search_queries": ["x"], "mode": "slow"}, "any", 422),
        ("/v1/extract", {"urls": []}, "any", 422),
        ("/v1/extract", {"urls": ["x"] * 21}, "any", 422),
        ("/v2/search", {"search_queries": ["x"]}, "any", 404),
    ],
)
def test_refusals_have_a_reference(api: Any, path: str, given: object, key: str, status: int) -> None:
    answer, content = ask(api, path, given, key)
    assert (answer.status, content["type"]) == (status, "error")
    assert set(content["error"]) == {"ref_id", "message", "detail"}
