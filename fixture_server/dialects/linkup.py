"""Linkup's search and fetch APIs as its SDK speaks them, under api.linkup.so."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from fixture_server.message import Answer, Asked, Delivery
from fixture_server.stage import Stage

from .hits import Wanted, find, next_day
from .pages import Fetched, delivery, favicon, fetched
from .parameters import day_of, domains_of, number_of, one_of, text_of
from .passages import passage
from .reply import Refused, admit, answered, json_answer, json_body, key_of
from .samples import ANY_PAGE, ANY_QUERY, posted
from .shape import Delivered, Shape, rows
from .throttle import Limit, spend

HOSTS = ("api.linkup.so",)
_OFFER = {"base_url": f"https://{HOSTS[0]}/v1", "api_key_env": "LINKUP_API_KEY"}
OFFERS = {"search-api": _OFFER, "extract-api": _OFFER}
SAMPLES = {
    "search-api": posted(
        HOSTS[0], "/v1/search", {"q": ANY_QUERY, "depth": "standard", "outputType": "searchResults"}
    ),
    "extract-api": posted(HOSTS[0], "/v1/fetch", {"url": ANY_PAGE}),
}
RESULT = Shape(title="name", content="content")
SOURCE = Shape(title="name", snippet="snippet")
DEPTHS = ("flash", "fast", "standard", "deep")
OUTPUTS = ("searchResults", "sourcedAnswer")
MOST, DEFAULT, LETTERS = 100, 10, 2000
BALANCE = 100.0
LIMIT = Limit(requests=10)
OFTEN = (429, "Too many requests", "TOO_MANY_REQUESTS")
REFUSALS = {
    "missing": (401, "The API key is missing", "UNAUTHORIZED"),
    "invalid": (401, "The API key is not valid", "UNAUTHORIZED"),
    "exhausted": (429, "The organization has no credits left", "INSUFFICIENT_FUNDS_CREDITS"),
    "throttled": OFTEN,
}


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "extract-api" if asked.path == "/v1/fetch" else "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``POST /v1/search`` and ``/v1/fetch``, ``GET /v1/credits/balance``. A search that finds nothing is an error
    here."""
    endpoints = {"/v1/search": _search, "/v1/fetch": _fetch}
    try:
        admit(key_of(asked), REFUSALS)
        if asked.path == "/v1/credits/balance" and asked.method == "GET":
            return json_answer(200, {"balance": BALANCE})
        if asked.path not in endpoints or asked.method != "POST":
            raise Refused(404, f"Cannot {asked.method} {asked.path}", "NOT_FOUND")
        if spend("linkup", LIMIT, stage).over:
            raise Refused(*OFTEN)
        return endpoints[asked.path](json_body(asked), stage)
    except Refused as refused:
        return _refusal(refused)


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of an answer, or the sources of one in words; what was fetched names no URL of its own."""
    content = answered(body)
    if "sources" in content:
        return tuple(SOURCE.read(row) for row in rows(content, "sources"))
    return tuple(RESULT.read(row) for row in rows(content, "results") if row.get("type") != "image")


def _search(given: Mapping[str, Any], stage: Stage) -> Answer:
    query = text_of(given, "q")
    for key, known in (("depth", DEPTHS), ("outputType", OUTPUTS)):
        if given.get(key) is None:
            raise Refused(400, f"{key} is missing.")
        one_of(given, key, known)
    last = day_of(given, "toDate")
    wanted = Wanted(
        include_domains=domains_of(given, "includeDomains"),
        exclude_domains=domains_of(given, "excludeDomains"),
        since=day_of(given, "fromDate"),
        until=None if last is None else next_day(last),
    )
    most = number_of(given, "maxResults", 1, MOST, DEFAULT)
    found = list(islice(find(query, wanted, stage), most))
    if not found:
        raise Refused(400, "The query did not yield any result", "SEARCH_QUERY_NO_RESULT")
    if given["outputType"] == "sourcedAnswer":
        told = [Delivered(url=one.url, title=one.title, snippet=one.snippet) for one in found]
        sources = [SOURCE.write(one) | {"favicon": favicon(one.url)} for one in told]
        return json_answer(200, {"answer": found[0].snippet, "sources": sources})
    results, deliveries = [], []
    for one in found:
        text = passage(one.text, query, LETTERS)
        result = RESULT.write(Delivered(url=one.url, title=one.title, content=text))
        results.append({"type": "text", **result, "favicon": favicon(one.url)})
        deliveries.append(delivery(one.url, text, "search-api"))
    return json_answer(200, {"results": results}, deliveries=tuple(deliveries))


def _fetch(given: Mapping[str, Any], stage: Stage) -> Answer:
    url = text_of(given, "url")
    page = fetched(url, stage)
    if page is None:
        raise Refused(400, "The target could not be reached", "FETCH_TARGET_UNREACHABLE")
    deliveries = (delivery(url, page.markdown, "extract-api", page.status),)
    if not page.is_page:
        return _refusal(_failure(page), *deliveries)
    content: dict[str, Any] = {"markdown": page.markdown, "favicon": favicon(page.url)}
    if given.get("includeRawHtml"):
        content["rawHtml"] = page.html
    if given.get("includeRawContent"):
        content |= {"rawContent": page.html, "contentType": page.media_type}
    if given.get("extractImages"):
        content["images"] = [{"alt": "", "url": image} for image in page.images]
    return json_answer(200, content, deliveries=deliveries)


def _failure(page: Fetched) -> Refused:
    if page.status in (404, 410):
        return Refused(400, "The target was not found", "FETCH_TARGET_NOT_FOUND")
    if 200 <= page.status < 300:
        kind = page.media_type or "no content"
        return Refused(400, f"{kind} is not a web page", "FETCH_UNSUPPORTED_CONTENT_TYPE")
    return Refused(400, f"The target answered {page.status}", "FETCH_ERROR")


def _refusal(refused: Refused, *deliveries: Delivery) -> Answer:
    error = {"code": refused.code or "VALIDATION_ERROR", "message": str(refused), "details": []}
    return json_answer(refused.status, {"error": error}, deliveries=deliveries)
