"""The unit beside a number: which one stands there, and whether it is the one that is asked for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from .cues import ALTERING, DOUBTS, JOINING, LIMITING, NEGATIONS
from .stems import stem
from .text import Folded, is_cjk
from .units import CURRENCIES, DOLLARS, DURATIONS, SCALED_UNITS, SCALES, SHARED, SHORT_SCALES, UNITS

# Names of units that are ordinary words ahead of a number ("bar 5", "degree 2"); nor does a span of time stand there.
_ONLY_BEHIND_LIST = (
    "foot feet stone bar ton tons bit bits byte bytes degree degrees deg grad mi ha cal hp ps pint pints cent cents "
    "lei rand g l °"
)
_ONLY_BEHIND = frozenset(_ONLY_BEHIND_LIST.split())


def _alternatives(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


_NAMES = _alternatives(UNITS)
_LONGEST = max(map(len, UNITS))
_FIRST = frozenset(name[0] for name in UNITS)
_AHEAD = frozenset(name for name, code in UNITS.items() if code not in DURATIONS and name not in _ONLY_BEHIND)
_LONGEST_AHEAD = max(map(len, _AHEAD))
_ENDS = r"(?![a-zà-ÿ0-9]|'[a-z])"
_END = re.compile(_ENDS)
_AFTER_SCALE = re.compile(rf"[ -]?({_alternatives(SCALES)})\.?(?![a-zà-ÿ])")
_GAP = re.compile(r"[ -]?(?:de )?")
_LETTER = re.compile(r"[a-zà-ÿ]")
# A value that is written with its unit.
_UNIT_BEHIND = re.compile(rf"(?P<number>[-+]?[\d.,\s]*\d)\s?(?P<unit>{_NAMES})", re.IGNORECASE)
_UNIT_AHEAD = re.compile(rf"(?P<unit>{_NAMES})\s?(?P<number>[-+]?\d[\d.,\s]*)", re.IGNORECASE)

# What may stand between a number and its unit: marks of emphasis, a bracket, a word that leaves the amount as it is.
_BETWEEN = (
    r"[*_`~\"')\]]{0,3}[ -]{0,2}[*_`(\[]{0,3}"
    r"(?:(?:full|whole|entire|more|other|further|extra|additional|good|ganze|volle|weitere) )?"
)
_BEYOND = re.compile(rf"{_BETWEEN}({_NAMES}){_ENDS}")
_INCH = re.compile(r"[ -]?in\.?(?=$|[,;)\n]| (?:long|wide|tall|high|thick|deep|in diameter)\b)")
# Another number of the same list, whose unit is this one's too: "5 or 7 miles".
_LISTED = re.compile(r" (?:and|or|to|und|oder|bis|et|ou|à|y|o|a) (?=(\d[\d.,]*))")
_WORD_BEHIND = re.compile(r"[*_`~]{0,3}[ -]?[*_`~]{0,3}([^\W\d_]+)")
_COMPOUND = re.compile(r"/[^\W\d_]|[²³^]")
_CODE_AHEAD = re.compile(r"(?<![^\W_])[A-Z]{3} ?$")
# Words that go on with the sentence and measure nothing, beside those that a comparison of statements leaves out.
_GOES_ON_LIST = (
    "if because though although however since until till from off out along among between against across ago again "
    "today tomorrow yesterday now currently still already online together total altogether inclusive including "
    "excluding excl incl vat plus minus times x each apiece daily weekly monthly yearly annually nightly "
    "max min maximum applies apply applied remains remain stays stands holds counts costs says states gives goes "
    "comes makes means became becomes seems would could should shall see but yet only just even instead rather or so "
    "pro je ab um über unter vor nach bis seit aus an kann muss gilt gelten kostet kosten beträgt bleibt inkl zzgl "
    "wenn weil aber sondern jedoch heute jetzt derzeit insgesamt mindestens höchstens "
    "mais donc car sans sous entre chez vers dès depuis reste vaut coûte aujourd maintenant "
    "pero sin entre según cuesta vale queda hoy ahora "
    "e ed o il lo i gli di da che con per su non più ma em no na do com que não é "
    "van het een en of op voor met bij naar och eller för på av med är som til og af"
)
_INNOCENT = frozenset(_GOES_ON_LIST.split()) | JOINING | NEGATIONS | ALTERING | LIMITING | DOUBTS
_INNOCENT_CJK = frozenset(
    "的是和或與与以起及而但則则也都就為为由至到をはがでとにへもやかま은는이가을를로에의도과와"
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit that stands in a folded text: its code, how it is written, where it ends."""

    code: str
    name: str
    end: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """The unit of a fact: as the fact names it, and the codes of all that this may mean."""

    name: str
    code: str
    codes: frozenset[str]


@lru_cache(maxsize=1024)
def wanted_unit(name: str | None) -> Wanted | None:
    """The unit of a fact that names one."""
    if name is None:
        return None
    low = name.strip().lower()
    code = UNITS.get(low, low)
    return Wanted(low, code, frozenset((code, *SHARED.get(low, ()))))


@lru_cache(maxsize=1024)
def parted(value: str) -> tuple[str, str | None]:
    """A value that is written with its unit ("37.4%", "EUR 19.90") as number and unit."""
    text = value.strip()
    for side in (_UNIT_BEHIND, _UNIT_AHEAD):
        if match := side.fullmatch(text):
            return match["number"], match["unit"]
    return text, None


