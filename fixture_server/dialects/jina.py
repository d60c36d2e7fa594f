"""Jina's search (s.jina.ai) and reader (r.jina.ai): a query or an address behind the slash, text or JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote

from fixture_server.message import Answer, Asked, Delivery
from fixture_server.stage import Stage

from .jina_reader import FORMS, PAGE, Reading, options_of, reading_of
from .jina_search import OPERATORS, RESULT, results_of
from .jina_text import page_text, read_page, read_results, results_text
from .pages import delivery
from .reply import Refused, answered, json_answer, json_body, key_of, trouble_of
from .samples import ANY_PAGE, ANY_QUERY, got
from .shape import Delivered, rows

SEARCH_HOSTS, READER_HOSTS = ("s.jina.ai", "eu.s.jina.ai"), ("r.jina.ai", "eu.r.jina.ai")
HOSTS = (*SEARCH_HOSTS, *READER_HOSTS)
OFFERS = {
    "search-api": {"base_url": f"https://{SEARCH_HOSTS[0]}", "api_key_env": "JINA_API_KEY"},
    "extract-api": {"base_url": f"https://{READER_HOSTS[0]}", "api_key_env": "JINA_API_KEY"},
}
SAMPLES = {
    "search-api": got(SEARCH_HOSTS[0], "/", q=ANY_QUERY),
    "extract-api": got(READER_HOSTS[0], f"/{ANY_PAGE}"),
}
PLAIN = ("content-type", "text/plain; charset=utf-8")
# Its first three digits are the HTTP status.
STATUSES = {
    "ParamValidationError": 40001,
    "AuthenticationFailedError": 40101,
    "AuthenticationRequiredError": 40103,
    "InsufficientBalanceError": 40203,
    "AssertionFailureError": 42206,
    "RateLimitTriggeredError": 42903,
}
REFUSALS = {
    "missing": (401, "Authentication is required to use this endpoint.", "AuthenticationRequiredError"),
    "invalid": (401, "Invalid API key.", "AuthenticationFailedError"),
    "exhausted": (402, "Account balance not enough to run this query.", "InsufficientBalanceError"),
}


def channel(asked: Asked) -> str:
    """The channel that a request uses."""
    return "extract-api" if asked.host in READER_HOSTS else "search-api"


def respond(asked: Asked, stage: Stage) -> Answer:
    """``GET`` and ``POST``. Text is for who accepts it, as all do that do not say; errors are in JSON. Only a search
    needs a key."""
    reads = asked.host in READER_HOSTS
    trouble = trouble_of(key_of(asked))
    if trouble == "throttled":
        return throttled(1)
    try:
        if trouble is not None and not (reads and trouble == "missing"):
            raise Refused(*REFUSALS[trouble])
        return _read(asked, stage) if reads else _search(asked, stage)
    except Refused as refused:
        return _refusal(refused, {})


def throttled(retry_after_s: int) -> Answer:
    """The answer to who asks too often."""
    refused = Refused(429, "Per UID rate limit exceeded", "RateLimitTriggeredError")
    return _refusal(refused, {"retryAfter": retry_after_s}, ("retry-after", str(retry_after_s)))


def read(body: bytes, path: str) -> tuple[Delivered, ...]:
    """The results of an answer in either form. Content alone, as it is asked for by ``html`` and ``text``, is of the
    address in ``path``."""
    answer = answered(body)
    if "data" in answer:
        data = answer["data"]
        return (_page(data),) if isinstance(data, dict) else tuple(map(RESULT.read, rows(answer, "data")))
    text = body.decode("utf-8", "replace")
    page = read_page(text)
    if page is not None:
        return (page,)
    url = unquote(path).lstrip("/")
    if url.startswith(("http://", "https://")):
        return (Delivered(url=url, content=text),)
    return read_results(text)


def _page(data: Mapping[str, Any]) -> Delivered:
    key = next((key for key in FORMS.values() if data.get(key)), PAGE.content)
    return replace(PAGE, content=key).read(data)


def _read(asked: Asked, stage: Stage) -> Answer:
    given = _body(asked)
    reading = reading_of(_address(asked, given), options_of(asked, given), stage)
    deliveries = (_delivery(reading, channel(asked)),)
    if _wants_json(asked):
        meta = {"usage": {"tokens": reading.tokens}}
        return _told(reading.told(), meta, deliveries)
    if FORMS[reading.form] != PAGE.content:
        return _text(reading.page.content or "", deliveries)
    summaries = [_summary(name, found) for name, found in reading.summaries.items()]
    return _text(page_text(reading.page, reading.warning, summaries), deliveries)


def _search(asked: Asked, stage: Stage) -> Answer:
    """The query is ``q``, or what stands behind the slash; operators may be headers."""
    query = parse_qs(asked.target.partition("?")[2])
    given: dict[str, Any] = {key: values if key in OPERATORS else values[-1] for key, values in query.items()}
    given |= {name: asked.headers[f"x-{name}"] for name in OPERATORS if f"x-{name}" in asked.headers}
    given |= _body(asked)
    if behind := asked.path.removeprefix("/"):
        given.setdefault("q", behind)
    results = results_of(given, options_of(asked, given), stage)
    deliveries = tuple(_delivery(reading, channel(asked)) for reading in results.readings.values())
    if _wants_json(asked):
        return _told(
            results.told(), {"usage": {"tokens": results.tokens}, "query": results.query}, deliveries
        )
    return _text(results_text(results.found), deliveries)


def _body(asked: Asked) -> dict[str, Any]:
    if asked.method != "POST" or not asked.body:
        return {}
    if "json" in asked.headers.get("content-type", ""):
        return json_body(asked)
    return dict(parse_qsl(asked.body.decode("utf-8", "replace")))


def _address(asked: Asked, given: Mapping[str, Any]) -> str:
    """The address as it stands in the target, its query too; written with percent signs it is decoded."""
    behind = asked.target.removeprefix("/")
    if not behind:
        return str(given.get("url") or "").strip()
    if not behind.startswith(("http://", "https://")) and "%" in behind:
        behind = unquote(behind)
    return behind if "://" in behind else f"https://{behind}"


def _wants_json(asked: Asked) -> bool:
    accepted = asked.headers.get("accept", "*/*")
    return "json" in accepted and "*/*" not in accepted and "text/plain" not in accepted


def _delivery(reading: Reading, channel: str) -> Delivery:
    return delivery(reading.page.url, reading.page.content or "", channel, reading.status)


def _summary(name: str, found: Mapping[str, str]) -> str:
    mark, title = ("!", "Images") if name == "images" else ("", "Links/Buttons")
    return "\n".join([f"{title}:", *(f"- {mark}[{text}]({url})" for text, url in found.items())])


def _told(data: Any, meta: Mapping[str, Any], deliveries: tuple[Delivery, ...]) -> Answer:
    return json_answer(200, {"code": 200, "status": 20000, "data": data, "meta": meta}, deliveries=deliveries)


def _text(text: str, deliveries: tuple[Delivery, ...]) -> Answer:
    return Answer(headers=(PLAIN,), body=text.encode(), deliveries=deliveries)


def _refusal(refused: Refused, more: Mapping[str, Any], *headers: tuple[str, str]) -> Answer:
    name = refused.code or "ParamValidationError"
    content = {
        "data": None,
        "code": refused.status,
        "name": name,
        "status": STATUSES[name],
        "message": str(refused),
        "readableMessage": f"{name}: {refused}",
    }
    return json_answer(refused.status, content | dict(more), *headers)
