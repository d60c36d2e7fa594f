"""Jina's search and reader, asked as people ask them: with any HTTP client, in a slot."""

from __future__ import annotations

from typing import Any

import pytest

from fixture_server.dialects import jina

from .conftest import CURRENT, GONE

READER, SEARCH = "https://r.jina.ai", "https://s.jina.ai"
JSON = {"accept": "application/json"}
KEY = {"authorization": "Bearer jina_any"}


@pytest.mark.asyncio(loop_scope="module")
async def test_clients_in_a_slot(inside: Any) -> None:
    done = await inside.run(f"""
        import httpx, requests

        key = {{"authorization": "Bearer " + os.environ["JINA_API_KEY"]}}
        tell(requests.get("{READER}/{CURRENT}").text)
        json_too = key | {{"accept": "application/json"}}
        found = requests.get("{SEARCH}/", params={{"q": "颱風"}}, headers=json_too).json()
        tell([found["data"][0]["title"], found["data"][0]["content"], found["meta"]["usage"]])

        async def main():
            async with httpx.AsyncClient(headers=key) as client:
                found = await client.post("{SEARCH}/", json={{"q": "tariff", "site": "press.example"}})
                tell(found.text)

        asyncio.run(main())
    """)
    page, typhoon, tariff = done.told
    assert page.startswith(
        f"Title: Release notes\n\nURL Source: {CURRENT}\n\nPublished Time: 2026-08-21T00:00:00+00:00"
    )
    assert "\n\nMarkdown Content:\n# Release notes\n" in page
    assert typhoon == [
        *("颱風警報", "中央氣象署發布海上陸上颱風警報,請民眾注意。"),
        {"tokens": 10000},
    ]
    assert tariff.startswith("[1] Title: Tariff rises\n[1] URL Source: https://press.example/news/tariff\n")
    assert [attempt.channel for attempt in done.trace.attempts] == ["extract-api", "search-api", "search-api"]
    assert [given.channel for given in done.archive.representations] == [
        "extract-api",
        "search-api",
        "search-api",
    ]
    assert done.archive.representations[0].url == CURRENT


