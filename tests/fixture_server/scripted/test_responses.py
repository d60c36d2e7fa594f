"""OpenAI's Responses as OpenAI's own SDK speaks them."""

from __future__ import annotations

import json
from typing import Any

import openai
import pytest
from pydantic import BaseModel

from .conftest import FETCH, QUESTION, SEARCH, SYSTEM, run_tool

pytestmark = pytest.mark.asyncio(loop_scope="module")
TOOLS: list[Any] = [
    {
        "type": "function",
        "name": "search_web",
        "description": "Search the web",
        "parameters": SEARCH,
        "strict": False,
    },
    {
        "type": "function",
        "name": "open_page",
        "description": "Read a page",
        "parameters": FETCH,
        "strict": False,
    },
]


class Finding(BaseModel):
    """The form of an answer."""

    answer: str
    sources: list[str]


async def _whole(client: openai.AsyncOpenAI, **options: Any) -> Any:
    return await client.responses.create(model="m", instructions=SYSTEM, tools=TOOLS, **options)


async def _streamed(client: openai.AsyncOpenAI, **options: Any) -> Any:
    numbers = []
    async with client.responses.stream(model="m", instructions=SYSTEM, tools=TOOLS, **options) as stream:
        async for event in stream:
            numbers.append(event.sequence_number)
        assert numbers == list(range(len(numbers)))
        return await stream.get_final_response()


def _outputs(response: Any) -> list[Any]:
    return [
        {
            "type": "function_call_output",
            "call_id": item.call_id,
            "output": run_tool(item.name, json.loads(item.arguments)),
        }
        for item in response.output
        if item.type == "function_call"
    ]


async def _by_items(ask: Any, client: openai.AsyncOpenAI) -> Any:
    items: list[Any] = [{"role": "user", "content": QUESTION}]
    for _ in range(6):
        response = await ask(client, input=items, store=False)
        if not (outputs := _outputs(response)):
            return response
        items += [item.model_dump(exclude={"parsed_arguments"}) for item in response.output] + outputs
    raise AssertionError(items)


async def _by_previous(client: openai.AsyncOpenAI) -> Any:
    response = await _whole(client, input=QUESTION)
    for _ in range(6):
        if not (outputs := _outputs(response)):
            return response
        response = await _whole(client, input=outputs, previous_response_id=response.id)
    raise AssertionError(response)


async def test_items_previous_responses_and_streams_say_the_same(chatgpt: openai.AsyncOpenAI) -> None:
    answers = [
        await _by_items(_whole, chatgpt),
        await _by_items(_streamed, chatgpt),
        await _by_previous(chatgpt),
    ]
    texts = {answer.output_text for answer in answers}
    assert len(texts) == 1
    assert "v4.2" in texts.pop()
    assert {answer.status for answer in answers} == {"completed"}
    assert all(part.annotations == [] for answer in answers for part in answer.output[0].content)


async def test_a_response_is_kept_for_its_run_alone(chatgpt: openai.AsyncOpenAI, open_slot: Any) -> None:
    response = await _whole(chatgpt, input=QUESTION)
    assert (await chatgpt.responses.retrieve(response.id)).id == response.id
    unstored = await _whole(chatgpt, input="Something else", store=False)
    with pytest.raises(openai.NotFoundError):
        await chatgpt.responses.retrieve(unstored.id)
    await open_slot.begin()
    with pytest.raises(openai.BadRequestError, match="not found") as refused:
        await _whole(chatgpt, input="and?", previous_response_id=response.id)
    assert refused.value.code == "previous_response_not_found"


async def test_a_structured_answer_has_its_form(chatgpt: openai.AsyncOpenAI) -> None:
    items: list[Any] = [{"role": "user", "content": QUESTION}]
    for _ in range(6):
        response = await chatgpt.responses.parse(model="m", input=items, tools=TOOLS, text_format=Finding)
        if not (outputs := _outputs(response)):
            break
        items += [item.model_dump(exclude={"parsed_arguments"}) for item in response.output] + outputs
    assert response.output_parsed is not None
    assert response.output_parsed.sources == ["https://tern.example/firmware"]
    assert "v4.2" in response.output_parsed.answer


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tools": [{"type": "web_search"}]}, "Hosted tool 'web_search' is not supported"),
        ({"input": [{"type": "function_call_output", "call_id": "c", "output": "x"}]}, "No tool call found"),
        (
            {"input": [{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}]},
            "No tool output found for function call c",
        ),
        ({"input": []}, "Missing required parameter"),
        ({"tool_choice": {"type": "function", "name": "nobody"}, "tools": TOOLS}, "no tool named 'nobody'"),
    ],
)
async def test_mistakes_are_refused(chatgpt: openai.AsyncOpenAI, options: dict[str, Any], said: str) -> None:
    with pytest.raises(openai.BadRequestError, match=said):
        await chatgpt.responses.create(**{"model": "m", "input": QUESTION, **options})


async def test_a_limit_leaves_the_response_incomplete(chatgpt: openai.AsyncOpenAI) -> None:
    response = await chatgpt.responses.create(model="m", input=QUESTION, max_output_tokens=4)
    assert (response.status, response.incomplete_details.reason) == ("incomplete", "max_output_tokens")
    assert len(response.output_text) == 16
