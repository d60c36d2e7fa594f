"""A page as Firecrawl gives it: the formats that were asked for, and what it says of the page."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fixture_server.message import Delivery
from fixture_server.stage import Stage

from .markdown import AROUND
from .pages import Fetched, delivery, fetched, has_host, parsed, part_of
from .parameters import names_of, texts_of
from .passages import chunks
from .reply import Refused
from .shape import Delivered, Shape, without_nulls

SCRAPED = Shape(
    url="metadata.sourceURL",
    title="metadata.title",
    snippet="metadata.description",
    content="markdown",
    published="metadata.publishedTime",
)
FORMATS = ("markdown", "html", "rawHtml", "links", "images", "summary")
# Formats of the provider that take a browser or a model, of which there is none here.
NOT_HERE = (
    "screenshot",
    "json",
    "extract",
    "changeTracking",
    "branding",
    "attributes",
    "query",
    "audio",
    "video",
)
SUMMARY = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What is wanted of a page. ``include`` and ``exclude`` are selectors."""

    formats: tuple[str, ...] = ("markdown",)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = AROUND


def options_of(given: Any) -> Options:
    """Raises Refused (400)."""
    if not isinstance(given, dict):
        raise Refused(400, "Invalid scrapeOptions. Must be an object.")
    formats = names_of(given, "formats") or ("markdown",)
    for name in formats:
        if name.partition("@")[0] not in FORMATS + NOT_HERE:
            raise Refused(400, f"Invalid format {name}. Must be one of {', '.join(FORMATS + NOT_HERE)}.")
    around = () if given.get("onlyMainContent") is False else AROUND
    include = texts_of(given, "includeTags")
    return Options(
        formats=formats,
        include=include,
        exclude=(*(() if include else around), *texts_of(given, "excludeTags")),
    )


def scrape(url: str, stage: Stage) -> Fetched:
    """A page, whatever its status. Raises Refused as the provider fails: for a name that leads nowhere its HTTP status
    is 200."""
    page = fetched(url, stage)
    if page is not None:
        return page
    if parsed(url).scheme not in ("http", "https"):
        raise Refused(400, "Invalid URL")
    if not has_host(url, stage):
        host = parsed(url).hostname
        raise Refused(200, f'DNS resolution failed for hostname "{host}".', "SCRAPE_DNS_RESOLUTION_ERROR")
    raise Refused(500, "All scraping engines failed.", "SCRAPE_ALL_ENGINES_FAILED")


def document_of(
    page: Fetched, url: str, options: Options, channel: str
) -> tuple[dict[str, Any], tuple[Delivery, ...]]:
    """The page in the wanted formats, and what they deliver: of ``url``, and of where it led to, as both are told."""
    raw = page.html
    try:
        page = part_of(page, options.include, options.exclude)
    except ValueError as error:
        raise Refused(400, f"Invalid tags: {error}.") from error
    formats = {
        "markdown": page.markdown,
        "html": page.html,
        "rawHtml": raw,
        "links": list(page.links),
        "images": list(page.images),
        "summary": " ".join(chunks(page.text, page.title, 1, SUMMARY)),
    }
    document = {name: formats[name] for name in options.formats if name in formats and name != "markdown"}
    missing = [name for name in options.formats if name not in formats]
    if missing:
        document["warning"] = f"Not available: {', '.join(missing)}."
    told = Delivered(
        url=url,
        title=page.title,
        snippet=page.description or "",
        content=page.markdown if "markdown" in options.formats else None,
        published=None if page.published is None else page.published.isoformat(),
    )
    written = without_nulls(SCRAPED.write(told))
    metadata = without_nulls(written["metadata"] | _metadata(page))
    text = told.content or page.text
    urls = dict.fromkeys((url, page.url)) if told.content or "html" in document else ()
    deliveries = tuple(delivery(each, text, channel, page.status) for each in urls if text)
    return document | written | {"metadata": metadata}, deliveries


def _metadata(page: Fetched) -> Mapping[str, Any]:
    return {
        "language": page.language,
        "url": page.url,
        "statusCode": page.status,
        "contentType": page.media_type,
        "error": HTTPStatus(page.status).phrase if page.status >= 400 else None,
        "scrapeId": str(uuid.uuid4()),
        "proxyUsed": "basic",
        "cacheState": "miss",
        "creditsUsed": 1,
    }
