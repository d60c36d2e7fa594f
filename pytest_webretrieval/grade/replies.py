"""What a search reply names, whatever its dialect: in JSON, sent as events or not, in text, in HTML."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .urls import canonical

_URL_KEYS = frozenset(("url", "link", "href", "uri", "permalink", "page_url", "source_url"))
_URL_LINE = re.compile(r"^(?:\[\d+\] )?[\w ]{1,40}: (https?://\S+)$", re.MULTILINE)
_HREF = re.compile(r'href="(https?://[^"]+)"')
_EVENT_DATA = re.compile(rb"^data: ?(.+)$", re.MULTILINE)
_SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Result:
    """One page that a reply names: its identity, and what the reply says of it (empty in HTML)."""

    url: str
    text: str


def results(body: bytes) -> Iterator[Result]:
    """The results of a reply in its order: by their keys in JSON, in a text by lines that are a label and an address,
    in HTML by its links."""
    try:
        data = json.loads(b"".join(_EVENT_DATA.findall(body)) or body)
    except (ValueError, RecursionError):
        text = body.decode("utf-8", "replace")
        for block in re.split(r"\n\s*\n", text):
            for url in _URL_LINE.findall(block):
                yield Result(canonical(url), _URL_LINE.sub("", block).strip())
        for url in _HREF.findall(text):
            yield Result(canonical(html.unescape(url)), "")
        return
    yield from _items(data)


def _items(data: object) -> Iterator[Result]:
    stack = [data]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        elif isinstance(item, dict):
            for key, value in item.items():
                if key in _URL_KEYS and isinstance(value, str) and value.startswith(_SCHEMES):
                    yield Result(canonical(value), _says(item))
            stack.extend(value for value in reversed(item.values()) if isinstance(value, dict | list))


def _says(item: Mapping[str, object]) -> str:
    """The texts of an item itself, without addresses."""
    texts: list[str] = []
    for value in item.values():
        texts.extend(
            part.strip()
            for part in (value if isinstance(value, list) else (value,))
            if isinstance(part, str) and not part.startswith(_SCHEMES)
        )
    return "\n".join(filter(None, texts))


def result_urls(body: bytes) -> Iterator[str]:
    """The identities of the pages that a search reply names."""
    return (result.url for result in results(body))
