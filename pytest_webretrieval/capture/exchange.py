"""One request and its answer as a recording has them, and what of it a site keeps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

Headers = tuple[tuple[str, str], ...]

# What an answer is for whoever reads it. The rest is of one connection, one user or one moment: hop by hop, cookies,
# times, reports, another protocol on offer.
KEPT_HEADERS = frozenset(
    {
        *("content-language", "content-location", "content-disposition", "content-security-policy"),
        *("etag", "last-modified", "cache-control", "vary", "link", "retry-after", "refresh", "allow"),
        *("www-authenticate", "x-robots-tag", "x-frame-options", "x-content-type-options", "referrer-policy"),
        *("cross-origin-opener-policy", "cross-origin-embedder-policy", "cross-origin-resource-policy"),
        *("access-control-allow-origin", "access-control-allow-credentials", "access-control-allow-methods"),
        *("access-control-allow-headers", "access-control-expose-headers", "access-control-max-age"),
    }
)
_SECRET_HEADERS = frozenset(
    {"authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token", "x-csrf-token"}
)
_SHORTEST_SECRET = 8


class CaptureError(Exception):
    """What was asked for cannot be captured; the message says why, and how to mend it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """``url`` has no fragment, header names are lower-case, ``body`` is without content codings. ``sent`` is the
    request's body; ``time_s`` is how long the answer took."""

    method: str
    url: str
    status: int
    headers: Headers = ()
    body: bytes = b""
    sent: bytes = b""
    sent_type: str = ""
    time_s: float | None = None

    @property
    def host(self) -> str:
        return (urlsplit(self.url).hostname or "").lower()

    @property
    def media_type(self) -> str:
        return first(self.headers, "content-type")

    @property
    def kind(self) -> str:
        """The media type without parameters."""
        return self.media_type.partition(";")[0].strip().lower()

    @property
    def redirects(self) -> bool:
        return 300 <= self.status < 400 and bool(first(self.headers, "location"))

    @property
    def is_document(self) -> bool:
        """Whether a person would see it as a page."""
        return self.method == "GET" and self.kind in (
            "text/html",
            "application/xhtml+xml",
            "text/plain",
            "text/markdown",
        )

    @property
    def text(self) -> str | None:
        """The body as text; None where it is none."""
        if b"\0" in self.body[:1024]:
            return None
        charset = self.media_type.partition("charset=")[2].partition(";")[0].strip("\"' ") or "utf-8"
        try:
            return self.body.decode(charset)
        except (LookupError, UnicodeDecodeError):
            return None


def first(headers: Headers, name: str) -> str:
    """The first value of a header; empty where there is none."""
    return next((value for key, value in headers if key == name), "")


def secrets_in(request: Headers, response: Headers) -> dict[str, str]:
    """Value to name of the credentials that a request carried, and of the cookies that an answer set."""
    found: dict[str, str] = {}
    for name, value in request:
        if name in _SECRET_HEADERS:
            parts = value.split(";") if name == "cookie" else [value, value.partition(" ")[2]]
            for part in parts:
                found[part.partition("=")[2] if name == "cookie" else part] = name
    for name, value in response:
        if name == "set-cookie":
            found[value.partition(";")[0].partition("=")[2]] = "cookie"
    return {value.strip(): name for value, name in found.items() if len(value.strip()) >= _SHORTEST_SECRET}


def moved(exchanges: Iterable[Exchange], origin: str, new_origin: str) -> list[Exchange]:
    """The exchanges as if ``new_origin`` had answered wherever ``origin`` did, in addresses and in texts."""
    old, new = origin.rstrip("/"), new_origin.rstrip("/")
    bare_old, bare_new = old.partition("://")[2], new.partition("://")[2]
    pairs = (
        (old, new),
        (f"//{bare_old}", f"//{bare_new}"),
        (old.replace("/", "\\/"), new.replace("/", "\\/")),
    )

    def renamed(text: str) -> str:
        for before, after in pairs:
            text = text.replace(before, after)
        return text

    return [
        replace(
            one,
            url=new + one.url[len(old) :] if one.url == old or one.url.startswith(f"{old}/") else one.url,
            headers=tuple((name, renamed(value)) for name, value in one.headers),
            body=one.body if (text := one.text) is None else _encoded(renamed(text), text, one.body),
        )
        for one in exchanges
    ]


def _encoded(text: str, before: str, body: bytes) -> bytes:
    """The bytes of a changed text in the coding that it had."""
    if text == before:
        return body
    for charset in ("utf-8", "latin-1"):
        if before.encode(charset, "ignore") == body:
            return text.encode(charset, "replace")
    return text.encode("utf-8")
