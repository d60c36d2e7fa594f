"""The ways in which two phrasings are one answer. Digits are never inferred, dropped or inflected."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .answer_reading import Gold, Said, glue
from .dates import MONTH_AND_NUMBER, VAGUE, lies_in
from .denial import is_negated
from .names import find_name, name_of
from .words import Word, alike, gathered, is_number, root, runs


def _same_words(gold: Gold, said: Said) -> bool:
    """The gold's words stand in the answer without a gap, and the clause does not deny them."""
    return _stated(gold.texts, said.words, said.plain)


def _same_content(gold: Gold, said: Said) -> bool:
    """The same without articles and prepositions."""
    return bool(gold.new) and _stated(gold.content, said.content, said.plain)


def _stated(needle: Sequence[str], hay: Sequence[Word], text: str) -> bool:
    found = runs(needle, [word.text for word in hay])
    return any(not is_negated(text, hay[at].start, hay[at + len(needle) - 1].end) for at in found)


_GLUED = 6  # letters from which a run of letters is no accident


def _same_letters(gold: Gold, said: Said) -> bool:
    """The same letters with blanks or points elsewhere."""
    letters = glue(gold.plain)
    return len(letters) >= _GLUED and not re.search(r"\d", letters) and letters in said.glued


def _same_roots(gold: Gold, said: Said) -> bool:
    """The same words in another number or tense."""
    roots = [root(text) for text in gold.content]
    return (
        bool(gold.new)
        and len("".join(gold.content)) >= 5
        and bool(runs(roots, [root(w.text) for w in said.content]))
    )


_SHARED = 7  # letters of a word that two of one family share


def _same_family(gold: Gold, said: Said) -> bool:
    """A single long word in another form: "sharecropping", "sharecropper"."""
    if len(gold.content) != 1 or not gold.new or is_number(gold.content[0]):
        return False
    wanted = gold.content[0]
    return any(
        wanted[:_SHARED] == text[:_SHARED] and 4 * _shared(wanted, text) >= 3 * max(len(wanted), len(text))
        for text in said.texts
    )


def _shared(one: str, other: str) -> int:
    """How many letters two words have in common from the start."""
    return next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )


def _without_aside(gold: Gold, said: Said) -> bool:
    """The gold without what it has in brackets."""
    bare = Gold(_ASIDE.sub(" ", gold.raw), said)
    whole = bare.raw != gold.raw and _numbers(bare) == _numbers(gold)
    return whole and bool(bare.words and bare.new) and _same_words(bare, said)


_ASIDE = re.compile(r"\([^)]*\)")


def _numbers(gold: Gold) -> list[str]:
    return [text for text in gold.texts if is_number(text)]


def _same_day(gold: Gold, said: Said) -> bool:
    """The same date in another form, or a day inside the month that the gold names."""
    if gold.spans or VAGUE.search(gold.plain):
        return False
    if not gold.days and MONTH_AND_NUMBER.search(gold.plain):
        return gathered(gold.content, said.texts, len(gold.content)) is not None
    return any(lies_in(day, wanted) for wanted in gold.days for day in said.days)


def _same_years(gold: Gold, said: Said) -> bool:
    """The same range of years, as a range or by its two ends."""
    return any(span in said.spans or set(span) <= set(said.texts) for span in gold.spans)


def _same_person(gold: Gold, said: Said) -> bool:
    """The family name behind a form of a given name."""
    name = name_of(gold.raw)
    return bool(name) and _asks_for_a_name(said.question) and find_name(name, said.texts) is not None


_NAME_ASKED = re.compile(
    r"\bwho(?:se|m)?\b|\bname\b|\b(?:actor|actress|singer|author|president|king|queen|leader|inventor|director|writer|"
    r"player|character|artist|host|founder)\b",
    re.IGNORECASE,
)


def _asks_for_a_name(question: str) -> bool:
    return bool(_NAME_ASKED.search(question))


def _reach(size: int) -> int:
    return 3 * size + 8


def _all_words(gold: Gold, said: Said) -> bool:
    """Every meaning word of the gold, in any order, near each other."""
    if gold.is_bound or name_of(gold.raw) or len(gold.content) < 2 or not gold.new:
        return False
    return gathered(map(root, gold.content), said.roots, _reach(len(gold.content))) is not None


