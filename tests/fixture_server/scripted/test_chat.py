"""OpenAI's Chat Completions as OpenAI's own SDK speaks them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
import openai
import pytest
from pydantic import BaseModel

from .conftest import FETCH, QUESTION, SEARCH, SYSTEM, run_tool

pytestmark = pytest.mark.asyncio(loop_scope="module")
TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {"name": "search_web", "description": "Search the web", "parameters": SEARCH},
    },
    {
        "type": "function",
        "function": {"name": "open_page", "description": "Read a page", "parameters": FETCH},
    },
]
ASKED: list[Any] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]


class Finding(BaseModel):
    """The form of an answer."""

    answer: str
    version: str
    released: str
    sources: list[str]


async def _whole(client: openai.AsyncOpenAI, messages: list[Any], **options: Any) -> Any:
    completion = await client.chat.completions.create(model="m", messages=messages, **options)
    return completion.choices[0]


async def _streamed(client: openai.AsyncOpenAI, messages: list[Any], **options: Any) -> Any:
    async with client.chat.completions.stream(model="m", messages=messages, **options) as stream:
        async for _ in stream:
            pass
        return (await stream.get_final_completion()).choices[0]


async def _loop(ask: Any, client: openai.AsyncOpenAI, **options: Any) -> tuple[Any, list[Any]]:
    """The last choice, and the calls of every turn."""
    messages, turns = list(ASKED), []
    for _ in range(8):
        choice = await ask(client, messages, tools=TOOLS, **options)
        if choice.finish_reason == "stop":
            return choice, turns
        assert choice.finish_reason == "tool_calls"
        messages.append(choice.message.model_dump(exclude_none=True, exclude={"parsed"}))
        turns.append([(call.function.name, call.function.arguments) for call in choice.message.tool_calls])
        for call in choice.message.tool_calls:
            result = run_tool(call.function.name, json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    raise AssertionError(turns)


async def test_a_tool_loop_searches_opens_and_cites(chatgpt: openai.AsyncOpenAI, open_slot: Any) -> None:
    choice, turns = await _loop(_whole, chatgpt)
    assert [name for turn in turns for name, _ in turn] == ["search_web", "open_page", "open_page"]
    assert "v4.2" in choice.message.content
    assert "v3.9" not in choice.message.content
    assert "[tern.example](https://tern.example/firmware)" in choice.message.content
    attempts = await open_slot.attempts()
    assert {(attempt.role, attempt.channel, attempt.status) for attempt in attempts} == {
        ("model", "model", 200)
    }


async def test_a_stream_says_the_same_as_a_whole_answer(chatgpt: openai.AsyncOpenAI, open_slot: Any) -> None:
    whole, streamed = await _loop(_whole, chatgpt), await _loop(_streamed, chatgpt)
    assert streamed[0].message.content == whole[0].message.content
    assert streamed[1] == whole[1]
    last = (await open_slot.drain())[0].attempts[-1]
    assert last.bytes_received > 0
    assert last.response_headers["content-type"].startswith("text/event-stream")


async def test_a_streams_body_is_all_of_its_events(chatgpt: openai.AsyncOpenAI, open_slot: Any) -> None:
    await _streamed(chatgpt, ASKED)
    trace, archive = await open_slot.drain()
    body = archive.bodies[trace.attempts[0].body]
    assert body.endswith(b"data: [DONE]\n\n")
    assert len(body) == trace.attempts[0].bytes_received


async def test_usage_comes_with_a_stream_that_asks_for_it(chatgpt: openai.AsyncOpenAI) -> None:
    options: Any = {
        "model": "m",
        "messages": ASKED,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    chunks = [chunk async for chunk in await chatgpt.chat.completions.create(**options)]
    assert [chunk.usage is not None for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    assert chunks[-1].choices == []
    whole = await chatgpt.chat.completions.create(model="m", messages=ASKED)
    assert chunks[-1].usage == whole.usage


async def test_the_same_conversation_gets_the_same_answer(chatgpt: openai.AsyncOpenAI) -> None:
    first, second = [(await _whole(chatgpt, ASKED, tools=TOOLS)) for _ in range(2)]
    assert first == second


async def test_one_call_at_a_time_where_asked_for(chatgpt: openai.AsyncOpenAI) -> None:
    _, turns = await _loop(_whole, chatgpt, parallel_tool_calls=False)
    assert all(len(turn) == 1 for turn in turns)


async def test_tool_choice_is_obeyed(chatgpt: openai.AsyncOpenAI) -> None:
    none = await _whole(chatgpt, ASKED, tools=TOOLS, tool_choice="none")
    assert none.message.tool_calls is None
    assert none.message.content
    named: Any = {"type": "function", "function": {"name": "open_page"}}
    forced = await _whole(chatgpt, ASKED, tools=TOOLS, tool_choice=named)
    assert [call.function.name for call in forced.message.tool_calls] == ["open_page"]
    chosen = await _whole(
        chatgpt, [{"role": "user", "content": "Good morning"}], tools=TOOLS, tool_choice="required"
    )
    assert chosen.message.tool_calls


async def test_a_structured_answer_has_its_form(chatgpt: openai.AsyncOpenAI) -> None:
    messages = list(ASKED)
    for _ in range(5):
        completion = await chatgpt.chat.completions.parse(
            model="m", messages=messages, tools=[_strict(tool) for tool in TOOLS], response_format=Finding
        )
        message = completion.choices[0].message
        if not message.tool_calls:
            break
        messages.append(message.model_dump(exclude_none=True, exclude={"parsed"}))
        for call in message.tool_calls:
            result = run_tool(call.function.name, json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    found = message.parsed
    assert found is not None
    assert (found.version, found.released) == ("v4.2", "2026-05-03")
    assert found.sources == ["https://tern.example/firmware"]
    assert "v4.2" in found.answer


def _strict(tool: Any) -> Any:
    function = tool["function"]
    properties = {
        name: {key: value for key, value in schema.items() if key != "default"}
        for name, schema in function["parameters"]["properties"].items()
    }
    closed = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {"type": "function", "function": {**function, "parameters": closed, "strict": True}}


async def test_the_sync_sdk_gets_the_same(chatgpt: openai.AsyncOpenAI, sync_web: httpx2.Client) -> None:
    client = openai.OpenAI(api_key="key", http_client=sync_web, max_retries=0)
    choice = await asyncio.to_thread(
        lambda: client.chat.completions.create(model="m", messages=ASKED, tools=TOOLS).choices[0]
    )
    assert choice == await _whole(chatgpt, ASKED, tools=TOOLS)


async def test_a_limit_of_tokens_cuts_the_answer(chatgpt: openai.AsyncOpenAI) -> None:
    choice = await _whole(chatgpt, ASKED, max_completion_tokens=5)
    assert choice.finish_reason == "length"
    assert len(choice.message.content) == 20


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"messages": []}, "empty array"),
        ({"messages": [{"role": "robot", "content": "x"}]}, "Invalid value: 'robot'"),
        (
            {"messages": [*ASKED, {"role": "tool", "tool_call_id": "c", "content": "x"}]},
            "must be a response to",
        ),
        ({"tools": [{"type": "web_search"}]}, "Hosted tools are not available"),
        ({"web_search_options": {}}, "not supported with this model"),
        ({"response_format": {"type": "json_object"}}, "must contain the word 'json'"),
        ({"tools": [{"type": "function", "function": {"name": "no good"}}]}, "does not match pattern"),
        (
            {"tools": TOOLS, "tool_choice": {"type": "function", "function": {"name": "x"}}},
            "no tool named 'x'",
        ),
        (
            {"tools": [{"type": "function", "function": {"name": "f", "parameters": FETCH, "strict": True}}]},
            "'additionalProperties' is required",
        ),
    ],
)
async def test_mistakes_are_refused_in_the_providers_words(
    chatgpt: openai.AsyncOpenAI, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(openai.BadRequestError, match=said) as refused:
        await chatgpt.chat.completions.create(**{"model": "m", "messages": ASKED, **options})
    assert refused.value.type == "invalid_request_error"


async def test_calls_that_nobody_answered_are_refused(chatgpt: openai.AsyncOpenAI) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "search_web", "arguments": "{}"}}
    messages: Any = [*ASKED, {"role": "assistant", "tool_calls": [call]}, {"role": "user", "content": "and?"}]
    with pytest.raises(openai.BadRequestError, match="did not have response messages: call_1"):
        await chatgpt.chat.completions.create(model="m", messages=messages)


@pytest.mark.parametrize(
    "base",
    [
        *("https://api.groq.com/openai/v1", "https://api.deepseek.com", "https://api.x.ai/v1"),
        *(
            "https://api.together.xyz/v1",
            "https://api.fireworks.ai/inference/v1",
            "https://api.cerebras.ai/v1",
        ),
        *("https://openrouter.ai/api/v1", "https://api.mistral.ai/v1", "https://api.perplexity.ai"),
        *("https://api.anthropic.com/v1", "https://router.huggingface.co/v1"),
    ],
)
async def test_every_compatible_host_speaks_it(open_slot: Any, web: httpx2.AsyncClient, base: str) -> None:
    client = openai.AsyncOpenAI(api_key="key", base_url=base, http_client=web, max_retries=0)
    choice = await _whole(client, ASKED, tools=TOOLS)
    assert choice.message.tool_calls[0].function.name == "search_web"
    with pytest.raises(openai.BadRequestError):
        await client.chat.completions.create(model="m", messages=[])
    assert {attempt.role for attempt in await open_slot.attempts()} == {"model"}


async def test_a_wrong_address_and_a_missing_key_are_told(web: httpx2.AsyncClient) -> None:
    bare = openai.AsyncOpenAI(
        api_key="key", base_url="https://api.openai.com", http_client=web, max_retries=0
    )
    with pytest.raises(openai.NotFoundError, match="Invalid URL"):
        await _whole(bare, ASKED)
    url = "https://api.openai.com/v1/chat/completions"
    answer = await web.post(url, json={"model": "m", "messages": ASKED})
    assert answer.status_code == 401
    assert "API key" in answer.json()["error"]["message"]
    broken = await web.post(url, content=b"{", headers={"authorization": "Bearer k"})
    assert broken.status_code == 400
    assert "could not parse" in broken.json()["error"]["message"]


async def test_models_are_listed(chatgpt: openai.AsyncOpenAI) -> None:
    assert [model.id async for model in chatgpt.models.list()] == ["scripted"]
    assert (await chatgpt.models.retrieve("gpt-x")).id == "gpt-x"
