"""You.com's search and contents APIs as its SDK speaks them, under ydc-index.io and api.you.com."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC
from itertools import islice
from time import perf_counter
from typing import Any

from fixture_server.message import Answer, Asked, Delivery
from fixture_server.stage import Stage

from .hits import Found, Wanted, find, in_domains
from .operators import UNDATED, read_operators
from .pages import delivery, favicon, fetched
from .parameters import between, domains_of, number_of, one_of, text_of, texts_of, urls_of
from .passages import passage
from .reply import Refused, admit, answered, json_answer, json_body, key_of
from .samples import ANY_PAGE, ANY_QUERY, got, posted
from .shape import Delivered, Shape, rows, without_nulls
from .throttle import Left, Limit, spend

HOSTS = ("ydc-index.io", "api.ydc-index.io", "api.you.com")
_OFFER = {"base_url": f"https://{HOSTS[0]}", "api_key_env": "YDC_API_KEY"}
OFFERS = {"search-api": _OFFER, "extract-api": _OFFER}
SAMPLES = {
    "search-api": got(HOSTS[0], "/v1/search", query=ANY_QUERY, count="1"),
    "extract-api": posted(HOSTS[0], "/v1/contents", {"urls": [ANY_PAGE], "formats": ["markdown"]}),
}
SEARCHES, KEYLESS, CONTENTS = ("/v1/search", "/search"), "/v1/agents/search", "/v1/contents"
RESULT = Shape(snippet="description", content="contents.markdown", published="page_age")
PAGE = Shape(content="markdown")
FRESHNESS = {"day": 1, "week": 7, "month": 31, "year": 366}
FORMATS = ("html", "markdown")
MOST, DEFAULT, MOST_PAGES, MOST_DOMAINS, MOST_URLS, LETTERS = 100, 10, 9, 500, 20, 4096
LIMIT = Limit(requests=10)
REFUSALS = {
    "missing": (401, "Missing API key", ""),
    "invalid": (401, "Invalid API key", ""),
    "exhausted": (402, "The plan's limit is used up", "payment_required"),
    "throttled": (429, "Too many requests", ""),
}
_NEWSY = re.compile(r"\b(?:news|latest|today|breaking|headlines?|this week)\b", re.IGNORECASE)


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "extract-api" if asked.path == CONTENTS else "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``GET`` and ``POST /v1/search``, ``POST /v1/contents``, and ``/v1/agents/search`` without a key. Every answer
    says what is left of the limit."""
    left = spend("you", LIMIT, stage)
    try:
        if left.over:
            raise Refused(*REFUSALS["throttled"])
        if asked.path != KEYLESS:
            admit(key_of(asked, headers=("x-api-key",), bearer=False), REFUSALS)
        if asked.path == CONTENTS and asked.method == "POST":
            content, deliveries = _contents(json_body(asked), stage)
        elif asked.path in (*SEARCHES, KEYLESS) and asked.method in ("GET", "POST"):
            content, deliveries = _search(_parameters(asked), stage)
        else:
            raise Refused(404, "Not Found")
    except Refused as refused:
        return _refusal(refused, left)
    return json_answer(200, content, *_rate(left), deliveries=deliveries)


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of every section of an answer, each page once, or the pages that were asked for."""
    if path == CONTENTS:
        return tuple(PAGE.read(row) for row in rows(answered(b'{"pages": %b}' % body), "pages"))
    content = answered(body)
    found = (RESULT.read(row) for section in ("web", "news") for row in rows(content, f"results.{section}"))
    return tuple({one.url: one for one in found}.values())


def _parameters(asked: Asked) -> Mapping[str, Any]:
    """Those of a query are lists by commas."""
    if asked.method == "POST":
        return json_body(asked)
    lists = ("include_domains", "exclude_domains", "boost_domains", "livecrawl_formats")
    return {key: value.split(",") if key in lists else value for key, value in asked.query.items()}


def _search(given: Mapping[str, Any], stage: Stage) -> tuple[Any, tuple[Delivery, ...]]:
    began = perf_counter()
    query = text_of(given, "query")
    count = number_of(given, "count", 1, MOST, DEFAULT)
    first = number_of(given, "offset", 0, MOST_PAGES, 0) * count
    attached = _attached(given)
    words, wanted = read_operators(query, _wanted(given, stage), UNDATED)
    boosted = domains_of(given, "boost_domains")
    sections = {"web": sorted(find(words, wanted, stage), key=lambda one: not in_domains(one.url, boosted))}
    if _NEWSY.search(query):
        sections["news"] = list(find(words, replace(wanted, dated=True), stage))
    results: dict[str, list[dict[str, Any]]] = {}
    deliveries: dict[str, Delivery] = {}
    for section, found in sections.items():
        results[section] = []
        for one in islice(found, first, first + count):
            contents = _contents_of(one, query, attached.get(section, ()), stage)
            results[section].append(_result(section, one, contents))
            if contents:
                deliveries[one.url] = _delivery(one.url, contents, "search-api")
    latency = round(perf_counter() - began, 4)
    metadata = {"search_uuid": str(uuid.uuid4()), "query": query, "latency": latency}
    return {"results": results, "metadata": metadata}, tuple(deliveries.values())


def _wanted(given: Mapping[str, Any], stage: Stage) -> Wanted:
    since, until = between(given, "freshness", FRESHNESS, stage.started)
    included, excluded = domains_of(given, "include_domains"), domains_of(given, "exclude_domains")
    if included and (excluded or given.get("boost_domains")):
        raise Refused(422, "include_domains cannot be combined with exclude_domains or boost_domains")
    if max(len(included), len(excluded)) > MOST_DOMAINS:
        raise Refused(422, f"at most {MOST_DOMAINS} domains are allowed")
    return Wanted(include_domains=included, exclude_domains=excluded, since=since, until=until)


def _attached(given: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    """In what forms the results of a section bring their content along."""
    extraction = given.get("extraction")
    if isinstance(extraction, Mapping):
        mode = one_of(extraction, "extraction_mode", ("highlights", "full_page"))
        page = extraction.get("full_page")
        forms = _formats(page if isinstance(page, Mapping) else {}, "extraction_formats")
        return dict.fromkeys(("web", "news"), ("highlights",) if mode == "highlights" else forms)
    if given.get("livecrawl") is None:
        return {}
    section = one_of(given, "livecrawl", ("web", "news", "all"))
    sections = ("web", "news") if section == "all" else (section,)
    return dict.fromkeys(sections, _formats(given, "livecrawl_formats"))


def _formats(given: Mapping[str, Any], key: str) -> tuple[str, ...]:
    formats = texts_of(given, key) or ("markdown",)
    if not set(formats) <= set(FORMATS):
        raise Refused(422, f"{key}: must be of {', '.join(FORMATS)}")
    return formats


def _contents_of(found: Found, query: str, forms: tuple[str, ...], stage: Stage) -> dict[str, Any]:
    if forms == ("highlights",):
        text = passage(found.text, query, LETTERS)
        return {"highlights": [text]} if text else {}
    page = fetched(found.url, stage) if forms else None
    if page is None or not page.is_page:
        return {}
    return {form: page.html if form == "html" else page.markdown for form in forms}


def _result(section: str, found: Found, contents: dict[str, Any]) -> dict[str, Any]:
    date = None if found.published is None else found.published.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    told = Delivered(url=found.url, title=found.title, snippet=found.snippet, published=date)
    result = without_nulls(RESULT.write(told))
    result.pop("contents")
    if section == "web":
        result["favicon_url"] = favicon(found.url)
        if "highlights" not in contents:
            result["snippets"] = [found.snippet]
    return result | ({"contents": contents} if contents else {})


def _contents(given: Mapping[str, Any], stage: Stage) -> tuple[Any, tuple[Delivery, ...]]:
    formats = _formats(given, "formats")
    answers: list[dict[str, Any]] = []
    deliveries: list[Delivery] = []
    for url in urls_of(given, "urls", MOST_URLS):
        page = fetched(url, stage)
        if page is None or not page.is_page:
            answers.append({"url": url, "title": ""} | dict.fromkeys(formats))
            continue
        contents = {form: page.html if form == "html" else page.markdown for form in formats}
        answers.append({"url": url, "title": page.title} | contents)
        deliveries.append(_delivery(url, contents, "extract-api"))
    return answers, tuple(deliveries)


def _delivery(url: str, contents: Mapping[str, Any], channel: str) -> Delivery:
    if "html" in contents and "markdown" not in contents:
        return replace(delivery(url, contents["html"], channel), media_type="text/html; charset=utf-8")
    return delivery(url, contents.get("markdown") or "\n".join(contents["highlights"]), channel)


def _rate(left: Left) -> tuple[tuple[str, str], ...]:
    return (
        ("x-ratelimit-limit", str(LIMIT.requests)),
        ("x-ratelimit-remaining", str(left.remaining)),
        ("x-ratelimit-reset", str(int(time.time() + left.reset_s) + 1)),
    )


def _refusal(refused: Refused, left: Left) -> Answer:
    if refused.status == 429:
        return json_answer(429, {"detail": str(refused)}, *_rate(left), ("retry-after", "1"))
    if refused.status == 402:
        used = {
            "limit": 0,
            "used": 0,
            "period": "month",
            "reset_at": None,
            "upgrade_url": "https://you.com/platform",
        }
        return json_answer(402, {"error": refused.code, "message": str(refused), **used}, *_rate(left))
    if refused.status == 422:
        return json_answer(422, {"error": str(refused)}, *_rate(left))
    if refused.status == 400:
        # Parameters that are checked for many providers are told as FastAPI does.
        detail = [{"type": "value_error", "loc": ["body"], "msg": str(refused)}]
        return json_answer(422, {"detail": detail}, *_rate(left))
    return json_answer(refused.status, {"detail": str(refused)}, *_rate(left))
