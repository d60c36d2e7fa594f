"""Brave's web and news search as its clients speak them, under api.search.brave.com."""

from __future__ import annotations

import html
import re
import time
import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, timedelta
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from fixture_server.message import Answer, Asked
from fixture_server.stage import Stage
from fixture_server.text import query_words

from .ages import ago, long_date
from .hits import Found, Wanted, find
from .operators import UNDATED, read_operators
from .pages import favicon
from .parameters import between, number_of, one_of, text_of
from .reply import Refused, admit, answered, json_answer, json_body, key_of
from .samples import ANY_QUERY, got
from .shape import Delivered, Shape, rows
from .throttle import Limit, spend

HOSTS = ("api.search.brave.com",)
OFFERS = {"search-api": {"base_url": f"https://{HOSTS[0]}/res/v1", "api_key_env": "BRAVE_SEARCH_API_KEY"}}
SAMPLES = {"search-api": got(HOSTS[0], "/res/v1/web/search", q=ANY_QUERY, count="1")}
WEB, NEWS = "/res/v1/web/search", "/res/v1/news/search"
RESULT = Shape(snippet="description", published="page_age")
FRESHNESS = {"pd": 1, "pw": 7, "pm": 31, "py": 365}
MOST_LETTERS, MOST_WORDS, MOST_PAGES = 400, 50, 9
LIMIT = Limit(requests=50)
MONTH_S = 31 * 86400
OFTEN = "Request rate limit exceeded for plan."
REFUSALS = {
    "missing": (422, "The header x-subscription-token is missing.", "VALIDATION"),
    "invalid": (422, "The provided subscription token is invalid.", "SUBSCRIPTION_TOKEN_INVALID"),
    "exhausted": (429, "Request quota limit exceeded for plan.", "RATE_LIMITED"),
    "throttled": (429, OFTEN, "RATE_LIMITED"),
}
_MARK = re.compile(r"</?strong>")


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``GET`` and ``POST`` of both paths. A bad key is a 422 here, never a 401; only what is answered is counted."""
    endpoint = {WEB: _web, NEWS: _news}.get(asked.path)
    try:
        if endpoint is None:
            raise Refused(404, "There is no such endpoint.", "NOT_FOUND")
        if asked.method not in ("GET", "HEAD", "POST"):
            raise Refused(405, "Use GET or POST.", "METHOD_NOT_ALLOWED")
        admit(key_of(asked, headers=("x-subscription-token",), bearer=False), REFUSALS)
        content = endpoint(_parameters(asked), stage)
        left = spend("brave", LIMIT, stage)
        if left.over:
            raise Refused(429, OFTEN, "RATE_LIMITED")
    except Refused as refused:
        return _refusal(refused)
    return json_answer(200, content, *_rate(left.remaining))


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of an answer, with what decorates their snippets taken away."""
    found = rows(answered(body), "web.results" if path == WEB else "results")
    return tuple(_undecorated(RESULT.read(row)) for row in found)


def _undecorated(delivered: Delivered) -> Delivered:
    return replace(
        delivered,
        title=html.unescape(delivered.title),
        snippet=html.unescape(_MARK.sub("", delivered.snippet)),
    )


def _parameters(asked: Asked) -> Mapping[str, Any]:
    return {**asked.query, **json_body(asked)} if asked.method == "POST" else asked.query


