"""Firecrawl's search and scrape as its SDKs speak them (v2 and v1), under api.firecrawl.dev."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from fixture_server.message import Answer, Asked, Delivery
from fixture_server.stage import Stage

from .firecrawl_scrape import SCRAPED, Options, document_of, options_of, scrape
from .hits import Found, Wanted, find
from .operators import read_operators
from .parameters import domains_of, names_of, number_of, text_of
from .reply import Refused, answered, json_answer, json_body, key_of, trouble_of
from .samples import ANY_PAGE, ANY_QUERY, posted
from .shape import Delivered, Shape, rows, without_nulls
from .tbs import in_range

HOSTS = ("api.firecrawl.dev",)
OFFERS = {
    channel: {"base_url": f"https://{HOSTS[0]}", "api_key_env": "FIRECRAWL_API_KEY"}
    for channel in ("search-api", "extract-api")
}
SAMPLES = {
    "search-api": posted(HOSTS[0], "/v2/search", {"query": ANY_QUERY, "limit": 1}),
    "extract-api": posted(HOSTS[0], "/v2/scrape", {"url": ANY_PAGE}),
}
WEB = Shape(snippet="description", content="markdown")
NEWS = Shape(snippet="snippet", content="markdown", published="date")
SECTIONS = {"web": WEB, "news": NEWS}
SOURCES = ("web", "news", "images")
SEARCH_PATHS, SCRAPE_PATHS = ("/v2/search", "/v1/search"), ("/v2/scrape", "/v1/scrape")
MOST_LETTERS, MOST_RESULTS, MOST_DOMAINS = 500, 100, 100
CREDITS_PER_TEN = 2
REFUSALS = {
    "invalid": (401, "Unauthorized: Invalid token"),
    "exhausted": (402, "Insufficient credits to perform this request."),
}


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "extract-api" if asked.path in SCRAPE_PATHS else "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``POST`` of the paths above; no key is needed. Errors have ``success``, ``error`` and often ``code``."""
    endpoint = ENDPOINTS.get(asked.path)
    if endpoint is None or asked.method != "POST":
        return _refusal(Refused(404, f"Cannot {asked.method} {asked.path}", "NOT_FOUND"))
    trouble = trouble_of(key_of(asked))
    if trouble == "throttled":
        return throttled(1)
    try:
        if trouble in REFUSALS:
            raise Refused(*REFUSALS[trouble])
        content, deliveries = endpoint(json_body(asked), stage)
    except Refused as refused:
        return _refusal(refused)
    return json_answer(200, {"success": True} | content, deliveries=deliveries)


