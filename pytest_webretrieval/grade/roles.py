"""Whether a passage that has the words of a claim says them of the same: who does what to whom, under which condition,
denied or not.

Words alone do not tell. What stands before the first of them in its sentence, what stands between them, in which order
names and numbers come and who suffers what is done must be as in the claim; where any of it is another, nothing is
proven.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from .passages import Match, longest_rise
from .statement import CHECKABLE, CONTENT, Word
from .text import fold

_SPREAD = 4.0
_ORDER, _LEAST_ORDER = 0.8, 0.5
_ROUGHLY = 0.6  # in a cell
_BEHIND = 3  # words behind the last match by which a sentence takes back what it says ("..., critics claim")
_IS = re.compile(
    r"\b(?:is|are|was|were|ist|sind|war|waren|est|sont|était|es|son|era)\s+(?:an?|the|one|ein|eine|un|une|una)\b"
)
_COMPARES = re.compile(r"\b(?:than|as \w+ as|als)\b")
# What ends a clause, or begins one of its own.
_OPENS = re.compile(
    r"[,;:.!?()\[\]|\n\"•。！？，、；：]| [-/] |\b(?:but|while|whereas|because|although|though|aber|sondern|weil|"
    r"obwohl|mais|pero|porque|aunque)\b"
)
_OWNED = re.compile(r"^'s?(?!\w)|\b(?:whose|deren|dessen|dont|cuyo|cuya)\b")
_RELATIVE = re.compile(r"\b(?:who|whom|which|whose|qui|que)\b")
_HANGS = re.compile(r"^\s*(?:of|des|der|de|du|d'|del|von|vom)\b")
_ACTS = re.compile(
    r"^\s*(?:is|are|was|were|has|had|have|did|does|do|can|will|hat|hatte|ist|war|wird|a|est|es|fue)\b"
)
# A participle behind a form of being says what is done to its subject; so does what has an agent behind it.
_UNDERGOES = re.compile(
    r"\b(?:is|are|was|were|be|been|being|est|sont|été|était|étaient|fut|furent|es|son|fue|fueron|sido)\s*$"
)
_PARTICIPLE = re.compile(
    r"(?:ed|en|wn|ught|ilt|sent|lent|spent|kept|left|lost|shot|hit|cut|put|won|led|found|told|sold|held|made|paid|"
    r"said|[éiu]e?s?|[ai]d[oa]s?)$"
)
_PASSIVE = re.compile(r"\b(?:wurde|wurden|worden)\b")
_AGENT = re.compile(r"^\s*(?:by|par|por|von|durch)\b")
_BOUNDING = frozenset(("altering", "limiting", "doubt"))
_OR_MORE = re.compile(r"\s*(?:(?:at|or|and|oder|ou|o|y|et|und|a|au)\s+)?")


def same_roles(claim: str, found: Match) -> bool:
    """Whether the passage says the matched words of the same, as far as order, voice and what stands about
    them tell."""
    if found.passage.is_cell:
        return found.spread <= _SPREAD and found.order >= _ROUGHLY
    return (
        found.spread <= _SPREAD
        and _same_order(claim, found)
        and _same_voice(found)
        and _same_bearing(found)
        and begins(found)
        and not _turns_away(found)
    )


def _same_order(claim: str, found: Match) -> bool:
    """Names, numbers and dates in the claim's order, and nearly all other words; fewer of those where a sentence says
    what something is."""
    if not _in_order(found):
        return False
    if found.order >= _ORDER:
        return True
    folded = fold(claim).text
    what_it_is = bool(_IS.search(folded)) and not _COMPARES.search(folded)
    return what_it_is and not found.passage.paired and found.order >= _LEAST_ORDER


def _in_order(found: Match) -> bool:
    low, high = found.bounds
    words = found.passage.words
    told = [
        tuple(place for place in places if low <= place <= high)
        for word, places in zip(found.content, found.places, strict=True)
        if places
        and (
            word.kind in CHECKABLE
            or word is found.content[0]
            or any(words[at].kind == "name" for at in places)
        )
    ]
    times = Counter(told)
    return longest_rise(told) == sum(min(count, len(places)) for places, count in times.items())


def _same_voice(found: Match) -> bool:
    """Whether what is done to its subject in the claim is done to it in the passage, and what it does it does."""
    low, high = found.bounds
    theirs = found.passage.words
    if bool(_leads(found.claim, _PASSIVE)) != bool(_leads(theirs[low + 1 : high + 1], _PASSIVE)):
        return False
    return _is_kept(found, ("word",), _undergoes)


def _leads(words: Sequence[Word], pattern: re.Pattern[str]) -> list[Word]:
    return [word for word in words if pattern.search(word.lead)]


def _matched(found: Match) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Where each matched word stands in the claim's words, and where in the passage's."""
    at = [at for at, word in enumerate(found.claim) if word.kind in CONTENT]
    return ((here, places) for here, places in zip(at, found.places, strict=True) if places)