def test_the_reader_gives_json_to_who_accepts_nothing_else(api: Any) -> None:
    answer, content = api.ask(jina, "GET", f"{READER}/{CURRENT}", **JSON)
    assert set(content) == {"code", "status", "data", "meta"}
    assert (content["code"], content["status"]) == (200, 20000)
    data = content["data"]
    assert (data["title"], data["url"]) == ("Release notes", CURRENT)
    assert content["meta"]["usage"] == data["usage"] == {"tokens": -(-len(data["content"]) // 4)}
    (given,) = answer.deliveries
    assert (given.url, given.body.decode(), given.channel) == (CURRENT, data["content"], "extract-api")


@pytest.mark.parametrize(
    ("form", "begin"),
    [("html", "<main><h1>"), ("text", "Release notes\nVersion v3.2")],
)
def test_other_forms_are_content_alone(api: Any, form: str, begin: str) -> None:
    for name in ("x_respond_with", "x_return_format"):
        _, text = api.ask(jina, "GET", f"{READER}/{CURRENT}", **{name: form, "x_target_selector": "main"})
        assert text.startswith(begin)
    _, content = api.ask(
        jina, "POST", READER, {"url": CURRENT, "respondWith": form}, content_type="application/json", **JSON
    )
    assert form in content["data"]
    assert "content" not in content["data"]


def test_addresses_are_written_in_several_ways(api: Any) -> None:
    bare = CURRENT.removeprefix("https://")
    for address in (bare, CURRENT.replace(":", "%3A").replace("/", "%2F")):
        _, content = api.ask(jina, "GET", f"{READER}/{address}", **JSON)
        assert content["data"]["url"] == CURRENT
    posted = api.ask(jina, "POST", READER, {"url": CURRENT}, content_type="application/json", **JSON)[1]
    assert posted["data"]["url"] == CURRENT


def test_links_and_images_are_told_on_demand(api: Any) -> None:
    wanted = {"x_with_links_summary": "true", "x_with_images_summary": "true"}
    _, content = api.ask(jina, "GET", f"{READER}/{CURRENT}", **wanted, **JSON)
    assert content["data"]["links"] == {"older notes": "https://www.vendor.example/notes/old"}
    assert content["data"]["images"] == {"A shot": "https://www.vendor.example/shots/one.png"}
    _, text = api.ask(jina, "GET", f"{READER}/{CURRENT}", **wanted)
    assert text.endswith("Links/Buttons:\n- [older notes](https://www.vendor.example/notes/old)\n")


def test_a_page_that_is_an_error_is_read_with_a_warning(api: Any) -> None:
    answer, text = api.ask(jina, "GET", f"{READER}/{GONE}")
    assert answer.status == 200
    assert "Warning: Target URL returned error 404: Not Found" in text
    assert answer.deliveries[0].status == 404


@pytest.mark.parametrize(
    ("url", "status", "number", "words"),
    [
        (f"{READER}/https://nobody.example/", 400, 40001, "could not be resolved"),
        (f"{READER}/", 400, 40001, "Invalid URL"),
        (f"{READER}/https://[bad", 400, 40001, "Invalid URL"),
        (f"{READER}/https://www.vendor.example/notes/broken", 422, 42206, "Failed to goto"),
        (f"{SEARCH}/?q=zzz", 401, 40103, "Authentication is required"),
    ],
)
def test_failures_have_the_envelope_of_the_provider(
    api: Any, url: str, status: int, number: int, words: str
) -> None:
    answer, content = api.ask(jina, "GET", url)
    assert answer.status == status
    assert (content["code"], content["status"], content["data"]) == (status, number, None)
    assert words in content["message"]
    assert content["readableMessage"] == f"{content['name']}: {content['message']}"


def test_keys_that_open_nothing(api: Any) -> None:
    found = [
        api.ask(jina, "GET", f"{SEARCH}/?q=release", authorization=f"Bearer {word}")
        for word in (*("invalid", "exhausted", "throttled"),)
    ]
    assert [(answer.status, content["status"]) for answer, content in found] == [
        *((401, 40101), (402, 40203), (429, 42903)),
    ]
    assert found[2][0].header("retry-after") == "1"


def test_a_search_for_results_alone_reads_no_page(api: Any) -> None:
    answer, content = api.ask(
        jina, "GET", f"{SEARCH}/?q=release&num=2", x_respond_with="no-content", **JSON, **KEY
    )
    assert len(content["data"]) == 2
    assert {key for result in content["data"] for key in result} == {"title", "url", "description", "date"}
    assert answer.deliveries == ()


def test_a_search_for_content_that_finds_nothing_fails(api: Any) -> None:
    answer, content = api.ask(jina, "GET", f"{SEARCH}/zzz", **KEY)
    assert (answer.status, content["status"]) == (422, 42206)
    answer, content = api.ask(jina, "GET", f"{SEARCH}/zzz", x_respond_with="no-content", **JSON, **KEY)
    assert (answer.status, content["data"]) == (200, [])


def test_operators_come_apart_from_the_query_too(api: Any) -> None:
    bare = {"x_respond_with": "no-content"}
    for url, headers in (
        (f"{SEARCH}/?q=release&site=press.example&site=weather.example", {}),
        (f"{SEARCH}/release", {"x_site": "press.example"}),
        (f"{SEARCH}/release%20site%3Apress.example", {}),
    ):
        _, content = api.ask(jina, "GET", url, **headers, **bare, **JSON, **KEY)
        assert [result["title"] for result in content["data"]] == ["Tariff rises"]


@pytest.mark.parametrize("query", ["q=release&num=21", "q=release&num=many", "q=", "q=release&type=maps"])
def test_bad_parameters(api: Any, query: str) -> None:
    answer, content = api.ask(jina, "GET", f"{SEARCH}/?{query}", **KEY)
    assert (answer.status, content["name"]) == (400, "ParamValidationError")
