"""A search provider of the simulated internet, in Tavily's shape: what it finds is what the other hosts show tonight.

It is written from what the provider documents and shares nothing with the dialects of the fixture lane, so that a
mistake there does not hide behind the same one here.
"""

from __future__ import annotations

import html
import json
import math
import re
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from .scenario import CLOSED_TO_ALL, Answer, Heard, Site

HOST = "api.tavily.com"
KEY = "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"
_SNIPPET = 500


@dataclass(frozen=True, slots=True)
class _Found:
    url: str
    title: str
    text: str


def search_provider(sites: Mapping[str, Site], key: str = KEY) -> Site:
    """Searches in all HTML pages of ``sites`` that robots may read. Whoever has not the key is refused."""

    def respond(heard: Heard) -> Answer:
        began = perf_counter()
        if heard.headers.get("authorization") != f"Bearer {key}":
            return _json(401, {"detail": {"error": "Unauthorized: missing or invalid API key."}})
        if heard.method != "POST":
            return _json(405, {"detail": "Method Not Allowed"})
        given = json.loads(heard.body)
        documents = list(_documents(sites, heard.night))
        content = {"/search": _search, "/extract": _extract}[heard.path](given, documents)
        content |= {"response_time": round(perf_counter() - began, 3), "request_id": str(uuid.uuid4())}
        return _json(200, content)

    return Site(pages={"/search": respond, "/extract": respond})


def _documents(sites: Mapping[str, Site], night: int) -> Iterator[_Found]:
    for host, site in sites.items():
        if site.down or site.robots == CLOSED_TO_ALL:
            continue
        for path, page in site.pages.items():
            crawled = Heard(method="GET", host=host, target=path, night=night)
            answer = page if isinstance(page, Answer) else page(crawled)
            if path != "*" and answer.is_page:
                markup = answer.body.decode()
                title = re.search(r"<title>(.*?)</title>", markup, re.S)
                yield _Found(
                    f"https://{host}{path}", html.unescape(title[1]) if title else path, _text(markup)
                )


def _search(given: Mapping[str, Any], documents: list[_Found]) -> dict[str, Any]:
    documents = [one for one in documents if _in_domains(one.url, given)]
    ranked = _ranked(_words(given["query"]), documents)[: given.get("max_results", 5)]
    results = [
        {
            "url": one.url,
            "title": one.title,
            "content": one.text[:_SNIPPET],
            "score": round(score / (score + 1), 6),
            "raw_content": one.text if given.get("include_raw_content") else None,
        }
        for score, one in ranked
    ]
    shown = {"query": given["query"], "follow_up_questions": None, "answer": None, "images": []}
    usage = {"usage": {"credits": 1}} if given.get("include_usage") else {}
    return {**shown, "results": results, **usage}


def _extract(given: Mapping[str, Any], documents: list[_Found]) -> dict[str, Any]:
    urls = given["urls"] if isinstance(given["urls"], list) else [given["urls"]]
    texts = {one.url: one.text for one in documents}
    found = [{"url": url, "raw_content": texts[url], "images": []} for url in urls if url in texts]
    failed = [{"url": url, "error": "Failed to fetch url"} for url in urls if url not in texts]
    return {"results": found, "failed_results": failed}


def _ranked(wanted: list[str], documents: list[_Found]) -> list[tuple[float, _Found]]:
    """Rare words weigh more than common ones, and those of a title double."""
    bags = [Counter(_words(f"{one.title} {one.title} {one.text}")) for one in documents]
    within = Counter(word for bag in bags for word in bag)

    def weight(bag: Counter[str]) -> float:
        shared = set(wanted) & set(bag)
        return sum(math.log(1 + len(bags) / within[word]) * bag[word] / (bag[word] + 1) for word in shared)

    scored = [(weight(bag), one) for bag, one in zip(bags, documents, strict=True)]
    return sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: (-pair[0], pair[1].url))


def _in_domains(url: str, given: Mapping[str, Any]) -> bool:
    host = urlsplit(url).hostname or ""
    wanted, unwanted = given.get("include_domains") or (), given.get("exclude_domains") or ()
    inside = [
        any(host == name or host.endswith(f".{name}") for name in names) for names in (wanted, unwanted)
    ]
    return (inside[0] or not wanted) and not inside[1]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _text(markup: str) -> str:
    body = re.sub(r"<head>.*?</head>|<(script|style)\b.*?</\1>", " ", markup, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def _json(status: int, content: Mapping[str, Any]) -> Answer:
    headers = (("content-type", "application/json"),)
    return Answer(status=status, headers=headers, body=json.dumps(content, ensure_ascii=False).encode())
