"""Tavily's search and extract APIs as its SDK speaks them, under api.tavily.com."""

from __future__ import annotations

import json
import uuid
from datetime import UTC
from email.utils import format_datetime
from itertools import islice
from time import perf_counter
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from fixture_server.dialects.tavily_filter import Refused, domains_of, filter_of, in_domains, one_of
from fixture_server.index import Hit, index_of, readable
from fixture_server.message import Answer, Asked, Delivery
from fixture_server.respond import plain_answer
from fixture_server.sites import INDEXED
from fixture_server.stage import Stage

HOSTS = ("api.tavily.com",)
TOPICS = ("general", "news", "finance")
DEPTHS = ("basic", "advanced", "fast", "ultra-fast")
MOST, DEFAULT, MOST_URLS, MOST_REDIRECTS = 20, 5, 20, 5


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "extract-api" if asked.path == "/extract" else "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``POST /search`` and ``POST /extract``; errors have the shape ``{"detail": {"error": ...}}``."""
    began = perf_counter()
    endpoint = {"/search": _search, "/extract": _extract}.get(asked.path)
    if endpoint is None:
        return _json(404, {"detail": "Not Found"})
    if asked.method != "POST":
        return _json(405, {"detail": "Method Not Allowed"}, ("allow", "POST"))
    try:
        given = _read(asked)
        _authorize(asked, given)
        content, deliveries = endpoint(given, stage)
    except Refused as refused:
        return _json(refused.status, {"detail": {"error": str(refused)}})
    content["response_time"] = round(perf_counter() - began, 3)
    content["request_id"] = str(uuid.uuid4())
    return _json(200, content, deliveries=deliveries)


def _read(asked: Asked) -> dict[str, Any]:
    try:
        given = json.loads(asked.body)
    except ValueError as error:
        raise Refused(400, "Invalid request body: not JSON.") from error
    if not isinstance(given, dict):
        raise Refused(400, "Invalid request body: an object is expected.")
    return given


def _authorize(asked: Asked, given: dict[str, Any]) -> None:
    scheme, _, key = asked.headers.get("authorization", "").partition(" ")
    keyless = asked.headers.get("x-tavily-access-mode", "").lower() == "keyless"
    if not (scheme.lower() == "bearer" and key.strip()) and not given.get("api_key") and not keyless:
        raise Refused(401, "Unauthorized: missing or invalid API key.")


def _search(given: dict[str, Any], stage: Stage) -> tuple[dict[str, Any], tuple[Delivery, ...]]:
    query = given.get("query")
    if not isinstance(query, str) or not query.strip():
        raise Refused(400, "Query is missing.")
    most = given.get("max_results", DEFAULT)
    if not isinstance(most, int) or isinstance(most, bool) or not 0 <= most <= MOST:
        raise Refused(400, f"max_results must be a number from 0 to {MOST}.")
    topic = one_of(given, "topic", TOPICS)
    depth = one_of(given, "search_depth", DEPTHS)
    wanted = filter_of(given, topic, stage)
    hits = list(islice((hit for hit in index_of(stage).search(query) if wanted(hit)), most))
    if given.get("include_domains") and given.get("include_domains_mode") == "prefer":
        domains = domains_of(given, "include_domains")
        hits.sort(key=lambda hit: not in_domains(hit.document.url, domains))
    results, deliveries = [], []
    for hit in hits:
        raw = _content(hit.document.url, stage) if given.get("include_raw_content") else None
        if raw is not None:
            deliveries.append(_delivery(hit.document.url, raw, "search-api"))
        results.append(_result(hit, raw, topic, given, stage))
    content: dict[str, Any] = {
        "query": query,
        "follow_up_questions": None,
        "answer": None,
        "images": [],
        "results": results,
    }
    if given.get("include_usage"):
        content["usage"] = {"credits": 2 if depth == "advanced" else 1}
    return content, tuple(deliveries)


def _result(hit: Hit, raw: str | None, topic: str, given: dict[str, Any], stage: Stage) -> dict[str, Any]:
    document = hit.document
    result: dict[str, Any] = {
        "url": document.url,
        "title": document.readable.title,
        "content": hit.snippet,
        "score": hit.score,
        "raw_content": raw,
    }
    published = stage.published(document.published)
    if topic == "news" and published is not None:
        result["published_date"] = format_datetime(published.astimezone(UTC), usegmt=True)
    if given.get("include_favicon"):
        result["favicon"] = f"https://{urlsplit(document.url).hostname}/favicon.ico"
    return result


def _extract(given: dict[str, Any], stage: Stage) -> tuple[dict[str, Any], tuple[Delivery, ...]]:
    urls = given.get("urls")
    if isinstance(urls, str):
        urls = [urls]
    if not isinstance(urls, list) or not urls or not all(isinstance(url, str) for url in urls):
        raise Refused(400, "No valid URLs provided.")
    if len(urls) > MOST_URLS:
        raise Refused(400, f"Max {MOST_URLS} URLs are allowed.")
    results: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    deliveries: list[Delivery] = []
    for url in urls:
        raw = _content(url, stage)
        if raw is None:
            failed.append({"url": url, "error": "Failed to fetch url"})
            continue
        favicon = f"https://{urlsplit(url).hostname}/favicon.ico" if given.get("include_favicon") else None
        results.append(
            {"url": url, "raw_content": raw, "images": []} | ({"favicon": favicon} if favicon else {})
        )
        deliveries.append(_delivery(url, raw, "extract-api"))
    content: dict[str, Any] = {"results": results, "failed_results": failed}
    if given.get("include_usage"):
        content["usage"] = {"credits": (len(results) + 4) // 5}
    return content, tuple(deliveries)


def _content(url: str, stage: Stage) -> str | None:
    """The text of a page as it is now, redirects followed, without counting as a visit; None for what has
    none."""
    for _ in range(MOST_REDIRECTS):
        parts = urlsplit(url)
        page = stage.page_at((parts.hostname or "").lower(), unquote(parts.path) or "/")
        if page is None or parts.scheme not in ("http", "https"):
            return None
        serve = stage.serve(page).public
        if serve.location is None:
            break
        url = urljoin(url, stage.text(serve.location))
    else:
        return None
    if serve.status != 200 or serve.behave is not None or serve.fault is not None:
        return None
    kind = page.media_type(serve).partition(";")[0]
    if kind not in INDEXED or serve.make:
        return None
    return readable(page, plain_answer(page, serve, stage).body, kind).text


def _delivery(url: str, raw: str, channel: str) -> Delivery:
    return Delivery(url=url, body=raw.encode(), media_type="text/markdown; charset=utf-8", channel=channel)


def _json(
    status: int, content: Any, *headers: tuple[str, str], deliveries: tuple[Delivery, ...] = ()
) -> Answer:
    body = json.dumps(content, ensure_ascii=False).encode()
    return Answer(
        status=status,
        headers=(("content-type", "application/json"), *headers),
        body=body,
        deliveries=deliveries,
    )