def _all_new_words(gold: Gold, said: Said) -> bool:
    """Every word of the gold that the question does not have already."""
    if gold.is_bound or len(gold.new) < 2:
        return False
    return gathered(gold.new, said.roots, _reach(len(gold.new))) is not None


def _all_spelled(gold: Gold, said: Said) -> bool:
    """Every meaning word, give or take a letter."""
    if gold.is_bound or not gold.new:
        return False
    needed = []
    for text in gold.content:
        near = (
            root(text) if root(text) in said.roots else next((t for t in said.texts if alike(t, text)), None)
        )
        if near is None:
            return False
        needed.append(root(near))
    return len("".join(gold.content)) >= 5 and gathered(needed, said.roots, _reach(len(needed))) is not None


_MOST = 0.6


def _most_words(gold: Gold, said: Said) -> bool:
    """Three fifths of a description of three words and more, with all its numbers."""
    if gold.is_bound or name_of(gold.raw) or len(gold.new) < 3:
        return False
    held = [text for text in gold.new if text in said.roots]
    if len(held) < 2 or any(is_number(text) and text not in held for text in gold.new):
        return False
    share = sum(map(len, held)) / sum(map(len, gold.new))
    return share >= _MOST and gathered(held, said.roots, _reach(len(held))) is not None


def _opens_with_part(gold: Gold, said: Said) -> bool:
    """The answer's first clause is the better half of the gold and nothing else."""
    if gold.is_bound:
        return False
    own = [root(word.text) for word in said.opening]
    new = [text for text in own if text not in said.asked]
    held = [root(text) for text in gold.content]
    if not new or not set(new) <= set(held) or all(map(is_number, new)):
        return False
    name = name_of(gold.raw)
    if name and root(name[-1]) not in own:
        return False
    if any(is_number(text) and text not in own for text in held):
        return False
    return 2 * sum(len(text) for text in gold.new if text in own) >= sum(map(len, gold.new))


def _one_alternative(gold: Gold, said: Said) -> bool:
    """One of the golds that "or" joins."""
    if " or " not in gold.raw or gold.is_bound or _numbers(gold):
        return False
    parts = [Gold(part, said) for part in gold.raw.split(" or ")]
    return any(part.words and part.new and _same_words(part, said) for part in parts)


def _one_place(gold: Gold, said: Said) -> bool:
    """The place or the region of a gold such as "Place, Region", where the question is where."""
    if _numbers(gold) or not re.search(r"\bwhere\b", said.question, re.IGNORECASE):
        return False
    parts = [
        Gold(part, said)
        for part in re.split(r",| (?:in|near) ", re.sub(r"^(?:in|at|near) ", "", gold.raw.strip()))
    ]
    opening = [word.text for word in said.opening]
    return len(parts) > 1 and any(
        part.words and (part.texts == opening or (part.new and _same_words(part, said))) for part in parts[:2]
    )


_YES_NO = re.compile(
    r"\W*(?:do|does|did|is|are|was|were|can|could|will|has|have|should|must)\b", re.IGNORECASE
)
_NO = re.compile(r"\b(?:no|not|never|cannot)\b|n't\b")


def _same_polarity(gold: Gold, said: Said) -> bool:
    """Yes or no to a question that asks for it, by the answer's first sentence."""
    if len(gold.words) > 2 or not _YES_NO.match(said.question):
        return False
    first = re.split(r"[.!?\n](?:\s|$)", said.plain, maxsplit=1)[0]
    if "no" in gold.texts:
        return bool(_NO.search(first))
    return "yes" in gold.texts and bool(first.strip()) and not _NO.search(first)


RULES: dict[str, Callable[[Gold, Said], bool]] = {
    "same-words": _same_words,
    "same-content": _same_content,
    "same-letters": _same_letters,
    "same-roots": _same_roots,
    "same-family": _same_family,
    "without-aside": _without_aside,
    "same-day": _same_day,
    "same-years": _same_years,
    "same-person": _same_person,
    "same-polarity": _same_polarity,
    "all-words": _all_words,
    "all-new-words": _all_new_words,
    "all-spelled": _all_spelled,
    "one-alternative": _one_alternative,
    "one-place": _one_place,
    "opens-with-part": _opens_with_part,
    "most-words": _most_words,
}
