"""What a model's provider searched by itself shows in its answers, in the shapes of each provider."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from pytest_webretrieval.cases.truth import Step
from pytest_webretrieval.grade.evidence import StepEvidence
from pytest_webretrieval.grade.opaque import is_opaque, witnessed
from pytest_webretrieval.systems.contract import Testimony
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Attempt, Trace

RESPONSES = "https://api.openai.com/v1/responses"
CHAT = "https://api.openai.com/v1/chat/completions"
MESSAGES = "https://api.anthropic.com/v1/messages"
GEMINI = "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent"
SONAR = "https://api.perplexity.ai/chat/completions"
CITED = {"type": "url_citation", "url": "https://a.example/", "title": "A", "start_index": 0, "end_index": 3}
SEARCH_CALL = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}


def said(content: Any, **more: Any) -> dict[str, Any]:
    """An answer in the shape of chat completions."""
    return {"choices": [{"index": 0, "message": {"role": "assistant", "content": content, **more}}]}


def spoken(*blocks: Any) -> dict[str, Any]:
    """An answer in the shape of Anthropic's messages."""
    return {"type": "message", "role": "assistant", "content": list(blocks)}


def stream(*events: Any) -> bytes:
    return b"".join(b"event: x\ndata: " + json.dumps(event).encode() + b"\n\n" for event in events)


def asked(
    url: str, body: Any, sent: Any = None, role: str = "model"
) -> tuple[list[Attempt], dict[str, bytes]]:
    """One request and its answer: JSON, or bytes of a stream."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    digest = hashlib.sha256(data).hexdigest()
    attempt = Attempt(
        number=1,
        step=1,
        started_s=0.0,
        duration_s=0.1,
        method="POST",
        url=url,
        role=role,
        channel=role,
        status=200,
        request_body=json.dumps(sent or {"model": "m"}).encode(),
        response_headers={
            "content-type": "text/event-stream" if isinstance(body, bytes) else "application/json"
        },
        body=digest,
    )
    return [attempt], {digest: data}


@pytest.mark.parametrize(
    ("url", "body"),
    [
        pytest.param(RESPONSES, {"output": [SEARCH_CALL]}, id="openai-responses"),
        pytest.param(
            RESPONSES,
            stream(
                {"type": "response.created", "response": {"output": []}},
                {"type": "response.output_item.done", "item": SEARCH_CALL},
                {"type": "response.completed", "response": {"output": [SEARCH_CALL]}},
            ),
            id="openai-responses-stream",
        ),
        pytest.param(CHAT, said("It is.", annotations=[CITED]), id="openai-chat"),
        pytest.param(
            CHAT,
            stream({"choices": [{"index": 0, "delta": {"content": "It is.", "annotations": [CITED]}}]}),
            id="openai-chat-stream",
        ),
        pytest.param(
            MESSAGES,
            spoken(
                {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "q"}}, FOUND
            ),
            id="anthropic",
        ),
        pytest.param(
            MESSAGES,
            stream({"type": "content_block_start", "index": 1, "content_block": FOUND}),
            id="anthropic-stream",
        ),
        pytest.param(
            GEMINI,
            {"candidates": [{"groundingMetadata": {"webSearchQueries": ["q"]}}]},
            id="gemini",
        ),
        pytest.param(
            SONAR, {**said("It is."), "search_results": [{"url": "https://a.example/"}]}, id="sonar"
        ),
    ],
)
def test_a_search_of_the_providers_own_is_seen(url: str, body: Any) -> None:
    assert is_opaque(*asked(url, body))


@pytest.mark.parametrize(
    ("url", "body"),
    [
        pytest.param(
            CHAT,
            said(
                None,
                tool_calls=[
                    {
                        "id": "c",
                        "type": "function",
                        "function": {"name": "web_search", "arguments": '{"query": "q"}'},
                    }
                ],
            ),
            id="a-tool-of-the-agents-own",
        ),
        pytest.param(
            RESPONSES,
            {"output": [{"type": "function_call", "name": "web_search_call", "arguments": "{}"}]},
            id="one-of-that-name",
        ),
        pytest.param(CHAT, said(json.dumps(SEARCH_CALL)), id="told-in-words"),
        pytest.param(
            MESSAGES,
            spoken({"type": "tool_use", "id": "t", "name": "server_tool_use", "input": {"query": "q"}}),
            id="a-client-tool",
        ),
        pytest.param(GEMINI, {"candidates": [{"groundingMetadata": {}}]}, id="nothing-was-searched"),
        pytest.param(CHAT, b"", id="no-answer"),
    ],
)
def test_what_only_looks_like_it_is_none(url: str, body: Any) -> None:
    assert not is_opaque(*asked(url, body))


def test_what_the_agent_itself_says_is_none() -> None:
    """An agent may write annotations of its own into the conversation that it sends."""
    sent = {"model": "m", "messages": [{"role": "assistant", "content": "It is.", "annotations": [CITED]}]}
    assert not is_opaque(*asked(CHAT, said("It is."), sent))


def test_a_search_api_is_seen_on_the_wire_as_any_request() -> None:
    assert not is_opaque(*asked("https://api.tavily.com/search", {"search_results": ["a"]}, role="api"))


@pytest.mark.parametrize(
    ("body", "lane", "witness"),
    [
        (said("It is.", annotations=[CITED]), "wire", "opaque"),
        (said("It is."), "wire", "wire"),
        (said("It is.", annotations=[CITED]), "reported", "reported"),
    ],
)
def test_one_opaque_step_makes_the_run_opaque(body: Any, lane: str, witness: str) -> None:
    plain, searched = (step(*asked(CHAT, one)) for one in (said("Hello."), body))
    assert [one.witness for one in witnessed([plain, searched], lane)] == [witness] * 2


def step(attempts: list[Attempt], bodies: dict[str, bytes]) -> StepEvidence:
    return StepEvidence(
        step=Step(),
        testimony=Testimony(ending="answered", duration_s=1.0),
        result=None,
        invalid=None,
        trace=Trace(attempts=tuple(attempts)),
        archive=Archive(bodies=bodies),
        earlier=Archive(),
        start_urls=(),
        cheapest="fetch",
    )


def test_a_stream_that_was_cut_shows_it_too() -> None:
    cut = stream(
        {"type": "response.created", "response": {"id": "r", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": SEARCH_CALL},
    )
    assert is_opaque(*asked(RESPONSES, cut))
