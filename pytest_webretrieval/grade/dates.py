"""Dates in prose: ISO, long forms in twelve languages, Chinese, Japanese and Korean; bare numeric forms are
ambiguous."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from .text import Folded, fold

# (year, month, day); 0 stands for what is not said.
Day = tuple[int, int, int]

_MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jän jänner januari janvier janv enero ene gennaio gen janeiro jan",
            "february feb februar februari février fevrier févr fevr febrero febbraio fevereiro fev",
            "march mar märz maerz mär mrz maart mrt mars marts marzo março marco",
            "april apr avril avr abril abr aprile",
            "may mai mei maj mayo maggio mag maio",
            "june jun juni juin junio giugno giu junho",
            "july jul juli juillet juil julio luglio lug julho",
            "august aug augustus augusti août aout agosto ago",
            "september sep sept septembre septiembre setiembre settembre set setembro",
            "october oct oktober okt octobre octubre ottobre ott outubro out",
            "november nov novembre noviembre novembro",
            "december dec dezember desember dez décembre decembre déc diciembre dic dicembre dezembro",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ERAS = {"民國": 1911, "民国": 1911, "令和": 2018, "平成": 1988}

_ISO = re.compile(r"(?<![\w.-])(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?![\d]|-\d)")
_YMD = re.compile(r"(?<![\w./])(\d{4})([/.])(\d{1,2})\2(\d{1,2})(?![\w/]|\.\d)")
_NUMERIC = re.compile(r"(?<![\w./-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?![\d])")
# A year of two digits: only by slashes, which versions do not have.
_SHORT = re.compile(r"(?<![\w./-])(\d{1,2})/(\d{1,2})/(\d\d)(?![\w/]|[.,]\d)")
_DAY_MONTH = re.compile(
    rf"(?<![\w.])(\d{{1,2}})(?:st|nd|rd|th|er|\.|º|ª)?[ -](?:of |de |d')?({_MONTH})\.?,?"
    r"(?: de| del|-)? ?(\d{4})(?!\w)"
)
_MONTH_DAY = re.compile(rf"(?<!\w)({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})(?!\w)")
_MONTH_YEAR = re.compile(rf"(?<!\w)({_MONTH})\.?,?(?: de| del)? (\d{{4}})(?!\w)")
_CJK = re.compile(
    r"(民國|民国|令和|平成)? ?(?<!\d)(\d{1,4}) ?[年년] ?(\d{1,2}) ?[月월](?: ?(\d{1,2}) ?[日號号일])?"
)
_VALUE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:[T ].*)?")


def find_date(value: str, text: Folded, locale: str | None) -> list[tuple[int, int, bool]] | None:
    """Spans of dates equal to the ISO date ``value`` and whether that is sure; None when ``value`` is no
    date.

    A date less precise than ``value`` is another date; a more precise one inside ``value`` is the same.
    """
    wanted = _wanted(value)
    if wanted is None:
        return None
    dates = list(_near(text.text, wanted[0], locale))
    if locale is None and any(len(days) > 1 for _, _, days in dates):
        dates = list(_near(text.text, wanted[0], _order(text.text)))
    return _longest(
        [
            (start, end, len(days) == 1)
            for start, end, days in dates
            if any(lies_in(day, wanted) for day in days)
        ]
    )


def _order(content: str) -> str | None:
    """A locale that orders day and month as the text's other dates do, where those can be read in one way only."""
    day_first = {
        int(match[1]) > 12 for match in _NUMERIC.finditer(content) if max(int(match[1]), int(match[3])) > 12
    }
    return ("en-gb" if day_first == {True} else "en-us") if len(day_first) == 1 else None


def lies_in(day: Day, wider: Day) -> bool:
    """Whether a date is that day, or lies in that month or year."""
    return all(part == want for part, want in zip(day, wider, strict=True) if want)


