"""What a model's streamed response comes to: the response that the same provider gives in one piece."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from .eventstream import deltas


def whole(kind: str, body: str) -> dict[str, Any]:
    """The response of a stream of ``kind`` (``chat``, ``responses`` or ``messages``), as far as it came."""
    events = [event for event in deltas(body) if isinstance(event, dict)]
    return _KINDS[kind](events)


def _chat(events: Iterable[dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    calls: dict[int, dict[str, Any]] = {}
    rest: dict[str, Any] = {}
    finish = None
    for event in events:
        rest |= {name: value for name, value in event.items() if name not in ("choices", "object") and value}
        for choice in event.get("choices") or ():
            delta = choice.get("delta") or {}
            message["content"] += delta.get("content") or ""
            message.setdefault("annotations", []).extend(delta.get("annotations") or ())
            if delta.get("refusal"):
                message["refusal"] = message.get("refusal", "") + delta["refusal"]
            for part in delta.get("tool_calls") or ():
                _add_call(calls.setdefault(part.get("index", len(calls)), {}), part)
            finish = choice.get("finish_reason") or finish
    if calls:
        message["tool_calls"] = [calls[index] for index in sorted(calls)]
    return {**rest, "choices": [{"index": 0, "message": message, "finish_reason": finish}]}


def _add_call(call: dict[str, Any], part: dict[str, Any]) -> None:
    function = part.get("function") or {}
    call["id"] = call.get("id") or part.get("id")
    call["type"] = "function"
    known = call.setdefault("function", {"name": "", "arguments": ""})
    known["name"] += function.get("name") or ""
    known["arguments"] += function.get("arguments") or ""


def _responses(events: Iterable[dict[str, Any]]) -> dict[str, Any]:
    items, found = [], {}
    for event in events:
        if isinstance(event.get("response"), dict):
            found = event["response"]
        if event.get("type") == "response.output_item.done":
            items.append(event.get("item"))
    return found if found.get("output") else {"id": "", **found, "output": items}


def _messages(events: Iterable[dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {"type": "message", "role": "assistant"}
    blocks: dict[int, dict[str, Any]] = {}
    for event in events:
        match event.get("type"):
            case "message_start":
                message |= event.get("message") or {}
            case "content_block_start":
                blocks[event.get("index", 0)] = dict(event.get("content_block") or {})
            case "content_block_delta":
                _add_delta(
                    blocks.setdefault(event.get("index", 0), {"type": "text"}), event.get("delta") or {}
                )
            case "message_delta":
                message |= event.get("delta") or {}
    for block in blocks.values():
        if "partial" in block:
            block["input"] = _json(block.pop("partial"))
    return {**message, "content": [blocks[index] for index in sorted(blocks)]}


def _add_delta(block: dict[str, Any], delta: dict[str, Any]) -> None:
    match delta.get("type"):
        case "text_delta":
            block["text"] = block.get("text", "") + delta.get("text", "")
        case "input_json_delta":
            block["partial"] = block.get("partial", "") + delta.get("partial_json", "")
        case "citations_delta":
            block["citations"] = [*(block.get("citations") or ()), delta.get("citation")]


def _json(text: str) -> Any:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text


_KINDS: dict[str, Callable[[Iterable[dict[str, Any]]], dict[str, Any]]] = {
    "chat": _chat,
    "responses": _responses,
    "messages": _messages,
}
