"""Google's ``tbs``: how old a result may be."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from .hits import Wanted, day, next_day

_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(days=7)} | {
    "m": timedelta(days=31),
    "y": timedelta(days=366),
}
_AGE = re.compile(r"([hdwmy])(\d{0,4})$")


def in_range(wanted: Wanted, tbs: str, now: datetime) -> Wanted:
    """``qdr:d``, ``qdr:d3`` or ``cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY``; Google reads over what it does not
    know."""
    parts = dict(part.partition(":")[::2] for part in tbs.split(","))
    if (age := _AGE.match(parts.get("qdr", ""))) is not None:
        return replace(wanted, since=now - _UNITS[age[1]] * int(age[2] or 1))
    try:
        since = day(parts["cd_min"], "%m/%d/%Y") if "cd_min" in parts else None
        until = next_day(day(parts["cd_max"], "%m/%d/%Y")) if "cd_max" in parts else None
    except ValueError:
        return wanted
    return replace(wanted, since=since or wanted.since, until=until or wanted.until)
