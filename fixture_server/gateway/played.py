"""A recorded response, played: the parts as they were, none waited for, dates as if it came today."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from time import monotonic

from pytest_webretrieval.wire.cassettes import Interaction
from pytest_webretrieval.wire.coding import decoded

from .upstream import Chunk, Cut, Upstream

# A client reckons with these against its own clock: an old date would make a fresh page stale and end a session.
_DATES = ("date", "expires", "retry-after")
_COOKIE_EXPIRES = re.compile(r"(?i)(;\s*expires=)([^;]+)")


def played(interaction: Interaction) -> Upstream:
    """The response of a recording."""
    return Upstream(
        status=interaction.status,
        reason=interaction.reason,
        headers=_headers(interaction),
        began=monotonic(),
        chunks=_chunks(interaction),
    )


async def _chunks(interaction: Interaction) -> AsyncGenerator[Chunk, None]:
    at = 0
    for at_s, size in interaction.chunks or ((0.0, len(interaction.body)),):
        if size:
            yield Chunk(at_s, interaction.body[at : at + size])
        at += size
    if interaction.error_type is not None:
        raise Cut(interaction.error_type)


def _headers(one: Interaction) -> tuple[tuple[str, str], ...]:
    """As recorded, but for dates, and for an encoding that the body does not have (recorders that decode leave it)."""
    headers = one.headers
    if one.body and decoded(one.body, one.header("content-encoding")) is None and _is_gzip_by_name(one):
        size = str(len(one.body))
        headers = tuple(
            (name, size if name.lower() == "content-length" else value)
            for name, value in headers
            if name.lower() != "content-encoding"
        )
    if one.recorded_at is None:
        return headers
    passed = datetime.now(UTC) - one.recorded_at
    return tuple((name, _moved(name.lower(), value, passed)) for name, value in headers)


def _is_gzip_by_name(one: Interaction) -> bool:
    return (one.header("content-encoding") or "").strip().lower() in ("gzip", "x-gzip", "deflate")


def _moved(name: str, value: str, passed: timedelta) -> str:
    if name == "set-cookie":
        return _COOKIE_EXPIRES.sub(lambda found: found[1] + _later(found[2], passed), value)
    return _later(value, passed) if name in _DATES else value


def _later(text: str, passed: timedelta) -> str:
    """An HTTP date moved on; what is none stays."""
    try:
        moment = parsedate_to_datetime(text)
        moved = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) + passed
        return format_datetime(moved.astimezone(UTC), usegmt=True)
    except (ValueError, OverflowError):
        return text
