"""Parallel's search and extract APIs as its SDK speaks them, under api.parallel.ai."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from itertools import islice
from typing import Any

from fixture_server.message import Answer, Asked, Delivery
from fixture_server.stage import Stage

from .hits import Wanted, find
from .pages import Fetched, delivery, fetched
from .parameters import day_of, domains_of, number_of, one_of, texts_of, urls_of
from .passages import passage
from .reply import Refused, admit, answered, json_answer, json_body, key_of
from .samples import ANY_PAGE, ANY_QUERY, posted
from .shape import Delivered, Shape, rows
from .throttle import Limit, spend

HOSTS = ("api.parallel.ai",)
_OFFER = {"base_url": f"https://{HOSTS[0]}", "api_key_env": "PARALLEL_API_KEY"}
OFFERS = {"search-api": _OFFER, "extract-api": _OFFER}
SAMPLES = {
    "search-api": posted(HOSTS[0], "/v1/search", {"search_queries": [ANY_QUERY]}),
    "extract-api": posted(HOSTS[0], "/v1/extract", {"urls": [ANY_PAGE]}),
}
RESULT = Shape(content="excerpts[]", published="publish_date")
PAGE = Shape(content="full_content", published="publish_date")
MODES = ("advanced", "basic", "fast", "turbo")
MOST, DEFAULT, MOST_URLS, MOST_SOURCES, LETTERS, MOST_LETTERS = 100, 10, 20, 200, 1500, 1_000_000
LIMIT = Limit(requests=600, window_s=60.0)
OFTEN = (429, "Rate limit exceeded", "")
REFUSALS = {
    "missing": (401, "Unauthorized: missing API key", ""),
    "invalid": (401, "Unauthorized: invalid API key", ""),
    "exhausted": (402, "Payment required: insufficient balance", ""),
    "throttled": OFTEN,
}
# The settings that /v1 refuses on the top level, where /v1beta has them.
_MOVED = ("max_results", "source_policy", "fetch_policy", "excerpts", "full_content")


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "extract-api" if asked.path.endswith("/extract") else "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``POST /v1/search`` and ``/v1/extract``, and the older ``/v1beta`` of both."""
    _, version, endpoint = (*asked.path.split("/"), "", "")[:3]
    answer = {"search": _search, "extract": _extract}.get(endpoint)
    try:
        if answer is None or version not in ("v1", "v1beta"):
            raise Refused(404, "Not found")
        if asked.method != "POST":
            raise Refused(405, "Method not allowed")
        admit(key_of(asked, headers=("x-api-key",)), REFUSALS)
        if spend("parallel", LIMIT, stage).over:
            raise Refused(*OFTEN)
        given = json_body(asked)
        settings = _settings(given, version)
        content, deliveries = answer(given, settings, stage)
    except Refused as refused:
        # Parameters that are checked for many providers are a 422 here.
        status = 422 if refused.status == 400 else refused.status
        error = {"ref_id": str(uuid.uuid4()), "message": str(refused), "detail": None}
        return json_answer(status, {"type": "error", "error": error})
    session = given.get("session_id") or f"session_{uuid.uuid4().hex}"
    return json_answer(200, {**content, "session_id": session, "warnings": None}, deliveries=deliveries)


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of an answer; of an extracted page the whole where it is there, else the excerpts."""
    return tuple(
        (PAGE if isinstance(row.get("full_content"), str) else RESULT).read(row)
        for row in rows(answered(body), "results")
    )


def _settings(given: Mapping[str, Any], version: str) -> Mapping[str, Any]:
    if version == "v1beta":
        return given
    for key in _MOVED:
        if given.get(key) is not None:
            raise Refused(422, f"{key}: extra fields not permitted; it belongs to advanced_settings")
    return _object(given, "advanced_settings")


def _search(
    given: Mapping[str, Any], settings: Mapping[str, Any], stage: Stage
) -> tuple[dict[str, Any], tuple[Delivery, ...]]:
    queries = texts_of(given, "search_queries")
    if not queries and (settings is not given or not given.get("objective")):
        raise Refused(422, "search_queries: field required")
    one_of(given, "mode", MODES)
    words = " ".join((*queries, str(given.get("objective") or "")))
    most = number_of(settings, "max_results", 1, MOST, DEFAULT)
    a_page = _letters(_object(settings, "excerpt_settings") or _object(settings, "excerpts"))
    budget = number_of(given, "max_chars_total", 1, MOST_LETTERS, MOST_LETTERS)
    results, deliveries = [], []
    for found in islice(find(words, _wanted(_object(settings, "source_policy")), stage), most):
        text = passage(found.text, words, min(a_page, budget))
        budget = max(0, budget - len(text))
        date = None if found.published is None else found.published.date().isoformat()
        told = Delivered(url=found.url, title=found.title, content=text, published=date)
        results.append(RESULT.write(told) | {"excerpts": [text] if text else []})
        if text:
            deliveries.append(delivery(found.url, text, "search-api"))
    usage = [{"name": "sku_search", "count": 1}]
    content = {"search_id": f"search_{uuid.uuid4().hex}", "results": results, "usage": usage}
    return content, tuple(deliveries)


def _wanted(policy: Mapping[str, Any]) -> Wanted:
    included, excluded = domains_of(policy, "include_domains"), domains_of(policy, "exclude_domains")
    if len(included) + len(excluded) > MOST_SOURCES:
        raise Refused(422, f"source_policy: at most {MOST_SOURCES} domains")
    since = day_of(policy, "after_date")
    return Wanted(include_domains=included, exclude_domains=() if included else excluded, since=since)


def _extract(
    given: Mapping[str, Any], settings: Mapping[str, Any], stage: Stage
) -> tuple[dict[str, Any], tuple[Delivery, ...]]:
    urls = urls_of(given, "urls", MOST_URLS)
    words = " ".join((*texts_of(given, "search_queries"), str(given.get("objective") or "")))
    whole = settings.get("full_content")
    size = _letters(whole, MOST_LETTERS) if whole else None
    a_page = _letters(_object(settings, "excerpt_settings") or _object(settings, "excerpts"))
    results: list[dict[str, Any]] = []
    errors: list[dict[str, Any]] = []
    deliveries: list[Delivery] = []
    for url in urls:
        page = fetched(url, stage)
        if page is None or not page.is_page:
            errors.append(_error(url, page))
            if page is not None:
                deliveries.append(delivery(url, page.markdown, "extract-api", page.status))
            continue
        text = passage(page.markdown, words, a_page)
        full = None if size is None else page.markdown[:size]
        date = None if page.published is None else page.published.date().isoformat()
        told = Delivered(url=url, title=page.title, content=full, published=date)
        results.append(PAGE.write(told) | {"excerpts": [text]})
        deliveries.append(delivery(url, full or text, "extract-api", page.status))
    usage = [{"name": "sku_extract", "count": len(urls)}]
    content = {
        "extract_id": f"extract_{uuid.uuid4().hex}",
        "results": results,
        "errors": errors,
        "usage": usage,
    }
    return content, tuple(deliveries)


def _error(url: str, page: Fetched | None) -> dict[str, Any]:
    if page is None:
        return {"url": url, "error_type": "fetch_error", "http_status_code": None, "content": None}
    kind = "unsupported_content" if 200 <= page.status < 300 else "http_error"
    return {"url": url, "error_type": kind, "http_status_code": page.status, "content": page.markdown or None}


def _letters(settings: Any, default: int = LETTERS) -> int:
    if not isinstance(settings, Mapping):
        return default
    return number_of(settings, "max_chars_per_result", 1, MOST_LETTERS, default)


def _object(given: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = given.get(key)
    return value if isinstance(value, Mapping) else {}
