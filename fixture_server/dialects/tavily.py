"""Tavily's search and extract APIs as its SDK speaks them, under api.tavily.com."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import islice
from time import perf_counter
from typing import Any

from fixture_server.message import Answer, Asked, Delivery
from fixture_server.stage import Stage

from .hits import Found, Wanted, find, in_domains, next_day, quoted
from .pages import Fetched, delivery, favicon, fetched
from .parameters import day_of, domains_of, number_of, one_of, text_of, urls_of
from .passages import chunks
from .reply import Refused, answered, json_answer, json_body, key_of, trouble_of
from .samples import ANY_PAGE, ANY_QUERY, posted
from .shape import Delivered, Shape, rows

HOSTS = ("api.tavily.com",)
OFFERS = {
    channel: {"base_url": f"https://{HOSTS[0]}", "api_key_env": "TAVILY_API_KEY"}
    for channel in ("search-api", "extract-api")
}
SAMPLES = {
    "search-api": posted(HOSTS[0], "/search", {"query": ANY_QUERY, "max_results": 1}),
    "extract-api": posted(HOSTS[0], "/extract", {"urls": [ANY_PAGE]}),
}
RESULT = Shape(snippet="content", content="raw_content")
NEWS = replace(RESULT, published="published_date")
EXTRACTED = Shape(title=None, content="raw_content")
RESULTS = "results"
TOPICS = ("general", "news", "finance")
DEPTHS = ("basic", "advanced", "fast", "ultra-fast")
RANGES = {"day": 1, "d": 1, "week": 7, "w": 7, "month": 31, "m": 31, "year": 366, "y": 366}
MOST_LETTERS, MOST_RESULTS, MOST_URLS, MOST_CHUNKS = 400, 20, 20, 3
CHUNK, BETWEEN_CHUNKS = 500, " [...] "
REFUSALS = {
    "missing": (401, "Unauthorized: missing or invalid API key."),
    "invalid": (401, "Unauthorized: missing or invalid API key."),
    "exhausted": (432, "This request exceeds your plan's set usage limit. Please upgrade your plan."),
}

Content = tuple[dict[str, Any], tuple[Delivery, ...]]


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "extract-api" if asked.path == "/extract" else "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``POST /search`` and ``POST /extract``; errors have the shape ``{"detail": {"error": ...}}``."""
    began = perf_counter()
    endpoint = {"/search": _search, "/extract": _extract}.get(asked.path)
    if endpoint is None:
        return json_answer(404, {"detail": "Not Found"})
    if asked.method != "POST":
        return json_answer(405, {"detail": "Method Not Allowed"}, ("allow", "POST"))
    try:
        given = json_body(asked)
        trouble = _trouble(asked, given)
        if trouble == "throttled":
            return throttled(60)
        if trouble is not None:
            raise Refused(*REFUSALS[trouble])
        content, deliveries = endpoint(given, stage)
    except Refused as refused:
        return _refusal(refused)
    content["response_time"] = round(perf_counter() - began, 3)
    content["request_id"] = str(uuid.uuid4())
    return json_answer(200, content, deliveries=deliveries)


