"""What the simulated internet shows, as plain data and functions of a request.

    Scenario(sites={
        "www.town.example": Site(pages={
            "/hours": page("Opening hours", "The museum opens at 10:00."),
            "/fees": by_night({1: page("Fees", "5 pounds"), 6: page("Fees", "7 pounds"), 9: gone()}),
            "/desk": in_turn(answer(503), page("Desk", "Open now.")),
            "/file": lambda heard: answer(200, heard.headers.get("user-agent", "")),
        }),
        "old.town.example": Site(down=True),
    })

Paths are without the query. A page that is the same for everyone is an ``Answer``.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import parse_qsl, unquote

OPEN_TO_ALL = "User-agent: *\nAllow: /\n"
CLOSED_TO_ALL = "User-agent: *\nDisallow: /\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A request as it came: ``target`` is path and query as sent, header names are lower-case. ``number`` counts the
    requests of this host and path since the scenario was shown, from 1; ``night`` is the one that it was shown for."""

    method: str
    host: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    number: int = 1
    night: int = 1

    @property
    def path(self) -> str:
        return unquote(self.target.partition("?")[0])

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(self.target.partition("?")[2], keep_blank_values=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A response. ``delay_s`` passes first. ``ending`` is ``cut`` where half of the body is sent and the connection
    ends, ``reset`` where nothing is sent. With ``messages`` a WebSocket is accepted: they are sent, and what comes is
    sent back until the client leaves."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    delay_s: float = 0.0
    ending: Literal["whole", "cut", "reset"] = "whole"
    messages: tuple[str, ...] = ()

    @property
    def is_page(self) -> bool:
        """Whether a search provider would take it into its index."""
        return self.status == 200 and dict(self.headers).get("content-type", "").startswith("text/html")


Answering = Callable[[Heard], Answer]
Page = Answer | Answering


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A host: pages by path (without the query; ``*`` answers what no other does, 404 otherwise).

    ``robots`` None: there is no robots.txt. ``versions`` are those of HTTP over TLS, the best first. ``address`` None:
    a public one. ``certificate`` is the host's own, one of ``another-name``, or one of an ``unknown-authority``.
    ``down``: connections are reset.
    """

    pages: Mapping[str, Page] = field(default_factory=dict)
    robots: str | None = OPEN_TO_ALL
    versions: tuple[Literal["h2", "http/1.1"], ...] = ("http/1.1",)
    address: str | None = None
    certificate: Literal["own", "another-name", "unknown-authority"] = "own"
    down: bool = False

    def answer(self, heard: Heard) -> Answer:
        """What the host answers."""
        if heard.path == "/robots.txt" and heard.path not in self.pages:
            return answer(404) if self.robots is None else answer(200, self.robots)
        found = self.pages.get(heard.path) or self.pages.get("*") or answer(404)
        return found if isinstance(found, Answer) else found(heard)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """All hosts by name; every other name does not exist."""

    sites: Mapping[str, Site]

    def with_sites(self, sites: Mapping[str, Site]) -> Scenario:
        """The same with further hosts, or others in the place of some."""
        return Scenario(sites={**self.sites, **sites})

    def with_pages(self, host: str, pages: Mapping[str, Page]) -> Scenario:
        """The same with further pages of a host, or others in the place of some."""
        site = self.sites[host]
        return self.with_sites({host: replace(site, pages={**site.pages, **pages})})

    def failing(self, host: str, status: int = 503) -> Scenario:
        """The same where a host answers everything with an error."""
        site = replace(self.sites[host], pages={"*": answer(status)})
        return self.with_sites({host: site})

    def closed(self, host: str) -> Scenario:
        """The same where a host's robots.txt keeps all programs out."""
        return self.with_sites({host: replace(self.sites[host], robots=CLOSED_TO_ALL)})

    def without(self, host: str) -> Scenario:
        """The same without a host: its name does not exist."""
        return Scenario(sites={name: site for name, site in self.sites.items() if name != host})


def answer(status: int, text: str = "", *headers: tuple[str, str]) -> Answer:
    """A plain text; one that says its status where it is empty."""
    body = (text or f"{status}\n").encode()
    return Answer(status=status, headers=(("content-type", "text/plain; charset=utf-8"), *headers), body=body)


def page(title: str, *paragraphs: str, links: Mapping[str, str] | None = None) -> Answer:
    """An HTML page; ``links`` are addresses by what is shown for them."""
    blocks = [f"<p>{html.escape(text)}</p>" for text in paragraphs]
    blocks += [
        f'<p><a href="{html.escape(url)}">{html.escape(text)}</a></p>' for text, url in (links or {}).items()
    ]
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title>'
    lines = [
        '<!doctype html><html lang="en">',
        f"<head>{head}</head>",
        f"<body><h1>{html.escape(title)}</h1>",
    ]
    body = "\n".join([*lines, *blocks, "</body></html>", ""]).encode()
    return Answer(headers=(("content-type", "text/html; charset=utf-8"),), body=body)


def gone(status: int = 410) -> Answer:
    """A page that is no more."""
    return html_error(status, "Gone", "This page has been removed.")


def denied() -> Answer:
    """A wall before a page."""
    return html_error(403, "Forbidden", "Automated access to this page is not permitted.")


def html_error(status: int, title: str, *paragraphs: str) -> Answer:
    """An error that is a page."""
    return replace(page(title, *paragraphs), status=status)


def moved(to: str, status: int = 302) -> Answer:
    """A redirect."""
    return answer(status, "", ("location", to))


def slow(delay_s: float, then: Answer) -> Answer:
    """An answer that takes its time."""
    return replace(then, delay_s=delay_s)


def in_turn(*pages: Page) -> Answering:
    """One after another, request by request; the last stays."""
    return lambda heard: _given(pages[min(heard.number, len(pages)) - 1], heard)


def by_night(pages: Mapping[int, Page]) -> Answering:
    """From each night on another one; the first is shown before it too."""
    nights = sorted(pages)
    return lambda heard: _given(
        pages[max((night for night in nights if night <= heard.night), default=nights[0])], heard
    )


def _given(page: Page, heard: Heard) -> Answer:
    return page if isinstance(page, Answer) else page(heard)