def _longest(found: list[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    found.sort(key=lambda hit: (hit[0], -hit[1]))
    kept: list[tuple[int, int, bool]] = []
    for hit in found:
        if not kept or hit[0] >= kept[-1][1]:
            kept.append(hit)
    return kept


def _near(content: str, year: int, locale: str | None) -> Iterator[tuple[int, int, frozenset[Day]]]:
    """Dates written near the digits of ``year``, so that a long page costs no more than a short one."""
    spellings = [str(year)] + [str(year - offset) for offset in _ERAS.values() if 0 < year - offset < 200]
    spellings.append(rf"(?<=/){year % 100:02}(?!\d)")
    done = -1
    for match in re.finditer("|".join(spellings), content):
        in_eras = len(match.group()) < 4 and content[match.start() - 1 : match.start()] != "/"
        if in_eras and not re.match(r" ?年", content[match.end() : match.end() + 2]):
            continue
        low, high = max(0, match.start() - 32), min(len(content), match.end() + 32)
        for start, end, days in dates_in(content, low, high, locale):
            if start >= done and start <= match.start() < end:
                done = end
                yield start, end, days


def dates_in(
    content: str, low: int, high: int, locale: str | None
) -> Iterator[tuple[int, int, frozenset[Day]]]:
    """Every date between two offsets of a folded text, with the days that it may mean."""
    for match in _ISO.finditer(content, low, high):
        yield from _one(match, int(match[1]), int(match[2]), match[3])
    for match in _YMD.finditer(content, low, high):
        yield from _one(match, int(match[1]), int(match[3]), match[4])
    for match in _CJK.finditer(content, low, high):
        year = int(match[2]) + _ERAS.get(match[1] or "", 0)
        yield from _one(match, year, int(match[3]), match[4])
    for match in _DAY_MONTH.finditer(content, low, high):
        yield from _one(match, int(match[3]), _MONTHS[match[2]], match[1])
    for match in _MONTH_DAY.finditer(content, low, high):
        yield from _one(match, int(match[3]), _MONTHS[match[1]], match[2])
    for match in _MONTH_YEAR.finditer(content, low, high):
        if not re.search(
            r"\d(?:st|nd|rd|th|er|\.|º|ª)?[ -](?:of |de |d')?$",
            content[max(0, match.start() - 9) : match.start()],
        ):
            yield from _one(match, int(match[2]), _MONTHS[match[1]], None)
    for match in _NUMERIC.finditer(content, low, high):
        days = _numeric(int(match[1]), int(match[3]), int(match[4]), match[2], locale)
        if days:
            yield match.start(), match.end(), days
    for match in _SHORT.finditer(content, low, high):
        days = _short(int(match[1]), int(match[2]), int(match[3]), locale)
        if days:
            yield match.start(), match.end(), days


def _one(
    match: re.Match[str], year: int, month: int, day: str | None
) -> Iterator[tuple[int, int, frozenset[Day]]]:
    number = int(day or 0)
    if year and 1 <= month <= 12 and (day is None or 1 <= number <= 31):
        yield match.start(), match.end(), frozenset(((year, month, number),))


def _numeric(first: int, second: int, year: int, mark: str, locale: str | None) -> frozenset[Day]:
    """Day first or month first: both, unless a country, a dot or a number above twelve says which."""
    day_first = (year, second, first) if 1 <= second <= 12 and 1 <= first <= 31 else None
    month_first = (year, first, second) if 1 <= first <= 12 and 1 <= second <= 31 else None
    tag = (locale or "").lower().replace("_", "-")
    if tag.startswith("en-us"):
        day_first = day_first if month_first is None else None
    elif mark == "." or (tag and tag != "en"):
        month_first = month_first if day_first is None else None
    return frozenset(day for day in (day_first, month_first) if day is not None)


def _short(first: int, second: int, third: int, locale: str | None) -> frozenset[Day]:
    """The same with a year of two digits, which may also come first."""
    days = _numeric(first, second, 2000 + third, "/", locale)
    year_first = (2000 + first, second, third)
    return days | {year_first} if locale is None and 1 <= second <= 12 and 1 <= third <= 31 else days


@lru_cache(maxsize=1024)
def _wanted(value: str) -> Day | None:
    match = _VALUE.fullmatch(value.strip())
    if match is None:
        return None
    return int(match[1]), int(match[2] or 0), int(match[3] or 0)


# A time that is only about so, and one whose month is named: words that are bound to each other, in English.
VAGUE = re.compile(r"\b(?:early|late|mid|before|prior|after|until|since)\b|\b\d{2,4}s\b")
_ENGLISH_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
MONTH_AND_NUMBER = re.compile(rf"\b{_ENGLISH_MONTH} \d|\d(?:st|nd|rd|th)? {_ENGLISH_MONTH}(?!\w)")
_YEARS = re.compile(r"(?<![\w.])(1\d{3}|20\d\d) ?(?:-|to|until|till|through|and) ?(\d{4}|\d\d)(?![\w-])")
# What is left of a date when a page's markup is taken away: "onMay 4, 20193." was "on May 4, 2019" and a note.
_MONTHS_AS_NAMES = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_GLUED_AHEAD = re.compile(rf"(?<=[a-z])(?={_MONTHS_AS_NAMES} \d)")
_GLUED_NOTE = re.compile(rf"({_MONTHS_AS_NAMES} \d{{1,2}}(?:st|nd|rd|th)?,? [12]\d{{3}})(?=\d{{1,2}}(?!\d))")


def days_said(raw: str) -> frozenset[Day]:
    """The dates of a text that can mean one day (or month) only."""
    text = fold(_GLUED_NOTE.sub(r"\1 ", _GLUED_AHEAD.sub(" ", raw))).text
    return frozenset(
        day for _, _, days in dates_in(text, 0, len(text), None) if len(days) == 1 for day in days
    )


def year_ranges(text: str) -> frozenset[tuple[str, str]]:
    """Ranges of years in a folded text: "1951-52" is 1951 to 1952."""
    found = ((first, last if len(last) == 4 else first[:2] + last) for first, last in _YEARS.findall(text))
    return frozenset((first, last) for first, last in found if last > first)
