"""An instance of SearXNG of one's own, with JSON among its formats, under searxng.example."""

from __future__ import annotations

import html
from collections.abc import Mapping
from datetime import timedelta
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from fixture_server.message import Answer, Asked
from fixture_server.stage import Stage

from .hits import Found, Wanted, find
from .operators import read_operators
from .parameters import number_of, one_of
from .reply import Refused, answered, json_answer
from .shape import Delivered, Shape, rows

HOSTS = ("searxng.example",)
OFFERS = {"search-api": {"base_url": f"https://{HOSTS[0]}", "base_url_env": "SEARXNG_BASE_URL"}}
RESULT = Shape(snippet="content", published="publishedDate")
ENGINE = "world"
FORMATS = ("html", "json")
RANGES = {"day": 1, "week": 7, "month": 31, "year": 366}
A_PAGE, MOST_PAGES = 10, 50


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``GET`` and ``POST`` of ``/search`` and ``/``; a format that the instance has not enabled is a 403."""
    if asked.path == "/healthz":
        return _text(200, "OK", "text/plain")
    if asked.path not in ("/", "/search"):
        return _text(404, _page("Not found", ""), "text/html")
    given = {**asked.query, **_form(asked)}
    form = given.get("format", "html")
    if form not in FORMATS:
        return _text(403, _page("Forbidden", "<p>The format is not enabled.</p>"), "text/html")
    query = given.get("q", "").strip()
    if not query:
        if form == "json":
            return json_answer(400, {"error": "No query"})
        return _text(200, _page("SearXNG", ""), "text/html")
    try:
        found = _search(query, given, stage)
    except Refused as refused:
        if form == "json":
            return json_answer(400, {"error": str(refused)})
        return _text(400, _page("Bad request", f"<p>{html.escape(str(refused))}</p>"), "text/html")
    if form == "html":
        return _text(200, _page(query, "".join(map(_article, found))), "text/html")
    content = {
        "query": query,
        "number_of_results": 0,
        "results": [_result(place, one) for place, one in enumerate(found, 1)],
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [],
    }
    return json_answer(200, content)


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of an answer in JSON."""
    return tuple(RESULT.read(row) for row in rows(answered(body), "results"))


def _form(asked: Asked) -> dict[str, str]:
    return dict(parse_qsl(asked.body.decode("utf-8", "replace"))) if asked.method == "POST" else {}


def _search(query: str, given: Mapping[str, Any], stage: Stage) -> list[Found]:
    wanted = Wanted()
    if given.get("time_range"):
        days = RANGES[one_of(given, "time_range", tuple(RANGES))]
        wanted = Wanted(since=stage.started - timedelta(days=days))
    first = (number_of(given, "pageno", 1, MOST_PAGES, 1) - 1) * A_PAGE
    words, wanted = read_operators(query, wanted)
    return list(islice(find(words, wanted, stage), first, first + A_PAGE))


def _result(place: int, found: Found) -> dict[str, Any]:
    date = (
        None
        if found.published is None
        else found.published.replace(tzinfo=None).isoformat(timespec="seconds")
    )
    told = Delivered(url=found.url, title=found.title, snippet=found.snippet, published=date)
    parts = urlsplit(found.url)
    return RESULT.write(told) | {
        "engine": ENGINE,
        "engines": [ENGINE],
        "positions": [place],
        "score": round(1 / place, 4),
        "category": "general",
        "template": "default.html",
        "thumbnail": "",
        "img_src": "",
        "priority": "",
        "parsed_url": [parts.scheme, parts.netloc, parts.path, "", parts.query, parts.fragment],
    }


def _article(found: Found) -> str:
    link = html.escape(found.url)
    return (
        f'<article class="result result-default category-general"><a href="{link}" class="url_header">{link}</a>'
        f'<h3><a href="{link}">{html.escape(found.title)}</a></h3>'
        f'<p class="content">{html.escape(found.snippet)}</p></article>\n'
    )


def _page(title: str, inside: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><title>{html.escape(title)}</title></head><body>'
        '<form action="/search" method="post"><input name="q" type="search"><button>Search</button></form>'
        f'<main id="urls">{inside}</main></body></html>\n'
    )


def _text(status: int, body: str, kind: str) -> Answer:
    return Answer(status=status, headers=(("content-type", f"{kind}; charset=utf-8"),), body=body.encode())
