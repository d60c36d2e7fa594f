"""OpenAI's Responses: what a request says, and what a run keeps of earlier ones."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any
from urllib.parse import unquote

from ..message import Answer, Asked
from .brain.conversation import Call, Conversation, Result, Tool, Turn
from .brain.think import think
from .identity import identity, tokens
from .request import Refused, arguments_of, body_of, check_strict, chosen, limited, list_of, text_of, tool_of
from .response_events import events_of
from .streaming import streamed, whole

KEPT = "scripted.responses"
_ECHOED: dict[str, Any] = {
    "background": False,
    "instructions": None,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "prompt_cache_key": None,
    "reasoning": {"effort": None, "summary": None},
    "safety_identifier": None,
    "service_tier": "default",
    "store": True,
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_logprobs": 0,
    "top_p": 1.0,
    "truncation": "disabled",
    "user": None,
}


def respond(asked: Asked, skill: str, memory: MutableMapping[str, Any]) -> Answer:
    """``POST /v1/responses``; ``memory`` keeps the run's responses. Raises Refused."""
    given = body_of(asked)
    items = _items(given, memory)
    response = _response(given, items, skill, asked.body)
    if given.get("store") is not False:
        memory.setdefault(KEPT, {})[response["id"]] = (response, [*items, *response["output"]])
    return streamed(list(events_of(response))) if given.get("stream") else whole(response)


def kept(asked: Asked, memory: MutableMapping[str, Any]) -> Answer:
    """``GET`` and ``DELETE /v1/responses/ID``. Raises Refused."""
    name = unquote(asked.path.rpartition("/")[2])
    held = memory.get(KEPT, {})
    if name not in held:
        raise Refused(404, f"Response with id '{name}' not found.")
    if asked.method == "DELETE":
        del held[name]
        return whole({"id": name, "object": "response", "deleted": True})
    return whole(held[name][0])


def conversation_of(given: Mapping[str, Any], items: list[dict[str, Any]]) -> Conversation:
    """The conversation in a request and the items before it. Raises Refused."""
    tools = tuple(_tool(item, at) for at, item in enumerate(list_of(given, "tools")))
    choice, tools = _choice(given.get("tool_choice"), tools)
    said = [text_of(item.get("content")) for item in items if item.get("role") in ("system", "developer")]
    return Conversation(
        system="\n\n".join(part for part in (str(given.get("instructions") or ""), *said) if part),
        turns=tuple(_turns(items)),
        tools=tools,
        choice=choice,
        parallel=given.get("parallel_tool_calls") is not False,
        form=_form(given.get("text")),
    )


def _items(given: Mapping[str, Any], memory: Mapping[str, Any]) -> list[dict[str, Any]]:
    before: list[dict[str, Any]] = []
    if previous := given.get("previous_response_id"):
        held = memory.get(KEPT, {}).get(previous)
        if held is None:
            message = f"Previous response with id '{previous}' not found."
            raise Refused(400, message, param="previous_response_id", code="previous_response_not_found")
        before = list(held[1])
    if given.get("conversation") is not None:
        raise Refused(400, "Conversations are not available with this model.", param="conversation")
    value = given.get("input")
    if isinstance(value, str):
        return [*before, {"role": "user", "content": value}]
    own = list_of(given, "input")
    if not own and not before:
        raise Refused(
            400, "Missing required parameter: 'input'.", param="input", code="missing_required_parameter"
        )
    known = {
        item.get("id"): item for held in memory.get(KEPT, {}).values() for item in held[1] if item.get("id")
    }
    items = [*before, *(known.get(item.get("id"), item) if _is_reference(item) else item for item in own)]
    _check_calls(items)
    return items


def _is_reference(item: Mapping[str, Any]) -> bool:
    return item.get("type") == "item_reference" or (set(item) == {"id"})


def _check_calls(items: list[dict[str, Any]]) -> None:
    asked = [item.get("call_id") for item in items if item.get("type") == "function_call"]
    answered = [item.get("call_id") for item in items if item.get("type") == "function_call_output"]
    for call in answered:
        if call not in asked:
            message = f"No tool call found for function call output with call_id {call}."
            raise Refused(400, message, param="input")
    for call in asked:
        if call not in answered:
            raise Refused(400, f"No tool output found for function call {call}.", param="input")


