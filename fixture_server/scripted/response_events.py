"""A response of OpenAI's Responses as the events of a stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .streaming import event, parts_of


def events_of(response: Mapping[str, Any]) -> Iterator[bytes]:
    """Every event from ``response.created`` to the one that ends it, numbered in order."""
    for number, data in enumerate(_events(response)):
        yield event({**data, "sequence_number": number}, data["type"])


def _events(response: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    begun = {**response, "status": "in_progress", "completed_at": None, "output": [], "usage": None}
    begun["incomplete_details"] = None
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(response["output"]):
        place = {"item_id": item["id"], "output_index": index}
        if item["type"] == "function_call":
            yield from _call(item, place)
        else:
            yield from _message(item, place)
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    ended = "response.incomplete" if response["status"] == "incomplete" else "response.completed"
    yield {"type": ended, "response": dict(response)}


def _call(item: Mapping[str, Any], place: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    added = {**item, "status": "in_progress", "arguments": ""}
    yield {"type": "response.output_item.added", "output_index": place["output_index"], "item": added}
    for part in parts_of(item["arguments"]):
        yield {"type": "response.function_call_arguments.delta", **place, "delta": part}
    yield {
        "type": "response.function_call_arguments.done",
        **place,
        "name": item["name"],
        "arguments": item["arguments"],
    }


def _message(item: Mapping[str, Any], place: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    added = {**item, "status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": place["output_index"], "item": added}
    for at, part in enumerate(item["content"]):
        within = {**place, "content_index": at}
        yield {"type": "response.content_part.added", **within, "part": {**part, "text": ""}}
        for text in parts_of(part["text"]):
            yield {"type": "response.output_text.delta", **within, "delta": text, "logprobs": []}
        yield {"type": "response.output_text.done", **within, "text": part["text"], "logprobs": []}
        yield {"type": "response.content_part.done", **within, "part": part}