def throttled(retry_after_s: int) -> Answer:
    """The answer to who asks too often."""
    refused = Refused(429, f"Rate limit exceeded. Please retry after {retry_after_s}s.")
    return _refusal(refused, ("retry-after", str(retry_after_s)))


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of an answer: the page of a scrape, the web and news results of a search."""
    answer = answered(body)
    if path in SCRAPE_PATHS:
        data = answer.get("data")
        return (SCRAPED.read(data),) if isinstance(data, dict) else ()
    found = [shape.read(row) for name, shape in SECTIONS.items() for row in rows(answer, f"data.{name}")]
    return tuple(found) or tuple(WEB.read(row) for row in rows(answer, "data"))


Content = tuple[dict[str, Any], tuple[Delivery, ...]]


def _refusal(refused: Refused, *headers: tuple[str, str]) -> Answer:
    code = refused.code or ("BAD_REQUEST" if refused.status == 400 else "")
    content = {"success": False, "error": str(refused)} | ({"code": code} if code else {})
    return json_answer(refused.status, content, *headers)


def _search(given: Mapping[str, Any], stage: Stage) -> Content:
    """Results by source; version 2."""
    query, wanted = _wanted(given, stage)
    most = number_of(given, "limit", 1, MOST_RESULTS, 10)
    options = options_of(given["scrapeOptions"]) if given.get("scrapeOptions") else None
    data: dict[str, Any] = {}
    deliveries: list[Delivery] = []
    results = 0
    for name, narrowed in _sources(given, wanted, stage):
        found = list(islice(find(query, narrowed, stage), most)) if name in SECTIONS else []
        told = [_result(name, place, one, options, stage) for place, one in enumerate(found, 1)]
        data[name] = [result for result, _ in told]
        deliveries.extend(given_away for _, each in told for given_away in each)
        results += len(found)
    return {"data": data, "creditsUsed": _credits(results, options), "id": str(uuid.uuid4())}, tuple(
        deliveries
    )


def _search_v1(given: Mapping[str, Any], stage: Stage) -> Content:
    """One list of web results, which are pages where they are scraped; version 1."""
    content, deliveries = _search({"limit": 5} | dict(given) | {"sources": ["web"]}, stage)
    results = [{key: row[key] for key in row if key != "position"} for row in rows(content, "data.web")]
    return {"data": results}, deliveries


def _scrape(given: Mapping[str, Any], stage: Stage) -> Content:
    url = text_of(given, "url")
    url = url if "://" in url else f"https://{url}"
    document, deliveries = document_of(scrape(url, stage), url, options_of(given), "extract-api")
    return {"data": document}, deliveries


ENDPOINTS: Mapping[str, Callable[[Mapping[str, Any], Stage], Content]] = {
    SEARCH_PATHS[0]: _search,
    SEARCH_PATHS[1]: _search_v1,
    **dict.fromkeys(SCRAPE_PATHS, _scrape),
}


def _wanted(given: Mapping[str, Any], stage: Stage) -> tuple[str, Wanted]:
    query = text_of(given, "query")
    if len(query) > MOST_LETTERS:
        raise Refused(400, f"Query must be at most {MOST_LETTERS} characters.")
    include, exclude = domains_of(given, "includeDomains"), domains_of(given, "excludeDomains")
    if include and exclude:
        raise Refused(400, "includeDomains and excludeDomains cannot both be specified.")
    pdf = "pdf" in names_of(given, "categories")
    wanted = Wanted(include_domains=include, exclude_domains=exclude, suffixes=(".pdf",) if pdf else ())
    return read_operators(query, wanted)


def _sources(given: Mapping[str, Any], wanted: Wanted, stage: Stage) -> list[tuple[str, Wanted]]:
    """The sources that are asked, each with what narrows it: ``tbs`` of its own, or that of the request."""
    sources = given.get("sources") or ["web"]
    ranges = {one.get("type"): one.get("tbs") for one in sources if isinstance(one, dict)}
    found = []
    for name in names_of(given, "sources") or ("web",):
        if name not in SOURCES:
            raise Refused(400, f"Invalid source {name}. Must be one of {', '.join(SOURCES)}.")
        tbs = str(ranges.get(name) or given.get("tbs") or "")
        narrowed = in_range(wanted, tbs, stage.started)
        found.append((name, replace(narrowed, dated=name == "news")))
    return found


def _result(
    source: str, place: int, found: Found, options: Options | None, stage: Stage
) -> tuple[dict[str, Any], tuple[Delivery, ...]]:
    dated = source == "news" and found.published is not None
    told = Delivered(
        url=found.url,
        title=found.title,
        snippet=found.snippet,
        published=found.published.date().isoformat() if dated and found.published else None,
    )
    result = without_nulls(SECTIONS[source].write(told)) | {"position": place}
    if options is None:
        return result, ()
    try:
        page = scrape(found.url, stage)
    except Refused as refused:
        return result | {"metadata": {"sourceURL": found.url, "error": str(refused)}}, ()
    document, deliveries = document_of(page, found.url, options, "search-api")
    return result | document, deliveries


def _credits(results: int, options: Options | None) -> int:
    """Two for each ten results that were begun, and one for each page that was scraped."""
    return -(-results // 10) * CREDITS_PER_TEN + (0 if options is None else results)
