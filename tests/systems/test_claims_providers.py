"""Provider responses: real samples where they are at hand, and small ones made by hand."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_webretrieval.systems.claims import read
from pytest_webretrieval.systems.contract import RetrievalResult

A, B = "https://a.example/1", "https://b.example/2"


def sample(name: str) -> Any:
    """The response body in a sample, which is a cassette or bare JSON."""
    above = [parent / "shared" / "data" for parent in Path(__file__).resolve().parents]
    folders = [Path(os.environ["WEBRETRIEVAL_DATA"])] if "WEBRETRIEVAL_DATA" in os.environ else above
    path = next((p for folder in folders if (p := folder / "provider-samples" / name).is_file()), None)
    if path is None:
        pytest.skip(f"no sample {name}: set WEBRETRIEVAL_DATA to a folder with provider-samples/")
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    return (
        json.loads(data["interactions"][0]["response"]["body"]["string"]) if "interactions" in data else data
    )


def cited(result: RetrievalResult) -> list[tuple[str, list[str]]]:
    return [(claim.text, [citation.url for citation in claim.citations]) for claim in result.claims]


def test_sample_openai_responses() -> None:
    result = read(sample("openai_responses_web_search_preview.cassette.yaml"))
    assert [claim.text for claim in result.claims] == [
        "As of 2025, Tokyo's population is approximately 14.2 million.",
        "However, the Tokyo metropolitan area, which includes surrounding prefectures, has a population of about "
        "37 million.",
        "In 2025, Tokyo was the third most populous urban agglomeration globally, following Jakarta and Dhaka.",
    ]
    assert [urls[0].split("/")[2] for _, urls in cited(result)] == [
        "en.wikipedia.org",
        "www.macrotrends.net",
        "www.nippon.com",
    ]
    assert all(len(urls) == 1 for _, urls in cited(result))
    assert result.usage == {"input_tokens": 312, "output_tokens": 181}


def test_sample_openai_responses_with_sources() -> None:
    result = read(sample("openai_responses_with_sources.json"))
    with_citation = [pair for pair in cited(result) if pair[1]]
    assert len(with_citation) == 10
    assert all(len(urls) == 1 for _, urls in with_citation)
    assert len(result.sources) == 18
    assert not result.notes


def test_sample_openai_cached_only() -> None:
    result = read(sample("openai_responses_web_search_cached_only.cassette.yaml"))
    [(text, [url])] = cited(result)
    assert text == "1889"
    assert url.startswith("https://www.toureiffel.paris/")


def test_sample_openai_chat_without_annotations() -> None:
    result = read(sample("openai_chat_search_no_annotations.cassette.yaml"))
    assert cited(result) == [("May 14, 2025, 8:51:29 AM", [])]


def test_sample_openrouter_has_urls_without_places() -> None:
    result = read(sample("openrouter_chat_url_citation.cassette.yaml"))
    assert cited(result) == [
        ("https://github.com/pydantic/pydantic-ai", ["https://github.com/pydantic/pydantic-ai"])
    ]
    assert len(result.sources) == 5
    assert not result.notes


def test_sample_anthropic_search() -> None:
    result = read(sample("anthropic_web_search.cassette.yaml"))
    with_citation = [pair for pair in cited(result) if pair[1]]
    assert with_citation[0][0] == "Temperature: 66°F with clear skies"
    assert len(with_citation) == 9
    uncited = [text for text, urls in cited(result) if not urls]
    assert len(uncited) == 1
    assert uncited[0].startswith("Overall, it's a pleasant day")


def test_sample_anthropic_fetch() -> None:
    result = read(sample("anthropic_web_fetch.json"))
    assert result.status == "answered"
    assert [source.url for source in result.sources] == ["https://en.wikipedia.org/wiki/Maglemosian_culture"]
    assert len(result.claims) == 17
    assert not any(claim.citations for claim in result.claims)


def test_sample_anthropic_fetch_that_failed_declines() -> None:
    result = read(sample("anthropic_web_fetch_error.json"))
    assert result.status == "declined"
    assert result.refusal is not None
    assert result.refusal.detail is not None
    assert result.refusal.detail.startswith("I'm unable to access the PDF document")


def test_sample_gemini_search_counts_bytes() -> None:
    payload = sample("gemini_google_search.cassette.yaml")
    supports = payload["candidates"][0]["groundingMetadata"]["groundingSupports"]
    result = read(payload)
    assert [text for text, urls in cited(result) if urls] == [row["segment"]["text"] for row in supports]
    assert (
        result.claims[0]
        .citations[0]
        .url.startswith("https://www.google.com/search?q=weather+in+San%20Francisco")
    )
    assert not result.notes


def test_sample_gemini_url_context() -> None:
    result = read(sample("gemini_url_context.cassette.yaml"))
    assert [urls for _, urls in cited(result)] == [["https://ai.pydantic.dev"]]


def test_sample_perplexity() -> None:
    result = read(sample("perplexity_sonar_citations.json"))
    claims = cited(result)
    assert [len(urls) for _, urls in claims[:3]] == [4, 3, 1]
    assert claims[2] == (
        "844,276 (San Francisco County 2026 projection).",
        ["https://worldpopulationreview.com/us-counties/california/san-francisco-county"],
    )
    assert not result.notes


def responses(text: str, *annotations: dict[str, Any]) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": list(annotations)}]
    return {
        "id": "r",
        "object": "response",
        "status": "completed",
        "output": [{"type": "message", "content": content}],
    }


def chat(text: str, **message: Any) -> dict[str, Any]:
    return {
        "object": "chat.completion",
        "choices": [{"message": {"role": "assistant", "content": text, **message}}],
    }


def gemini(text: str, *segments: dict[str, Any], chunks: int = 1) -> dict[str, Any]:
    supports = [{"segment": segment, "groundingChunkIndices": [0]} for segment in segments]
    rows = [{"web": {"uri": A, "title": "a.example"}}, {"web": {"uri": B}}][:chunks]
    metadata = {"groundingChunks": rows, "groundingSupports": supports}
    return {"candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": metadata}]}


def test_the_claim_is_the_sentence_and_not_the_text_in_the_range() -> None:
    text = "The fee is 40 USD ([vendor.example](https://vendor.example/fees?utm_source=openai))."
    url = "https://vendor.example/fees?utm_source=openai"
    flat = {"type": "url_citation", "start_index": 18, "end_index": 83, "url": url}
    nested = {"type": "url_citation", "url_citation": {"start_index": 18, "end_index": 83, "url": url}}
    for payload in (responses(text, flat), chat(text, annotations=[nested])):
        assert cited(read(payload)) == [("The fee is 40 USD", [url])]


def test_a_mark_without_a_link_in_the_text_is_placed_by_its_offsets() -> None:
    text = "The fee is 40 USD. It rises in May 【x】. Prague is large."
    at = text.index("【")
    flat = {"type": "url_citation", "start_index": at, "end_index": at + 3, "url": A}
    assert [urls for _, urls in cited(read(responses(text, flat)))] == [[], [A], []]
    point = {"type": "url_citation", "start_index": 18, "end_index": 18, "url": A}
    assert next(urls for _, urls in cited(read(responses(text, point)))) == [A]


def test_a_range_over_prose_belongs_to_every_sentence_in_it() -> None:
    text = "The fee is 40 USD. It rises in May. Prague is large."
    flat = {"type": "url_citation", "start_index": 4, "end_index": 30, "url": A}
    assert cited(read(responses(text, flat))) == [
        ("The fee is 40 USD.", [A]),
        ("It rises in May.", [A]),
        ("Prague is large.", []),
    ]


def test_offsets_in_utf16_units_are_known_by_the_url_in_the_span() -> None:
    text = f"😀😀 It rains. It is 40 USD ({A})."
    at = text.index("(") + 2
    annotation = {"type": "url_citation", "start_index": at, "end_index": at + len(A) + 2, "url": A}
    assert cited(read(responses(text, annotation)))[-1] == ("It is 40 USD", [A])


@pytest.mark.parametrize(("start", "end"), [(10_000, 10_050), (-5, 3), (30, 20)])
def test_offsets_out_of_range_fall_back_to_the_nearest_mark(start: int, end: int) -> None:
    text = f"The fee is 40 USD [x]({B})."
    annotation = {"type": "url_citation", "start_index": start, "end_index": end, "url": A}
    result = read(responses(text, annotation))
    assert [urls for _, urls in cited(result)] == [[B, A]]
    assert result.notes == ("offset-invalid",)


def test_citations_without_a_place_stand_for_the_whole_text_unless_it_cites_itself() -> None:
    urls: list[dict[str, Any]] = [
        {"type": "url_citation", "url": A},
        {"type": "url_citation", "url": B, "start_index": 0, "end_index": 0},
    ]
    assert [found for _, found in cited(read(responses("It is 40 USD. It rises.", *urls)))] == [
        [A, B],
        [A, B],
    ]
    result = read(responses(f"It is 40 USD ({A}). It rises.", *urls))
    assert [found for _, found in cited(result)] == [[A], []]
    assert [source.url for source in result.sources] == [A, B]


def test_what_is_no_url_citation_is_left_alone() -> None:
    other = {"type": "file_citation", "file_id": "f", "index": 3}
    relative = {"type": "url_citation", "url": "/fees", "start_index": 0, "end_index": 3}
    assert cited(read(responses("The fee is 40 USD.", other, relative))) == [("The fee is 40 USD.", [])]


def test_perplexity_markers_count_from_one_and_may_dangle() -> None:
    result = read(chat("It is 40 USD.[1] It rises.[2][3]") | {"citations": [A, B]})
    assert cited(result) == [("It is 40 USD.", [A]), ("It rises.", [B])]
    assert result.notes == ("dangling-citation",)


def test_gemini_bytes_and_the_absent_start() -> None:
    text = "颱風 A 已遠離。Rain stops."
    assert cited(read(gemini(text, {"endIndex": 21}))) == [("颱風 A 已遠離。", [A]), ("Rain stops.", [])]


@pytest.mark.parametrize(
    "segment", [{"endIndex": 10_000}, {"endIndex": 1}, {"startIndex": 22, "endIndex": 21}, {}]
)
def test_gemini_offsets_that_are_wrong_break_nothing(segment: dict[str, Any]) -> None:
    result = read(gemini(f"颱風 A 已遠離。Rain stops ({B}).", segment))
    assert result.notes == ("offset-invalid",)
    assert cited(result) == [("颱風 A 已遠離。", []), ("Rain stops", [B, A])]


def test_gemini_finds_a_segment_by_its_text_where_offsets_are_wrong() -> None:
    result = read(
        gemini("颱風 A 已遠離。Rain stops.", {"startIndex": 9, "endIndex": 20, "text": "Rain stops."})
    )
    assert result.notes == ("offset-invalid",)
    assert ("Rain stops.", [A]) in cited(result)


def test_gemini_parts_thoughts_snake_case_and_chunks_that_are_not_there() -> None:
    payload = gemini("x", chunks=2)
    candidate = payload["candidates"][0]
    candidate["content"]["parts"] = [
        {"text": "Hm.", "thought": True},
        {"text": "It is 40. "},
        {"text": "It rains."},
    ]
    candidate["grounding_metadata"] = {
        "grounding_chunks": candidate.pop("groundingMetadata")["groundingChunks"],
        "grounding_supports": [
            {"segment": {"part_index": 2, "end_index": 9}, "grounding_chunk_indices": [1, 7]},
        ],
    }
    result = read(payload)
    assert result.answer == "It is 40. It rains."
    assert cited(result) == [("It is 40.", []), ("It rains.", [B])]
    assert result.notes == ("dangling-citation",)


def test_anthropic_blocks_are_claims_and_documents_are_found_by_title_or_index() -> None:
    fetched = {"type": "web_fetch_result", "url": A, "content": {"type": "document", "title": "Fees"}}
    content = [
        {"type": "text", "text": "I'll look it up."},
        {"type": "server_tool_use", "name": "web_fetch", "input": {"url": A}},
        {"type": "web_fetch_tool_result", "content": fetched},
        {"type": "text", "text": "The fee is 40 USD. It is "},
        {"type": "text", "text": "due in May", "citations": [{"type": "char_location", "document_index": 0}]},
        {"type": "text", "text": ". "},
        {
            "type": "text",
            "text": "It rises.",
            "citations": [{"type": "page_location", "document_title": "Fees"}],
        },
        {"type": "text", "text": " It falls.", "citations": [{"type": "char_location", "document_index": 5}]},
    ]
    for payload in ({"type": "message", "role": "assistant", "content": content}, content):
        result = read(payload)
        assert result.answer == "I'll look it up.\n\nThe fee is 40 USD. It is due in May. It rises. It falls."
        assert cited(result) == [
            ("The fee is 40 USD.", []),
            ("due in May", [A]),
            ("It rises.", [A]),
            ("It falls.", []),
        ]
        assert result.notes == ("dangling-citation",)


@pytest.mark.parametrize("constructor", [False, True])
def test_langchain_messages(constructor: bool) -> None:
    text = "The fee is 40 USD [1]."
    message: dict[str, Any] = {
        "content": text,
        "type": "ai",
        "response_metadata": {"model": "m"},
        "additional_kwargs": {"citations": [A]},
        "usage_metadata": {"input_tokens": 3, "output_tokens": 5},
    }
    payload = {"lc": 1, "type": "constructor", "id": [], "kwargs": message} if constructor else message
    result = read(payload)
    assert cited(result) == [("The fee is 40 USD", [A])]
    assert result.usage == {"input_tokens": 3, "output_tokens": 5}
    assert result.raw == payload


def test_langchain_content_blocks_and_grounding() -> None:
    text = "The fee is 40 USD (x)."
    block = {
        "type": "text",
        "text": text,
        "annotations": [{"type": "citation", "url": A, "start_index": 18, "end_index": 21}],
    }
    assert cited(read({"content": [block], "type": "ai", "response_metadata": {}})) == [
        ("The fee is 40 USD (x).", [A])
    ]
    metadata = gemini("", {"endIndex": 22})["candidates"][0]["groundingMetadata"]
    payload = {"content": text, "type": "ai", "response_metadata": {"grounding_metadata": metadata}}
    assert cited(read(payload)) == [(text, [A])]


@pytest.mark.parametrize(
    ("payload", "status"),
    [
        (chat("", refusal="I can't help with that."), "declined"),
        ({"choices": [{"message": {"content": None}, "finish_reason": "content_filter"}]}, "declined"),
        ({"candidates": [{"finishReason": "SAFETY"}]}, "declined"),
        ({"type": "message", "role": "assistant", "content": [], "stop_reason": "refusal"}, "declined"),
        ({"id": "r", "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}]}, "declined"),
        ({"id": "r", "output": [], "status": "failed", "error": {"message": "overloaded"}}, "failed"),
        (chat("I could not open the page."), "declined"),
        (chat(""), "answered"),
    ],
)  # fmt: skip
def test_a_providers_own_refusal_or_failure_is_the_status(payload: Any, status: str) -> None:
    result = read(payload)
    assert result.status == status
    assert (result.refusal is not None) == (status == "declined")


def test_marker_that_an_annotation_stands_on_does_not_dangle() -> None:
    text = "The fee is 40 USD [1]. It rises in May [2]."
    annotations = [
        {
            "type": "url_citation",
            "url": A,
            "start_index": text.index("[1]"),
            "end_index": text.index("[1]") + 3,
        }
    ]
    result = read({"role": "assistant", "content": text, "annotations": annotations})
    assert cited(result) == [("The fee is 40 USD", [A]), ("It rises in May", [])]
    assert result.notes == ("dangling-citation",)  # of the second alone
    second = {"type": "url_citation", "url": B, "start_index": len(text) - 4, "end_index": len(text) - 1}
    result = read({"role": "assistant", "content": text, "annotations": [*annotations, second]})
    assert cited(result) == [("The fee is 40 USD", [A]), ("It rises in May", [B])]
    assert result.notes == ()
