"""A search API in the plainest shape, for systems that speak no provider's:
https://websearch.example/search."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl

from fixture_server.index import index_of
from fixture_server.message import Answer, Asked
from fixture_server.stage import Stage

HOSTS = ("websearch.example",)
OFFERS = {"search-api": {"base_url": f"https://{HOSTS[0]}"}}
LIMIT, MOST = 10, 50


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``GET`` or ``POST /search`` with ``q`` and ``limit`` (1 to 50, default 10), in the query, a form or
    JSON."""
    if asked.path != "/search":
        return _json(404, {"error": "there is only /search"})
    if asked.method not in ("GET", "HEAD", "POST"):
        return _json(405, {"error": "use GET or POST"})
    given = _parameters(asked)
    query = str(given.get("q") or "").strip()
    if not query:
        return _json(400, {"error": "the parameter q is missing"})
    try:
        limit = int(given.get("limit", LIMIT))
    except (TypeError, ValueError):
        limit = 0
    if not 1 <= limit <= MOST:
        return _json(400, {"error": f"limit must be a number from 1 to {MOST}"})
    results = []
    for hit in islice(index_of(stage).search(query), limit):
        published = stage.published(hit.document.published)
        results.append(
            {
                "title": hit.document.readable.title,
                "url": hit.document.url,
                "snippet": hit.snippet,
                "published": None if published is None else published.date().isoformat(),
            }
        )
    return _json(200, {"query": query, "results": results})


def _parameters(asked: Asked) -> dict[str, Any]:
    if asked.method != "POST":
        return asked.query
    if "json" in asked.headers.get("content-type", ""):
        try:
            given = json.loads(asked.body)
        except ValueError:
            return {}
        return {**asked.query, **given} if isinstance(given, dict) else {}
    return {**asked.query, **dict(parse_qsl(asked.body.decode("utf-8", "replace")))}


def _json(status: int, content: Any) -> Answer:
    body = json.dumps(content, ensure_ascii=False).encode()
    return Answer(status=status, headers=(("content-type", "application/json; charset=utf-8"),), body=body)
