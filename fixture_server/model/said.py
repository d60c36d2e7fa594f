"""What a request to a model says, whichever provider's words it is in: model, tools, texts, parameters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

PROMPT, RESULTS, HISTORY = "prompt", "tool results", "model's own turns"

_TOOLS = ("tools", "functions")
_TEXTS = (
    *("system", "instructions", "systemInstruction", "system_instruction", "preamble", "prompt"),
    *("messages", "input", "contents", "chat_history", "message"),
)
_RESULT = re.compile(r"tool$|function$|_output$|tool_result|functionResponse|function_response|_results?$")
_ITS_OWN = re.compile(
    r"assistant|model|chatbot|function_call$|tool_use|tool_call|functionCall|reasoning|thinking", re.I
)
_MODEL_IN_PATH = re.compile(r"/models/([^/:]+)")


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a request. ``kind`` is PROMPT, RESULTS or HISTORY; ``place`` says to people where it stands."""

    kind: str
    place: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """``tools`` are declarations by name, ``texts`` in order, ``parameters`` all that is neither."""

    host: str
    endpoint: str
    model: str
    tools: Mapping[str, Any] = field(default_factory=dict)
    texts: tuple[Text, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)


def said(host: str, method: str, path: str, body: Any) -> Said:
    """A request, its JSON body parsed (anything else as text)."""
    found = _MODEL_IN_PATH.search(path)
    endpoint = f"{method} {_MODEL_IN_PATH.sub('/models/…', path)}"
    if not isinstance(body, dict):
        text = body if isinstance(body, str) else json.dumps(body)
        return Said(
            host=host, endpoint=endpoint, model="", texts=(Text(PROMPT, "body", text),) if body else ()
        )
    rest = {name: value for name, value in body.items() if name not in (*_TOOLS, *_TEXTS, "model")}
    names = _names_of_calls(body)
    return Said(
        host=host,
        endpoint=endpoint,
        model=str(body.get("model") or (found[1] if found else "")),
        tools={name: tool for key in _TOOLS for name, tool in _tools(body.get(key) or ())},
        texts=tuple(text for key in _TEXTS if key in body for text in _texts(body[key], key, names)),
        parameters=rest,
    )


def _tools(declared: Any) -> Iterator[tuple[str, Any]]:
    """Name and declaration, whichever provider's wrapping is around it."""
    for tool in declared if isinstance(declared, list) else ():
        inner = tool.get("function", tool) if isinstance(tool, dict) else tool
        if not isinstance(inner, dict):
            continue
        groups = [inner[key] for key in ("functionDeclarations", "function_declarations") if key in inner]
        if groups:
            for group in groups:
                yield from _tools(group)
        else:
            yield str(inner.get("name") or inner.get("type") or next(iter(inner), "")), inner


def _texts(value: Any, key: str, names: Mapping[str, str]) -> Iterator[Text]:
    if isinstance(value, str):
        yield Text(PROMPT, key, value)
        return
    if isinstance(value, dict):
        yield from _of_message(value, key, names)
    for number, message in enumerate(value if isinstance(value, list) else (), 1):
        if isinstance(message, str):
            yield Text(PROMPT, f"{key} {number}", message)
        elif isinstance(message, dict):
            role = str(message.get("role") or message.get("type") or key)
            yield from _of_message(message, f"{role} message {number}", names)


def _of_message(message: Mapping[str, Any], place: str, names: Mapping[str, str]) -> Iterator[Text]:
    """The texts of one message: its blocks, and what the model asked for."""
    role = str(message.get("role") or message.get("type") or "")
    kind = RESULTS if _RESULT.search(role) else HISTORY if _ITS_OWN.search(role) else PROMPT
    content = next(
        (message[key] for key in ("content", "parts", "output", "text") if message.get(key) is not None), None
    )
    if kind is RESULTS:
        place = _place_of_result(message, place, names)
    if isinstance(content, str):
        yield Text(kind, place, content)
    elif isinstance(content, list):
        for block in content:
            yield from _of_block(block, kind, place, names)
    elif content is not None:
        yield Text(kind, place, _canonical(content))
    rest = {key: value for key, value in message.items() if key not in _SEEN and value not in (None, [], {})}
    if rest:
        yield Text(kind, place, _canonical(rest))


_SEEN = frozenset(
    ("role", "type", "content", "parts", "output", "text", "tool_call_id", "call_id", "tool_use_id")
)


def _of_block(block: Any, kind: str, place: str, names: Mapping[str, str]) -> Iterator[Text]:
    if not isinstance(block, dict):
        yield Text(kind, place, str(block))
        return
    sort = str(block.get("type") or next(iter(block), ""))
    if _RESULT.search(sort):
        yield from _of_message({**block, "type": sort}, place, names)
    elif isinstance(block.get("text"), str):
        yield Text(HISTORY if _ITS_OWN.search(sort) else kind, place, block["text"])
    else:
        yield Text(HISTORY if _ITS_OWN.search(sort) else kind, place, _canonical(block))


def _place_of_result(message: Mapping[str, Any], place: str, names: Mapping[str, str]) -> str:
    """``result of NAME`` where it is known which tool was called."""
    ids = (str(message.get(key)) for key in ("tool_call_id", "call_id", "tool_use_id"))
    inner: Any = message.get("functionResponse") or message.get("function_response") or {}
    name = message.get("name") or inner.get("name") or next((names[one] for one in ids if one in names), None)
    return f"result of {name}" if name else place


def _names_of_calls(body: Any) -> dict[str, str]:
    """The names of the tools that the conversation called, by the ids of the calls."""
    found: dict[str, str] = {}
    waiting = [body.get(key) for key in _TEXTS]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            name = (
                item.get("name") or (item.get("function") or {}).get("name", "") if _is_call(item) else None
            )
            for key in ("call_id", "id"):
                if name and isinstance(item.get(key), str):
                    found[item[key]] = str(name)
            waiting.extend(value for value in item.values() if isinstance(value, dict | list))
    return found


def _is_call(item: Mapping[str, Any]) -> bool:
    return "arguments" in item or "input" in item or isinstance(item.get("function"), dict)


def _canonical(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True)
