"""What Jina's reader gives of one address: the forms of its content, links and images, a warning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

from fixture_server.message import Asked
from fixture_server.stage import Stage

from .markdown import AROUND
from .pages import Fetched, fetched, has_host, parsed, part_of
from .reply import Refused
from .shape import Delivered, Shape, without_nulls

PAGE = Shape(snippet="description", content="content", published="publishedTime")
# The key of the content by the form that was asked for.
FORMS = {"markdown": "content", "content": "content", "html": "html", "text": "text", "no-content": "content"}
LETTERS_PER_TOKEN = 4
_LINK, _IMAGE = re.compile(r"(?<!!)\[([^\]]*)\]\((\S+)\)"), re.compile(r"!\[([^\]]*)\]\((\S+)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What is wanted of a page; ``include`` and ``exclude`` are selectors, ``summaries`` are ``links`` and
    ``images``."""

    form: str = "markdown"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A page that was read. ``status`` is the page's own; ``summaries`` map ``links`` and ``images`` to text -> URL."""

    page: Delivered
    form: str
    status: int
    warning: str | None
    summaries: Mapping[str, Mapping[str, str]]

    @property
    def tokens(self) -> int:
        """What its content costs."""
        return -(-len(self.page.content or "") // LETTERS_PER_TOKEN)

    def told(self) -> dict[str, Any]:
        """The page in JSON."""
        shape = replace(PAGE, content=FORMS[self.form])
        more = {"warning": self.warning, "usage": {"tokens": self.tokens}}
        return without_nulls(shape.write(self.page) | dict(self.summaries) | more)


def options_of(asked: Asked, given: Mapping[str, Any]) -> Options:
    """From headers (``x-respond-with``) or parameters (``respondWith``). Raises Refused (400)."""
    form = _option(asked, given, "respond-with") or _option(asked, given, "return-format") or "markdown"
    if form not in FORMS:
        raise Refused(400, f"Invalid respondWith {form}. Must be one of {', '.join(FORMS)}.")
    return Options(
        form=form,
        include=_selectors(_option(asked, given, "target-selector")),
        exclude=_selectors(_option(asked, given, "remove-selector")),
        summaries=tuple(
            name
            for name in ("images", "links")
            if _option(asked, given, f"with-{name}-summary") not in ("", "false")
        ),
    )


def reading_of(url: str, options: Options, stage: Stage) -> Reading:
    """Raises Refused as the reader fails; a page that is an error is read, with a warning."""
    parts = parsed(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Refused(400, f"Invalid URL: {url}")
    if not has_host(url, stage):
        raise Refused(400, f"Domain '{parts.hostname}' could not be resolved")
    page = fetched(url, stage)
    if page is None:
        raise Refused(422, f"Failed to goto {url}: Error: net::ERR_CONNECTION_RESET", "AssertionFailureError")
    if not page.text:
        raise Refused(422, f"No content available for URL {url}", "AssertionFailureError")
    return read_page(page, url, options)


def read_page(page: Fetched, url: str, options: Options) -> Reading:
    """A page of the world as the reader tells it. Raises Refused (400) for what is no selector."""
    try:
        part = part_of(
            page, options.include, options.exclude if options.include else (*AROUND, *options.exclude)
        )
    except ValueError as error:
        raise Refused(400, f"Invalid selector: {error}") from error
    html = part.html if options.include or options.exclude else page.html
    content = {"html": html, "text": part.text}.get(options.form, part.markdown)
    return Reading(
        page=Delivered(
            url=url,
            title=page.title,
            snippet=page.description or "",
            content=content,
            published=None if page.published is None else page.published.isoformat(),
        ),
        form=options.form,
        status=page.status,
        warning=_warning(page.status),
        summaries={name: _summary(name, part.markdown) for name in options.summaries},
    )


def _warning(status: int) -> str | None:
    return None if status < 400 else f"Target URL returned error {status}: {HTTPStatus(status).phrase}"


def _summary(name: str, markdown: str) -> dict[str, str]:
    pattern = _LINK if name == "links" else _IMAGE
    return dict(pattern.findall(markdown))


def _option(asked: Asked, given: Mapping[str, Any], name: str) -> str:
    first, *rest = name.split("-")
    key = first + "".join(word.capitalize() for word in rest)
    return str(asked.headers.get(f"x-{name}", given.get(key, ""))).strip().lower()


def _selectors(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
