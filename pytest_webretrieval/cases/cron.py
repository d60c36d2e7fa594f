"""The five fields of cron."""

from __future__ import annotations

import re

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
# Name, least, most, and what may stand for a number, from the least on.
_FIELDS: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
    ("minute", 0, 59, ()),
    ("hour", 0, 23, ()),
    ("day of the month", 1, 31, ()),
    ("month", 1, 12, _MONTHS),
    ("day of the week", 0, 7, _DAYS),
)
_PART = re.compile(r"(?:\*|(?P<first>\w+)(?:-(?P<last>\w+))?)(?:/(?P<step>[1-9]\d*))?", re.ASCII)


def cron_fault(text: str) -> str | None:
    """Which of five fields says no time, and what may stand there; None where each says one."""
    for field, (name, least, most, words) in zip(text.split(), _FIELDS, strict=True):
        if not all(_says_times(part, least, most, words) for part in field.split(",")):
            return f"`{field}` is no {name} ({least}-{most}, `*`, lists, ranges and steps as cron has them)"
    return None


def _says_times(part: str, least: int, most: int, words: tuple[str, ...]) -> bool:
    found = _PART.fullmatch(part)
    if found is None:
        return False
    ends = [_number(end, least, words) for end in (found["first"], found["last"]) if end is not None]
    return all(least <= end <= most for end in ends) and ends == sorted(ends)


def _number(text: str, least: int, words: tuple[str, ...]) -> int:
    """What a text stands for; -1, which is no time, for what stands for nothing."""
    if text.isdecimal():
        return int(text)
    return least + words.index(text.lower()) if text.lower() in words else -1
