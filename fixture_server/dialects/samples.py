"""Requests that an API answers where it answers anybody: what the harness asks to see whether a provider is down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from fixture_server.message import Asked

ANY_QUERY, ANY_PAGE = "release", "https://example.com/"


def posted(host: str, path: str, given: Mapping[str, Any]) -> Asked:
    """A ``POST`` of JSON."""
    return _asked("POST", host, path, {"content-type": "application/json"}, json.dumps(given).encode())


def got(host: str, path: str, **query: str) -> Asked:
    """A ``GET``."""
    return _asked("GET", host, f"{path}?{urlencode(query)}" if query else path, {}, b"")


def _asked(method: str, host: str, target: str, headers: Mapping[str, str], body: bytes) -> Asked:
    told = {"accept": "application/json", **headers}
    return Asked(method=method, scheme="https", host=host, target=target, headers=told, body=body)
