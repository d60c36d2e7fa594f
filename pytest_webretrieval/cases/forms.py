"""One value in the forms that pages write it: ``2026-08-21`` as ``21 August 2026``, ``2450`` as ``2,450``."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

_MONTHS = (
    ("January", "Januar"),
    ("February", "Februar"),
    ("March", "März"),
    ("April", "April"),
    ("May", "Mai"),
    ("June", "Juni"),
    ("July", "Juli"),
    ("August", "August"),
    ("September", "September"),
    ("October", "Oktober"),
    ("November", "November"),
    ("December", "Dezember"),
)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_FIGURE = re.compile(r"-?\d[\d,]*(?:\.\d+)?", re.ASCII)


def show(value: str, form: str) -> str:
    """``value`` in ``form``, one of ``FORMS``. Raises ValueError for an unknown form or a value that it
    does not fit."""
    if form not in FORMS:
        raise ValueError(f"unknown form `{form}`; known: {', '.join(FORMS)}")
    return FORMS[form](value)


def _date(value: str) -> date:
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise ValueError(f"`{value}` is not a date such as 2026-08-21") from None


def _date_long(value: str) -> str:
    day = _date(value)
    return f"{day.day} {_MONTHS[day.month - 1][0]} {day.year}"


def _date_iso(value: str) -> str:
    return _date(value).isoformat()


def _date_de(value: str) -> str:
    day = _date(value)
    return f"{day.day}. {_MONTHS[day.month - 1][1]} {day.year}"


def _date_zh(value: str) -> str:
    day = _date(value)
    return f"{day.year}年{day.month}月{day.day}日"


def _date_rfc(value: str) -> str:
    """As HTTP writes dates, at midnight."""
    day = _date(value)
    return f"{_DAYS[day.weekday()]}, {day.day:02} {_MONTHS[day.month - 1][0][:3]} {day.year} 00:00:00 GMT"


def _number_en(value: str) -> str:
    return _FIGURE.sub(lambda found: _grouped(found.group()), value, count=1)


def _number_de(value: str) -> str:
    swap = str.maketrans(",.", ".,")
    return _FIGURE.sub(lambda found: _grouped(found.group()).translate(swap), value, count=1)


def _grouped(figure: str) -> str:
    """``-2450.50`` as ``-2,450.50``; decimals as they are."""
    whole, point, decimals = figure.replace(",", "").partition(".")
    sign = "-" if whole.startswith("-") else ""
    digits = whole.removeprefix("-")
    groups = [digits[max(0, end - 3) : end] for end in range(len(digits), 0, -3)]
    return sign + ",".join(reversed(groups)) + point + decimals


def _slug(value: str) -> str:
    return "-".join(re.findall(r"[^\W_]+", value.lower()))


def _without_v(value: str) -> str:
    return value[1:] if re.match(r"[vV]\d", value) else value


def _without_separator(value: str) -> str:
    return re.sub(r"[\s-]", "", value)


def _without_unit(value: str) -> str:
    found = _FIGURE.search(value)
    return found.group() if found else value


def _unit_first(value: str) -> str:
    """``19.90 EUR`` as ``EUR 19.90``."""
    first, blank, second = value.partition(" ")
    return f"{second}{blank}{first}"


FORMS: dict[str, Callable[[str], str]] = {
    "date-long": _date_long,
    "date-iso": _date_iso,
    "date-de": _date_de,
    "date-zh": _date_zh,
    "date-rfc": _date_rfc,
    "number-en": _number_en,
    "number-de": _number_de,
    "upper": str.upper,
    "slug": _slug,
}


def forms_of(value: str) -> frozenset[str]:
    """The value in every form that it fits, itself included."""
    shown = {form(value) for form in map(_or_nothing, FORMS.values())}
    return frozenset({value, *shown} - {""})


def _or_nothing(form: Callable[[str], str]) -> Callable[[str], str]:
    def try_form(value: str) -> str:
        try:
            return form(value)
        except ValueError:
            return ""

    return try_form


# How an alias may follow from a value; what follows from none of them cannot be drawn with it.
ALIAS_FORMS: tuple[Callable[[str], str], ...] = tuple(
    _or_nothing(form)
    for form in (*FORMS.values(), str.lower, _without_v, _without_separator, _without_unit, _unit_first)
)
