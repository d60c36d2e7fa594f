"""Numbers in prose: grouping and decimal marks of several countries, scale words, units. By value, in
Decimal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from .text import Folded, is_word
from .units import CURRENCIES, SCALED_UNITS, SCALES, SHORT_SCALES, UNITS

_CORE = re.compile(r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![\d])|\d+(?:[.,']\d+)*(?:e[+-]?\d+)?", re.ASCII)
_GROUPS = re.compile(r"\d{1,3}(?:\d{3})*")
_COMMA_DECIMAL_LIST = (
    "de fr es it pt nl da sv nb nn no fi pl cs sk hu ro ru uk bg el tr id vi hr sl sr lt lv et is ca gl eu"
)
_COMMA_DECIMAL = frozenset(_COMMA_DECIMAL_LIST.split())
_DOT_DECIMAL_REGIONS = ("es-mx", "es-us", "de-ch", "fr-ch", "it-ch")

_WORD = r"(?:[^\W\d_]+\.?)"


def _alternatives(names: dict[str, int] | dict[str, str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_AFTER_SCALE = re.compile(rf"[ -]?({_alternatives(SCALES)})\.?(?![a-zà-ÿ])")
_AFTER_UNIT = re.compile(rf"[ -]?(?:de )?({_alternatives(UNITS)})(?![a-zà-ÿ0-9])")
_UNIT_BEHIND = re.compile(rf"(?P<number>[-+]?[\d.,\s]*\d)\s?(?P<unit>{_alternatives(UNITS)})", re.IGNORECASE)
_UNIT_AHEAD = re.compile(rf"(?P<unit>{_alternatives(UNITS)})\s?(?P<number>[-+]?\d[\d.,\s]*)", re.IGNORECASE)
_BEFORE_UNIT = re.compile(rf"(?<![a-zà-ÿ])({_alternatives(UNITS)}) ?[-+]?$")


def find_number(
    value: str, text: Folded, unit: str | None, own_locale: str | None, text_locale: str | None
) -> list[tuple[int, int, bool]] | None:
    """Spans of numbers equal to ``value`` and whether that is sure; None when ``value`` is no number.

    A number in a text of a known language is read as that language writes it. Where the language is unknown,
    an English reading that fits is taken; one that fits only in another country's writing is unsure, unless
    the fact names its own country: then the value is settled and either writing of it will do.
    """
    bare, own_unit = _parted(value)
    wanted = _wanted(bare)
    if wanted is None:
        return None
    unit_code = _unit_code(unit or own_unit)
    found: list[tuple[int, int, bool]] = []
    content = text.text
    for match in _CORE.finditer(content):
        for start, end, core in _tokens(match):
            hit = _try_number(text, start, end, core, wanted, unit_code, own_locale, text_locale)
            if hit is not None:
                found.append(hit)
                break
    return found


def _tokens(match: re.Match[str]) -> list[tuple[int, int, str]]:
    """The number as matched; where blanks group it, also its parts ("in 2 450 cases" may be two numbers)."""
    start, core = match.start(), match.group()
    tokens = [(start, match.end(), core)]
    if " " in core:
        at = start
        for part in core.split(" "):
            tokens.append((at, at + len(part), part))
            at += len(part) + 1
    return tokens


def _try_number(
    text: Folded,
    start: int,
    end: int,
    core: str,
    wanted: Decimal,
    unit: str | None,
    own_locale: str | None,
    text_locale: str | None,
) -> tuple[int, int, bool] | None:
    content = text.text
    before = content[max(0, start - 14) : start]
    prefix = _BEFORE_UNIT.search(before)
    token_unit = UNITS[prefix.group(1)] if prefix else None
    sign, begin = _sign(text, start)
    if not sign or (not prefix and _is_inside(content, begin, sign)):
        return None
    scale, stop, suffix_unit = _suffix(content, end, unit, token_unit)
    token_unit = suffix_unit or token_unit
    if _continues(text, stop, had_suffix=stop > end):
        return None
    if not _units_agree(token_unit, unit):
        return None
    readings = _readings(core)
    fitting = {how for how, number in readings.items() if sign * number * scale == wanted}
    if not fitting:
        return None
    return begin if sign < 0 else start, stop, _is_sure(fitting, set(readings), own_locale, text_locale)


def _is_sure(fitting: set[str], all_ways: set[str], own_locale: str | None, text_locale: str | None) -> bool:
    if fitting == all_ways or own_locale is not None:
        return True
    return (_convention(text_locale) or "dot") in fitting


def _convention(locale: str | None) -> str | None:
    if locale is None:
        return None
    tag = locale.lower().replace("_", "-")
    if tag.startswith(_DOT_DECIMAL_REGIONS):
        return "dot"
    return "comma" if tag.partition("-")[0] in _COMMA_DECIMAL else "dot"


def _sign(text: Folded, start: int) -> tuple[int, int]:
    """The sign and where the number begins with it; 0 where a hyphen joins the number to a word before it."""
    content = text.text
    if not start or content[start - 1] not in "+-":
        return 1, start
    before = content[start - 2] if start > 1 else " "
    if content[start - 1] == "+":
        return (0, start) if is_word(before) else (1, start - 1)
    if text.separates(start - 1):
        return 1, start
    return (0, start) if is_word(before) else (-1, start - 1)


def _is_inside(content: str, begin: int, sign: int) -> bool:
    """Whether a number only goes on with what stands before it: a word ("v57", "v.57"), a fraction (".57"), another
    number ("7:30")."""
    if not begin:
        return False
    glued, before = content[begin - 1], content[begin - 2] if begin > 1 else " "
    if is_word(glued):
        return True
    if sign > 0 and ((glued in "./" and is_word(before)) or (glued in ",:'" and before.isdigit())):
        return True
    return glued in ".," and not before.isalnum()


def _suffix(content: str, end: int, unit: str | None, before: str | None) -> tuple[int, int, str | None]:
    scale = 1
    at = end
    for _ in range(2):
        match = _AFTER_SCALE.match(content, at)
        if match is None or not _scales(match, unit, before, content):
            break
        scale *= SCALES[match.group(1)]
        at = match.end()
    found = _AFTER_UNIT.match(content, at)
    if found is None:
        return scale, at, None
    return scale, found.end(), UNITS[found.group(1)]


def _scales(match: re.Match[str], unit: str | None, before: str | None, content: str) -> bool:
    name = match.group(1)
    if name not in SHORT_SCALES:
        return True
    if before in CURRENCIES or (unit is not None and unit in CURRENCIES):
        return True
    # Glued and not the fact's own unit: "130B" is a thousand million, "130 m" of a length is not a million.
    return match.group()[0] not in " -" and UNITS.get(name) != unit and unit not in ("m", "mm", "t")


def _continues(text: Folded, end: int, *, had_suffix: bool) -> bool:
    content = text.text
    if end >= len(content):
        return False
    char = content[end]
    beyond = content[end + 1] if end + 1 < len(content) else " "
    if is_word(char):
        return True
    if char == "%":
        return not had_suffix
    if char in ".,:/'":
        return beyond.isdigit()
    return char == "-" and beyond.isdigit() and not text.separates(end)


def _units_agree(found: str | None, wanted: str | None) -> bool:
    """A number without a unit is accepted, as in a table whose header has it; one with another unit is
    another."""
    if found is None or found == wanted:
        return True
    return wanted is None and found not in SCALED_UNITS


@lru_cache(maxsize=4096)
def _readings(core: str) -> dict[str, Decimal]:
    """What the digits may mean: by ``dot`` as the decimal mark, by ``comma``; both when they agree."""
    core = core.replace(" ", "")
    mantissa, _, exponent = core.partition("e")
    power = Decimal(10) ** int(exponent) if exponent else Decimal(1)
    if "'" in mantissa:
        groups = mantissa.replace(",", ".").partition(".")[0].split("'")
        if not all(len(group) == 3 for group in groups[1:]):
            return {}
        mantissa = mantissa.replace("'", "")
    ways = {}
    for way, decimal_mark, group_mark in (("dot", ".", ","), ("comma", ",", ".")):
        number = _read(mantissa, decimal_mark, group_mark)
        if number is not None:
            ways[way] = number * power
    return ways


def _read(text: str, decimal_mark: str, group_mark: str) -> Decimal | None:
    whole, mark, fraction = text.partition(decimal_mark)
    if decimal_mark in fraction or group_mark in fraction:
        return None
    groups = whole.split(group_mark)
    if len(groups) > 1:
        thousands = all(len(group) == 3 for group in groups[1:])
        indian = group_mark == "," and len(groups[-1]) == 3 and all(len(group) == 2 for group in groups[1:-1])
        if not (thousands or indian) or not 1 <= len(groups[0]) <= 3 or groups[0].startswith("0"):
            return None
    try:
        return Decimal("".join(groups) + (f".{fraction}" if mark else ""))
    except InvalidOperation:
        return None


@lru_cache(maxsize=1024)
def _parted(value: str) -> tuple[str, str | None]:
    """A value that is written with its unit ("37.4%", "EUR 19.90") as number and unit."""
    text = value.strip()
    for side in (_UNIT_BEHIND, _UNIT_AHEAD):
        if match := side.fullmatch(text):
            return match["number"], match["unit"]
    return text, None


def _wanted(value: str) -> Decimal | None:
    text = value.strip().replace("\u2212", "-").replace(" ", "")
    sign = -1 if text.startswith("-") else 1
    text = text.lstrip("+-")
    if not re.fullmatch(r"\d+(?:[.,]\d+)*", text, re.ASCII):
        return None
    readings = _readings(text)
    number = readings.get("dot", readings.get("comma"))
    return None if number is None else sign * number


def _unit_code(unit: str | None) -> str | None:
    if unit is None:
        return None
    return UNITS.get(unit.lower(), unit.lower())


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a folded text with the words that scale and measure it. ``values`` is what it is worth, more than
    one where it may be read in more ways than one; ``unit`` is a code such as ``usd`` or ``%``."""

    start: int
    end: int
    values: frozenset[Decimal]
    unit: str | None


