"""RFC 9111 in pure functions: how old a stored response is, and for how long it may be used without asking.

Header values of repeated fields are joined with a comma, as RFC 9110 section 5.3 says. Times are seconds on
one clock.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache

# Delta-seconds beyond this are held at it (RFC 9111, section 1.2.2).
MAX_SECONDS = 2**31
# Responses that may be kept by heuristic (RFC 9110, section 15.1), and 451 (RFC 7725).
_HEURISTIC = frozenset((200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 451, 501))
_HEURISTIC_SHARE = 0.1
_MONTHS = {
    name: number
    for number, name in enumerate(
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"], 1
    )
}
_MONTH = "(" + "|".join(_MONTHS) + ")"
_IMF = re.compile(
    rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{{2}}) {_MONTH} (\d{{4}}) (\d{{2}}):(\d{{2}}):(\d{{2}}) GMT"
)
_RFC850 = re.compile(
    rf"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d{{2}})-{_MONTH}-(\d{{2}}) "
    r"(\d{2}):(\d{2}):(\d{2}) GMT"
)
_ASCTIME = re.compile(
    rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) {_MONTH} ([ \d]\d) (\d{{2}}):(\d{{2}}):(\d{{2}}) (\d{{4}})"
)
_DIRECTIVE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:=(?:\"((?:[^\"\\]|\\.)*)\"|([^\s,\"]*)))?")


@lru_cache(maxsize=4096)
def http_date(value: str) -> float | None:
    """An HTTP-date as a Unix time, in one of the three forms of RFC 9110 section 5.6.7; None for anything
    else."""
    text = value.strip()
    if match := _IMF.fullmatch(text):
        day, month, year, hour, minute, second = match.groups()
        return _instant(int(year), month, day, hour, minute, second)
    if match := _ASCTIME.fullmatch(text):
        month, day, hour, minute, second, year = match.groups()
        return _instant(int(year), month, day, hour, minute, second)
    if match := _RFC850.fullmatch(text):
        day, month, short, hour, minute, second = match.groups()
        # A sliding window needs a clock; the fifty years around 2025 stand in for it.
        year_number = 2000 + int(short) - (100 if int(short) > 75 else 0)
        return _instant(year_number, month, day, hour, minute, second)
    return None


def _instant(year: int, month: str, day: str, hour: str, minute: str, second: str) -> float | None:
    try:
        moment = datetime(
            year, _MONTHS[month], int(day), int(hour), int(minute), min(int(second), 59), tzinfo=UTC
        )
    except ValueError:
        return None
    return moment.timestamp()


def seconds(value: str) -> int | None:
    """Delta-seconds: ASCII digits only, capped; None for anything else."""
    text = value.strip()
    if not (text.isascii() and text.isdigit()):
        return None
    return min(int(text), MAX_SECONDS)


def age_field(headers: Mapping[str, str]) -> int:
    """The Age field; of a list its first member; 0 where it is missing or no number of seconds."""
    return seconds(headers.get("age", "").split(",")[0]) or 0


def initial_age(headers: Mapping[str, str], requested_at: float, arrived_at: float) -> float:
    """Corrected initial age (RFC 9111, section 4.2.3), of which the two times are the local clock's."""
    date = http_date(headers.get("date", ""))
    apparent = max(0.0, arrived_at - date) if date is not None else 0.0
    return max(apparent, age_field(headers) + (arrived_at - requested_at))


def current_age(headers: Mapping[str, str], requested_at: float, arrived_at: float, now: float) -> float:
    """Initial age and the time that the response has been held since."""
    return initial_age(headers, requested_at, arrived_at) + max(0.0, now - arrived_at)


def directives(value: str) -> dict[str, list[str]]:
    """Cache-Control as names (lower-case) and the values that each was given, in order; "" for none."""
    found: dict[str, list[str]] = {}
    for match in _DIRECTIVE.finditer(value):
        name, quoted, plain = match.group(1).lower(), match.group(2), match.group(3)
        found.setdefault(name, []).append(quoted if quoted is not None else (plain or ""))
    return found


def lifetime(headers: Mapping[str, str], status: int, arrived_at: float, *, cache: str = "private") -> float:
    """Freshness lifetime in seconds (section 4.2.1): the first of s-maxage (``cache`` is ``shared``),
    max-age, Expires and the heuristic that holds. An invalid value is stale at once; of several values the
    first counts."""
    given = directives(headers.get("cache-control", ""))
    for name in ("s-maxage", "max-age") if cache == "shared" else ("max-age",):
        if name in given:
            return seconds(given[name][0]) or 0
    date = http_date(headers.get("date", ""))
    if "expires" in headers:
        expires = http_date(headers["expires"])
        return 0.0 if expires is None else expires - (arrived_at if date is None else date)
    modified = http_date(headers.get("last-modified", ""))
    if modified is None or not (status in _HEURISTIC or "public" in given):
        return 0.0
    return max(0.0, (arrived_at if date is None else date) - modified) * _HEURISTIC_SHARE


def may_reuse(
    headers: Mapping[str, str],
    status: int,
    requested_at: float,
    arrived_at: float,
    now: float,
    *,
    cache: str = "private",
) -> bool:
    """Whether a stored response may answer ``now`` without validation: storable, not marked no-cache, and
    fresh, which is a lifetime greater than the age."""
    given = directives(headers.get("cache-control", ""))
    if "no-store" in given or "no-cache" in given or status == 206:
        return False
    if cache == "shared" and "private" in given:
        return False
    if "must-understand" in given and status not in _HEURISTIC:
        return False
    return lifetime(headers, status, arrived_at, cache=cache) > current_age(
        headers, requested_at, arrived_at, now
    )


def retry_after(value: str, arrived_at: float) -> float | None:
    """The delay that a Retry-After field asks for, in seconds from ``arrived_at`` (a Unix time); None
    where the field is neither digits nor an HTTP-date, which gives no instruction."""
    delay = seconds(value)
    if delay is not None:
        return float(delay)
    moment = http_date(value)
    return None if moment is None else max(0.0, moment - arrived_at)
