"""Exa's search, contents and similar pages as its SDK speaks them, under api.exa.ai."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from fixture_server.message import Answer, Asked, Delivery
from fixture_server.stage import Stage
from fixture_server.text import query_words

from .exa_contents import SHAPE, Contents, contents_of, result_of, status_of
from .hits import Found, Wanted, find
from .pages import delivery, fetched
from .parameters import domains_of, number_of, text_of, texts_of, urls_of
from .reply import Refused, answered, json_answer, json_body, key_of, trouble_of
from .samples import ANY_PAGE, ANY_QUERY, posted
from .shape import Delivered, rows

HOSTS = ("api.exa.ai",)
OFFERS = {
    channel: {"base_url": f"https://{HOSTS[0]}", "api_key_env": "EXA_API_KEY"}
    for channel in ("search-api", "extract-api")
}
SAMPLES = {
    "search-api": posted(HOSTS[0], "/search", {"query": ANY_QUERY, "numResults": 1}),
    "extract-api": posted(HOSTS[0], "/contents", {"urls": [ANY_PAGE], "text": True}),
}
RESULTS = "results"
MOST_RESULTS, MOST_URLS, FREE_RESULTS = 100, 100, 10
SEARCH_COST = {"deep-lite": 0.012, "deep": 0.012, "deep-reasoning": 0.015, "lite": 0.004}
PLAIN_COST, MORE_COST, CONTENT_COST = 0.007, 0.001, 0.001  # US dollars
TYPES = ("auto", "fast", "instant", "neural", *SEARCH_COST)
UNDATED_CATEGORIES = ("company", "people")
REFUSALS = {
    "missing": (401, "API key is missing.", "MISSING_API_KEY"),
    "invalid": (401, "Invalid API key.", "INVALID_API_KEY"),
    "exhausted": (402, "You have exceeded your credits limit.", "NO_MORE_CREDITS"),
}

Content = tuple[dict[str, Any], tuple[Delivery, ...]]


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "extract-api" if asked.path == "/contents" else "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``POST /search``, ``/contents`` and ``/findSimilar``; errors have ``requestId``, ``error`` and ``tag``."""
    began = perf_counter()
    endpoint = ENDPOINTS.get(asked.path)
    try:
        if endpoint is None or asked.method != "POST":
            raise Refused(404, f"Cannot {asked.method} {asked.path}", "NOT_FOUND")
        trouble = trouble_of(key_of(asked, headers=("x-api-key",)))
        if trouble == "throttled":
            return throttled(1)
        if trouble is not None:
            raise Refused(*REFUSALS[trouble])
        content, deliveries = endpoint(json_body(asked), stage)
    except Refused as refused:
        return _refusal(refused)
    told = {"requestId": uuid.uuid4().hex, "searchTime": round((perf_counter() - began) * 1000, 1)}
    return json_answer(200, told | content, deliveries=deliveries)


