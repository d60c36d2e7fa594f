"""Gemini's grounding: offsets are UTF-8 bytes into a part, the span is the claim, and absent ``startIndex``
is 0."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from .links import is_absolute
from .reading import Located, Reading

_DECLINED = ("SAFETY", "PROHIBITED_CONTENT", "RECITATION", "BLOCKLIST", "SPII")


def read_gemini(payload: Mapping[str, Any]) -> Reading:
    """A ``generateContent`` response, in camelCase (REST) or snake_case (the Python SDK)."""
    reading = Reading()
    candidates = [_camel(item) for item in payload["candidates"] if isinstance(item, dict)]
    candidate: dict[str, Any] = candidates[0] if candidates else {}
    content = _dict(candidate.get("content"))
    places = _append_parts(_list(content.get("parts")), reading)
    metadata = _dict(candidate.get("groundingMetadata"))
    chunks = [_chunk_url(chunk) for chunk in _list(metadata.get("groundingChunks"))]
    reading.sources += [url for url in chunks if url is not None]
    for support in _list(metadata.get("groundingSupports")):
        _read_support(_dict(support), chunks, places, reading)
    for row in _list(_dict(candidate.get("urlContextMetadata")).get("urlMetadata")):
        url = _dict(row).get("retrievedUrl")
        if isinstance(url, str) and is_absolute(url):
            reading.sources.append(url)
    if not reading.answer and candidate.get("finishReason") in _DECLINED:
        reading.status = "declined"
    reading.usage = _usage(_dict(_camel(payload.get("usageMetadata") or payload.get("usage_metadata"))))
    return reading


def _append_parts(parts: list[Any], reading: Reading) -> dict[int, tuple[int, str]]:
    """Where each part begins in the answer, and its text; thoughts are no part of it."""
    places: dict[int, tuple[int, str]] = {}
    for index, part in enumerate(parts):
        text = _dict(part).get("text")
        if isinstance(text, str) and not _dict(part).get("thought"):
            places[index] = (reading.append(text), text)
    return places


def _read_support(
    support: Mapping[str, Any], chunks: list[str | None], places: dict[int, tuple[int, str]], reading: Reading
) -> None:
    urls = []
    for index in _list(support.get("groundingChunkIndices")):
        url = chunks[index] if type(index) is int and 0 <= index < len(chunks) else None
        if url is None:
            reading.note("dangling-citation")
        elif url not in urls:
            urls.append(url)
    segment = _dict(support.get("segment"))
    span = _place(segment, places, reading)
    for url in urls:
        if span is not None:
            reading.located.append(Located(*span, url, is_claim=True))
        else:
            end = segment.get("endIndex")
            given = end if type(end) is int else 0
            reading.nearest.append((_points_before(reading.answer, given), url))


def _place(
    segment: Mapping[str, Any], places: dict[int, tuple[int, str]], reading: Reading
) -> tuple[int, int] | None:
    """The segment in code points of the answer. Bytes count within the part, else within the whole answer;
    where neither holds, the segment's own text is looked for."""
    start, end = segment.get("startIndex", 0), segment.get("endIndex")
    said = segment.get("text")
    said = said if isinstance(said, str) and said else None
    if type(start) is int and type(end) is int:
        index = segment.get("partIndex", 0)
        part = places.get(index) if type(index) is int else None
        for base, text in [*([part] if part else []), (0, reading.answer)]:
            span = _from_bytes(start, end, text)
            if span is not None and (said is None or text[slice(*span)] == said):
                return base + span[0], base + span[1]
    reading.note("offset-invalid")
    found = -1 if said is None else reading.answer.find(said)
    return None if found < 0 or said is None else (found, found + len(said))


def _from_bytes(start: int, end: int, text: str) -> tuple[int, int] | None:
    encoded = text.encode("utf-8", "surrogatepass")
    if not 0 <= start < end <= len(encoded):
        return None
    try:
        before = encoded[:start].decode("utf-8", "surrogatepass")
        within = encoded[start:end].decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return len(before), len(before) + len(within)


def _points_before(text: str, offset: int) -> int:
    return len(text.encode("utf-8", "surrogatepass")[: max(offset, 0)].decode("utf-8", "ignore"))


def _chunk_url(chunk: Any) -> str | None:
    web = _dict(chunk).get("web") or _dict(chunk).get("retrievedContext")
    url = _dict(web).get("uri")
    if not is_absolute(url):
        return None
    return re.sub(r"[^\x21-\x7e]+", lambda match: quote(match[0]), str(url))


def _usage(usage: Mapping[str, Any]) -> dict[str, Any] | None:
    names = {"input_tokens": "promptTokenCount", "output_tokens": "candidatesTokenCount"}
    found = {ours: usage[theirs] for ours, theirs in names.items() if type(usage.get(theirs)) is int}
    return found or None


def _camel(value: Any) -> Any:
    """snake_case keys as camelCase, all the way down; JSON is no deeper than ``jsonvalue.MAX_DEPTH``."""
    if isinstance(value, dict):
        return {re.sub(r"_([a-z])", lambda m: m[1].upper(), key): _camel(item) for key, item in value.items()}
    return [_camel(item) for item in value] if isinstance(value, list) else value


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
