"""Dates as search pages show them to people."""

from __future__ import annotations

from datetime import datetime, timedelta

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_UNITS = (
    ("week", timedelta(weeks=1)),
    ("day", timedelta(days=1)),
    ("hour", timedelta(hours=1)),
    ("minute", timedelta(minutes=1)),
)


def ago(moment: datetime, now: datetime, longest: timedelta) -> str | None:
    """``2 weeks ago``, ``1 day ago``; None for what is older than ``longest``, or to come."""
    age = now - moment
    if age < timedelta(0) or age >= longest:
        return None
    for name, length in _UNITS:
        if age >= length:
            count = age // length
            return f"{count} {name}{'' if count == 1 else 's'} ago"
    return "1 minute ago"


def long_date(moment: datetime) -> str:
    """``September 6, 2019``."""
    return f"{_MONTHS[moment.month - 1]} {moment.day}, {moment.year}"


def short_date(moment: datetime) -> str:
    """``Sep 6, 2019``."""
    return f"{_MONTHS[moment.month - 1][:3]} {moment.day}, {moment.year}"
