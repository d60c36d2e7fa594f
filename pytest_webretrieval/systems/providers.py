"""Responses of LLM providers, told apart by shape: OpenAI (Responses and Chat Completions, and those who
speak it), Anthropic, Gemini, Perplexity, LangChain messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .annotations import add_url_citation
from .gemini import read_gemini
from .links import is_absolute
from .reading import Located, Reading

_DECLINED = ("refusal", "content_filter", "SAFETY", "PROHIBITED_CONTENT", "RECITATION")


def read_response(payload: Any) -> Reading | None:
    """What the response says, or None when it is of no known shape. Never raises for a JSON value."""
    if isinstance(payload, list):
        return _content(payload) if payload and all(_is_block(item) for item in payload) else None
    if not isinstance(payload, dict):
        return None
    if isinstance(payload.get("kwargs"), dict) and payload.get("lc") is not None:
        return read_response(payload["kwargs"])
    if isinstance(payload.get("candidates"), list):
        return read_gemini(payload)
    if isinstance(payload.get("choices"), list):
        return _chat(payload)
    if isinstance(payload.get("output"), list) and "id" in payload:
        return _responses(payload)
    if isinstance(payload.get("content"), str | list) and _is_message(payload):
        return _message(payload)
    return None


def _is_block(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("type"), str)


def _is_message(payload: Mapping[str, Any]) -> bool:
    return (
        payload.get("role") == "assistant"
        or "response_metadata" in payload
        or payload.get("type") in ("ai", "message")
    )


def _responses(payload: Mapping[str, Any]) -> Reading:
    reading = Reading()
    for item in _dicts(payload["output"]):
        if item.get("type") == "web_search_call":
            action = _dict(item.get("action"))
            reading.sources += _urls(_dicts(action.get("sources"))) + _urls([action])
        elif item.get("type") == "message":
            _read_blocks(item.get("content"), reading)
    if payload.get("status") == "failed" or (payload.get("error") and not reading.answer):
        reading.status = "failed"
        reading.detail = _text(_dict(payload.get("error")).get("message")) or None
    reading.usage = _usage(payload.get("usage"))
    return reading


def _chat(payload: Mapping[str, Any]) -> Reading:
    reading = Reading()
    choice = next(iter(_dicts(payload["choices"])), {})
    message = _dict(choice.get("message"))
    _read_content(message, reading)
    reading.listed = _listed(payload)
    reading.sources += reading.listed + _urls(_dicts(payload.get("search_results")))
    _read_refusal(message.get("refusal"), choice.get("finish_reason"), reading)
    reading.usage = _usage(payload.get("usage"))
    return reading


def _message(payload: Mapping[str, Any]) -> Reading:
    """An Anthropic message, or a LangChain message around any provider's."""
    reading = Reading()
    metadata, extra = _dict(payload.get("response_metadata")), _dict(payload.get("additional_kwargs"))
    grounding = metadata.get("grounding_metadata") or metadata.get("groundingMetadata")
    if isinstance(grounding, dict) and isinstance(payload["content"], str):
        parts = {"content": {"parts": [{"text": payload["content"]}]}, "groundingMetadata": grounding}
        reading = read_gemini({"candidates": [parts]})
    else:
        _read_content(payload, reading)
    for annotation in [*_dicts(metadata.get("annotations")), *_dicts(extra.get("annotations"))]:
        add_url_citation(annotation, 0, reading.answer, reading)
    reading.listed = _listed(extra) or _listed(metadata)
    reading.sources += reading.listed
    stop = payload.get("stop_reason") or metadata.get("stop_reason") or metadata.get("finish_reason")
    _read_refusal(extra.get("refusal"), stop, reading)
    reading.usage = _usage(payload.get("usage") or payload.get("usage_metadata"))
    return reading


def _content(blocks: list[Any]) -> Reading:
    reading = Reading()
    _read_blocks(blocks, reading)
    return reading


