"""Whether a passage says the opposite of a claim: the same words denied, or another value in the same place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from .number_words import ORDINAL
from .passages import Match, Passage, has_pronoun, stems_of
from .roles import begins
from .statement import Word, is_light
from .text import fold

_CLOSE = 3.0
_ENOUGH = 3  # words that are denied
_STATES = re.compile(r"[.!。！][\"'”’)\]\d\[]*\s*$")  # a heading or a label denies nothing
_ROUGHLY = 0.6  # of the matched words stand in the claim's order
_NEAR = 4  # words between who holds a place and the place
_ROLE = 3  # words that name a place well enough
_PLACE = re.compile(rf"\b(?:is|was|became|served as|serves as|elected) (?:as )?(?:the )?(?P<nth>{ORDINAL})\b")
# What happens once: another day or year of it is another claim.
_ONCE = frozenset(
    (
        "born",
        "bear",
        "die",
        "dead",
        "death",
        "found",
        "establish",
        "incorpor",
        "built",
        "inaugur",
        "geboren",
        "né",
    )
)


def refutes(found: Match, source: Sequence[Passage]) -> str | None:
    """The rule by which ``found.passage`` contradicts the claim, else None."""
    if found.passage.asks or found.order < _ROUGHLY or not begins(found):
        return None
    doubt, limiting = found.hedges, found.cues_beside("limiting")
    if doubt[0] != doubt[1] or limiting[0] != limiting[1]:
        return None
    if not found.missing:
        return "same-words-denied" if _is_denied(found) else None
    missing = [word for word in found.missing if not is_light(word) and not _is_meant(word, found)]
    negated = found.cues("negation")
    if len(missing) != 1 or negated[0] != negated[1] or missing[0].kind not in ("number", "date"):
        return None
    if found.passage.is_cell:
        return _refuting_cell(found, missing[0])
    wanted, beside = missing[0], _beside(found.claim, found.claim.index(missing[0]))
    if wanted.unit == "times":
        return "another-number-of-times" if _other_times(found, wanted) else None
    in_place = [value for passage in source for value in _in_place(passage, wanted, beside)]
    if any(wanted.says(value) for value in in_place):
        return None
    own = list(_in_place(found.passage, wanted, beside))
    if own and all(_excludes(value, wanted) for value in own):
        return f"another-{wanted.kind}-in-its-place"
    return None


def _is_denied(found: Match) -> bool:
    low, high = found.bounds
    inside = found.passage.words[low : high + 1]
    if (
        found.order < 1
        or found.spread > _CLOSE
        or stems_of(found.claim, "altering") != stems_of(inside, "altering")
    ):
        return False
    if len(found.content) < _ENOUGH or not _STATES.search(found.passage.text):
        return False
    ours = sum(word.kind == "negation" for word in found.claim)
    theirs = sum(word.kind == "negation" for word in inside)
    return {ours, theirs} == {0, 1}


def _refuting_cell(found: Match, wanted: Word) -> str | None:
    """The row and the column are those of the claim, and the cell holds one value, which is another."""
    values = [word for word in found.passage.words if word.kind == wanted.kind]
    units = {wanted.unit, values[0].unit} - {None} if values else set()
    return "another-value-in-the-cell" if len(values) == 1 and len(units) < 2 else None


def _is_meant(word: Word, found: Match) -> bool:
    """Whether a name that a passage has a pronoun for is fixed by what happened at the same times."""
    fixed = [
        other
        for other, at in zip(found.content, found.places, strict=True)
        if at and other.kind in ("number", "date")
    ]
    return word.kind == "name" and len(fixed) > 1 and has_pronoun(found.passage)


def _other_times(found: Match, wanted: Word) -> bool:
    """Whether the passage says how often, or how many of the same things, and none of it is ``wanted``."""
    words = found.passage.words
    counted = [
        word
        for at, word in enumerate(words)
        if word.kind == "number"
        and not _is_year(word)
        and (
            word.unit == "times"
            or (at + 1 < len(words) and any(own.says(words[at + 1]) for own in found.content))
        )
    ]
    return bool(counted) and not any(word.values & wanted.values for word in counted)


def holder(claim: str, words: tuple[Word, ...], source: Sequence[Passage]) -> Passage | None:
    """The passage that gives to another what only one can hold: the place of which a claim says that its subject
    "was the 45th president of ..."."""
    place = _PLACE.search(fold(claim).text)
    if place is None or any(word.kind == "negation" for word in words):
        return None
    subject = [word for word in words if word.end <= place.start()]
    held = list(takewhile(_names_a_role, (word for word in words if word.start >= place.start("nth"))))
    if len(held) < _ROLE or not subject:
        return None
    return next((passage for passage in source if _gives_away(held, subject, passage)), None)


def _gives_away(held: list[Word], subject: list[Word], passage: Passage) -> bool:
    words = passage.words
    if passage.asks or any(
        word.kind == "negation" or any(own.says(word) for own in subject) for word in words
    ):
        return False
    for at, word in enumerate(words):
        stretch = words[at : at + len(held)]
        if held[0].says(word) and len(stretch) == len(held) and all(map(Word.says, held, stretch)):
            return any(other.kind == "name" for other in words[max(0, at - _NEAR) : at])
    return False


def _names_a_role(word: Word) -> bool:
    return word.kind in ("word", "name") or word.stem.endswith("th")


Neighbours = tuple[Word | None, Word | None]


def _beside(words: Sequence[Word], at: int) -> Neighbours:
    return words[at - 1] if at else None, words[at + 1] if at + 1 < len(words) else None


def _in_place(passage: Passage, wanted: Word, ours: Neighbours) -> Iterator[Word]:
    """The values of a passage that stand where the claim has ``wanted``: a count before the same noun, a measure
    behind the same word, a day or year behind the same event."""
    for at, value in enumerate(passage.words):
        if value.kind != wanted.kind or _is_year(value) != _is_year(wanted):
            continue
        before, behind = _beside(passage.words, at)
        if wanted.kind == "number" and not _is_year(wanted):
            measured = value.unit is not None and value.unit == wanted.unit and _same(ours[0], before)
            counted = _same(ours[1], behind)
            if (measured or counted) and _plain_amount(ours[0]) and _plain_amount(before):
                yield value
        elif _same(ours[0], before) and before is not None and before.stem in _ONCE:
            yield value


def _excludes(value: Word, wanted: Word) -> bool:
    """Whether a value in the same place leaves no room for the other: days that are named whole."""
    return wanted.kind == "number" or all(all(day) for day in (*wanted.days, *value.days))


def _same(ours: Word | None, theirs: Word | None) -> bool:
    return ours is not None and theirs is not None and ours.says(theirs)


def _plain_amount(before: Word | None) -> bool:
    """Whether nothing before a number makes it a bound or a guess."""
    return before is None or before.kind not in ("altering", "limiting", "doubt")


def _is_year(word: Word) -> bool:
    return word.kind == "number" and len(word.stem) == 4 and word.stem.isdigit() and word.stem[0] in "12"
