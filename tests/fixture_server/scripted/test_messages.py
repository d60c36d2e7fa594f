"""Anthropic's Messages as Anthropic's own SDK speaks them."""

from __future__ import annotations

import asyncio
from typing import Any

import anthropic
import httpx2
import pytest
from pydantic import BaseModel

from .conftest import FETCH, QUESTION, SEARCH, SYSTEM, run_tool

pytestmark = pytest.mark.asyncio(loop_scope="module")
TOOLS: list[Any] = [
    {"name": "search_web", "description": "Search the web", "input_schema": SEARCH},
    {"name": "open_page", "description": "Read a page", "input_schema": FETCH},
]
TOOL_USE = {"type": "tool_use", "id": "t1", "name": "search_web", "input": {}}
ASKED: list[Any] = [{"role": "user", "content": QUESTION}]


class Finding(BaseModel):
    """The form of an answer."""

    answer: str
    source_url: str


async def _whole(client: anthropic.AsyncAnthropic, **options: Any) -> Any:
    return await client.messages.create(model="m", max_tokens=1000, system=SYSTEM, **options)


async def _streamed(client: anthropic.AsyncAnthropic, **options: Any) -> Any:
    async with client.messages.stream(model="m", max_tokens=1000, system=SYSTEM, **options) as stream:
        async for _ in stream:
            pass
        return await stream.get_final_message()


async def _loop(ask: Any, client: anthropic.AsyncAnthropic) -> tuple[Any, list[str]]:
    messages, called = list(ASKED), []
    for _ in range(6):
        message = await ask(client, messages=messages, tools=TOOLS)
        if message.stop_reason != "tool_use":
            return message, called
        uses = [block for block in message.content if block.type == "tool_use"]
        called += [use.name for use in uses]
        results = [
            {"type": "tool_result", "tool_use_id": use.id, "content": run_tool(use.name, use.input)}
            for use in uses
        ]
        messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]
    raise AssertionError(called)


async def test_a_tool_loop_streamed_and_not(claude: anthropic.AsyncAnthropic, open_slot: Any) -> None:
    whole, called = await _loop(_whole, claude)
    streamed, streamed_calls = await _loop(_streamed, claude)
    assert called == streamed_calls == ["search_web", "open_page", "open_page"]
    assert whole.content[0].text == streamed.content[0].text
    assert "[tern.example](https://tern.example/firmware)" in whole.content[0].text
    assert whole.stop_reason == streamed.stop_reason == "end_turn"
    assert whole.usage.output_tokens == streamed.usage.output_tokens
    assert {attempt.role for attempt in await open_slot.attempts()} == {"model"}


async def test_the_sync_sdk_gets_the_same(claude: anthropic.AsyncAnthropic, sync_web: httpx2.Client) -> None:
    client = anthropic.Anthropic(api_key="key", http_client=sync_web, max_retries=0)
    message = await asyncio.to_thread(
        lambda: client.messages.create(model="m", max_tokens=1000, system=SYSTEM, messages=ASKED, tools=TOOLS)
    )
    assert message == await _whole(claude, messages=ASKED, tools=TOOLS)


async def test_tool_choice_is_obeyed(claude: anthropic.AsyncAnthropic) -> None:
    named = await _whole(
        claude, messages=ASKED, tools=TOOLS, tool_choice={"type": "tool", "name": "open_page"}
    )
    assert [block.name for block in named.content] == ["open_page"]
    none = await _whole(claude, messages=ASKED, tools=TOOLS, tool_choice={"type": "none"})
    assert [block.type for block in none.content] == ["text"]


async def test_a_structured_answer_has_its_form(claude: anthropic.AsyncAnthropic) -> None:
    page = run_tool("open_page", {"url": "https://tern.example/firmware"})
    messages: Any = [
        *ASKED,
        {
            "role": "assistant",
            "content": [
                {
                    "type": "tool_use",
                    "id": "t1",
                    "name": "open_page",
                    "input": {"url": "https://tern.example/firmware"},
                }
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": page}]},
    ]
    message = await claude.messages.parse(
        model="m", max_tokens=1000, messages=messages, tools=TOOLS[1:], output_format=Finding
    )
    assert message.parsed_output is not None
    assert message.parsed_output.source_url == "https://tern.example/firmware"
    assert "v4.2" in message.parsed_output.answer


async def test_tokens_are_counted(claude: anthropic.AsyncAnthropic) -> None:
    counted = await claude.messages.count_tokens(model="m", messages=ASKED, tools=TOOLS)
    said = await claude.messages.create(model="m", max_tokens=1000, messages=ASKED, tools=TOOLS)
    assert counted.input_tokens == said.usage.input_tokens > 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"messages": []}, "at least one message"),
        ({"max_tokens": 0}, "max_tokens"),
        (
            {"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
            "Hosted tool 'web_search_20250305'",
        ),
        (
            {
                "messages": [
                    *ASKED,
                    {"role": "assistant", "content": [TOOL_USE]},
                    {"role": "user", "content": "x"},
                ]
            },
            "without `tool_result` blocks immediately after: t1",
        ),
        (
            {
                "messages": [
                    {
                        "role": "user",
                        "content": [{"type": "tool_result", "tool_use_id": "t9", "content": "x"}],
                    }
                ]
            },
            "unexpected `tool_use_id`",
        ),
    ],
)
async def test_mistakes_are_refused(
    claude: anthropic.AsyncAnthropic, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(anthropic.BadRequestError, match=said):
        await claude.messages.create(**{"model": "m", "max_tokens": 10, "messages": ASKED, **options})


async def test_a_key_and_a_version_are_asked_for(web: httpx2.AsyncClient) -> None:
    url, body = "https://api.anthropic.com/v1/messages", {"model": "m", "max_tokens": 9, "messages": ASKED}
    bare = await web.post(url, json=body)
    assert (bare.status_code, bare.json()["error"]["type"]) == (401, "authentication_error")
    unversioned = await web.post(url, json=body, headers={"x-api-key": "k"})
    assert unversioned.status_code == 400
    assert "anthropic-version" in unversioned.json()["error"]["message"]
