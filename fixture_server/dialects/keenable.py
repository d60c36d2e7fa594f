"""Keenable's search and fetch APIs as its SDK speaks them, with a key and without, under api.keenable.ai."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from fixture_server.message import Answer, Asked, Delivery
from fixture_server.stage import Stage

from .hits import Wanted, find, next_day
from .pages import delivery, fetched
from .parameters import domains_of, number_of, one_of, text_of
from .passages import passage
from .reply import Refused, admit, answered, json_answer, json_body, key_of
from .samples import ANY_PAGE, ANY_QUERY, got, posted
from .shape import Delivered, Shape, rows, without_nulls

HOSTS = ("api.keenable.ai",)
_OFFER = {"base_url": f"https://{HOSTS[0]}", "api_key_env": "KEENABLE_API_KEY"}
OFFERS = {"search-api": _OFFER, "extract-api": _OFFER}
SAMPLES = {
    "search-api": posted(HOSTS[0], "/v1/search", {"query": ANY_QUERY, "max_results": 1}),
    "extract-api": got(HOSTS[0], "/v1/fetch", url=ANY_PAGE),
}
# What it calls a snippet is text of the page, as long as the client wants it.
RESULT = Shape(content="snippet", published="published_at")
PAGE = Shape(content="content", published="published_at")
MOST, DEFAULT, LETTERS, MOST_LETTERS, MOST_DOMAINS = 50, 10, 1000, 10_000, 1000
REFUSALS = {
    "missing": (401, "Missing API key", ""),
    "invalid": (401, "Invalid API key", ""),
    "exhausted": (402, "Insufficient credits", ""),
    "throttled": (429, "Rate limit exceeded", ""),
}
_AGE = re.compile(r"(\d+)\s*([hdwmy])")
_UNITS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}
_BARE_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "extract-api" if asked.path.startswith("/v1/fetch") else "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``POST /v1/search`` and ``GET /v1/fetch`` with a key, ``…/public`` with a title of the client's instead."""
    endpoints = {("POST", "/v1/search"): _search, ("GET", "/v1/fetch"): _fetch}
    endpoint = endpoints.get((asked.method, asked.path.removesuffix("/public")))
    try:
        if endpoint is None:
            raise Refused(404, "Not found")
        _authorize(asked)
        content, deliveries = endpoint(asked, stage)
    except Refused as refused:
        error = (
            {"error": refused.code, "message": str(refused)} if refused.code else {"message": str(refused)}
        )
        return json_answer(refused.status, error)
    return json_answer(200, content, deliveries=deliveries)


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of a search, or the page that was fetched."""
    content = answered(body)
    if "results" in content:
        return tuple(RESULT.read(row) for row in rows(content, "results"))
    return (PAGE.read(content),) if isinstance(content.get("content"), str) else ()


def _authorize(asked: Asked) -> None:
    if not asked.path.endswith("/public"):
        admit(key_of(asked, headers=("x-api-key",)), REFUSALS)
    elif not (asked.headers.get("x-keenable-title") or asked.query.get("keenable_title")):
        raise Refused(400, "The public tier needs the header X-Keenable-Title")


def _search(asked: Asked, stage: Stage) -> tuple[dict[str, Any], tuple[Delivery, ...]]:
    given = json_body(asked)
    query = text_of(given, "query")
    mode = one_of(given, "mode", ("pro", "realtime"))
    most = number_of(given, "max_results", 1, MOST, DEFAULT)
    size = number_of(given, "snippet_max_length", 1, MOST_LETTERS, LETTERS)
    wanted = _wanted(given, stage.started)
    results, deliveries = [], []
    for found in islice(find(query, wanted, stage), most):
        text = passage(found.text, query, size)
        told = Delivered(url=found.url, title=found.title, content=text, published=_stamp(found.published))
        acquired = {"description": "", "acquired_at": _stamp(stage.started)}
        results.append(without_nulls(RESULT.write(told)) | acquired)
        deliveries.append(delivery(found.url, text, "search-api"))
    return {"query": query, "mode": mode, "results": results}, tuple(deliveries)


def _wanted(given: Mapping[str, Any], now: datetime) -> Wanted:
    excluded = domains_of(given, "exclude_domains")
    if len(set(excluded)) > MOST_DOMAINS:
        raise Refused(400, f"exclude_domains: at most {MOST_DOMAINS} domains", "invalid_filter")
    for name in excluded:
        if "/" in name or "*" in name or "." not in name or name.replace(".", "").isdigit():
            raise Refused(400, f"exclude_domains: {name} is not a domain", "invalid_filter")
    # The world's pages are acquired when the run begins; the index as it stood before has what was published by then.
    asked_at = _moment(given, "query_time", now) or now
    until = _moment(given, "published_before", asked_at)
    if until is not None and _BARE_DAY.fullmatch(str(given["published_before"])):
        until = next_day(until)
    if given.get("query_time") is not None:
        until = asked_at if until is None else min(until, asked_at)
    return Wanted(
        include_domains=domains_of(given, "site"),
        exclude_domains=excluded,
        since=_moment(given, "published_after", asked_at),
        until=until,
    )


def _moment(given: Mapping[str, Any], key: str, now: datetime) -> datetime | None:
    """A day, a moment in ISO 8601, or an age such as ``7d``. Raises Refused."""
    value = given.get(key)
    if value is None:
        return None
    if found := _AGE.fullmatch(str(value)):
        return now - timedelta(days=int(found[1]) * _UNITS[found[2]])
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise Refused(400, f"{key}: {value} is not a date", "invalid_filter") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _fetch(asked: Asked, stage: Stage) -> tuple[dict[str, Any], tuple[Delivery, ...]]:
    url = text_of(asked.query, "url")
    page = fetched(url, stage)
    if page is None or not page.is_page:
        raise Refused(404, "The page is not in the index", "not_found")
    told = Delivered(url=url, title=page.title, content=page.markdown, published=_stamp(page.published))
    content = without_nulls(PAGE.write(told)) | {"description": page.description or ""}
    return content, (delivery(url, page.markdown, "extract-api"),)


def _stamp(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
