"""URL patterns and addresses as truth writes them: a cheap look at the syntax.

Matching is the business of ``grade.urls``.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

_UNSEEN = re.compile(r"[\s\x00-\x1f\x7f\\]")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*\Z")


def pattern_fault(pattern: str) -> str | None:
    """Why ``pattern`` is no URL pattern, or None.

    A pattern is ``fixture://role/path`` or ``https://host/path`` (also ``http``). ``*`` stands for one or
    more characters of one path segment, or for a whole label of a host. Under ``fixture://`` a path with
    ``*`` ends in ``/*`` or ``/``: the stage draws any other last segment, and keeps folders.
    """
    if "**" in pattern:
        return "`**` is no pattern; `*` stands for one segment"
    fault = address_fault(pattern.replace("*", "x"))
    if fault is not None:
        return fault
    parts = urlsplit(pattern)
    if "*" in parts.query:
        return "`*` in a query"
    if "#" in pattern:
        return "a pattern has no `#fragment`; a page is one source"
    if not parts.path:
        return "the path is missing; for a whole site end it in /*"
    labels = parts.netloc.split(".")
    starred = [at for at, label in enumerate(labels) if "*" in label]
    if any(labels[at] != "*" or at >= len(labels) - 2 for at in starred):
        return "in a host `*` stands for a whole label below the domain"
    if parts.scheme == "fixture" and "*" in parts.path and parts.path.rsplit("/", 1)[1] not in ("*", ""):
        return "under fixture:// a path with `*` ends in /* or /, such as fixture://vendor/releases/*"
    return None


def as_pattern(url: str) -> str:
    """The pattern that names one page: a `*` of its query is written `%2A`, for a pattern holds none there."""
    head, mark, query = url.partition("?")
    return f"{head}{mark}{query.replace('*', '%2A')}"


def address_fault(url: str) -> str | None:
    """Why ``url`` is no absolute fixture, http or https URL, or None."""
    if _UNSEEN.search(url):
        return "a URL holds no blanks, control characters or backslashes"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        return str(error)
    if parts.scheme not in ("fixture", "http", "https"):
        return "begin with fixture://, https:// or http://"
    if "@" in parts.netloc:
        return "a URL of truth names no user"
    if not parts.hostname or not _HOST.match(parts.hostname):
        return "the host is missing or is no host name"
    if parts.scheme == "fixture" and (port is not None or not parts.path):
        return "write fixture://role/path, without a port"
    return None
