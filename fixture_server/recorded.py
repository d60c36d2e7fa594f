"""Recorded requests of one address: which of them a request is, by method, query and body."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from .message import Asked
from .yaml_keys import Keys

if TYPE_CHECKING:
    from .declarations import Serve

REQUEST_KEYS = ("method", "parameters", "sent", "sent_sha256")
_BOUNDARY = re.compile(r'boundary="?([^";,\s]+)', re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What was asked. ``query`` None stands for any. Of a body, ``sent`` is the text, or ``sha256`` the hash of what is
    no text; both None stand for any."""

    method: str
    query: str | None = None
    sent: str | None = None
    sha256: str | None = None


def read_recorded(keys: Keys) -> Recorded:
    """The request of one entry of ``asked``. Raises SiteError."""
    return Recorded(
        method=keys.get("method", str, "a method such as GET", "GET").upper(),
        query=keys.get("parameters", str, "a query string, without the question mark"),
        sent=keys.get("sent", str, "the body as text"),
        sha256=keys.get("sent_sha256", str, "the SHA-256 of the body"),
    )


def answer_to_recorded(asked: Asked, recorded: Sequence[tuple[Recorded, Serve]]) -> Serve | None:
    """The answer to the recorded request that ``asked`` is; one with a query comes before one for any."""
    method = "GET" if asked.method == "HEAD" else asked.method
    query = asked.target.partition("?")[2]
    for exactly in (True, False):
        for request, answer in recorded:
            if (
                request.method == method
                and (same_query(request.query or "", query) if exactly else request.query is None)
                and same_body(request, asked)
            ):
                return answer
    return None


def takes(method: str, recorded: Sequence[tuple[Recorded, Serve]]) -> bool:
    """Whether any recorded request has this method."""
    return ("GET" if method == "HEAD" else method) in {request.method for request, _ in recorded}


def same_query(one: str, other: str) -> bool:
    """Whether two queries hold the same parameters, whatever their order."""
    return one == other or _parameters(one) == _parameters(other)


def same_body(request: Recorded, asked: Asked) -> bool:
    """Whether a body is the recorded one: JSON by what it means, a form by its fields, a multipart text whatever its
    boundary, anything else byte for byte."""
    if request.sha256 is not None:
        return hashlib.sha256(asked.body).hexdigest() == request.sha256
    if request.sent is None:
        return True
    kind = asked.headers.get("content-type", "")
    try:
        sent = without_boundary(asked.body.decode("utf-8"), kind)
    except UnicodeDecodeError:
        return False
    if sent == request.sent:
        return True
    if kind.startswith("application/x-www-form-urlencoded"):
        return _parameters(sent) == _parameters(request.sent)
    try:
        return bool(json.loads(sent) == json.loads(request.sent))
    except ValueError:
        return False


def without_boundary(text: str, media_type: str) -> str:
    """A multipart text with one boundary for all; any other text as it is."""
    found = _BOUNDARY.search(media_type) if media_type.startswith("multipart/") else None
    return text.replace(found[1], "BOUNDARY") if found else text


def _parameters(text: str) -> list[tuple[str, str]]:
    return sorted(parse_qsl(text, keep_blank_values=True))