def _read_content(message: Mapping[str, Any], reading: Reading) -> None:
    content = message.get("content")
    if isinstance(content, str):
        start = reading.append(content)
        for annotation in _dicts(message.get("annotations")):
            add_url_citation(annotation, start, content, reading)
    else:
        _read_blocks(content, reading)


def _read_blocks(blocks: Any, reading: Reading) -> None:
    """Content blocks: OpenAI's with annotations, Anthropic's with citations. What stands between two texts
    (a tool call) parts them."""
    documents: list[tuple[str, str]] = []
    separator = "\n\n"
    for block in [{"type": "text", "text": b} if isinstance(b, str) else b for b in _list(blocks)]:
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind in ("text", "output_text"):
            _read_text(block, separator, documents, reading)
            separator = ""
        elif kind == "refusal":
            _read_refusal(block.get("refusal"), None, reading)
        else:
            separator = "\n\n"
            documents += _documents(block, reading)


def _read_text(
    block: Mapping[str, Any], separator: str, documents: list[tuple[str, str]], reading: Reading
) -> None:
    text = _text(block.get("text"))
    start = reading.append(text, separator)
    for annotation in _dicts(block.get("annotations")):
        if annotation.get("type") in ("url_citation", "citation"):
            add_url_citation(annotation, start, text, reading)
    for citation in _dicts(block.get("citations")):
        url = _cited(citation, documents)
        if url is None:
            reading.note("dangling-citation")
        elif text.strip():
            reading.located.append(Located(start, start + len(text), url, is_claim=True))


def _cited(citation: Mapping[str, Any], documents: list[tuple[str, str]]) -> str | None:
    """The URL of an Anthropic citation: its own, or that of the fetched document that it names."""
    own = next(iter(_urls([citation, {"url": citation.get("source")}])), None)
    if own is not None:
        return own
    title, index = citation.get("document_title"), citation.get("document_index")
    by_title = next((url for url, named in documents if named and named == title), None)
    if by_title is None and type(index) is int and 0 <= index < len(documents):
        return documents[index][0]
    return by_title


def _documents(block: Mapping[str, Any], reading: Reading) -> list[tuple[str, str]]:
    """URL and title of documents that a tool's result brought in; results of searches become sources."""
    content = block.get("content")
    reading.sources += _urls(_dicts(content))
    if not isinstance(content, dict) or not (urls := _urls([content])):
        return []
    reading.sources += urls
    return [(urls[0], _text(_dict(content.get("content")).get("title")))]


def _read_refusal(refusal: Any, stop: Any, reading: Reading) -> None:
    if isinstance(refusal, str) and refusal.strip():
        reading.status, reading.detail = "declined", refusal
        if not reading.answer:
            reading.append(refusal)
    elif stop in _DECLINED:
        reading.status = "declined"


def _listed(payload: Mapping[str, Any]) -> list[str]:
    """``citations`` as Perplexity and those like it give them: URLs, or objects with one."""
    citations = payload.get("citations")
    rows = [item if isinstance(item, dict) else {"url": item} for item in _list(citations)]
    urls = [_text(row.get("url")) for row in rows]
    return urls if urls and all(is_absolute(url) for url in urls) else []


def _usage(usage: Any) -> dict[str, Any] | None:
    """Tokens and cost under our names."""
    if not isinstance(usage, dict):
        return None
    names = {
        "input_tokens": ("input_tokens", "prompt_tokens", "promptTokenCount"),
        "output_tokens": ("output_tokens", "completion_tokens", "candidatesTokenCount"),
        "cost_usd": ("cost", "total_cost", "cost_usd"),
    }
    found = {ours: next(_numbers(usage, theirs), None) for ours, theirs in names.items()}
    return {name: value for name, value in found.items() if value is not None} or None


def _numbers(usage: Mapping[str, Any], names: Iterable[str]) -> Iterator[int | float]:
    for name in names:
        value = usage.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
            yield value


def _urls(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    return [row["url"] for row in rows if is_absolute(row.get("url"))]


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in _list(value) if isinstance(item, dict)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
