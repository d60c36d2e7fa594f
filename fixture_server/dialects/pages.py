"""A page as an API's own crawler gets it: now, without a credential, and without counting as the client's visit."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from urllib.parse import SplitResult, urljoin, urlsplit

from fixture_server.access import answer_to
from fixture_server.message import Answer, Asked, Delivery
from fixture_server.respond import not_found, plain_answer, respond
from fixture_server.sites import Page
from fixture_server.stage import Stage
from pytest_webretrieval.wire.coding import decoded

from .markdown import Markup, narrowed, read_markup, read_pdf, read_text

MOST_REDIRECTS = 5
MARKDOWN = "text/markdown; charset=utf-8"
_CHARSET = re.compile(r"charset\s*=\s*\"?([\w.:-]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A page. ``url`` is where redirects led to, ``html`` the body as it came (empty where it is no text), ``text`` and
    ``markdown`` what it says, ``links`` absolute; ``published`` is the date that its listing states."""

    url: str
    status: int
    media_type: str
    title: str
    text: str
    markdown: str
    html: str = ""
    description: str | None = None
    language: str | None = None
    published: datetime | None = None
    links: tuple[str, ...] = ()
    images: tuple[str, ...] = ()

    @property
    def is_page(self) -> bool:
        """Whether it is a page with something to read, and not an error."""
        return 200 <= self.status < 300 and bool(self.text)


def fetched(url: str, stage: Stage) -> Fetched | None:
    """The page behind a URL of the world, redirects followed, whatever its status; None where nothing answers: no such
    host, a broken connection, no end of redirects."""
    for _ in range(MOST_REDIRECTS + 1):
        parts = parsed(url)
        if parts.scheme not in ("http", "https") or not has_host(url, stage):
            return None
        host = (parts.hostname or "").lower()
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        asked = Asked(method="GET", scheme="https", host=host, target=target)
        page = stage.page_at(host, asked.path)
        answer = not_found(asked) if page is None else _answer(asked, page, stage)
        if answer is None or answer.fault is not None:
            return None
        location = answer.header("location")
        if location is None or not 300 <= answer.status < 400:
            return _read(asked.url, page, answer, stage)
        url = urljoin(asked.url, location).partition("#")[0]
    return None


def has_host(url: str, stage: Stage) -> bool:
    """Whether the name in a URL leads anywhere."""
    return (parsed(url).hostname or "").lower() in stage.edition.hosts


def parsed(url: str) -> SplitResult:
    """The parts of a URL; those of an empty one where it is none."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def part_of(page: Fetched, include: tuple[str, ...], exclude: tuple[str, ...]) -> Fetched:
    """The page as if it were no more than what the selectors leave of it. Raises ValueError."""
    if not page.html or not (include or exclude):
        return page
    markup = narrowed(page.html, include, exclude)
    part = read_markup(markup, page.url)
    return replace(
        page, html=markup, text=part.text, markdown=part.markdown, links=part.links, images=part.images
    )


def delivery(url: str, text: str, channel: str, status: int | None = None) -> Delivery:
    """Content that an API gives of ``url``; ``status`` is the page's own where the API tells one.

    Who is asked to extract a page reads it at that moment, so its content has that date. What a search brings along
    is the index's copy, of an age that nobody tells.
    """
    dated = (("date", format_datetime(datetime.now(UTC), usegmt=True)),) if channel == "extract-api" else ()
    return Delivery(
        url=url, body=text.encode(), media_type=MARKDOWN, channel=channel, status=status, headers=dated
    )


def _answer(asked: Asked, page: Page, stage: Stage) -> Answer | None:
    whole = stage.serve(page)
    if whole.behave:
        # A function may remember who came; it is to remember nothing of this.
        apart = replace(
            stage, memory=deepcopy(stage.memory), visits=dict(stage.visits), places=dict(stage.places)
        )
        return respond(asked, page, apart)
    chosen = answer_to(asked, None, whole)
    if chosen is None:
        return not_found(asked)
    return None if chosen.public.live else plain_answer(page, chosen.public, stage)


def _read(url: str, page: Page | None, answer: Answer, stage: Stage) -> Fetched:
    declared = answer.header("content-type") or ""
    kind = declared.partition(";")[0].strip().lower()
    plain = decoded(answer.body, answer.header("content-encoding"))
    markup = _markup(answer.body if plain is None else plain, kind, declared, url)
    listing = None if page is None else page.listing
    return Fetched(
        url=url,
        status=answer.status,
        media_type=declared,
        title=markup.title,
        text=markup.text,
        markdown=markup.markdown,
        html=markup.html,
        description=markup.description,
        language=markup.language or (listing.language if listing else None),
        published=stage.published(listing.published) if listing else None,
        links=markup.links,
        images=markup.images,
    )


def _markup(body: bytes, kind: str, declared: str, url: str) -> Markup:
    if kind == "application/pdf":
        return read_pdf(body)
    if kind.startswith("text/") or kind.endswith(("json", "xml")):
        text = _decoded(body, declared)
        return read_markup(text, url) if "html" in kind else read_text(text)
    return Markup()


def _decoded(body: bytes, declared: str) -> str:
    found = _CHARSET.search(declared)
    try:
        return body.decode(found[1] if found else "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def favicon(url: str) -> str:
    """Where a site's icon is looked for."""
    return f"https://{parsed(url).hostname}/favicon.ico"
