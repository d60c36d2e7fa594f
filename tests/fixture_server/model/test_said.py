"""One conversation in the words of four providers reads the same, and each difference has its kind."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

import pytest

from fixture_server.model.comparing import Difference, differences
from fixture_server.model.said import HISTORY, PROMPT, RESULTS, Said, said
from fixture_server.model.sameness import Sameness

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
CHAT = {
    "model": "m-1",
    "temperature": 0,
    "messages": [
        {"role": "system", "content": "Be careful."},
        {"role": "user", "content": [{"type": "text", "text": "When?"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "12 results"},
    ],
    "tools": [
        {"type": "function", "function": {"name": "search", "description": "Looks.", "parameters": SCHEMA}}
    ],
}
RESPONSES = {
    "model": "m-1",
    "instructions": "Be careful.",
    "input": [
        {"role": "user", "content": [{"type": "input_text", "text": "When?"}]},
        {"type": "function_call", "call_id": "call_1", "name": "search", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "call_1", "output": "12 results"},
    ],
    "tools": [{"type": "function", "name": "search", "description": "Looks.", "parameters": SCHEMA}],
}
MESSAGES = {
    "model": "m-1",
    "system": [{"type": "text", "text": "Be careful."}],
    "messages": [
        {"role": "user", "content": "When?"},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "toolu_1", "name": "search", "input": {}}],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "12 results"}],
        },
    ],
    "tools": [{"name": "search", "description": "Looks.", "input_schema": SCHEMA}],
}
GEMINI = {
    "systemInstruction": {"parts": [{"text": "Be careful."}]},
    "contents": [
        {"role": "user", "parts": [{"text": "When?"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "search", "args": {}}}]},
        {
            "role": "user",
            "parts": [{"functionResponse": {"name": "search", "response": {"text": "12 results"}}}],
        },
    ],
    "tools": [{"functionDeclarations": [{"name": "search", "description": "Looks.", "parameters": SCHEMA}]}],
}
ASKED: dict[str, tuple[str, Any]] = {
    "chat": ("/v1/chat/completions", CHAT),
    "responses": ("/v1/responses", RESPONSES),
    "messages": ("/v1/messages", MESSAGES),
    "gemini": ("/v1beta/models/m-1:generateContent", GEMINI),
}


def read(path: str, body: Any, host: str = "api.openai.com") -> Said:
    return said(host, "POST", path, body)


def apart(path: str, old: Any, new: Any) -> list[Difference]:
    return differences(read(path, old), read(path, new), Sameness(then=NOW, now=NOW))


@pytest.mark.parametrize("provider", ASKED)
def test_each_part_is_known_for_what_it_is(provider: str) -> None:
    one = read(*ASKED[provider])
    assert one.model == "m-1"
    assert list(one.tools) == ["search"]
    assert [text.kind for text in one.texts] == [PROMPT, PROMPT, HISTORY, RESULTS]
    assert one.texts[-1].place == "result of search"
    assert "12 results" in one.texts[-1].text


def replace_all(body: Any, old: str, new: str) -> Any:
    if isinstance(body, str):
        return body.replace(old, new)
    if isinstance(body, dict):
        return {key: replace_all(value, old, new) for key, value in body.items()}
    return [replace_all(value, old, new) for value in body] if isinstance(body, list) else body


CHANGES = {
    "prompt": ("careful", "quick", '"careful" became "quick"'),
    "tools": ("Looks.", "Finds.", '"search": description: "Looks" became "Finds"'),
    "tool results": ("12 results", "13 results", 'result of search: "12" became "13"'),
}


@pytest.mark.parametrize("kind", CHANGES)
@pytest.mark.parametrize("provider", ASKED)
def test_a_change_is_named_by_its_kind(provider: str, kind: str) -> None:
    path, body = ASKED[provider]
    old, new, told = CHANGES[kind]
    assert apart(path, body, replace_all(copy.deepcopy(body), old, new)) == [Difference(kind, told)]


@pytest.mark.parametrize("provider", ASKED)
def test_the_same_is_the_same(provider: str) -> None:
    path, body = ASKED[provider]
    assert apart(path, body, copy.deepcopy(body)) == []


def test_the_weightiest_difference_comes_first() -> None:
    other = copy.deepcopy(CHAT) | {"model": "m-2", "temperature": 1, "tools": []}
    found = differences(
        read("/v1/a", CHAT), read("/v1/b", other, "api.groq.com"), Sameness(then=NOW, now=NOW)
    )
    assert [one.kind for one in found] == ["host", "endpoint", "model", "tools", "parameters"]
    assert found[3].detail == '"search" is gone'


def test_a_tool_that_is_new_and_a_message_more() -> None:
    more = copy.deepcopy(CHAT)
    more["tools"] += [{"type": "function", "function": {"name": "fetch"}}]  # type: ignore[operator]
    more["messages"] += [{"role": "user", "content": "Sure?"}]  # type: ignore[operator]
    assert apart("/v1/chat/completions", CHAT, more) == [
        Difference("tools", '"fetch" is new'),
        Difference("prompt", "user message 5 is new"),
    ]


def test_what_is_no_json_is_a_text() -> None:
    assert read("/v1/x", "plain words").texts[0].text == "plain words"
    assert said("h", "GET", "/v1/models", "").texts == ()