def throttled(retry_after_s: int) -> Answer:
    """The answer to who asks too often."""
    refused = Refused(429, "Your request has been blocked due to excessive requests.")
    return _refusal(refused, ("retry-after", str(retry_after_s)))


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of an answer to ``/search`` or ``/extract``."""
    shape = EXTRACTED if path == "/extract" else NEWS
    return tuple(shape.read(row) for row in rows(answered(body), RESULTS))


def _refusal(refused: Refused, *headers: tuple[str, str]) -> Answer:
    return json_answer(refused.status, {"detail": {"error": str(refused)}}, *headers)


def _trouble(asked: Asked, given: Mapping[str, Any]) -> str | None:
    """Older clients send their key in the body; one without any may say that it has none."""
    key = key_of(asked) or given.get("api_key")
    if key is None and asked.headers.get("x-tavily-access-mode", "").lower() == "keyless":
        return None
    return trouble_of(key if isinstance(key, str) and key else None)


def _search(given: Mapping[str, Any], stage: Stage) -> Content:
    query = text_of(given, "query")
    if len(query) > MOST_LETTERS:
        raise Refused(400, f"Query is too long. Max query length is {MOST_LETTERS} characters.")
    topic = one_of(given, "topic", TOPICS)
    depth = one_of(given, "search_depth", DEPTHS)
    count = number_of(given, "chunks_per_source", 1, MOST_CHUNKS, MOST_CHUNKS)
    hits = _hits(query, topic, given, stage)
    pages = _pages(hits, given, stage)
    results, deliveries = [], []
    for hit in hits:
        raw = _raw(pages.get(hit.url), given.get("include_raw_content"))
        if raw is not None:
            deliveries.append(delivery(hit.url, raw, "search-api"))
        snippet = _chunked(hit.text, query, count) if depth == "advanced" else hit.snippet
        results.append(_result(hit, snippet, raw, topic, given))
    content: dict[str, Any] = {
        "query": query,
        "follow_up_questions": None,
        "answer": _answer(results, given.get("include_answer")),
        "images": _images(pages, given),
        RESULTS: results,
    }
    if given.get("auto_parameters"):
        content["auto_parameters"] = {"topic": topic, "search_depth": depth}
    return _with_usage(content, 2 if depth == "advanced" else 1, given), tuple(deliveries)


def _hits(query: str, topic: str, given: Mapping[str, Any], stage: Stage) -> list[Found]:
    most = number_of(given, "max_results", 0, MOST_RESULTS, 5)
    wanted = _wanted(query, topic, given, stage.started)
    if one_of(given, "include_domains_mode", ("restrict", "prefer")) == "restrict":
        return list(islice(find(query, wanted, stage), most))
    everywhere = replace(wanted, include_domains=())
    hits = list(islice(find(query, everywhere, stage), most))
    return sorted(hits, key=lambda hit: not in_domains(hit.url, wanted.include_domains))


def _wanted(query: str, topic: str, given: Mapping[str, Any], now: datetime) -> Wanted:
    since, until = day_of(given, "start_date"), day_of(given, "end_date")
    if since is None and given.get("time_range") is not None:
        since = now - timedelta(days=RANGES[one_of(given, "time_range", tuple(RANGES))])
    elif since is None and topic == "news" and given.get("days") is not None:
        since = now - timedelta(days=number_of(given, "days", 1, 36500, 7))
    return Wanted(
        include_domains=domains_of(given, "include_domains"),
        exclude_domains=domains_of(given, "exclude_domains"),
        since=since,
        until=None if until is None else next_day(until),
        dated=topic == "news",
        language=str(given.get("language") or "") if given.get("filter_by_language") else None,
        phrases=quoted(query) if given.get("exact_match") else (),
    )


def _pages(hits: list[Found], given: Mapping[str, Any], stage: Stage) -> dict[str, Fetched]:
    """The pages of the results, where more is asked for than the index holds."""
    if not given.get("include_raw_content") and not given.get("include_images"):
        return {}
    found = {hit.url: fetched(hit.url, stage) for hit in hits}
    return {url: page for url, page in found.items() if page is not None and page.is_page}


def _raw(page: Fetched | None, form: Any) -> str | None:
    if page is None or not form:
        return None
    return page.text if form == "text" else page.markdown


def _chunked(text: str, query: str, count: int) -> str:
    return BETWEEN_CHUNKS.join(chunks(text, query, count, CHUNK))


def _result(
    hit: Found, snippet: str, raw: str | None, topic: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    dated = topic == "news" and hit.published is not None
    published = (
        format_datetime(hit.published.astimezone(UTC), usegmt=True) if dated and hit.published else None
    )
    told = Delivered(url=hit.url, title=hit.title, snippet=snippet, content=raw, published=published)
    result = (NEWS if dated else RESULT).write(told) | {"score": hit.score}
    return result | ({"favicon": favicon(hit.url)} if given.get("include_favicon") else {})


def _answer(results: list[dict[str, Any]], kind: Any) -> str | None:
    """What the best results say, in their own words: nothing is made up here."""
    if not kind or not results:
        return None
    return "\n\n".join(RESULT.read(result).snippet for result in results[: 3 if kind == "advanced" else 1])


def _images(pages: Mapping[str, Fetched], given: Mapping[str, Any]) -> list[Any]:
    if not given.get("include_images"):
        return []
    found = dict.fromkeys(url for page in pages.values() for url in page.images)
    if given.get("include_image_descriptions"):
        return [{"url": url, "description": None} for url in found]
    return list(found)


def _extract(given: Mapping[str, Any], stage: Stage) -> Content:
    form = one_of(given, "format", ("markdown", "text"))
    depth = one_of(given, "extract_depth", ("basic", "advanced"))
    count = number_of(given, "chunks_per_source", 1, 5, MOST_CHUNKS)
    results: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    deliveries: list[Delivery] = []
    for url in urls_of(given, "urls", MOST_URLS):
        page = fetched(url, stage)
        raw = _raw(page if page is not None and page.is_page else None, form)
        if page is None or raw is None:
            failed.append({"url": url, "error": "Failed to fetch url"})
            continue
        if isinstance(query := given.get("query"), str) and query.strip():
            raw = _chunked(raw, query, count)
        deliveries.append(delivery(url, raw, "extract-api"))
        extras: dict[str, Any] = {"images": list(page.images) if given.get("include_images") else []}
        if given.get("include_favicon"):
            extras["favicon"] = favicon(url)
        results.append(EXTRACTED.write(Delivered(url=url, content=raw)) | extras)
    content: dict[str, Any] = {RESULTS: results, "failed_results": failed}
    credits = (len(results) + 4) // 5 * (2 if depth == "advanced" else 1)
    return _with_usage(content, credits, given), tuple(deliveries)


def _with_usage(content: dict[str, Any], credits: int, given: Mapping[str, Any]) -> dict[str, Any]:
    return content | ({"usage": {"credits": credits}} if given.get("include_usage") else {})
