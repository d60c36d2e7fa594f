"""Numbers in prose: grouping and decimal marks of several countries, signs, scale words. By value, in Decimal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from .measures import Unit, Wanted, agrees, ahead, behind, parted, wanted_unit
from .number_words import spelled
from .text import Folded, is_word

_CORE = re.compile(r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![\d])|\d+(?:[.,']\d+)*(?:e[+-]?\d+)?", re.ASCII)
_GROUPS = re.compile(r"\d{1,3}(?:\d{3})*")
_COMMA_DECIMAL_LIST = (
    "de fr es it pt nl da sv nb nn no fi pl cs sk hu ro ru uk bg el tr id vi hr sl sr lt lv et is ca gl eu"
)
_COMMA_DECIMAL = frozenset(_COMMA_DECIMAL_LIST.split())
_DOT_DECIMAL_REGIONS = ("es-mx", "es-us", "de-ch", "fr-ch", "it-ch")

_MINUS_WORDS = ("minus", "negative", "moins", "menos", "meno", "零下", "负", "負", "マイナス")
# A minus in words; not "at least" and "more or less", which have the same word in other languages.
_MINUS = re.compile(
    r"(?:(?<!plus or )(?<!plus/)(?<![\d%] )(?<![^\W_])(?:minus|negative)|(?<!au )(?<!à )(?<!de )(?<![^\W_])moins|"
    r"(?<!al )(?<!lo )(?<!ni )(?<![^\W_])menos|(?<![^\W_])meno|零下|负|負|マイナス) ?$"
)
_BELOW_ZERO = re.compile(
    r" ?(?:°c?|degrees?|grad|degrés|grados)?(?: celsius)?,? "
    r"(?:below zero|unter null|(?:au-dessous de|sous) zéro|bajo cero)"
)


def find_number(
    value: str, text: Folded, unit: str | None, own_locale: str | None, text_locale: str | None
) -> list[tuple[int, int, bool]] | None:
    """Spans of numbers equal to ``value`` and whether that is sure; None when ``value`` is no number.

    A number in a text of a known language is read as that language writes it. Where the language is unknown,
    an English reading that fits is taken; one that fits only in another country's writing is unsure, unless
    the fact names its own country: then the value is settled and either writing of it will do.
    """
    bare, own_unit = parted(value)
    wanted = _wanted(bare)
    if wanted is None:
        return None
    measure = wanted_unit(unit or own_unit)
    found: list[tuple[int, int, bool]] = []
    content = text.text
    for match in _CORE.finditer(content):
        for start, end, core in _tokens(match):
            hit = _try_number(text, start, end, core, wanted, measure, own_locale, text_locale)
            if hit is not None:
                found.append(hit)
                break
    if abs(wanted) > 1 and wanted == wanted.to_integral_value():
        found += _in_words(text, wanted, measure, text_locale or own_locale)
    return sorted(found)


# From so many on, a number is not written in words by the way ("the two pages agree").
_COUNTED = 11
_SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？\n]")
_ANY_NUMBER = re.compile(r"\d(?![\d, -]*\])")


def _in_words(
    text: Folded, wanted: Decimal, unit: Wanted | None, locale: str | None
) -> Iterator[tuple[int, int, bool]]:
    """Number words that are worth it. A small one beside other numbers may count something else: that is unsure, unless
    its unit stands with it."""
    if abs(wanted) >= 100 and wanted % 1000:
        return
    words = list(spelled(text.text, locale))
    for start, end, worth in words:
        scale, stop, found = behind(text.text, end, unit.code if unit else None, None)
        sign = -1 if _minus(text.text, start) else 1
        agreed = agrees(text, start, stop, found, unit)
        if sign * worth * scale != wanted or agreed is False:
            continue
        sure = worth >= _COUNTED or (unit is not None and found is not None)
        yield start, stop, bool(agreed) and (sure or _is_only_number(text.text, start, stop, words))


def _is_only_number(content: str, start: int, stop: int, words: list[tuple[int, int, int]]) -> bool:
    """Whether no other number stands in the sentence, in digits (but for marks such as "[1]") or in words."""
    low = max((match.end() for match in _SENTENCE.finditer(content, max(0, start - 300), start)), default=0)
    end = _SENTENCE.search(content, stop)
    high = end.start() if end else len(content)
    in_digits = _ANY_NUMBER.search(content, low, start) or _ANY_NUMBER.search(content, stop, high)
    return not in_digits and sum(low <= at < high for at, _, _ in words) == 1


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
    unit: Wanted | None,
    own_locale: str | None,
    text_locale: str | None,
) -> tuple[int, int, bool] | None:
    content = text.text
    prefix = ahead(content, start)
    before = prefix[1].code if prefix else None
    sign, begin = _sign(text, start, prefix[0] if prefix else start)
    if not sign or (not prefix and _is_inside(content, begin, sign)):
        return None
    scale, stop, found = behind(content, end, unit.code if unit else None, before)
    if _BELOW_ZERO.match(content, end):
        sign = -abs(sign)
    if _continues(text, stop, had_suffix=stop > end):
        return None
    if found is None and prefix is not None:
        found = Unit(prefix[1].code, prefix[1].name, stop)
    readings = _readings(core)
    fitting = {how for how, number in readings.items() if sign * number * scale == wanted}
    if not fitting:
        return None
    agreed = agrees(text, start, stop, found, unit)
    if agreed is False:
        return None
    sure = bool(agreed) and _is_sure(fitting, set(readings), own_locale, text_locale)
    return begin if sign < 0 else start, stop, sure


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


def _minus(content: str, before: int) -> re.Match[str] | None:
    if not content[max(0, before - 10) : before].rstrip(" ").endswith(_MINUS_WORDS):
        return None
    return _MINUS.search(content, max(0, before - 20), before)


def _sign(text: Folded, start: int, first: int) -> tuple[int, int]:
    """The sign and where the number begins with it; 0 where a hyphen joins the number to a word before it. ``first``
    is where the unit ahead of the number begins: "minus $5"."""
    content = text.text
    if in_words := _minus(content, first):
        return -1, in_words.start()
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


def _wanted(value: str) -> Decimal | None:
    text = value.strip().replace("\u2212", "-").replace(" ", "")
    sign = -1 if text.startswith("-") else 1
    text = text.lstrip("+-")
    if not re.fullmatch(r"\d+(?:[.,]\d+)*", text, re.ASCII):
        return None
    readings = _readings(text)
    number = readings.get("dot", readings.get("comma"))
    return None if number is None else sign * number


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
        prefix = ahead(content, start)
        before = prefix[1].code if prefix else None
        sign, begin = _sign(text, start, prefix[0] if prefix else start)
        if not sign or (not prefix and _is_inside(content, begin, sign)):
            continue
        scale, stop, found = behind(content, end, None, before)
        if _continues(text, stop, had_suffix=stop > end):
            continue
        ways = _readings(match.group())
        usual = ways.get(_convention(locale) or "")
        read = (usual,) if usual is not None else tuple(ways.values())
        if read:
            worth = frozenset((sign * number * scale).normalize() for number in read)
            first = min(begin, prefix[0]) if prefix else begin if sign < 0 else start
            yield Quantity(first, stop, worth, found.code if found else before)


def wrong_scale(value: str, text: Folded) -> bool:
    """Whether the digits of ``value`` stand in the text with another scale word than theirs ("2.4 million"
    for a value of 2,400,000,000)."""
    wanted = _wanted(parted(value)[0])
    if not wanted:
        return False
    for match in _CORE.finditer(text.text):
        scale, _, _ = behind(text.text, match.end(), None, "usd")
        for number in _readings(match.group()).values():
            if number and scale != 1 and number * scale != wanted:
                ratio = wanted / (number * scale)
                if ratio in (Decimal(1000), Decimal("0.001"), Decimal(10) ** 6, Decimal(10) ** -6):
                    return True
    return False
