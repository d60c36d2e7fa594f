"""Fetch a page with what it needs, as robots.txt allows it. The only part that speaks to the network."""

from __future__ import annotations

import ipaddress
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx

from pytest_webretrieval.grade.robots import allows, product_of
from pytest_webretrieval.settings import USER_AGENT

from .exchange import CaptureError, Exchange, first, secrets_in
from .links import asked_ahead, css_needs, html_needs, script_needs
from .scrub import scrubber_for

PAGE_BYTES = 10_000_000
PART_BYTES = 5_000_000
ALL_BYTES = 50_000_000
PARTS = 200
HOPS = 10
TIMEOUT_S = 30.0
_CSS, _SCRIPTS = ("text/css",), ("text/javascript", "application/javascript", "application/x-javascript")

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A page and its parts. ``named`` are hosts that a browser would ask for and nothing was fetched from; ``secrets``
    value to name of the cookies that were set."""

    exchanges: tuple[Exchange, ...]
    named: frozenset[str]
    secrets: dict[str, str]


@dataclass
class _Visit:
    """One capture: what was fetched, and whom robots.txt lets in."""

    client: httpx.Client
    tell: Say
    exchanges: list[Exchange] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict)
    robots: dict[str, str | None] = field(default_factory=dict)
    got: set[str] = field(default_factory=set)

    def say(self, line: str) -> None:
        """A line for whoever watches, who may be the log of a CI: addresses hold secrets too."""
        self.tell(self.clean(line))

    def clean(self, line: str) -> str:
        return scrubber_for(self.secrets).text(line)

    def page(self, url: str) -> Exchange:
        """The page behind ``url``, over its redirects. Raises CaptureError."""
        for _ in range(HOPS):
            self._ask_robots(url)
            if not self.allowed(url):
                raise CaptureError(
                    f"{url}: {_origin(url)}/robots.txt forbids it; save a HAR in your browser, and use --har"
                )
            one = self.get(url, PAGE_BYTES)
            if not one.redirects:
                return one
            url = urldefrag(urljoin(url, first(one.headers, "location"))).url
            self.say(f"redirected to {url}")
        raise CaptureError(f"{url}: more than {HOPS} redirects")

    def part(self, url: str) -> Exchange | None:
        """One part of a page; None, and a word, where it cannot be had."""
        self._ask_robots(url)
        if not self.allowed(url):
            self.say(f"left out: {url}: robots.txt asks us not to fetch it")
            return None
        try:
            one = self.get(url, PART_BYTES)
        except CaptureError as error:
            self.say(f"left out: {error}")
            return None
        if one.redirects:
            target = urldefrag(urljoin(url, first(one.headers, "location"))).url
            return self.part(target) if target not in self.got else None
        return one

    def get(self, url: str, most: int) -> Exchange:
        """One answer, kept. Raises CaptureError for none, or one that is too long."""
        self.got.add(url)
        try:
            with self.client.stream("GET", url) as answer:
                body = bytearray()
                for chunk in answer.iter_bytes():
                    body += chunk
                    if len(body) > most:
                        raise CaptureError(f"{url}: longer than {most // 1_000_000} MB")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise CaptureError(f"{url}: cannot be fetched: {str(error) or type(error).__name__}") from None
        headers = tuple((name.lower(), value) for name, value in answer.headers.multi_items())
        self.secrets |= secrets_in((), headers)
        one = Exchange(
            method="GET",
            url=url,
            status=answer.status_code,
            headers=headers,
            body=bytes(body),
            time_s=answer.elapsed.total_seconds(),
        )
        self.exchanges.append(one)
        return one

    def allowed(self, url: str) -> bool:
        text = self.robots.get(_origin(url))
        return text is None or allows(text, product_of(USER_AGENT), url)

    def _ask_robots(self, url: str) -> None:
        """Read an origin's robots.txt once, and keep it for the site. RFC 9309: 4xx is none, 5xx forbids all."""
        origin = _origin(url)
        if origin in self.robots:
            return
        one = self.get(f"{origin}/robots.txt", PART_BYTES)
        if one.status >= 500:
            raise CaptureError(
                f"{origin}/robots.txt answers {one.status}, so nothing may be fetched there; try later"
            )
        self.robots[origin] = one.text if one.status == 200 else None
        if self.robots[origin] is None:
            self.exchanges.pop()
        self.say(
            f"{origin}/robots.txt: {'read and kept' if self.robots[origin] is not None else 'there is none'}"
        )


def fetch_page(url: str, say: Say, *, client: httpx.Client | None = None) -> Fetched:
    """Fetch ``url`` and the scripts, styles, images and frames that it needs. ``say`` gets lines for whoever watches,
    without secrets.

    Raises CaptureError where there is no page, or robots.txt asks not to fetch it.
    """
    own = client or httpx.Client(
        headers={"user-agent": USER_AGENT}, timeout=TIMEOUT_S, follow_redirects=False
    )
    with own:
        visit = _Visit(own, say)
        try:
            page = visit.page(urldefrag(url).url)
        except CaptureError as error:
            raise CaptureError(visit.clean(str(error))) from None
        if page.status >= 400:
            visit.say(f"{page.url} answers {page.status}; the site will, too")
        _fetch_parts(visit, page)
    hosts = {one.host for one in visit.exchanges}
    named = asked_ahead(page.text or "", page.url) | {(urlsplit(one).hostname or "") for one in _needs(page)}
    return Fetched(
        exchanges=tuple(visit.exchanges),
        named=frozenset(host for host in named - hosts if "." in host and not is_private(host)),
        secrets=visit.secrets,
    )


def _fetch_parts(visit: _Visit, page: Exchange) -> None:
    waiting = deque(_needs(page))
    taken = 0
    while waiting:
        url = waiting.popleft()
        if url in visit.got:
            continue
        if taken == PARTS or sum(len(one.body) for one in visit.exchanges) > ALL_BYTES:
            visit.say(
                f"left out: {len(waiting) + 1} more parts; {PARTS} parts and {ALL_BYTES // 1_000_000} MB are the most"
            )
            return
        try:
            one = visit.part(url)
        except CaptureError as error:
            visit.say(f"left out: {error}")
            continue
        taken += 1
        if one is not None:
            waiting.extend(_needs(one))


def _needs(one: Exchange) -> list[str]:
    text = one.text
    if text is None or one.status != 200:
        return []
    if one.kind == "text/html":
        return html_needs(text, one.url)
    if one.kind in _CSS:
        return css_needs(text, one.url)
    return script_needs(text, one.url) if one.kind in _SCRIPTS else []


def is_private(host: str) -> bool:
    """Whether a host is of this machine or its network alone, and can be nobody's public name."""
    try:
        return not ipaddress.ip_address(host.strip("[]")).is_global
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".localhost", ".lan", ".home.arpa"))


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
