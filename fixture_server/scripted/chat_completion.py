"""OpenAI's chat completion, whole and in chunks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .brain.conversation import Call, Reply
from .identity import identity, tokens
from .request import limited
from .streaming import event, parts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """An answer of OpenAI's Chat Completions: ``count`` choices that are all alike."""

    id: str
    model: str
    created: int
    text: str
    calls: tuple[Call, ...]
    ended: str
    count: int
    usage: Mapping[str, Any]

    def as_data(self) -> dict[str, Any]:
        """The whole of it."""
        message: dict[str, Any] = {
            "role": "assistant",
            "content": None if self.calls else self.text,
            "refusal": None,
            "annotations": [],
        }
        if self.calls:
            message["tool_calls"] = [_said(call) for call in self.calls]
        choices = [
            {"index": at, "message": message, "logprobs": None, "finish_reason": self.ended}
            for at in range(self.count)
        ]
        return {**self._frame("chat.completion"), "choices": choices, "usage": self.usage}

    def chunks(self, *, usage: bool) -> Iterator[bytes]:
        """The events of a stream, the last one (``[DONE]``) excepted."""
        frame = self._frame("chat.completion.chunk") | ({"usage": None} if usage else {})
        for at in range(self.count):
            for delta in self._deltas():
                choice = {"index": at, "delta": delta, "logprobs": None, "finish_reason": None}
                yield event({**frame, "choices": [choice]})
            yield event(
                {
                    **frame,
                    "choices": [{"index": at, "delta": {}, "logprobs": None, "finish_reason": self.ended}],
                }
            )
        if usage:
            yield event({**frame, "choices": [], "usage": self.usage})

    def _deltas(self) -> Iterator[dict[str, Any]]:
        yield {"role": "assistant", "content": None if self.calls else "", "refusal": None}
        for index, call in enumerate(self.calls):
            said = _said(call)
            arguments = said["function"]["arguments"]
            begun = {**said, "function": {"name": call.name, "arguments": ""}}
            yield {"tool_calls": [{"index": index, **begun}]}
            for part in parts_of(arguments):
                yield {"tool_calls": [{"index": index, "function": {"arguments": part}}]}
        for part in parts_of(self.text):
            yield {"content": part}

    def _frame(self, kind: str) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": kind,
            "created": self.created,
            "model": self.model,
            "service_tier": "default",
            "system_fingerprint": None,
        }


def _said(call: Call) -> dict[str, Any]:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def complete(given: Mapping[str, Any], reply: Reply, seed: bytes) -> Completion:
    """The answer to a request; ``seed`` decides its ids."""
    most = given.get("max_completion_tokens") or given.get("max_tokens")
    text, ended = limited(reply.text, most, given.get("stop"))
    calls = tuple(
        Call(name=call.name, arguments=call.arguments, id=identity("call_", seed, at))
        for at, call in enumerate(reply.calls)
    )
    asked = tokens(given.get("messages"), given.get("tools"))
    said = tokens(text, *(_said(call)["function"] for call in calls))
    count = given.get("n") if isinstance(given.get("n"), int) else 1
    return Completion(
        id=identity("chatcmpl-", seed, length=29),
        model=given["model"],
        created=int(time.time()),
        text=text,
        calls=calls,
        ended="tool_calls" if calls else "length" if ended == "length" else "stop",
        count=max(1, min(count or 1, 8)),
        usage={
            "prompt_tokens": asked,
            "completion_tokens": said,
            "total_tokens": asked + said,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
        },
    )
