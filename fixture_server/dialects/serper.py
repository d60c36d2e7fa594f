"""Serper's web and news search, Google's results in JSON, under google.serper.dev."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from fixture_server.message import Answer, Asked
from fixture_server.stage import Stage

from .ages import ago, short_date
from .hits import Found, Wanted, find
from .operators import read_operators
from .parameters import number_of, text_of
from .reply import Refused, admit, answered, json_answer, key_of
from .samples import ANY_QUERY, posted
from .shape import Delivered, Shape, rows, without_nulls
from .tbs import in_range
from .throttle import Limit, spend

HOSTS = ("google.serper.dev",)
OFFERS = {"search-api": {"base_url": f"https://{HOSTS[0]}", "api_key_env": "SERPER_API_KEY"}}
SAMPLES = {"search-api": posted(HOSTS[0], "/search", {"q": ANY_QUERY})}
SECTIONS = {"/search": "organic", "/news": "news"}
RESULT = Shape(url="link", snippet="snippet", published="date")
MOST, DEFAULT, MOST_QUERIES = 100, 10, 100
LIMIT = Limit(requests=50)
OFTEN = (429, "Too many requests", "")
REFUSALS = {
    "missing": (403, "Unauthorized.", ""),
    "invalid": (403, "Unauthorized.", ""),
    "exhausted": (400, "Not enough credits", ""),
    "throttled": OFTEN,
}


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``POST`` (an object, or a list of them as a batch) and ``GET`` of both paths. No header tells of a limit."""
    try:
        if asked.path not in SECTIONS:
            raise Refused(404, "Not Found")
        admit(key_of(asked, headers=("x-api-key",), bearer=False, query="apiKey"), REFUSALS)
        if spend("serper", LIMIT, stage).over:
            raise Refused(*OFTEN)
        given = _given(asked)
        if not isinstance(given, list):
            return json_answer(200, _search(asked.path, given, stage))
        if len(given) > MOST_QUERIES:
            raise Refused(400, f"Maximum {MOST_QUERIES} queries are allowed in a batch")
        return json_answer(200, [_search(asked.path, one, stage) for one in given])
    except Refused as refused:
        return json_answer(refused.status, {"message": str(refused), "statusCode": refused.status})


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of an answer: those of its main section, not of the boxes around it."""
    return tuple(RESULT.read(row) for row in rows(answered(body), SECTIONS.get(path, "organic")))


def _given(asked: Asked) -> Any:
    if asked.method == "GET":
        return asked.query
    try:
        return json.loads(asked.body)
    except ValueError as error:
        raise Refused(400, "Invalid JSON") from error


def _search(path: str, given: Any, stage: Stage) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise Refused(400, "Invalid JSON")
    query = text_of(given, "q")
    count, page = number_of(given, "num", 1, MOST, DEFAULT), number_of(given, "page", 1, MOST, 1)
    words, wanted = read_operators(query, Wanted(dated=path == "/news"))
    wanted = in_range(wanted, str(given.get("tbs") or ""), stage.started)
    first = (page - 1) * count
    found = islice(find(words, wanted, stage), first, first + count)
    results = [_result(path, place, one, stage.started) for place, one in enumerate(found, 1)]
    parameters = {
        "q": query,
        "gl": given.get("gl", "us"),
        "hl": given.get("hl", "en"),
        "num": count,
        "page": page,
        "tbs": given.get("tbs"),
        "location": given.get("location"),
        "autocorrect": given.get("autocorrect", True),
        "type": path.removeprefix("/"),
        "engine": "google",
    }
    content = {"searchParameters": without_nulls(parameters), SECTIONS[path]: results}
    return content | {"credits": 1 if count <= DEFAULT else 2}


def _result(path: str, place: int, found: Found, now: datetime) -> dict[str, Any]:
    date = None
    if found.published is not None:
        date = ago(found.published, now, timedelta(days=31)) or short_date(found.published.astimezone(UTC))
    told = Delivered(url=found.url, title=found.title, snippet=found.snippet, published=date)
    result = without_nulls(RESULT.write(told))
    if path == "/news":
        result["source"] = (urlsplit(found.url).hostname or "").removeprefix("www.")
    return result | {"position": place}
