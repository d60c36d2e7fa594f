"""The turns of a system's model, read off the wire: what it was given, which tools it called, what it said.

Known are the shapes of OpenAI's Chat Completions and Responses and of Anthropic's Messages, streamed and not, whoever
speaks them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from .attempt import Attempt
from .eventstream import is_event_stream
from .streamed import whole

_ENDPOINTS = {"/chat/completions": "chat", "/responses": "responses", "/messages": "messages"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a tool that the model asked for; ``arguments`` is JSON as it wrote it."""

    id: str
    name: str
    arguments: str

    @property
    def strings(self) -> tuple[str, ...]:
        """Every string among the arguments."""
        return strings_in(self.arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The result of a tool as the model was given it."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One request to a model and its response. ``attempt`` is the request's number. ``told`` are its texts but for
    results of tools and what the model had said itself, ``tools`` the names of what it offered. ``calls`` and ``text``
    are the response's, ``answer`` is the response as its provider gives it in one piece. ``error`` says why there is
    none, or none that can be read."""

    attempt: int
    started_s: float
    ended_s: float
    kind: str
    model: str = ""
    tools: tuple[str, ...] = ()
    told: str = ""
    given: tuple[Given, ...] = ()
    calls: tuple[Call, ...] = ()
    text: str = ""
    answer: Any = None
    error: str | None = None


def strings_in(arguments: str) -> tuple[str, ...]:
    """Every string among a tool's arguments, which are JSON; what is none is one string."""
    try:
        return tuple(_strings(json.loads(arguments)))
    except ValueError:
        return (arguments,)


def read_turns(attempts: Iterable[Attempt], bodies: Mapping[str, bytes]) -> tuple[Turn, ...]:
    """The turns among ``attempts`` in the order in which they were asked; requests after the last answer are none."""
    found = [
        _turn(attempt, kind, bodies.get(attempt.body or "", b""))
        for attempt in attempts
        if attempt.role == "model" and not attempt.late and (kind := _kind(attempt))
    ]
    return tuple(sorted(found, key=lambda turn: turn.started_s))


def _kind(attempt: Attempt) -> str | None:
    path = urlsplit(attempt.url).path
    return next((kind for end, kind in _ENDPOINTS.items() if path.endswith(end)), None)


def _turn(attempt: Attempt, kind: str, body: bytes) -> Turn:
    asked, answer = _object(attempt.request_body), None
    error = attempt.error_type
    if error is None:
        streamed = is_event_stream(attempt.response_headers.get("content-type", ""))
        answer = whole(kind, body.decode("utf-8", "replace")) if streamed else _object(body)
        error = None if answer else "unreadable"
    told, given = _READERS[kind](asked)
    text, calls = _SAID[kind](answer or {})
    return Turn(
        attempt=attempt.number,
        started_s=attempt.started_s,
        ended_s=attempt.started_s + attempt.duration_s,
        kind=kind,
        model=str(asked.get("model") or ""),
        tools=tuple(_tools(asked)),
        told="\n".join(told),
        given=tuple(given),
        calls=tuple(calls),
        text=text,
        answer=answer or None,
        error=error,
    )


def _object(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _tools(asked: Mapping[str, Any]) -> Iterator[str]:
    for tool in _dicts(asked.get("tools")):
        function = tool.get("function")
        name = (function if isinstance(function, dict) else tool).get("name") or tool.get("type")
        if name:
            yield str(name)


# --- what a model is given ---

_Asked = tuple[list[str], list[Given]]


def _asked_chat(asked: Mapping[str, Any]) -> _Asked:
    told: list[str] = []
    given: list[Given] = []
    for message in _dicts(asked.get("messages")):
        text = _text(message.get("content"))
        if message.get("role") in ("tool", "function"):
            given.append(
                Given(call_id=str(message.get("tool_call_id") or message.get("name") or ""), text=text)
            )
        elif message.get("role") != "assistant":
            told.append(text)
    return told, given


def _asked_responses(asked: Mapping[str, Any]) -> _Asked:
    told, given = [_text(asked.get("instructions"))], []
    items = asked.get("input")
    if isinstance(items, str):
        return [*told, items], []
    for item in _dicts(items):
        if str(item.get("type", "")).endswith("_call_output"):
            given.append(Given(call_id=str(item.get("call_id") or ""), text=_text(item.get("output"))))
        elif item.get("role") != "assistant":
            told.append(_text(item.get("content")))
    return told, given


def _asked_messages(asked: Mapping[str, Any]) -> _Asked:
    told, given = [_text(asked.get("system"))], []
    for message in _dicts(asked.get("messages")):
        content = message.get("content")
        if message.get("role") != "assistant":
            told.append(_text(content))
        for block in _dicts(content):
            if block.get("type") == "tool_result":
                given.append(
                    Given(call_id=str(block.get("tool_use_id") or ""), text=_text(block.get("content")))
                )
    return told, given


_READERS = {"chat": _asked_chat, "responses": _asked_responses, "messages": _asked_messages}

# --- what it says ---

_Answered = tuple[str, list[Call]]


def _said_chat(answer: Mapping[str, Any]) -> _Answered:
    choice = next(iter(_dicts(answer.get("choices"))), {})
    message = choice.get("message")
    if not isinstance(message, dict):
        return "", []
    calls = []
    for call in _dicts(message.get("tool_calls")):
        function = call.get("function")
        if isinstance(function, dict):
            calls.append(_call(call.get("id"), function.get("name"), function.get("arguments")))
    return _text(message.get("content")), calls


def _said_responses(answer: Mapping[str, Any]) -> _Answered:
    texts, calls = [], []
    for item in _dicts(answer.get("output")):
        if item.get("type") == "message":
            texts.append(_text(item.get("content")))
        elif item.get("type") == "function_call":
            calls.append(_call(item.get("call_id"), item.get("name"), item.get("arguments")))
    return "\n\n".join(texts), calls


def _said_messages(answer: Mapping[str, Any]) -> _Answered:
    blocks = list(_dicts(answer.get("content")))
    calls = [
        _call(block.get("id"), block.get("name"), block.get("input"))
        for block in blocks
        if block.get("type") == "tool_use"
    ]
    return "".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text"), calls


_SAID = {"chat": _said_chat, "responses": _said_responses, "messages": _said_messages}


def _call(given_id: Any, name: Any, arguments: Any) -> Call:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return Call(id=str(given_id or ""), name=str(name or ""), arguments=text)


def _text(content: Any) -> str:
    """A content's text: itself, or the texts of its parts."""
    if isinstance(content, str):
        return content
    texts = (part.get("text") for part in _dicts(content) if "text" in str(part.get("type", "text")))
    return "\n".join(text for text in texts if isinstance(text, str))


def _dicts(value: Any) -> Iterator[dict[str, Any]]:
    return (item for item in value if isinstance(item, dict)) if isinstance(value, list) else iter(())


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