def _turns(items: list[dict[str, Any]]) -> Iterator[Turn]:
    calls: list[Call] = []
    for item in items:
        kind = item.get("type", "message")
        if kind == "function_call":
            calls.append(
                Call(
                    id=str(item.get("call_id")),
                    name=str(item.get("name")),
                    arguments=arguments_of(item.get("arguments")),
                )
            )
            continue
        if calls and kind != "reasoning":
            yield Turn(role="assistant", calls=tuple(calls))
            calls = []
        if kind == "function_call_output":
            yield Turn(
                role="tool",
                results=(Result(call=str(item.get("call_id")), text=text_of(item.get("output"))),),
            )
        elif kind == "message" and item.get("role") in ("user", "assistant"):
            yield Turn(role=item["role"], text=text_of(item.get("content")))
    if calls:
        yield Turn(role="assistant", calls=tuple(calls))


def _tool(item: Mapping[str, Any], at: int) -> Tool:
    if item.get("type") != "function":
        kind = item.get("type")
        message = f"Hosted tool '{kind}' is not supported with this model."
        raise Refused(400, message, param=f"tools[{at}].type", code="unsupported_value")
    return tool_of(
        item.get("name"),
        item.get("description"),
        item.get("parameters"),
        f"tools[{at}]",
        strict=item.get("strict") is True,
    )


def _choice(given: Any, tools: tuple[Tool, ...]) -> tuple[str, tuple[Tool, ...]]:
    if given is None or given in ("auto", "none", "required"):
        return given or "auto", tools
    if isinstance(given, dict) and given.get("type") == "function":
        return "required", chosen(tools, [given.get("name")])
    if isinstance(given, dict) and given.get("type") == "allowed_tools":
        return given.get("mode") or "auto", chosen(
            tools, [item.get("name") for item in given.get("tools") or ()]
        )
    raise Refused(400, "Invalid value for 'tool_choice'.", param="tool_choice", code="invalid_value")


def _form(given: Any) -> Mapping[str, Any] | None:
    form = given.get("format") if isinstance(given, dict) else None
    if not isinstance(form, dict) or form.get("type") in (None, "text"):
        return None
    if form.get("type") == "json_object":
        return {}
    schema = form.get("schema")
    if form.get("type") != "json_schema" or not isinstance(schema, dict) or not form.get("name"):
        message = "Missing required parameter: 'text.format.schema'."
        raise Refused(400, message, param="text.format", code="missing_required_parameter")
    if form.get("strict") is True:
        check_strict(schema, f"response_format '{form['name']}'", "text.format.schema", "invalid_json_schema")
    return schema


def _response(
    given: Mapping[str, Any], items: list[dict[str, Any]], skill: str, seed: bytes
) -> dict[str, Any]:
    reply = think(conversation_of(given, items), skill)
    most = given.get("max_output_tokens")
    text, ended = limited(reply.text, most, None)
    seed += repr([item.get("id") for item in items]).encode()
    output: list[dict[str, Any]] = [
        {
            "id": identity("fc_", seed, at, length=48),
            "type": "function_call",
            "status": "completed",
            "arguments": json.dumps(call.arguments, ensure_ascii=False),
            "call_id": identity("call_", seed, at),
            "name": call.name,
        }
        for at, call in enumerate(reply.calls)
    ]
    if not output:
        part = {"type": "output_text", "annotations": [], "logprobs": [], "text": text}
        identifier = identity("msg_", seed, length=48)
        status = "incomplete" if ended == "length" else "completed"
        message = {
            "id": identifier,
            "type": "message",
            "status": status,
            "content": [part],
            "role": "assistant",
        }
        output = [message]
    asked, said = (
        tokens(given.get("instructions"), given.get("tools"), items),
        tokens(text, [*output] * bool(reply.calls)),
    )
    now = int(time.time())
    return {
        "id": identity("resp_", seed, length=48),
        "object": "response",
        "created_at": now,
        "status": "incomplete" if ended == "length" else "completed",
        "completed_at": now,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if ended == "length" else None,
        "model": given["model"],
        "output": output,
        **{
            key: given.get(key, usual) if given.get(key) is not None else usual
            for key, usual in _ECHOED.items()
        },
        "usage": {
            "input_tokens": asked,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": said,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": asked + said,
        },
    }
