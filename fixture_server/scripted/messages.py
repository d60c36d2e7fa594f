"""Anthropic's Messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..message import Answer, Asked
from .brain.conversation import Call, Conversation, Result, Tool, Turn
from .brain.think import think
from .identity import identity, tokens
from .request import Refused, arguments_of, body_of, chosen, limited, list_of, text_of, tool_of
from .streaming import event, parts_of, streamed, whole


def respond(asked: Asked, skill: str) -> Answer:
    """``POST /v1/messages``. Raises Refused."""
    given = body_of(asked)
    most = given.get("max_tokens")
    if not isinstance(most, int) or isinstance(most, bool):
        raise Refused(400, "max_tokens: Field required")
    if most < 1:
        raise Refused(400, "max_tokens: must be greater than or equal to 1")
    message = _message(given, conversation_of(given), skill, asked.body)
    return streamed(list(_events(message))) if given.get("stream") else whole(message)


def count(asked: Asked) -> Answer:
    """``POST /v1/messages/count_tokens``. Raises Refused."""
    given = body_of(asked)
    conversation_of(given)
    return whole({"input_tokens": _asked_tokens(given)})


def conversation_of(given: Mapping[str, Any]) -> Conversation:
    """The conversation in a request. Raises Refused."""
    messages = list_of(given, "messages")
    if not messages:
        raise Refused(400, "messages: at least one message is required")
    if messages[0].get("role") != "user":
        raise Refused(400, 'messages: first message must use the "user" role')
    tools = tuple(_tool(item, at) for at, item in enumerate(list_of(given, "tools")))
    choice, parallel, tools = _choice(given.get("tool_choice"), tools)
    return Conversation(
        system=text_of(given.get("system")),
        turns=tuple(_turns(messages)),
        tools=tools,
        choice=choice,
        parallel=parallel,
        form=_form(given),
    )


def _tool(item: Mapping[str, Any], at: int) -> Tool:
    kind = item.get("type")
    if kind not in (None, "custom"):
        raise Refused(400, f"tools.{at}: Hosted tool '{kind}' is not available with this model")
    if not isinstance(item.get("input_schema"), dict):
        raise Refused(400, f"tools.{at}.custom.input_schema: Field required")
    return tool_of(item.get("name"), item.get("description"), item["input_schema"], f"tools.{at}.custom")


def _choice(given: Any, tools: tuple[Tool, ...]) -> tuple[str, bool, tuple[Tool, ...]]:
    given = given if isinstance(given, dict) else {"type": "auto"}
    parallel = given.get("disable_parallel_tool_use") is not True
    kind = given.get("type")
    if kind == "tool":
        return "required", parallel, chosen(tools, [given.get("name")])
    if kind not in ("auto", "any", "none"):
        raise Refused(
            400, f"tool_choice: Input tag '{kind}' found using 'type' does not match any of the expected tags"
        )
    if kind == "any" and not tools:
        raise Refused(400, "tool_choice: may only be specified while providing tools")
    return {"any": "required"}.get(kind, kind), parallel, tools


def _turns(messages: list[dict[str, Any]]) -> Iterator[Turn]:
    waiting: list[str] = []
    for at, message in enumerate(messages):
        role, content = message.get("role"), message.get("content")
        if role not in ("user", "assistant"):
            raise Refused(400, f"messages.{at}.role: Input should be 'user' or 'assistant'")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
        blocks = [block for block in blocks if isinstance(block, dict)]
        if role == "assistant":
            calls = tuple(_call(block) for block in blocks if block.get("type") == "tool_use")
            waiting = [call.id for call in calls]
            yield Turn(role="assistant", text=_texts(blocks), calls=calls)
            continue
        results = tuple(_result(block) for block in blocks if block.get("type") == "tool_result")
        _check_results(results, waiting, at)
        waiting = []
        if results:
            yield Turn(role="tool", results=results)
        if text := _texts(blocks):
            yield Turn(role="user", text=text)
    if waiting:
        raise _missing(waiting, len(messages))


def _check_results(results: tuple[Result, ...], waiting: list[str], at: int) -> None:
    for result in results:
        if result.call not in waiting:
            raise Refused(
                400,
                f"messages.{at}.content: unexpected `tool_use_id` found in `tool_result` blocks: {result.call}. Each "
                "`tool_result` block must have a corresponding `tool_use` block in the previous message.",
            )
    if missing := [call for call in waiting if call not in [result.call for result in results]]:
        raise _missing(missing, at)


def _missing(calls: list[str], at: int) -> Refused:
    return Refused(
        400,
        f"messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(calls)}. "
        "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    )


def _texts(blocks: list[dict[str, Any]]) -> str:
    return "\n".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text").strip()


def _call(block: Mapping[str, Any]) -> Call:
    return Call(
        id=str(block.get("id")), name=str(block.get("name")), arguments=arguments_of(block.get("input"))
    )


def _result(block: Mapping[str, Any]) -> Result:
    return Result(
        call=str(block.get("tool_use_id")),
        text=text_of(block.get("content")),
        failed=block.get("is_error") is True,
    )


def _form(given: Mapping[str, Any]) -> Mapping[str, Any] | None:
    form = (given.get("output_config") or {}).get("format") or given.get("output_format")
    if form is None:
        return None
    if (
        not isinstance(form, dict)
        or form.get("type") != "json_schema"
        or not isinstance(form.get("schema"), dict)
    ):
        raise Refused(400, "output_config.format: expected {type: 'json_schema', schema}")
    schema: dict[str, Any] = form["schema"]
    return schema


def _message(given: Mapping[str, Any], conversation: Conversation, skill: str, seed: bytes) -> dict[str, Any]:
    reply = think(conversation, skill)
    text, ended = limited(reply.text, given.get("max_tokens"), given.get("stop_sequences"))
    content: list[dict[str, Any]] = [
        {
            "type": "tool_use",
            "id": identity("toolu_", seed, at),
            "name": call.name,
            "input": dict(call.arguments),
        }
        for at, call in enumerate(reply.calls)
    ]
    reason, stop = "tool_use" if content else "end_turn", None
    if not content:
        content = [{"type": "text", "text": text, "citations": None}]
        if ended == "length":
            reason = "max_tokens"
        elif ended != "stop":
            reason, stop = "stop_sequence", ended
    return {
        "id": identity("msg_", seed),
        "type": "message",
        "role": "assistant",
        "model": given["model"],
        "content": content,
        "stop_reason": reason,
        "stop_sequence": stop,
        "usage": {
            "input_tokens": _asked_tokens(given),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": tokens(text, *(call.arguments for call in reply.calls)),
            "service_tier": "standard",
        },
    }


def _asked_tokens(given: Mapping[str, Any]) -> int:
    return tokens(given.get("system"), given.get("tools"), given.get("messages"))


def _events(message: Mapping[str, Any]) -> Iterator[bytes]:
    for data in _event_data(message):
        yield event(data, data["type"])


def _event_data(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    begun = {**message, "content": [], "stop_reason": None, "stop_sequence": None}
    begun["usage"] = {**message["usage"], "output_tokens": 1}
    yield {"type": "message_start", "message": begun}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            yield {
                "type": "content_block_start",
                "index": index,
                "content_block": {"type": "text", "text": ""},
            }
            if not index:
                yield {"type": "ping"}
            deltas = [{"type": "text_delta", "text": part} for part in parts_of(block["text"])]
        else:
            yield {"type": "content_block_start", "index": index, "content_block": {**block, "input": {}}}
            parts = ["", *parts_of(json.dumps(block["input"], ensure_ascii=False))]
            deltas = [{"type": "input_json_delta", "partial_json": part} for part in parts]
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": message["stop_sequence"]}
    yield {
        "type": "message_delta",
        "delta": ended,
        "usage": {"output_tokens": message["usage"]["output_tokens"]},
    }
    yield {"type": "message_stop"}
