"""Pages that never came: what the task led to was asked for, and nothing of it could be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_webretrieval.wire.attempt import Attempt

from .page import Page
from .seen import API_CHANNELS, REDIRECTS, View
from .urls import canonical, host_of, resolve

_REFRESH = re.compile(r"\s*([\d.]+)\s*[;,]\s*url\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)
# A page that sends on within this time is no page to read.
_SOON_S = 10.0
_WAITS = frozenset((408, 425, 429))


def never_came(view: View) -> Attempt | None:
    """The last try at a page that a start URL or a search named, where every one came to nothing: no answer, a body
    that broke off or is empty, a server that cannot now, a way that leads back to where it began. Where no search was
    answered, the last one. None where something came, be it a refusal."""
    tries = tuple(_documents(view))
    searches = [attempt for attempt in view.attempts if attempt.channel == "search-api" and not attempt.late]
    if not view.offered and searches:
        return searches[-1] if all(attempt.failed for attempt in searches) else None
    asked = frozenset(canonical(attempt.url) for attempt in tries)
    found = None
    for url in sorted(view.offered):
        chain = _chain(url, view)
        own = [attempt for attempt in tries if canonical(attempt.url) in chain or _nameless(attempt, chain)]
        if any(not _is_nothing(attempt, view, asked) for attempt in own):
            return None
        found = own[-1] if own else found
    return found


def _documents(view: View) -> Iterator[Attempt]:
    return (
        attempt
        for attempt in view.attempts
        if attempt.role == "document" and attempt.channel not in API_CHANNELS and not attempt.late
    )


def _chain(url: str, view: View) -> frozenset[str]:
    """A URL and all that redirects and refreshes lead to from there."""
    found: set[str] = set()
    waiting = {url}
    while waiting:
        one = waiting.pop()
        found.add(one)
        following = {view.redirects[one]} if one in view.redirects else set()
        for seen in view.pages:
            if seen.url == one and (target := sends_on(view.shelf.page(seen.sha256, seen.content_type), one)):
                following.add(target)
        waiting |= following - found
    return frozenset(found)


def _nameless(attempt: Attempt, chain: frozenset[str]) -> bool:
    """Whether a connection that ended before it asked went to a host of the chain."""
    return attempt.method == "?" and host_of(attempt.url) in {host_of(url) for url in chain}


def _is_nothing(attempt: Attempt, view: View, asked: frozenset[str]) -> bool:
    """Whether what came of a try is nothing to read. A way on counts where it was gone, and led nowhere new."""
    if attempt.failed or attempt.error_type in ("connection_closed", "client_closed", "unanswered"):
        return (
            attempt.status is None
            or attempt.status < 400
            or attempt.status in _WAITS
            or attempt.status >= 500
        )
    if attempt.status in REDIRECTS:
        return resolve(attempt.url, attempt.response_headers.get("location", "")) in asked
    if attempt.status is None or attempt.status >= 300:
        return attempt.status == 204
    page = view.shelf.page(attempt.body or "", attempt.response_headers.get("content-type", ""))
    target = sends_on(page, attempt.url)
    return target in asked if target is not None else page.kind in ("empty", "html", "text") and not page.text


def sends_on(page: Page, url: str) -> str | None:
    """Where a page sends its readers before they could read it; None for one that stays."""
    for node in page.tree.css("meta[http-equiv=refresh i]") if page.tree is not None else ():
        match = _REFRESH.match(node.attributes.get("content") or "")
        if match and float(match[1]) < _SOON_S:
            target = resolve(url, match[2])
            return target if target != canonical(url) else None
    return None