def _web(given: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
    one_of(given, "safesearch", ("moderate", "off", "strict"))
    words, found, more = _find(given, 20, stage)
    results = [_web_result(one, words, given, stage) for one in found]
    query = {
        "original": given["q"],
        "show_strict_warning": False,
        "is_navigational": False,
        "is_news_breaking": False,
        "spellcheck_off": not _is_on(given, "spellcheck"),
        "country": str(given.get("country") or "us").lower(),
        "bad_results": False,
        "should_fallback": False,
        "postal_code": "",
        "city": "",
        "header_country": "",
        "more_results_available": more,
        "state": "",
    }
    main = [{"type": "web", "index": place, "all": False} for place in range(len(results))]
    content: dict[str, Any] = {"type": "search", "query": query}
    content["mixed"] = {"type": "mixed", "main": main, "top": [], "side": []}
    if results:
        content["web"] = {"type": "search", "results": results, "family_friendly": True}
    return content


def _news(given: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
    one_of(given, "safesearch", ("strict", "moderate", "off"))
    words, found, _ = _find(given, 50, stage, Wanted(dated=True))
    query = {
        "original": given["q"],
        "spellcheck_off": not _is_on(given, "spellcheck"),
        "show_strict_warning": False,
    }
    results = [{"type": "news_result", **_result(one, words, given, stage)} for one in found]
    return {"type": "news", "query": query, "results": results}


def _find(
    given: Mapping[str, Any], most: int, stage: Stage, wanted: Wanted | None = None
) -> tuple[list[str], list[Found], bool]:
    """The words that were looked for, one page of what was found, and whether there is more."""
    query = text_of(given, "q")
    if len(query) > MOST_LETTERS or len(query.split()) > MOST_WORDS:
        raise Refused(400, f"q must have at most {MOST_LETTERS} characters and {MOST_WORDS} words.")
    count = number_of(given, "count", 1, most, 20)
    offset = number_of(given, "offset", 0, MOST_PAGES, 0) * count
    since, until = between(given, "freshness", FRESHNESS, stage.started)
    wanted = replace(wanted or Wanted(), since=since, until=until)
    if _is_on(given, "operators"):
        query, wanted = read_operators(query, wanted, UNDATED)
    found = list(islice(find(query, wanted, stage), offset, offset + count + 1))
    return query_words(query), found[:count], len(found) > count


def _web_result(found: Found, words: list[str], given: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
    host = urlsplit(found.url).hostname or ""
    profile = {
        "name": host.removeprefix("www."),
        "url": found.url,
        "long_name": host,
        "img": favicon(found.url),
    }
    return {
        "type": "search_result",
        "subtype": "generic",
        "is_source_local": False,
        "is_source_both": False,
        "is_live": False,
        "family_friendly": True,
        "language": (found.language or "en").partition("-")[0],
        "profile": profile,
        **_result(found, words, given, stage),
    }


def _result(found: Found, words: list[str], given: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
    """What a web result and one of the news have in common."""
    parts = urlsplit(found.url)
    snippet = html.escape(found.snippet)
    if _is_on(given, "text_decorations") and words:
        pattern = "|".join(re.escape(html.escape(word)) for word in words)
        snippet = re.sub(rf"(?i)(?<![\w&])(?:{pattern})(?!\w)", r"<strong>\g<0></strong>", snippet)
    published = None if found.published is None else found.published.astimezone(UTC)
    told = Delivered(
        url=found.url,
        title=html.escape(found.title, quote=False),
        snippet=snippet,
        published=None if published is None else published.strftime("%Y-%m-%dT%H:%M:%S"),
    )
    shown = (
        {}
        if published is None
        else {"age": ago(published, stage.started, timedelta(days=7)) or long_date(published)}
    )
    trail = "".join(f" › {part} " for part in parts.path.split("/") if part).strip()
    return {
        **{key: value for key, value in RESULT.write(told).items() if value is not None},
        **shown,
        "meta_url": {
            "scheme": parts.scheme,
            "netloc": (parts.hostname or "").removeprefix("www."),
            "hostname": parts.hostname,
            "favicon": favicon(found.url),
            "path": trail,
        },
    }


def _is_on(given: Mapping[str, Any], key: str) -> bool:
    """A switch that is on unless it is turned off."""
    return str(given.get(key, True)).lower() not in ("false", "0")


def _rate(remaining: int) -> tuple[tuple[str, str], ...]:
    """One entry for the second and one for the month, which has no limit: its figures are 0."""
    return (
        ("x-ratelimit-limit", f"{LIMIT.requests}, 0"),
        ("x-ratelimit-policy", f"{LIMIT.requests};w=1, 0;w={MONTH_S}"),
        ("x-ratelimit-remaining", f"{remaining}, 0"),
        ("x-ratelimit-reset", f"1, {MONTH_S - int(time.time()) % MONTH_S}"),
    )


def _refusal(refused: Refused) -> Answer:
    """Parameters are checked for many providers, so their refusals come without a code of Brave's."""
    code = refused.code or "VALIDATION"
    status = refused.status if refused.code else 422
    error = {
        "id": str(uuid.uuid4()),
        "status": status,
        "code": code,
        "detail": "Unable to validate request parameter(s)" if code == "VALIDATION" else str(refused),
        "meta": _meta(code, refused),
    }
    content = {"type": "ErrorResponse", "error": error, "time": int(time.time())}
    return json_answer(status, content, *(_rate(0) if code == "RATE_LIMITED" else ()))


def _meta(code: str, refused: Refused) -> dict[str, Any]:
    match code:
        case "VALIDATION":
            place = "header" if refused.code else "query"
            return {"errors": [{"type": "value_error", "loc": [place], "msg": str(refused)}]}
        case "SUBSCRIPTION_TOKEN_INVALID":
            return {"component": "authentication"}
        case "RATE_LIMITED":
            rate = {"rate_limit": LIMIT.requests, "rate_current": LIMIT.requests}
            return {
                "component": "rate_limiter",
                "plan": "Search",
                **rate,
                "quota_limit": 0,
                "quota_current": 0,
            }
    return {}
