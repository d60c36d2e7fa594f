"""Addresses of the world in what was recorded: another draw of hosts and paths puts them elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from fixture_server.stage import Edition
from pytest_webretrieval.cases.draw import draw_host
from pytest_webretrieval.wire.spans import Span, applied

_ROLE = "fixture://"


def places_within(text: str, edition: Edition) -> dict[str, str]:
    """The URLs and bare hosts of the world that stand in a text, each with its address by role."""
    known = {url: address for address, url in edition.urls.items()}
    for address, url in edition.urls.items():
        known.setdefault(urlsplit(url).hostname or "", f"{_ROLE}{urlsplit(address).netloc}")
    pattern = _pattern(tuple(known))
    found = {match[0] for match in pattern.finditer(text)} if pattern else set()
    return {url: known[url] for url in sorted(found)}


def moved(places: Mapping[str, str], edition: Edition) -> dict[str, str]:
    """What stands elsewhere now: URL or host as recorded -> as in force."""
    return {old: new for old, address in places.items() if (new := _in_force(address, edition)) != old}


def where_now(text: str, elsewhere: Mapping[str, str]) -> list[Span]:
    """Where moved addresses stand in a text, and what stands for each."""
    pattern = _pattern(tuple(elsewhere))
    found = pattern.finditer(text) if pattern else ()
    return [Span(match.start(), match.end(), elsewhere[match[0]]) for match in found]


def data_now(data: Any, elsewhere: Mapping[str, str]) -> Any:
    """JSON data with addresses as they are now."""
    if not elsewhere:
        return data
    if isinstance(data, str):
        return applied(data, where_now(data, elsewhere))
    if isinstance(data, dict):
        return {key: data_now(value, elsewhere) for key, value in data.items()}
    return [data_now(value, elsewhere) for value in data] if isinstance(data, list) else data


def _in_force(address: str, edition: Edition) -> str:
    if urlsplit(address).path:
        return edition.url(address)
    return draw_host(edition.seed, urlsplit(address).netloc)


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Any of the names, not as a part of a longer name or path."""
    if not names:
        return None
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])")
