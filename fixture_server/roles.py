"""What a request is: its role, its channel, what led to it. Decided from what was asked alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

from . import background, models
from .dialects.registry import dialect_for
from .message import Asked
from .telemetry import receiver

_BROWSER_AGENT = re.compile(
    r"\b(?:Chrome|HeadlessChrome|Chromium|CriOS|Firefox|FxiOS|Edg)/\d|\bVersion/\d.*\bSafari/"
)
_ICON = re.compile(r"/(?:favicon[^/]*\.(?:ico|png|svg)|apple-touch-icon[^/]*\.png)$")


def is_browser(headers: Mapping[str, str]) -> bool:
    """A browser shows itself by fetch metadata or client hints, not by its user agent alone: anybody copies
    that.

    Node's fetch sends ``sec-fetch-mode`` alone, so a mode counts only beside a browser's agent. A browser's handshake
    for a WebSocket has neither, but an origin.
    """
    if "sec-fetch-dest" in headers or "sec-ch-ua" in headers:
        return True
    signs = "sec-fetch-mode" in headers or ("sec-websocket-key" in headers and "origin" in headers)
    return signs and bool(_BROWSER_AGENT.search(headers.get("user-agent", "")))


def role_of(asked: Asked) -> str:
    """One of the roles of an attempt (see ``wire.attempt.ROLES``).

    A frame within a page is a part of it, not a document of its own.
    """
    headers, path = asked.headers, asked.path
    dialect = dialect_for(asked)
    if dialect is None and asked.host in models.HOSTS:
        return "background" if models.is_observation(asked) else "model"
    if asked.host in background.HOSTS or asked.host in receiver.HOSTS:
        return "background"
    if asked.method == "OPTIONS" and "access-control-request-method" in headers:
        return "preflight"
    if dialect is not None:
        return "api" if dialect.role is None else dialect.role(asked)
    if path == "/robots.txt":
        return "robots"
    if _ICON.search(path):
        return "favicon"
    if asked.wants_websocket:
        return "api"
    destination, mode = headers.get("sec-fetch-dest"), headers.get("sec-fetch-mode")
    if is_ahead(headers):
        return "subresource"
    if destination in (None, "document"):
        return "document"
    if destination == "empty" and mode in ("cors", "same-origin"):
        return "api"
    return "subresource"


def is_ahead(headers: Mapping[str, str]) -> bool:
    """Whether a browser fetches what might be asked for later; when it is, no request may follow."""
    return "prefetch" in headers.get("sec-purpose", headers.get("purpose", ""))


def channel_of(asked: Asked) -> str:
    """``model``, a dialect's channel, ``browser`` or ``direct-fetch``."""
    if (dialect := dialect_for(asked)) is not None:
        return dialect.channel(asked)
    if asked.host in models.HOSTS:
        return "model"
    return "browser" if is_browser(asked.headers) else "direct-fetch"


def absolute(url: str, location: str) -> str:
    """Where a Location leads, without its fragment."""
    return urljoin(url, location).partition("#")[0]


def is_origin_only(url: str) -> bool:
    """Whether a referrer names no more than an origin, as browsers send it across origins."""
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query
