"""What narrows a search of Tavily's: domains, time, language, phrases."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from fixture_server.index import Hit, phrases
from fixture_server.stage import Stage

RANGES = {"day": 1, "d": 1, "week": 7, "w": 7, "month": 31, "m": 31, "year": 366, "y": 366}


class Refused(Exception):
    """A request that the API does not take; the message goes to the client with ``status``."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def filter_of(given: dict[str, Any], topic: str, stage: Stage) -> Callable[[Hit], bool]:
    """Which hits a request wants. Raises Refused."""
    included = domains_of(given, "include_domains") if given.get("include_domains_mode") != "prefer" else ()
    excluded = domains_of(given, "exclude_domains")
    earliest, latest = _window(given, topic, stage.started)
    quoted = phrases(str(given["query"])) if given.get("exact_match") else []
    language = str(given.get("language") or "").lower() if given.get("filter_by_language") else ""

    def wanted(hit: Hit) -> bool:
        document = hit.document
        if included and not in_domains(document.url, included):
            return False
        if excluded and in_domains(document.url, excluded):
            return False
        published = stage.published(document.published)
        if topic == "news" and published is None:
            return False
        if (earliest or latest) and published is None:
            return False
        if published is not None and (
            (earliest and published < earliest) or (latest and published >= latest)
        ):
            return False
        if language and (document.language or "").lower().partition("-")[0] != language.partition("-")[0]:
            return False
        text = " ".join(f"{document.readable.title} {document.readable.text}".split()).casefold()
        return all(phrase in text for phrase in quoted)

    return wanted


def _window(given: dict[str, Any], topic: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    earliest = latest = None
    if given.get("time_range") is not None:
        days = RANGES.get(str(given["time_range"]))
        if days is None:
            raise Refused(400, "Invalid time_range. Must be one of day, week, month, year, d, w, m, y.")
        earliest = now - timedelta(days=days)
    elif topic == "news" and isinstance(given.get("days"), int):
        earliest = now - timedelta(days=given["days"])
    if given.get("start_date") is not None:
        earliest = _date(given, "start_date")
    if given.get("end_date") is not None:
        latest = _date(given, "end_date") + timedelta(days=1)
    return earliest, latest


def _date(given: dict[str, Any], key: str) -> datetime:
    try:
        return datetime.strptime(str(given[key]), "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise Refused(400, f"Invalid {key}. Must be of the form YYYY-MM-DD.") from error


def one_of(given: dict[str, Any], key: str, known: tuple[str, ...]) -> str:
    """A parameter's value; the first of the known when it is absent. Raises Refused."""
    value = given.get(key)
    if value is None:
        return known[0]
    if value not in known:
        raise Refused(400, f"Invalid {key}. Must be one of {', '.join(known)}.")
    return str(value)


def domains_of(given: dict[str, Any], key: str) -> tuple[str, ...]:
    """A list of domains, each perhaps with the beginning of a path. Raises Refused."""
    value = given.get(key) or []
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(domain, str) for domain in value):
        raise Refused(400, f"Invalid {key}. Must be a list of domains.")
    return tuple(
        domain.lower().removeprefix("https://").removeprefix("http://").rstrip("/") for domain in value
    )


def in_domains(url: str, domains: tuple[str, ...]) -> bool:
    """Whether a URL is in one of the domains or below it."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return any(_matches(host, parts.path, domain) for domain in domains)


def _matches(host: str, path: str, domain: str) -> bool:
    name, slash, prefix = domain.partition("/")
    name = name.removeprefix("*.").removeprefix("www.").lstrip(".")
    bare = host.removeprefix("www.")
    return (bare == name or host.endswith(f".{name}")) and (not slash or path.startswith(f"/{prefix}"))