def ahead(content: str, start: int) -> tuple[int, Unit] | None:
    """Where the unit right ahead of the number at ``start`` begins, and that unit. What stands behind a number is no
    unit of the next one ("10 EUR 20")."""
    end = start - (content[start - 1 : start] in ("-", "+"))
    end -= content[end - 1 : end] == " "
    for at in range(max(0, end - _LONGEST_AHEAD), end):
        name = content[at:end]
        if name in _AHEAD and not _LETTER.match(content, at - 1 if at else len(content)):
            behind_number = content[max(0, at - 2) : at].rstrip(" -")[-1:]
            return None if behind_number.isdigit() else (at, Unit(UNITS[name], name, end))
    return None


def behind(content: str, end: int, unit: str | None, before: str | None) -> tuple[int, int, Unit | None]:
    """What a number that ends at ``end`` is scaled by, where it ends with its scale and unit, and that unit.

    ``unit`` is the code that is looked for, ``before`` that of the unit ahead."""
    scale, at = 1, end
    for _ in range(2):
        match = _AFTER_SCALE.match(content, at)
        if match is None or not _scales(match, unit, before):
            break
        scale *= SCALES[match.group(1)]
        at = match.end()
    found = _unit_at(content, _gap_end(content, at))
    return scale, found.end if found else at, found


def _gap_end(content: str, at: int) -> int:
    gap = _GAP.match(content, at)
    return gap.end() if gap else at


def _unit_at(content: str, at: int) -> Unit | None:
    """The longest name of a unit that begins here and ends with a word."""
    if content[at : at + 1] not in _FIRST:
        return None
    for end in range(min(len(content), at + _LONGEST), at, -1):
        name = content[at:end]
        if name in UNITS and _END.match(content, end):
            return Unit(UNITS[name], name, end)
    return None


def _named(match: re.Match[str]) -> Unit:
    return Unit(UNITS[match.group(1)], match.group(1), match.end())


def _scales(match: re.Match[str], unit: str | None, before: str | None) -> bool:
    name = match.group(1)
    if name not in SHORT_SCALES:
        return True
    if before in CURRENCIES or (unit is not None and unit in CURRENCIES):
        return True
    # Glued and not the fact's own unit: "130B" is a thousand million, "130 m" of a length is not a million.
    return match.group()[0] not in " -" and UNITS.get(name) != unit and unit not in ("m", "mm", "t")


def is_scaled_on(content: str, start: int, end: int) -> bool:
    """Whether what stands behind a number or an amount of money makes a thousand or a million of it."""
    match = _AFTER_SCALE.match(content, end)
    if match is None or match.group(1) in ("mil", "mille"):
        return False
    return match.group(1) not in SHORT_SCALES or any(sign in content[start:end] for sign in "$€£¥")


def agrees(text: Folded, start: int, stop: int, found: Unit | None, wanted: Wanted | None) -> bool | None:
    """Whether the number between ``start`` and ``stop`` is of the unit that is wanted; None where that cannot be told.

    ``found`` is the unit that was read with it. A number without a unit is accepted, as in a table whose header has it;
    a word beside it that may be a unit nobody here knows leaves it open.
    """
    if wanted is None:
        return found is None or found.code not in SCALED_UNITS
    found = found or _beyond(text.text, stop)
    if found is None:
        return True if _is_own(text.text, stop, wanted) or _is_bare(text, start, stop, wanted) else None
    if found.code in wanted.codes or wanted.code in SHARED.get(found.name, ()):
        return None if wanted.code not in CURRENCIES and _COMPOUND.match(text.text, found.end) else True
    if wanted.code == "°" and found.code in ("°c", "°f"):
        return None
    return None if found.name in ("$", "dollar", "dollars") and wanted.code in DOLLARS else False


def _beyond(content: str, stop: int) -> Unit | None:
    """A unit that stands behind emphasis or in a bracket, or inches."""
    if match := _BEYOND.match(content, stop):
        return _named(match)
    inch = _INCH.match(content, stop)
    return Unit("in", "in", inch.end()) if inch else None


def _is_own(content: str, stop: int, wanted: Wanted) -> bool:
    """Whether the unit stands there as the fact writes it, give or take a plural."""
    match = _WORD_BEHIND.match(content, stop)
    if match is None:
        return content[stop : stop + len(wanted.name) + 1].strip().startswith(wanted.name)
    if is_cjk(wanted.name[:1] or " "):
        return match.group(1).startswith(wanted.name)
    return match.group(1) == wanted.name or stem(match.group(1), "en") == stem(wanted.name, "en")


def _is_bare(text: Folded, start: int, stop: int, wanted: Wanted) -> bool:
    """Whether nothing beside a number may be a unit that is not known."""
    content = text.text
    glued = content[start - 1 : start].strip() or content[start - 2 : start - 1]
    if glued and unicodedata.category(glued) == "Sc":
        return False
    low = text.raw_span(max(0, start - 5), start) if start else (0, 0)
    code = _CODE_AHEAD.search(text.raw[low[0] : low[1]])
    if code is not None and code.group().strip().lower() not in _INNOCENT:
        return False
    if stop < len(content) and unicodedata.category(content[stop]) in ("Sc", "So"):
        return False
    if listed := _LISTED.match(content, stop):
        other = behind(content, listed.end(1), None, None)[2]
        return other is None or other.code in wanted.codes
    word = _WORD_BEHIND.match(content, stop)
    if word is None:
        return True
    said = word.group(1)
    return said in _INNOCENT or (is_cjk(said[0]) and said[0] in _INNOCENT_CJK)
