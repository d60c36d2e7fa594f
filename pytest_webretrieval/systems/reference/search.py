"""Search APIs in the dialects that a task offers: results are pointers to pages, never evidence."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx

from .fetch import Errand, Fetched, get, post_json

LIMIT = 10


class SearchFailed(Exception):
    """No dialect is offered, or the one that was asked gave no list of results."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A result: where a page may be found, and what the engine says of it."""

    url: str
    title: str
    snippet: str
    published: str | None = None


async def search(
    client: httpx.AsyncClient, query: str, channels: Mapping[str, Any], errand: Errand
) -> list[Hit]:
    """Results in the engine's order, each URL once. Raises SearchFailed, and OutOfBudget like any request.

    An empty list is an answer: it is not asked for again.
    """
    offered = channels.get("search-api") or {}
    dialects: Mapping[str, Mapping[str, str]] = offered.get("dialects") or {}
    if "plain" in dialects:
        base = dialects["plain"]["base_url"].rstrip("/")
        address = f"{base}/search?{urlencode({'q': query, 'limit': LIMIT})}"
        answer = await get(client, address, errand)
    elif "tavily" in dialects:
        base = dialects["tavily"]["base_url"].rstrip("/")
        name = dialects["tavily"].get("api_key_env") or "TAVILY_API_KEY"
        if not (key := os.environ.get(name)):
            raise SearchFailed(f"no key in {name}")
        body = {"query": query, "max_results": LIMIT, "search_depth": "basic"}
        answer = await post_json(client, f"{base}/search", body, {"authorization": f"Bearer {key}"}, errand)
    else:
        raise SearchFailed("no search channel")
    hits = [_hit(item) for item in _items(answer)]
    return list(
        {hit.url: hit for hit in reversed(hits) if hit.url.startswith(("http://", "https://"))}.values()
    )[::-1]


def _items(answer: Fetched) -> list[Mapping[str, Any]]:
    if not answer.ok:
        raise SearchFailed(answer.error or f"status {answer.status}")
    try:
        results = json.loads(answer.body)["results"]
    except (ValueError, KeyError, TypeError) as error:
        raise SearchFailed("no list of results") from error
    if not isinstance(results, list):
        raise SearchFailed("no list of results")
    return [item for item in results if isinstance(item, dict) and isinstance(item.get("url"), str)]


def _hit(item: Mapping[str, Any]) -> Hit:
    return Hit(
        url=item["url"],
        title=str(item.get("title") or ""),
        snippet=str(item.get("snippet") or item.get("content") or ""),
        published=item.get("published") or item.get("published_date"),
    )
