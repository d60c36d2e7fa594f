"""Perplexity's Search API as its SDK speaks it: ``POST /search`` under api.perplexity.ai, whose other paths are a
model's."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain, islice, zip_longest
from typing import Any

from fixture_server.message import Answer, Asked, Delivery
from fixture_server.stage import Stage

from .hits import Found, Wanted, find, next_day
from .pages import delivery
from .parameters import day_of, domains_of, number_of, one_of, texts_of
from .passages import passage
from .reply import Refused, admit, answered, json_answer, json_body, key_of
from .samples import ANY_QUERY, posted
from .shape import Delivered, Shape, rows
from .throttle import Limit, spend

HOSTS = ("api.perplexity.ai",)
PATHS = ("/search",)
OFFERS = {"search-api": {"base_url": f"https://{HOSTS[0]}", "api_key_env": "PERPLEXITY_API_KEY"}}
SAMPLES = {"search-api": posted(HOSTS[0], "/search", {"query": ANY_QUERY, "max_results": 1})}
# What it calls a snippet is the text of the page, as far as the budget of tokens goes.
RESULT = Shape(content="snippet", published="date")
RECENCY = {"hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(days=7)} | {
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}
CONTEXT = {"high": 4096, "medium": 1024, "low": 256}
DAY = "%m/%d/%Y"
LETTERS_A_TOKEN = 4
MOST, MOST_QUERIES, MOST_TOKENS = 20, 5, 1_000_000
LIMIT = Limit(requests=50)
OFTEN = (429, "Rate limit exceeded.", "rate_limit_exceeded")
REFUSALS = {
    "missing": (401, "No API key was provided.", "unauthorized"),
    "invalid": (401, "Invalid API key provided.", "invalid_api_key"),
    "exhausted": (429, "You exceeded your current quota.", "insufficient_quota"),
    "throttled": OFTEN,
}


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``POST /search``. What a parameter lacks is told as FastAPI does, all else as an ``error``."""
    try:
        if asked.method != "POST":
            raise Refused(405, "Method Not Allowed", "method_not_allowed")
        admit(key_of(asked), REFUSALS)
        if spend("perplexity", LIMIT, stage).over:
            raise Refused(*OFTEN)
        given = json_body(asked)
        results, deliveries = _search(given, stage)
    except Refused as refused:
        return _refusal(refused)
    served = datetime.now(UTC).isoformat() if given.get("display_server_time") else None
    content = {"id": str(uuid.uuid4()), "results": results, "server_time": served}
    return json_answer(200, content, deliveries=deliveries)


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of an answer."""
    return tuple(RESULT.read(row) for row in rows(answered(body), "results"))


def _search(given: Mapping[str, Any], stage: Stage) -> tuple[list[dict[str, Any]], tuple[Delivery, ...]]:
    queries = [query for query in texts_of(given, "query") if query.strip()]
    if not 1 <= len(queries) <= MOST_QUERIES:
        raise Refused(400, f"query must be a text or a list of 1 to {MOST_QUERIES} texts.")
    most = number_of(given, "max_results", 1, MOST, 10)
    a_page = CONTEXT[one_of(given, "search_context_size", tuple(CONTEXT))]
    a_page = number_of(given, "max_tokens_per_page", 1, MOST_TOKENS, a_page) * LETTERS_A_TOKEN
    budget = number_of(given, "max_tokens", 1, MOST_TOKENS, 10_000) * LETTERS_A_TOKEN
    one_of(given, "search_mode", ("web", "academic", "sec"))
    wanted = _wanted(given, stage)
    languages = texts_of(given, "search_language_filter")
    results, deliveries = [], []
    for found, query in islice(_by_turns(queries, wanted, languages, stage), most):
        text = passage(found.text, query, min(a_page, budget))
        budget = max(0, budget - len(text))
        date = None if found.published is None else found.published.date().isoformat()
        told = Delivered(url=found.url, title=found.title, content=text, published=date)
        results.append(RESULT.write(told) | {"last_updated": date})
        if text:
            deliveries.append(delivery(found.url, text, "search-api"))
    return results, tuple(deliveries)


def _by_turns(
    queries: list[str], wanted: Wanted, languages: tuple[str, ...], stage: Stage
) -> Iterator[tuple[Found, str]]:
    """What each query finds, in turns, each page once."""
    lists = [
        [(found, query) for found in _in_languages(query, wanted, languages, stage)] for query in queries
    ]
    seen: set[str] = set()
    for pair in chain.from_iterable(zip_longest(*lists)):
        if pair is not None and pair[0].url not in seen:
            seen.add(pair[0].url)
            yield pair


def _in_languages(query: str, wanted: Wanted, languages: tuple[str, ...], stage: Stage) -> Iterator[Found]:
    for found in find(query, wanted, stage):
        if not languages or (found.language or "").partition("-")[0] in languages:
            yield found


def _wanted(given: Mapping[str, Any], stage: Stage) -> Wanted:
    domains = domains_of(given, "search_domain_filter")
    denied = tuple(name[1:] for name in domains if name.startswith("-"))
    if denied and len(denied) < len(domains):
        raise Refused(400, "search_domain_filter must either allow domains or deny them.")
    since, until = _window(given, "search_after_date_filter", "search_before_date_filter")
    # Here a page is updated when it is published.
    updated = _window(given, "last_updated_after_filter", "last_updated_before_filter")
    since, until = (
        max(filter(None, (since, updated[0])), default=None),
        min(filter(None, (until, updated[1])), default=None),
    )
    recency = given.get("search_recency_filter")
    if recency is not None:
        if since or until:
            raise Refused(400, "search_recency_filter cannot be combined with dates.")
        since = stage.started - RECENCY[one_of(given, "search_recency_filter", tuple(RECENCY))]
    wanted = Wanted(since=since, until=until)
    return replace(wanted, exclude_domains=denied) if denied else replace(wanted, include_domains=domains)


def _window(given: Mapping[str, Any], after: str, before: str) -> tuple[datetime | None, datetime | None]:
    last = day_of(given, before, DAY)
    return day_of(given, after, DAY), None if last is None else next_day(last)


def _refusal(refused: Refused) -> Answer:
    if not refused.code:
        key = str(refused).partition(" ")[0]
        detail = [{"loc": ["body", key], "msg": str(refused), "type": "value_error"}]
        return json_answer(422, {"detail": detail})
    error = {"message": str(refused), "type": refused.code, "code": refused.status}
    return json_answer(refused.status, {"error": error})
