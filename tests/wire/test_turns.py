"""Turns of a model out of requests and responses, in the shapes of three interfaces, streamed and not."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from pytest_webretrieval.wire.attempt import Attempt
from pytest_webretrieval.wire.turns import Call, Given, Turn, read_turns

OPENAI, ANTHROPIC = "https://api.openai.com/v1", "https://api.anthropic.com/v1"


def sse(*events: Any) -> bytes:
    return (
        b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events) + b"data: [DONE]\n\n"
    )


def turn(url: str, asked: Any, body: bytes, kind: str = "application/json", **changes: Any) -> Turn:
    digest = hashlib.sha256(body).hexdigest()
    given: dict[str, Any] = {
        "number": 7,
        "step": 0,
        "started_s": 1.0,
        "duration_s": 0.5,
        "method": "POST",
        "url": url,
        "role": "model",
        "channel": "model",
        "status": 200,
        "request_body": json.dumps(asked).encode(),
        "response_headers": {"content-type": kind},
        "body": digest,
    }
    (found,) = read_turns([Attempt(**(given | changes))], {digest: body})
    return found


CHAT = {
    "model": "m",
    "tools": [{"type": "function", "function": {"name": "fetch"}}, {"type": "web_search"}],
    "messages": [
        {"role": "system", "content": "Be brief."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Which one?"}, {"type": "image_url", "image_url": {}}],
        },
        {"role": "assistant", "content": "I look.", "tool_calls": []},
        {"role": "tool", "tool_call_id": "c1", "content": "v3.2"},
    ],
}
CHAT_CALLS = [
    {
        "id": "c2",
        "type": "function",
        "function": {"name": "fetch", "arguments": '{"url": "https://a.example/"}'},
    }
]
CHAT_ANSWER = {"choices": [{"message": {"role": "assistant", "content": "v3.2", "tool_calls": CHAT_CALLS}}]}
CHAT_STREAM = sse(
    {"id": "x", "choices": [{"index": 0, "delta": {"role": "assistant", "content": "v3"}}]},
    {"choices": [{"index": 0, "delta": {"content": ".2"}}]},
    {
        "choices": [
            {
                "delta": {
                    "tool_calls": [{"index": 0, "id": "c2", "function": {"name": "fetch", "arguments": ""}}]
                }
            }
        ]
    },
    {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": '{"url": "https:'}}]}}]},
    {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": '//a.example/"}'}}]}}]},
    {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
    {"choices": [], "usage": {"total_tokens": 3}},
)
RESPONSES = {
    "model": "m",
    "instructions": "Be brief.",
    "tools": [{"type": "function", "name": "fetch"}, {"type": "web_search"}],
    "input": [
        {"role": "user", "content": "Which one?"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
        {"type": "function_call", "call_id": "c1", "name": "fetch", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "v3.2"}]},
    ],
}
RESPONSES_OUTPUT = [
    {"type": "reasoning", "summary": []},
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "v3.2", "annotations": []}],
    },
    {"type": "function_call", "call_id": "c2", "name": "fetch", "arguments": '{"url": "https://a.example/"}'},
]
MESSAGES = {
    "model": "m",
    "system": [{"type": "text", "text": "Be brief."}],
    "tools": [{"name": "fetch", "input_schema": {}}, {"type": "web_search_20250305", "name": "web_search"}],
    "messages": [
        {"role": "user", "content": "Which one?"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "fetch", "input": {}}]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "v3.2"}]}
            ],
        },
    ],
}
MESSAGES_ANSWER = {
    "type": "message",
    "role": "assistant",
    "content": [
        {"type": "text", "text": "v3.2"},
        {"type": "tool_use", "id": "c2", "name": "fetch", "input": {"url": "https://a.example/"}},
    ],
}
MESSAGES_STREAM = sse(
    {"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "v3"}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": ".2"}},
    {
        "type": "content_block_start",
        "index": 1,
        "content_block": {"type": "tool_use", "id": "c2", "name": "fetch"},
    },
    {
        "type": "content_block_delta",
        "index": 1,
        "delta": {"type": "input_json_delta", "partial_json": '{"url": '},
    },
    {
        "type": "content_block_delta",
        "index": 1,
        "delta": {"type": "input_json_delta", "partial_json": '"https://a.example/"}'},
    },
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
    {"type": "message_stop"},
)


@pytest.mark.parametrize(
    ("path", "asked", "body", "kind"),
    [
        (f"{OPENAI}/chat/completions", CHAT, json.dumps(CHAT_ANSWER).encode(), "application/json"),
        (f"{OPENAI}/chat/completions", CHAT, CHAT_STREAM, "text/event-stream; charset=utf-8"),
        (
            f"{OPENAI}/responses",
            RESPONSES,
            json.dumps({"id": "r", "output": RESPONSES_OUTPUT}).encode(),
            "application/json",
        ),
        (
            f"{OPENAI}/responses",
            RESPONSES,
            sse({"type": "response.completed", "response": {"id": "r", "output": RESPONSES_OUTPUT}}),
            "text/event-stream",
        ),
        (
            f"{OPENAI}/responses",
            RESPONSES,
            sse(*({"type": "response.output_item.done", "item": item} for item in RESPONSES_OUTPUT)),
            "text/event-stream",
        ),
        (f"{ANTHROPIC}/messages", MESSAGES, json.dumps(MESSAGES_ANSWER).encode(), "application/json"),
        (f"{ANTHROPIC}/messages", MESSAGES, MESSAGES_STREAM, "text/event-stream"),
    ],
    ids=[
        "chat",
        "chat streamed",
        "responses",
        "responses streamed",
        "responses cut",
        "messages",
        "messages streamed",
    ],
)
def test_a_turn_is_the_same_in_every_shape(path: str, asked: Any, body: bytes, kind: str) -> None:
    found = turn(path, asked, body, kind)
    assert (found.attempt, found.started_s, found.ended_s, found.model, found.error) == (
        7,
        1.0,
        1.5,
        "m",
        None,
    )
    assert found.tools == ("fetch", "web_search")
    assert "Be brief." in found.told
    assert "Which one?" in found.told
    assert "I look." not in found.told
    assert found.given == (Given(call_id="c1", text="v3.2"),)
    (call,) = found.calls
    assert (call.id, call.name, json.loads(call.arguments)) == ("c2", "fetch", {"url": "https://a.example/"})
    assert found.text == "v3.2"


def test_strings_of_arguments() -> None:
    assert Call(id="", name="", arguments='{"a": ["x", {"b": "y"}], "n": 3}').strings == ("x", "y")
    assert Call(id="", name="", arguments="no json").strings == ("no json",)


@pytest.mark.parametrize(
    ("body", "changes", "error"),
    [
        (b"", {"status": 503, "error_type": "503"}, "503"),
        (b"not json", {}, "unreadable"),
        (b"[]", {}, "unreadable"),
    ],
)
def test_what_gave_no_answer(body: bytes, changes: dict[str, Any], error: str) -> None:
    found = turn(f"{OPENAI}/chat/completions", CHAT, body, **changes)
    assert (found.error, found.text, found.calls, found.answer) == (error, "", (), None)
    assert found.given


@pytest.mark.parametrize(
    ("url", "changes"),
    [
        (f"{OPENAI}/embeddings", {}),
        (f"{OPENAI}/models", {"method": "GET"}),
        (f"{OPENAI}/chat/completions", {"late": True}),
        ("https://a.example/chat/completions", {"role": "document"}),
    ],
)
def test_what_is_no_turn(url: str, changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not enough values"):
        turn(url, CHAT, b"{}", **changes)


@pytest.mark.parametrize(
    "asked", [None, [], {"messages": "x"}, {"messages": [3, {"content": 4}], "tools": {}}]
)
def test_whatever_was_asked_is_read_as_far_as_it_goes(asked: Any) -> None:
    found = turn(f"{OPENAI}/chat/completions", asked, json.dumps(CHAT_ANSWER).encode())
    assert found.text == "v3.2"
    assert found.given == ()
