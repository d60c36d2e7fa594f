"""HTTP-date and Retry-After: tables of what RFC 9110 says of each spelling. No data is needed.

Strict: what is neither of the grammar's forms is no date and gives no instruction; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

from pytest_webretrieval.grade.httpcache import MAX_SECONDS, http_date, retry_after

from .measured import Measured, every

NOW = 1_790_000_000.0
_MOMENT = 784_111_777.0  # Sun, 06 Nov 1994 08:49:37 GMT, the example of section 5.6.7
HTTP_DATES: dict[str, float | None] = {
    "Sun, 06 Nov 1994 08:49:37 GMT": _MOMENT,
    "Sunday, 06-Nov-94 08:49:37 GMT": _MOMENT,
    "Sun Nov  6 08:49:37 1994": _MOMENT,
    " Sun, 06 Nov 1994 08:49:37 GMT\t": _MOMENT,
    "Thu, 29 Feb 2024 00:00:00 GMT": 1_709_164_800.0,
    "Thu, 01 Jan 1970 00:00:00 GMT": 0.0,
    **dict.fromkeys(
        (
            "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 AEST",
            "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun,  06 Nov 1994 08:49:37 GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08.49.37 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT",
            "Thu, 29 Feb 2023 00:00:00 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:00 GMT",
            "1994-11-06T08:49:37Z",
            "784111777",
            "0",
            "-1",
            "",
            "soon",
        )
    ),
}
_REFUSED = (
    "-1", "+1", "1.0", "1e3", "", " ", "foo", "\u00b2", "\u0663", "120, 60", "120;60", "0x10", "1_000",
    "Fri, 32 Dec 2026 00:00:00 GMT", "Fri, 18 Sep 2026 00:00:00 UTC",
)  # fmt: skip
RETRY_AFTER: dict[str, float | None] = {
    "0": 0.0,
    "120": 120.0,
    "007": 7.0,
    "\t42 ": 42.0,
    "99999999999": float(MAX_SECONDS),
    formatdate(NOW - 60, usegmt=True): 0.0,
    formatdate(NOW + 30, usegmt=True): 30.0,
    "Monday, 21-Sep-26 14:14:00 GMT": 1_790_000_040.0 - NOW,
    "Mon Sep 21 14:14:00 2026": 1_790_000_040.0 - NOW,
    **dict.fromkeys(_REFUSED),
}


def measure(_: Path) -> Iterator[Measured]:
    wrong = [repr(value) for value, moment in HTTP_DATES.items() if http_date(value) != moment]
    yield every("HTTP-date table (strict)", len(HTTP_DATES), wrong)
    wrong = [repr(value) for value, delay in RETRY_AFTER.items() if retry_after(value, NOW) != delay]
    yield every("Retry-After table (strict; lists refused)", len(RETRY_AFTER), wrong)
