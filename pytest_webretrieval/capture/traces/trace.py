"""What a trace comes to: one question, the answer that was given, the addresses that tools opened."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

_URL = re.compile(r"https?://[^\s\"'<>\\)\]}`|]+")
_TRAILING = ".,;:!?*_~"
# Names under which frameworks keep the text of a question, and of an answer, in an object of several values.
_ASKED = ("question", "query", "input", "prompt", "message", "text", "content", "user_input", "task")
_ANSWERED = ("answer", "output", "result", "response", "content", "text", "final_output", "message")


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceTask:
    """One trace. ``urls`` are those that tools were called with, in order; ``name`` is the trace's own."""

    name: str
    query: str
    answer: str
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A step of any format. ``is_tool``: what went in was chosen to act on the web, and not to be talked about;
    ``started`` orders the steps of one trace."""

    id: str
    parent: str | None
    trace: str
    name: str
    is_tool: bool
    asked: Any
    answered: Any
    started: str = ""


def tasks_of(spans: Iterable[Span]) -> list[TraceTask]:
    """A task for each trace that has a question, in order of appearance."""
    by_trace: dict[str, list[Span]] = {}
    for span in spans:
        by_trace.setdefault(span.trace, []).append(span)
    return [task for ones in by_trace.values() if (task := _task(ones)) is not None]


def _task(spans: list[Span]) -> TraceTask | None:
    ordered = sorted(spans, key=lambda span: span.started)
    known = {span.id for span in spans}
    roots = [span for span in ordered if span.parent is None or span.parent not in known]
    asking = [*roots, *(span for span in ordered if not span.is_tool)]
    query = next((text for span in asking if (text := said(span.asked, _ASKED, "user"))), "")
    answering = [*roots, *(span for span in reversed(ordered) if not span.is_tool)]
    answer = next((text for span in answering if (text := said(span.answered, _ANSWERED, "assistant"))), "")
    urls = dict.fromkeys(url for span in ordered if span.is_tool for url in urls_in(span.asked))
    return TraceTask(name=roots[0].name, query=query, answer=answer, urls=tuple(urls)) if query else None


def said(value: Any, names: tuple[str, ...], role: str) -> str:
    """The text of a question or answer in whatever a framework wrapped it: the last message of ``role`` where there
    are messages, else the text under one of ``names``."""
    value = unpacked(value)
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return _last_message(value, names, role)
    if not isinstance(value, dict):
        return ""
    for key in ("messages", "choices"):
        if isinstance(value.get(key), list) and (text := _last_message(value[key], names, role)):
            return text
    if isinstance(value.get("parts"), list):
        return _of_parts(value["parts"])
    for name in names:
        if text := said(value.get(name), names, role):
            return text
    kwargs = value.get("kwargs")
    if text := said(kwargs, names, role):
        return text
    return said(next(iter(value.values())), names, role) if len(value) == 1 else ""


def unpacked(value: Any) -> Any:
    """JSON within a text, read; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def urls_in(value: Any) -> Iterator[str]:
    """The http addresses anywhere within, without the punctuation behind them."""
    value = unpacked(value)
    if isinstance(value, str):
        for found in _URL.findall(value):
            url = found.rstrip(_TRAILING)
            if urlsplit(url).hostname:
                yield url
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from urls_in(one)


def _last_message(messages: list[Any], names: tuple[str, ...], role: str) -> str:
    nested = [one for entry in messages for one in (entry if isinstance(entry, list) else [entry])]
    wanted = [one for one in nested if isinstance(one, dict) and _role(one) == role]
    for message in reversed(wanted):
        content = message.get("message", message)
        if isinstance(content, dict) and isinstance(content.get("parts"), list):
            text = _of_parts(content["parts"])
        else:
            text = _of_content(content, names, role)
        if text:
            return text
    texts = [one for one in nested if isinstance(one, str)]
    return texts[-1].strip() if texts and not wanted else ""


def _role(message: dict[str, Any]) -> str:
    inner = message.get("message")
    named = (
        message.get("role") or message.get("type") or (inner.get("role") if isinstance(inner, dict) else "")
    )
    if named == "constructor" and isinstance(message.get("id"), list):
        named = message["id"][-1]
    short = str(named).lower().removesuffix("message").removesuffix("chunk").removesuffix("message")
    return {"human": "user", "ai": "assistant", "model": "assistant"}.get(short, short)


def _of_content(message: Any, names: tuple[str, ...], role: str) -> str:
    if not isinstance(message, dict):
        return said(message, names, role)
    content = message.get("content", (message.get("kwargs") or {}).get("content"))
    if isinstance(content, list):
        return _of_parts(content)
    return content.strip() if isinstance(content, str) else ""


def _of_parts(parts: list[Any]) -> str:
    texts = (
        part if isinstance(part, str) else part.get("text") or part.get("content")
        for part in parts
        if isinstance(part, str)
        or (isinstance(part, dict) and part.get("type", "text") in ("text", "output_text", "input_text"))
    )
    return "\n".join(text for text in texts if isinstance(text, str)).strip()
