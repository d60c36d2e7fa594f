"""What holds for every text and every JSON value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_webretrieval.systems.claims import read
from pytest_webretrieval.systems.codec import result_to_json
from pytest_webretrieval.systems.contract import ContractError, RetrievalResult

FRAGMENTS = st.sampled_from(
    [
        "The fee is 40 USD", "費用為 40 元", "😀", ". ", "。", "? ", ": ",
        "\n", "\n\n", "- ", "1. ", "# ", "> ", "| a | b |\n",
        "|---|\n", "**", "`", "```\n", "~~~", "[1]", "[^1]",
        "[1-3]", "[x](", "https://a.example/(b)", ")", "(", "<", ">",
        "【3†source】", "\nSources:\n", "\n[1] https://a.example/1\n",
        "\n[^1]: https://b.example\n", "\\", "!", "&amp;",
        "I could not open the page", ", but ", "See ", "Let me know", "\r\n",
        "\u2028", "\x00", "\ud800", "²", "http://[",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(FRAGMENTS, max_size=30).map("".join))
NAMES = st.sampled_from(
    [
        "schema", "status", "answer", "claims", "raw", "content",
        "type", "role", "text", "choices", "message", "annotations",
        "citations", "url", "url_citation", "start_index", "end_index",
        "output", "id", "candidates", "parts", "segment",
        "groundingMetadata", "grounding_chunks", "groundingSupports",
        "groundingChunkIndices", "web", "uri", "endIndex",
        "partIndex", "response_metadata", "additional_kwargs", "lc",
        "kwargs", "usage", "error", "refusal", "document_index",
    ]
)  # fmt: skip
WORDS = st.sampled_from(
    ["message", "text", "output_text", "assistant", "ai", "url_citation", "https://a.example/", "answered", "failed",
     "webretrieval.result/2", "web_search_call", "char_location", "webretrieval.unreadable/1"]
)  # fmt: skip
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 40), st.floats(), TEXTS, WORDS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(NAMES | st.text(), inner, max_size=6)
    ),
    max_leaves=30,
)


@st.composite
def responses(draw: st.DrawFn) -> dict[str, Any]:
    """Responses of every shape with offsets and indexes of every kind."""
    text, number = draw(TEXTS), st.integers(-5, 60)
    url = st.sampled_from(["https://a.example/1", "https://b.example/2", "/relative"])
    flat = st.fixed_dictionaries(
        {"type": st.just("url_citation"), "url": url}, optional={"start_index": number, "end_index": number}
    )
    segment = st.fixed_dictionaries({}, optional={"startIndex": number, "endIndex": number, "text": TEXTS})
    support = st.fixed_dictionaries(
        {"segment": segment, "groundingChunkIndices": st.lists(number, max_size=3)}
    )
    annotations, supports = draw(st.lists(flat, max_size=5)), draw(st.lists(support, max_size=5))
    block = {"type": "output_text", "text": text, "annotations": annotations, "citations": annotations}
    metadata = {"groundingChunks": [{"web": {"uri": "https://a.example/1"}}], "groundingSupports": supports}
    shapes: list[dict[str, Any]] = [
        {"id": "r", "output": [{"type": "message", "content": [block, block]}]},
        {
            "choices": [{"message": {"content": text, "annotations": annotations}}],
            "citations": ["https://c.example/3"],
        },
        {"type": "message", "content": [block, {"type": "tool_use"}, block]},
        {"candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": metadata}]},
    ]
    return draw(st.sampled_from(shapes))


@st.composite
def structured(draw: st.DrawFn) -> dict[str, Any]:
    """Right results."""
    answer = draw(TEXTS)
    offset = st.integers(0, len(answer))
    claims = []
    for start, end in draw(st.lists(st.tuples(offset, offset).map(sorted), max_size=4)):
        citations = draw(
            st.lists(st.sampled_from([{"url": "https://a.example/1"}, {"url": "https://b.example/2"}]))
        )
        claims.append({"text": draw(st.sampled_from([answer[start:end], "other"])), "start": start, "end": end,
                       "citations": citations})  # fmt: skip
    status = draw(st.sampled_from(["answered", "declined", "failed"]))
    payload = {"schema": "webretrieval.result/2", "status": status, "answer": answer, "claims": claims}
    if draw(st.booleans()):
        del payload["claims"]
    return payload


def check(result: RetrievalResult) -> None:
    for claim in result.claims:
        assert 0 <= claim.start <= claim.end <= len(result.answer)
        assert claim.text == result.answer[claim.start : claim.end]
        urls = [citation.url for citation in claim.citations]
        assert len(urls) == len(set(urls))
        assert all(url.lower().startswith(("http://", "https://")) for url in urls)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
@example("[1] ")
@example("```\n[1]")
@example("https://a.example/1\n\n- https://a.example/2\n")
def test_every_text_gives_a_result_whose_spans_are_its_texts(text: str) -> None:
    result = read(text)
    check(result)
    assert result.answer == text
    assert result.status in ("answered", "declined")
    assert result.status == "answered" or (result.claims == () and result.refusal is not None)


@settings(max_examples=300, deadline=None)
@given(responses())
def test_every_response_of_a_known_shape_gives_a_result(payload: dict[str, Any]) -> None:
    check(read(payload))


@settings(max_examples=300, deadline=None)
@given(JSON)
def test_every_json_value_gives_a_result_or_a_contract_error(payload: Any) -> None:
    try:
        result = read(payload)
    except ContractError:
        return
    check(result)


@settings(max_examples=300, deadline=None)
@given(structured() | TEXTS | responses())
def test_reading_what_was_read_changes_nothing(payload: Any) -> None:
    result = read(payload)
    again = read(result_to_json(result))
    assert again == replace(result, notes=again.notes)
    assert again.notes == ()
    assert result_to_json(again) == result_to_json(result)
