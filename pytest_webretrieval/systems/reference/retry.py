"""When to ask again, and how long to wait: RFC 9110 section 10.2.3 and capped exponential back-off."""

from __future__ import annotations

import calendar
import random
import re
import time

RETRIES = 2
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0

# 501 and 505 say that the server will never do it; 507 and above are rare and not about time.
PASSING_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAYS = "Mon|Tue|Wed|Thu|Fri|Sat|Sun"
_LONG_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_CLOCK = r"(?P<h>[0-9]{2}):(?P<mi>[0-9]{2}):(?P<s>[0-9]{2})"
_MONTH = f"(?P<mon>{'|'.join(_MONTHS)})"
_DATES = (
    re.compile(rf"(?:{_DAYS}), (?P<d>[0-9]{{2}}) {_MONTH} (?P<y>[0-9]{{4}}) {_CLOCK} GMT"),
    re.compile(rf"(?:{_LONG_DAYS}), (?P<d>[0-9]{{2}})-{_MONTH}-(?P<yy>[0-9]{{2}}) {_CLOCK} GMT"),
    re.compile(rf"(?:{_DAYS}) {_MONTH} (?P<d>[0-9]{{2}}| [0-9]) {_CLOCK} (?P<y>[0-9]{{4}})"),
)
_SECONDS = re.compile(r"[0-9]+")


def http_date(value: str, now: float) -> float | None:
    """Epoch seconds of an HTTP-date in one of its three forms, or None when the value is none of them.

    The standard library's parser is not used: it accepts many forms that the grammar forbids.
    """
    for pattern in _DATES:
        if match := pattern.fullmatch(value):
            break
    else:
        return None
    part = match.groupdict()
    year = int(part["y"]) if part.get("y") else _full_year(int(part["yy"]), now)
    day, hour, minute, second = (int(part[key]) for key in ("d", "h", "mi", "s"))
    month = _MONTHS.index(part["mon"]) + 1
    if not 1 <= day <= calendar.monthrange(max(year, 1), month)[1] or hour > 23 or minute > 59 or second > 60:
        return None
    return float(calendar.timegm((year, month, day, hour, minute, second)))


def _full_year(two_digits: int, now: float) -> int:
    """A date that looks more than fifty years ahead belongs to the past century (RFC 9110, 5.6.7)."""
    this_year = time.gmtime(now).tm_year
    year = this_year - this_year % 100 + two_digits
    return year - 100 if year > this_year + 50 else year


def stated_wait(value: str | None, now: float) -> float | None:
    """Seconds that a ``Retry-After`` asks for: digits or an HTTP-date. None when absent or anything else."""
    if value is None:
        return None
    value = value.strip(" \t")
    if _SECONDS.fullmatch(value):
        # More digits than a deadline could ever hold still mean "very long".
        return float(value) if len(value) < 16 else float("inf")
    moment = http_date(value, now)
    return None if moment is None else max(0.0, moment - now)


def own_wait(tries: int) -> float:
    """Seconds before the next try after ``tries`` failures: doubling, capped, with up to a quarter of
    jitter."""
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (tries - 1)) * random.uniform(1.0, 1.25)