def _is_kept(found: Match, kinds: Sequence[str], trait: Callable[[Sequence[Word], int], object]) -> bool:
    """Whether each matched word of these kinds has in the passage, at one of its places, the trait that it has in the
    claim."""
    low, high = found.bounds
    theirs = found.passage.words
    return all(
        any(trait(theirs, place) == trait(found.claim, at) for place in places if low <= place <= high)
        for at, places in _matched(found)
        if found.claim[at].kind in kinds
    )


def _undergoes(words: Sequence[Word], at: int) -> bool:
    if not _PARTICIPLE.search(words[at].said):
        return False
    behind = words[at + 1] if at + 1 < len(words) else None
    if behind is not None and behind.kind in ("word", "name") and _AGENT.match(behind.lead):
        return True
    return bool(_UNDERGOES.search(_lead(words, at)))


def _lead(words: Sequence[Word], at: int) -> str:
    """What stands before a word, back to the last word with content: joining words and marks alone."""
    lead = words[at].lead
    while at and words[at - 1].kind not in CONTENT:
        at -= 1
        lead = f"{words[at].lead} {lead}"
    return lead


def _same_bearing(found: Match) -> bool:
    """Whether the same bounds stand beside the same numbers and dates, and the same words are denied."""
    low, high = found.bounds
    theirs = found.passage.words
    denied = Counter(_denied(found.claim, 0, len(found.claim)))
    if denied != Counter(_denied(theirs, max(0, low - _BEHIND), high + 1)):
        return False
    return _is_kept(found, ("number", "date", "code"), _bounds_of)


def _denied(words: Sequence[Word], low: int, high: int) -> Iterator[str]:
    """What each negation of a stretch stands before."""
    for at in range(low, high):
        if words[at].kind == "negation":
            yield next((word.stem for word in words[at + 1 :] if word.kind in CONTENT), "")


def _bounds_of(words: Sequence[Word], at: int) -> set[str]:
    """What makes more or less of a number: right before it ("up to 5"), or right behind it ("5 or more")."""
    bounds = set()
    for here in range(at - 1, -1, -1):
        if words[here].kind not in _BOUNDING or _OPENS.search(words[here + 1].lead):
            break
        bounds.add(words[here].stem)
    if at + 1 < len(words) and words[at + 1].kind in _BOUNDING and _OR_MORE.fullmatch(words[at + 1].lead):
        bounds.add(words[at + 1].stem)
    return bounds


def begins(found: Match) -> bool:
    """Whether a clause of the passage begins with what the claim begins with: it hangs on nothing before it ("the wife
    of", "doctors hoped")."""
    if found.passage.is_cell:
        return True
    low, _ = found.bounds
    # Said twice, a word counts where it stands closest before the rest.
    first = max((place for place in found.found[0] if place <= low), default=min(found.found[0]))
    taken = {place for places in found.found for place in places}
    return all(_begins(found.passage.words, at, taken) for at in {min(low, first), first})


def _begins(words: Sequence[Word], at: int, taken: set[int]) -> bool:
    for here in range(at, 0, -1):
        if _OPENS.search(words[here].lead) or here - 1 in taken:
            return True
        if words[here - 1].kind in CONTENT and words[here].lead.strip(" -"):
            # "The band Depeche Mode" is Depeche Mode.
            return False
        if words[at].kind == "name" and not words[at].lead.strip():
            return True
    return True


def _turns_away(found: Match) -> bool:
    """Whether somebody else comes between the claim's subject and what is said of it."""
    low, high = found.bounds
    words = found.passage.words
    taken = {place for places in found.found for place in places}
    for at in range(low + 1, high + 1):
        lead, before = words[at].lead, words[at - 1]
        if at not in taken:
            if at - 1 in taken and _OWNED.search(lead):
                return True
        elif at - 1 not in taken and (
            _RELATIVE.search(lead)
            or (_HANGS.match(lead) and (words[at].kind == "name" or _is_head(words, at - 1)))
            or (before.kind == "name" and (_ACTS.search(lead) or _is_subject(words, at - 1)))
        ):
            return True
    return False


def _is_head(words: Sequence[Word], at: int) -> bool:
    """Whether a word may be what a clause is about: the first in it, or right behind the day of it."""
    return at == 0 or bool(_OPENS.search(words[at].lead)) or words[at - 1].kind in ("date", "number")


def _is_subject(words: Sequence[Word], at: int) -> bool:
    """Whether a name, or several in a row, begins a clause and is followed by what is said of it."""
    while at and words[at - 1].kind == "name" and not words[at].lead.strip():
        at -= 1
    return bool(_OPENS.search(words[at].lead) or _RELATIVE.search(words[at].lead))
