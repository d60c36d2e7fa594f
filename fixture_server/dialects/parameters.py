"""Parameters of a request, each of the kind that the API takes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from .hits import day, domain, next_day
from .reply import Refused

Window = tuple[datetime | None, datetime | None]


def text_of(given: Mapping[str, Any], key: str) -> str:
    """A text that must be there and not be blank. Raises Refused (400)."""
    value = given.get(key)
    if not isinstance(value, str) or not value.strip():
        raise Refused(400, f"{key} is missing.")
    return value.strip()


def one_of(given: Mapping[str, Any], key: str, known: tuple[str, ...]) -> str:
    """A parameter's value; the first of the known when it is absent. Raises Refused (400)."""
    value = given.get(key)
    if value is None:
        return known[0]
    if value not in known:
        raise Refused(400, f"Invalid {key}. Must be one of {', '.join(known)}.")
    return str(value)


def number_of(given: Mapping[str, Any], key: str, least: int, most: int, default: int) -> int:
    """A whole number, in JSON or as the text of a query. Raises Refused (400)."""
    value = given.get(key)
    if value is None:
        return default
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Refused(400, f"Invalid {key}. Must be a number from {least} to {most}.")
    return value


def texts_of(given: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A list of texts; one text stands for a list of it. Raises Refused (400)."""
    value = given.get(key)
    if value is None:
        return ()
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise Refused(400, f"Invalid {key}. Must be a list of strings.")
    return tuple(value)


def names_of(given: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A list of words, or of objects with the word as their ``type``. Raises Refused (400)."""
    members = given.get(key) or []
    if not isinstance(members, list):
        raise Refused(400, f"Invalid {key}. Must be a list.")
    return texts_of({key: [one.get("type") if isinstance(one, dict) else one for one in members]}, key)


def domains_of(given: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """A list of domains as ``Wanted`` takes them. Raises Refused (400)."""
    return tuple(domain(text) for text in texts_of(given, key))


def urls_of(given: Mapping[str, Any], key: str, most: int) -> tuple[str, ...]:
    """A list of at least one URL. Raises Refused (400)."""
    urls = texts_of(given, key)
    if not urls:
        raise Refused(400, f"No {key} were given.")
    if len(urls) > most:
        raise Refused(400, f"Max {most} {key} are allowed.")
    return urls


def day_of(given: Mapping[str, Any], key: str, form: str = "%Y-%m-%d") -> datetime | None:
    """The first moment of a day, in UTC; None where none is given. Raises Refused (400)."""
    value = given.get(key)
    if value is None:
        return None
    try:
        return day(str(value), form)
    except ValueError as error:
        written = form.replace("%Y", "YYYY").replace("%m", "MM").replace("%d", "DD")
        raise Refused(400, f"Invalid {key}. Must be of the form {written}.") from error


def between(given: Mapping[str, Any], key: str, days: Mapping[str, int], now: datetime) -> Window:
    """What a word of ``days`` or ``YYYY-MM-DDtoYYYY-MM-DD`` says: since when, and the first moment that is too late.
    Raises Refused (400)."""
    value = given.get(key)
    if value in (None, ""):
        return None, None
    if value in days:
        return now - timedelta(days=days[value]), None
    first, to, last = str(value).partition("to")
    try:
        return day(first), next_day(day(last if to else first))
    except ValueError as error:
        words = ", ".join(days)
        raise Refused(
            400, f"Invalid {key}. Must be one of {words}, or of the form YYYY-MM-DDtoYYYY-MM-DD."
        ) from error
