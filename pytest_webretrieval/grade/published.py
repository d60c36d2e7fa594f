"""The day on which a page says that it was published. Needs the extra ``dates`` (htmldate)."""

from __future__ import annotations

import re
from datetime import date

from .dates import dates_in
from .text import fold


def published(html: str, url: str = "") -> date | None:
    """The day of publication by the page's metadata, address and text, or None where nothing names a day.

    Raises ImportError without the extra.
    """
    from htmldate import find_date

    found = find_date(html, original_date=True, url=url or None)
    if found is None:
        return None
    day = date.fromisoformat(found)
    # htmldate makes a year that stands alone (in a copyright line) the first of January.
    return day if (day.month, day.day) != (1, 1) or _names(html, day) else None


def _names(html: str, day: date) -> bool:
    if re.search(rf"(?<!\d){day.year}[-/.]?0?1[-/.]?0?1(?!\d)", html):
        return True
    text = re.sub(r"\s+", " ", fold(html).text)
    wanted = (day.year, day.month, day.day)
    return any(wanted in days for _, _, days in dates_in(text, 0, len(text), None))
