"""What Exa gives of a page: its text, highlights, a summary, its links; or why it gives nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from .pages import Fetched
from .parameters import number_of
from .passages import chunks
from .reply import Refused
from .shape import Delivered, Shape, without_nulls

SHAPE = Shape(snippet="highlights[]", content="text", published="publishedDate")
HIGHLIGHT, HIGHLIGHTS, SUMMARY, MOST_LETTERS = 400, 2000, 600, 1_000_000
TAGS = {
    401: "SOURCE_NOT_AVAILABLE",
    403: "SOURCE_NOT_AVAILABLE",
    404: "CRAWL_NOT_FOUND",
    410: "CRAWL_NOT_FOUND",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a request wants of each page: the options of each kind of content, and how many links and images."""

    kinds: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    links: int = 0
    images: int = 0

    @property
    def is_wanted(self) -> bool:
        """Whether the page itself is needed."""
        return bool(self.kinds or self.links or self.images)


def contents_of(given: Any) -> Contents:
    """``text``, ``highlights`` and ``summary`` are each true or an object of options. Raises Refused (400)."""
    if not isinstance(given, dict):
        return Contents()
    kinds: dict[str, Mapping[str, Any]] = {}
    for name in ("text", "highlights", "summary"):
        wanted = given.get(name)
        if wanted is None or wanted is False:
            continue
        if wanted is not True and not isinstance(wanted, dict):
            raise Refused(400, f"Invalid {name}. Must be true, false or an object.")
        kinds[name] = {} if wanted is True else wanted
    extras = given.get("extras") or {}
    return Contents(
        kinds=kinds,
        links=number_of(extras, "links", 0, 1000, 0),
        images=number_of(extras, "imageLinks", 0, 1000, 0),
    )


def result_of(
    url: str, title: str, published: datetime | None, page: Fetched | None, query: str, wanted: Contents
) -> tuple[dict[str, Any], str | None]:
    """A result, and the content in it: its text, else its highlights. ``page`` is None where there is no more to tell
    than the index holds."""
    date = None if published is None else published.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    told = Delivered(
        url=url,
        title=title,
        snippet="" if page is None else "\n".join(_highlights(page, query, wanted)),
        content=None if page is None else _text(page, wanted),
        published=date,
    )
    kinds = wanted.kinds if page is not None else {}
    shape = replace(
        SHAPE,
        snippet=SHAPE.snippet if "highlights" in kinds else None,
        content=SHAPE.content if "text" in kinds else None,
    )
    more = {} if page is None else _more(page, query, wanted)
    return {"id": url} | without_nulls(shape.write(told)) | more, told.content or told.snippet or None


def status_of(url: str, page: Fetched | None) -> dict[str, Any]:
    """The entry of a page in ``statuses``."""
    if page is not None and page.is_page:
        return {"id": url, "status": "success", "source": "crawled"}
    status = 404 if page is None else page.status
    if 200 <= status < 300:
        error = {"tag": "UNSUPPORTED_URL", "httpStatusCode": 422}
    else:
        error = {"tag": TAGS.get(status, "CRAWL_UNKNOWN_ERROR"), "httpStatusCode": status}
    return {"id": url, "status": "error", "error": error}


def _text(page: Fetched, wanted: Contents) -> str | None:
    options = wanted.kinds.get("text")
    if options is None:
        return None
    text = page.html if options.get("includeHtmlTags") and page.html else page.markdown
    return text[: number_of(options, "maxCharacters", 1, MOST_LETTERS, MOST_LETTERS)]


def _highlights(page: Fetched, query: str, wanted: Contents) -> list[str]:
    options = wanted.kinds.get("highlights")
    if options is None:
        return []
    most = number_of(options, "maxCharacters", 1, MOST_LETTERS, HIGHLIGHTS)
    size = min(HIGHLIGHT, most)
    return chunks(page.text, str(options.get("query") or query), most // size, size)


def _more(page: Fetched, query: str, wanted: Contents) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if (options := wanted.kinds.get("summary")) is not None:
        # The page's own words: nothing is made up here.
        more["summary"] = " ".join(chunks(page.text, str(options.get("query") or query), 1, SUMMARY))
    extras: dict[str, Any] = {}
    if wanted.links:
        extras["links"] = list(page.links[: wanted.links])
    if wanted.images:
        extras["imageLinks"] = list(page.images[: wanted.images])
    return more | ({"extras": extras} if extras else {})
