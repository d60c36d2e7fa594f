"""The two tools of the world's MCP server: what they take, what they give."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import islice
from typing import Any

from fixture_server.message import Delivery
from fixture_server.stage import Stage

from .hits import Wanted, find
from .pages import delivery, fetched
from .parameters import number_of, text_of
from .reply import Refused
from .shape import Delivered, Shape, rows

RESULT = Shape(snippet="snippet", published="published")
MOST, DEFAULT = 20, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a tool gave: a text, the same as an object where the tool declares one, and whether it failed."""

    text: str
    structured: dict[str, Any] | None = None
    failed: bool = False
    deliveries: tuple[Delivery, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool. ``listed`` is how it is told to clients."""

    channel: str
    listed: Mapping[str, Any]
    call: Callable[[Mapping[str, Any], Stage], Given]


def _search(arguments: Mapping[str, Any], stage: Stage) -> Given:
    query = text_of(arguments, "query")
    most = number_of(arguments, "max_results", 1, MOST, DEFAULT)
    results = []
    for found in islice(find(query, Wanted(), stage), most):
        date = None if found.published is None else found.published.date().isoformat()
        told = Delivered(url=found.url, title=found.title, snippet=found.snippet, published=date)
        results.append(RESULT.write(told))
    structured = {"results": results}
    return Given(text=json.dumps(structured, ensure_ascii=False), structured=structured)


def _fetch(arguments: Mapping[str, Any], stage: Stage) -> Given:
    """The page as markdown. An error page is a failure that names its status, and what the page says beneath it."""
    url = text_of(arguments, "url")
    page = fetched(url, stage)
    if page is None:
        return Given(text=f"{url} could not be reached.", failed=True)
    text, failed = page.markdown, False
    if not 200 <= page.status < 300:
        text, failed = f"{url} answered {_phrase(page.status)}.\n\n{text}".rstrip(), True
    elif not page.is_page:
        text, failed = f"{url} is {page.media_type or 'empty'}, which has no text to read.", True
    if page.url != url:
        text = f"Final URL: {page.url}\n\n{text}"
    given = delivery(url, page.markdown, "extract-api", page.status)
    if not page.is_page and not page.markdown and page.media_type:
        given = replace(given, media_type=page.media_type)
    places = dict.fromkeys((url, page.url))
    return Given(text=text, failed=failed, deliveries=tuple(replace(given, url=place) for place in places))


def _phrase(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


_READS = {"readOnlyHint": True, "openWorldHint": True}
TOOLS: Mapping[str, Tool] = {
    "search": Tool(
        channel="search-api",
        call=_search,
        listed={
            "name": "search",
            "title": "Web search",
            "description": "Search the web. Gives the best pages for a query: title, URL, a snippet and the date of "
            "publication where it is known. Fetch a page before relying on what it says.",
            "annotations": _READS,
            "inputSchema": {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "What to look for."},
                    "max_results": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": MOST,
                        "default": DEFAULT,
                        "description": "How many pages to give at most.",
                    },
                },
                "required": ["query"],
            },
            "outputSchema": {
                "type": "object",
                "properties": {
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "url": {"type": "string"},
                                "title": {"type": "string"},
                                "snippet": {"type": "string"},
                                "published": {"type": ["string", "null"]},
                            },
                            "required": ["url", "title", "snippet"],
                        },
                    }
                },
                "required": ["results"],
            },
        },
    ),
    "fetch": Tool(
        channel="extract-api",
        call=_fetch,
        listed={
            "name": "fetch",
            "title": "Fetch a page",
            "description": "Read a web page or a PDF: its text as markdown.",
            "annotations": _READS,
            "inputSchema": {
                "type": "object",
                "properties": {"url": {"type": "string", "description": "The page's absolute URL."}},
                "required": ["url"],
            },
        },
    ),
}


def call(name: str, arguments: Mapping[str, Any], stage: Stage) -> Given:
    """What a tool gives; what it does not take is a failure that a model can read."""
    try:
        return TOOLS[name].call(arguments, stage)
    except Refused as refused:
        return Given(text=str(refused), failed=True)


def read(structured: Mapping[str, Any]) -> tuple[Delivered, ...]:
    """The results that a search gave."""
    return tuple(RESULT.read(row) for row in rows(structured, "results"))
