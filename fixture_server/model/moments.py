"""Moments in texts, and whether two of them are alike: each as far from the beginning of its own run as the other."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
MONTH = "|".join((*_MONTHS, *(month[:3] for month in _MONTHS)))
WEEKDAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
# A run's requests come within its deadline; clocks on two machines may be in different zones.
_RUN_S, _ZONES_S = 600, 26 * 3600


def alike(kind: str, old: str, new: str, then: datetime, now: datetime) -> bool:
    """Whether ``old``, said in a run that began at ``then``, is what ``new`` is in one that began at ``now``. ``kind``
    is ``moment``, ``epoch``, ``day``, ``month``, ``clock`` or ``weekday``."""
    match kind:
        case "moment":
            return _both_now(_moment(old), _moment(new), then, now)
        case "epoch":
            return _both_now(_epoch(old), _epoch(new), then, now)
        case "day":
            return _same_day(_day(old), _day(new), then.date(), now.date())
        case "month":
            return _is_month(old, then) and _is_month(new, now)
        case "clock":
            return _is_now(old, then) and _is_now(new, now)
        case "weekday":
            return _is_weekday(old, then) and _is_weekday(new, now)
    return False


def _both_now(old: datetime | None, new: datetime | None, then: datetime, now: datetime) -> bool:
    """Whether two moments are as far from the beginnings of their runs; without a zone, as far as zones may be."""
    if old is None or new is None or (old.tzinfo is None) != (new.tzinfo is None):
        return False
    if old.tzinfo is None or new.tzinfo is None:
        left, right = old.replace(tzinfo=UTC) - then, new.replace(tzinfo=UTC) - now
        return max(abs(left.total_seconds()), abs(right.total_seconds())) <= _ZONES_S
    return abs(((old - then) - (new - now)).total_seconds()) <= _RUN_S


def _moment(text: str) -> datetime | None:
    try:
        return (
            parsedate_to_datetime(text)
            if text[0].isalpha()
            else datetime.fromisoformat(text.replace(",", "."))
        )
    except ValueError:
        return None


def _epoch(text: str) -> datetime:
    seconds = float(text)
    return datetime.fromtimestamp(seconds / 1000 if seconds > 1e11 else seconds, UTC)


def _same_day(old: date | None, new: date | None, then: date, now: date) -> bool:
    if old is None or new is None:
        return False
    left, right = (old - then).days, (new - now).days
    return left == right or max(abs(left), abs(right)) <= 1


def _day(text: str) -> date | None:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    try:
        if len(numbers) == 3:
            return date(*numbers)
        return date(numbers[-1], _number_of(text), numbers[0])
    except ValueError:
        return None


def _number_of(text: str) -> int:
    word = re.search(r"[A-Za-z]{3}", text)
    return next(
        (number for number, month in enumerate(_MONTHS, 1) if word and month.startswith(word[0].lower())), 0
    )


def _is_month(text: str, moment: datetime) -> bool:
    return any(
        (day.month, str(day.year)) == (_number_of(text), text[-4:])
        for day in (moment - timedelta(days=1), moment, moment + timedelta(days=1))
    )


def _is_weekday(text: str, moment: datetime) -> bool:
    days = (moment + timedelta(days=shift) for shift in (-1, 0, 1))
    return text.lower() in {day.strftime("%A").lower() for day in days}


def _is_now(text: str, moment: datetime) -> bool:
    """Whether a time of day is that of the run in some zone: zones are whole hours apart, most of them."""
    parts = [float(part) for part in text.split(":")]
    seconds = parts[1] * 60 + (parts[2] if len(parts) > 2 else 0)
    since = seconds - (moment.minute * 60 + moment.second)
    return -60 <= (since + 1800) % 3600 - 1800 <= 180