def quantities(text: Folded, locale: str | None = None) -> Iterator[Quantity]:
    """Every number of a text that stands by itself, in order, read as the language writes it; where that is not
    known, in every way."""
    content = text.text
    for match in _CORE.finditer(content):
        start, end = match.span()
        prefix = _BEFORE_UNIT.search(content[max(0, start - 14) : start])
        before = UNITS[prefix.group(1)] if prefix else None
        sign, begin = _sign(text, start)
        if not sign or (not prefix and _is_inside(content, begin, sign)):
            continue
        scale, stop, behind = _suffix(content, end, None, before)
        if _continues(text, stop, had_suffix=stop > end):
            continue
        ways = _readings(match.group())
        usual = ways.get(_convention(locale) or "")
        read = (usual,) if usual is not None else tuple(ways.values())
        if read:
            worth = frozenset((sign * number * scale).normalize() for number in read)
            ahead = begin - len(prefix[0].lstrip()) if prefix else begin if sign < 0 else start
            yield Quantity(ahead, stop, worth, behind or before)


def wrong_scale(value: str, text: Folded) -> bool:
    """Whether the digits of ``value`` stand in the text with another scale word than theirs ("2.4 million"
    for a value of 2,400,000,000)."""
    wanted = _wanted(_parted(value)[0])
    if not wanted:
        return False
    for match in _CORE.finditer(text.text):
        scale, _, _ = _suffix(text.text, match.end(), None, "usd")
        for number in _readings(match.group()).values():
            if number and scale != 1 and number * scale != wanted:
                ratio = wanted / (number * scale)
                if ratio in (Decimal(1000), Decimal("0.001"), Decimal(10) ** 6, Decimal(10) ** -6):
                    return True
    return False