def throttled(retry_after_s: int) -> Answer:
    """The answer to who asks too often."""
    refused = Refused(429, "You have exceeded your rate limit.", "RATE_LIMIT_EXCEEDED")
    return _refusal(refused, ("retry-after", str(retry_after_s)))


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of an answer; every endpoint gives them in one shape. Where there is no text, highlights are the
    content."""
    results = (SHAPE.read(row) for row in rows(answered(body), RESULTS))
    return tuple(replace(result, content=result.content or result.snippet or None) for result in results)


def _refusal(refused: Refused, *headers: tuple[str, str]) -> Answer:
    tag = refused.code or "INVALID_REQUEST_BODY"
    content = {"requestId": uuid.uuid4().hex, "error": str(refused), "tag": tag}
    return json_answer(refused.status, content, *headers)


def _search(given: Mapping[str, Any], stage: Stage) -> Content:
    query = text_of(given, "query")
    kind = given.get("type") or TYPES[0]
    if kind not in TYPES:
        raise Refused(400, f"Invalid type. Must be one of {', '.join(TYPES)}.")
    hits = list(islice(find(query, _wanted(given), stage), _most(given)))
    content, deliveries = _told(hits, query, given, stage)
    content["resolvedSearchType"] = "neural" if kind in ("auto", "neural") else kind
    return content, deliveries


def _similar(given: Mapping[str, Any], stage: Stage) -> Content:
    """Pages that share words with the title of a page, without that page."""
    url = text_of(given, "url")
    page = fetched(url, stage)
    if page is None:
        raise Refused(400, f"The page {url} could not be found.", "INVALID_URLS")
    wanted = _wanted(given)
    if given.get("excludeSourceDomain"):
        wanted = replace(wanted, exclude_domains=(*wanted.exclude_domains, urlsplit(url).hostname or ""))
    query = " ".join(query_words(page.title))
    others = (hit for hit in find(query, wanted, stage) if hit.url not in (url, page.url))
    return _told(list(islice(others, _most(given))), query, given, stage)


def _contents(given: Mapping[str, Any], stage: Stage) -> Content:
    """``urls`` (``ids`` in older clients) with the options of ``contents`` at the top."""
    wanted = contents_of(given)
    results, statuses, deliveries = [], [], []
    for url in urls_of(given, "urls" if "urls" in given else "ids", MOST_URLS):
        page = fetched(url, stage)
        statuses.append(status_of(url, page))
        if page is None or not page.is_page:
            continue
        result, text = result_of(url, page.title, page.published, page, "", wanted)
        results.append(result)
        deliveries.extend([delivery(url, text, "extract-api")] if text else [])
    costs = {name: round(CONTENT_COST * len(results), 6) for name in wanted.kinds}
    total = {"total": round(sum(costs.values()), 6), "contents": costs}
    return {RESULTS: results, "statuses": statuses, "costDollars": total}, tuple(deliveries)


ENDPOINTS: Mapping[str, Callable[[Mapping[str, Any], Stage], Content]] = {
    "/search": _search,
    "/contents": _contents,
    "/findSimilar": _similar,
}


def _told(hits: list[Found], query: str, given: Mapping[str, Any], stage: Stage) -> Content:
    """The results of a search, with what its ``contents`` ask of each page that can be had."""
    wanted = contents_of(given.get("contents"))
    results, deliveries = [], []
    for hit in hits:
        page = fetched(hit.url, stage) if wanted.is_wanted else None
        page = page if page is not None and page.is_page else None
        result, text = result_of(hit.url, hit.title, hit.published, page, query, wanted)
        results.append(result)
        deliveries.extend([delivery(hit.url, text, "search-api")] if text else [])
    return {RESULTS: results, "costDollars": _costs(len(results), given, wanted)}, tuple(deliveries)


def _costs(results: int, given: Mapping[str, Any], wanted: Contents) -> dict[str, Any]:
    """Text and highlights of the first ten results are in the price of a search; summaries never are."""
    search = SEARCH_COST.get(str(given.get("type")), PLAIN_COST) + MORE_COST * max(0, results - FREE_RESULTS)
    costs: dict[str, Any] = {"search": {"neural": round(search, 6)}}
    if "summary" in wanted.kinds:
        costs["contents"] = {"summary": round(CONTENT_COST * results, 6)}
    total = sum(sum(part.values()) for part in costs.values())
    return {"total": round(total, 6)} | costs


def _most(given: Mapping[str, Any]) -> int:
    try:
        return number_of(given, "numResults", 1, MOST_RESULTS, 10)
    except Refused as refused:
        raise Refused(400, str(refused), "INVALID_NUM_RESULTS") from refused


def _wanted(given: Mapping[str, Any]) -> Wanted:
    category = given.get("category")
    include, exclude = texts_of(given, "includeText"), texts_of(given, "excludeText")
    since, until = _moment(given, "startPublishedDate"), _moment(given, "endPublishedDate")
    if category in UNDATED_CATEGORIES and (include or exclude or since or until):
        raise Refused(400, f"Category {category} takes no date and no text filters.", "INVALID_REQUEST")
    return Wanted(
        include_domains=domains_of(given, "includeDomains"),
        exclude_domains=domains_of(given, "excludeDomains"),
        since=since,
        until=None if until is None else until + timedelta(milliseconds=1),
        dated=category == "news",
        phrases=tuple(" ".join(text.split()).casefold() for text in include),
        without=tuple(" ".join(text.split()).casefold() for text in exclude),
        suffixes=(".pdf",) if category == "pdf" else (),
    )


def _moment(given: Mapping[str, Any], key: str) -> datetime | None:
    if given.get(key) is None:
        return None
    try:
        moment = datetime.fromisoformat(str(given[key]))
    except ValueError as error:
        raise Refused(400, f"Invalid {key}. Must be a date in ISO 8601.") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
