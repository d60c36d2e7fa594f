"""Dates in running text, in the forms that people write."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

_NAMES = (
    ("january", "jan", "januar", "jänner", "janvier", "enero", "gennaio", "janeiro"),
    ("february", "feb", "februar", "février", "febrero", "febbraio", "fevereiro"),
    ("march", "mar", "märz", "mars", "marzo", "março"),
    ("april", "apr", "avril", "abril", "aprile"),
    ("may", "mai", "mayo", "maggio", "maio"),
    ("june", "jun", "juni", "juin", "junio", "giugno", "junho"),
    ("july", "jul", "juli", "juillet", "julio", "luglio", "julho"),
    ("august", "aug", "août", "agosto"),
    ("september", "sep", "sept", "septembre", "septiembre", "settembre", "setembro"),
    ("october", "oct", "oktober", "okt", "octobre", "octubre", "ottobre", "outubro"),
    ("november", "nov", "novembre", "noviembre", "novembro"),
    ("december", "dec", "dezember", "dez", "décembre", "diciembre", "dicembre", "dezembro"),
)
_MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names}
_MONTH = "(?P<m>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?"
_FORMS = (
    re.compile(r"(?<![\d-])(?P<y>\d{4})-(?P<n>\d{2})-(?P<d>\d{2})(?!\d|-\d)"),
    re.compile(r"(?P<y>\d{4}) ?年 ?(?P<n>\d{1,2}) ?月 ?(?P<d>\d{1,2}) ?[日號号]"),
    re.compile(
        rf"{_WEEKDAY}(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.|er)?(?: of| de)? {_MONTH}(?: de)?,? "
        r"(?P<y>\d{4})\b",
        re.I,
    ),
    re.compile(rf"{_WEEKDAY}\b{_MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b", re.I),
    re.compile(r"(?<![\d.])(?P<d>\d{1,2})\. ?(?P<n>\d{1,2})\. ?(?P<y>\d{4})(?!\d)"),
    re.compile(r"(?<![\d/])(?P<y>\d{4})/(?P<n>\d{1,2})/(?P<d>\d{1,2})(?![\d/])"),
)


@dataclass(frozen=True, slots=True)
class Dated:
    """A day written in a text: offsets in code points, end exclusive."""

    day: date
    start: int
    end: int


def dates_in(text: str) -> list[Dated]:
    """Every day in ``text`` whose order of parts is beyond doubt, in the order of the text."""
    found: list[Dated] = []
    for form in _FORMS:
        for match in form.finditer(text):
            part = match.groupdict()
            month = int(part["n"]) if part.get("n") else _MONTHS[part["m"].lower()]
            try:
                day = date(int(part["y"]), month, int(part["d"]))
            except ValueError:
                continue
            found.append(Dated(day, match.start(), match.end()))
    return sorted(found, key=lambda dated: dated.start)


def day_of(value: str) -> date | None:
    """The day of a machine-readable moment (``2026-08-21T10:00+02:00``) or of a written date; else None."""
    value = value.strip()
    try:
        return datetime.fromisoformat(value).date()
    except ValueError:
        pass
    written = dates_in(value)
    return written[0].day if written else None


def spelled(day: date) -> str:
    """``21 August 2026``."""
    return f"{day.day} {_NAMES[day.month - 1][0].capitalize()} {day.year}"
