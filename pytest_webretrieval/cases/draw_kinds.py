"""What the seed makes of a value: one function a kind, each giving another value of the same shape.

A ``Pick`` is the only source of chance: ``pick(n, *what)`` is a number from 0 to n - 1 that depends on the
seed, the fact and ``what`` alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from . import words

Pick = Callable[..., int]

KINDS = (
    "fixed",
    "version",
    "date",
    "date-today",
    "money",
    "number",
    "percent",
    "person",
    "place",
    "time",
    "title",
    "organisation",
    "ticket",
)

_VERSION = re.compile(r"(?P<head>\D*)(?P<parts>\d+(?:\.\d+)*)(?P<tail>.*)\Z", re.ASCII | re.DOTALL)
_TIME = re.compile(
    r"(?P<h>\d{1,2})(?P<m>[:.]\d{2})(?P<s>:\d{2})?(?P<half>\s?[ap]\.?m\.?)?\Z", re.ASCII | re.I
)
_DIGITS = re.compile(r"\d+", re.ASCII)
_FIGURE = re.compile(r"\d(?:[\d.,' \u00a0\u202f]*\d)?", re.ASCII)
_RUN = re.compile(r"[A-Za-z0-9]+")
_NO_VERSION = "needs a version such as v3.2"
_NO_DATE = "needs a date such as 2026-08-21"


def misfit(kind: str, value: str, than: str | None = None) -> str | None:
    """Why ``value`` cannot be drawn as ``kind``, or None. ``than`` is what ``before:`` refers to."""
    if kind.startswith("before:"):
        if not (_is_date(value) or _VERSION.match(value)):
            return f"draw: {kind} needs a version or a date"
        return None if than is None else _not_before(value, than)
    if kind == "version" and not _VERSION.match(value):
        return f"draw: version {_NO_VERSION}"
    if kind in ("date", "date-today") and not _is_date(value):
        return f"draw: {kind} {_NO_DATE}"
    if kind == "time" and not _is_time(value):
        return "draw: time needs a time such as 14:30"
    if kind in ("money", "number", "percent") and not _DIGITS.search(value):
        return f"draw: {kind} needs digits"
    if kind == "ticket" and not _RUN.search(value):
        return "draw: ticket needs letters or digits"
    if kind in ("person", "place", "title", "organisation") and not words.can_redraw(value):
        return f"draw: {kind} knows Latin and Chinese letters only; use draw: fixed"
    return None


def redraw(kind: str, value: str, pick: Pick) -> str:
    """Another value of the kind and shape of ``value``."""
    return _DRAWS[kind](value, pick)


def redraw_before(value: str, than: str, pick: Pick) -> str:
    """A lower version or earlier date than ``than``, in the shape of ``value``."""
    if _is_date(than):
        return (date.fromisoformat(than) - timedelta(days=5 + pick(60, "days"))).isoformat()
    return _lower_version(value, than, pick)


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _is_time(value: str) -> bool:
    found = _TIME.match(value)
    return found is not None and int(found["h"]) < 24 and int(found["m"][1:]) < 60


def _not_before(value: str, than: str) -> str | None:
    if _is_date(value) and _is_date(than):
        return None if value < than else f"{value} is not before {than}"
    if _is_date(value) or _is_date(than) or not _VERSION.match(than):
        return f"`{value}` and `{than}` are not both versions or both dates"
    return None if _parts(value) < _parts(than) else f"{value} is not below {than}"


def _parts(version: str) -> list[int]:
    found = _VERSION.match(version)
    if found is None:
        raise ValueError(f"`{version}` {_NO_VERSION}")
    return [int(part) for part in found["parts"].split(".")]


def _version(value: str, pick: Pick) -> str:
    """The first part is at least 2, so that lower versions are left for ``before:``."""
    parts = _parts(value)
    drawn = [
        _like(part, pick, "part", index, least=2 if index == 0 else 1) for index, part in enumerate(parts)
    ]
    return _with_parts(value, drawn)


def _lower_version(value: str, than: str, pick: Pick) -> str:
    """Not far below, so that a chain of ``before:`` does not come to zero: five in a row always fit."""
    bound = _parts(than)
    length = len(_parts(value))
    bound += [0] * (length - len(bound))
    lowered = [index for index, part in enumerate(bound[:length]) if part > 0][:2]
    if not lowered:
        raise ValueError(f"no version is below `{than}`")
    at = lowered[pick(len(lowered), "at")]
    least = max(1, bound[at] // 2) if bound[at] > 1 else 0
    part = least + pick(max(1, bound[at] - least), "lower")
    rest = [5 + pick(5, "rest", index) for index in range(at + 1, length)]
    return _with_parts(value, [*bound[:at], part, *rest])


def _with_parts(value: str, parts: list[int]) -> str:
    found = _VERSION.match(value)
    if found is None:
        raise ValueError(f"`{value}` {_NO_VERSION}")
    return found["head"] + ".".join(str(part) for part in parts) + found["tail"]


def _like(number: int, pick: Pick, *what: object, least: int = 0) -> int:
    """A number with as many digits as ``number``."""
    size = len(str(number))
    low = max(least, 10 ** (size - 1) if size > 1 else 0)
    return low + pick(10**size - low, *what)


def _date(value: str, pick: Pick) -> str:
    """Up to a year earlier. A day above 12 stays above 12: such dates can be read in one way only."""
    then = date.fromisoformat(value) - timedelta(days=20 + pick(360, "days"))
    return then.replace(day=13 + pick(16, "day") if int(value[-2:]) > 12 else 1 + pick(12, "day")).isoformat()


def _date_today(value: str, pick: Pick) -> str:
    """Today is no matter of chance; ``draw_values`` puts it in."""
    return value


def _figures(value: str, pick: Pick) -> str:
    """Other digits in every number: as many, with the same signs, separators, and zeros at the end."""
    first = True

    def anew(found: re.Match[str]) -> str:
        nonlocal first
        part_of_a_word = found.start() > 0 and value[found.start() - 1].isalpha()
        kept = part_of_a_word and not first  # the 2 of m2 or CO2
        first = False
        return found.group() if kept else _other_digits(found.group(), found.start(), pick)

    return _FIGURE.sub(anew, value)


def _other_digits(figure: str, start: int, pick: Pick) -> str:
    """At least two digits are drawn where there are two, so that values do not run out."""
    places = [at for at, character in enumerate(figure) if character.isdigit()]
    while len(places) > 2 and figure[places[-1]] == "0":
        places.pop()
    drawn = list(figure)
    for at in places:
        if at == places[0] and figure[at] == "0":
            continue
        edge = at in (places[0], places[-1])
        drawn[at] = str(1 + pick(9, "digit", start + at)) if edge else str(pick(10, "digit", start + at))
    return "".join(drawn)


def _percent(value: str, pick: Pick) -> str:
    """A share of a hundred stays one."""
    found = _DIGITS.search(value)
    if found is not None and found.group() == "100":
        return value[: found.start()] + str(10 + pick(89, "share")) + value[found.end() :]
    return _figures(value, pick)


def _time(value: str, pick: Pick) -> str:
    found = _TIME.match(value)
    if found is None:
        raise ValueError(f"`{value}` is not a time such as 14:30")
    hours = 1 + pick(12, "hour") if found["half"] else pick(24, "hour")
    if len(found["h"]) == 1 and not found["half"]:
        hours = pick(10, "hour")
    width = len(found["h"])
    minute = int(found["m"][1:])
    minutes = 5 * pick(12, "minute") if minute % 5 == 0 else pick(60, "minute")
    seconds = f":{pick(60, 'second'):02}" if found["s"] else ""
    return f"{hours:0{width}}{found['m'][0]}{minutes:02}{seconds}{found['half'] or ''}"


def _ticket(value: str, pick: Pick) -> str:
    """Digits and mixed runs anew; runs of letters are the prefix and stay, unless there is nothing else."""
    mixed = any(character.isdigit() for character in value)

    def anew(found: re.Match[str]) -> str:
        run = found.group()
        if mixed and run.isalpha():
            return run
        return "".join(
            str(pick(10, "sign", found.start() + at))
            if sign.isdigit()
            else chr(ord("A" if sign.isupper() else "a") + pick(26, "sign", found.start() + at))
            for at, sign in enumerate(run)
        )

    return _RUN.sub(anew, value)


def _fixed(value: str, pick: Pick) -> str:
    return value


_DRAWS: dict[str, Callable[[str, Pick], str]] = {
    "fixed": _fixed,
    "version": _version,
    "date": _date,
    "date-today": _date_today,
    "money": _figures,
    "number": _figures,
    "percent": _percent,
    "person": words.person,
    "place": words.place,
    "time": _time,
    "title": words.title,
    "organisation": words.organisation,
    "ticket": _ticket,
}
