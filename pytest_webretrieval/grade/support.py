"""Whether a text bears a claim out, without a model: only what can be proven counts, the rest is ``unknown``.

A claim is proven by one passage that says all of it: every word by its stem, every number by value, every date by
day, in an order that keeps who did what to whom, with the same polarity, and with nothing beside it that takes
something back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .passages import Match, Passage, matches
from .quotes import FUZZY, NOT_THERE, quote_level, quotes_in
from .refuting import holder, refutes
from .roles import begins, same_roles
from .statement import CHECKABLE, CONTENT, Word, is_light, points, read_words, without_frame
from .text import fold, is_cjk, sentences
from .tokens import INITIALS, WORD, Token, pieces, tokens

FULL, PARTIAL, NONE, CONTRADICTED, UNKNOWN = VERDICTS = ("full", "partial", "none", "contradicted", "unknown")

# How strict the proof of a rule is, the higher the stricter.
STRENGTH = {
    "stands-word-for-word": 4,
    "one-sentence-says-all-of-it": 3,
    "two-sentences-say-all-of-it": 2,
    "each-clause-stands": 1,
}

_MARKS = re.compile(r"\[\d[\d, \-]*\]|【[^】\n]*】|\[\^?\w+\]|[*`]{1,3}|(?<![^\W_])_{1,3}|_{1,3}(?![^\W_])")
_LINK = re.compile(r"\[([^\]\n]*)\]\([^\s)]*\)")
# How a text speaks of a claim that it does not make.
_DOUBTED = re.compile(
    r"\b(?:fact[- ]?check\w*|debunk\w*|hoax\w*|myths?|misconceptions?|misinformation|rumou?rs?|conspiracy|satir\w+|"
    r"(?:is|are|was|were) (?:not true|untrue|false|incorrect|wrong|mistaken)|the claim|falsely|no evidence|"
    r"true or false|"
    r"falschmeldung\w*|gerüchte?|faktencheck|intox|canular|bulo)\b|謠言|谣言|不實|不实"
)
_CLAUSE = re.compile(r"[;,]\s+(?:and |but |which |who |where |while )?|\s+(?:and|but|while|whereas)\s+")
# A text so short stands on any page.
_VERBATIM, _VERBATIM_CJK = 24, 8
_CLAUSE_WORDS = 3
_LOOSE = 5  # a claim of fewer words is proven only by a name, number or date, and may not lack even what softens it
_SHORT, _SLACK = 10, 0.15  # a claim of fewer words may lack none, a longer one this share of them


@dataclass(frozen=True, slots=True)
class Support:
    """What a text does to a claim: one of VERDICTS, the rule that decided, and the passage that it decided by."""

    verdict: str
    rule: str
    passage: Passage | None = None


def weigh(claim: str, source: Sequence[Passage], locale: str | None = None) -> Support:
    """Hold a claim against the passages of the text that it cites. A claim of several sentences is as well supported as
    its worst."""
    if not source:
        return Support(NONE, "empty-source")
    bare = _MARKS.sub("", _LINK.sub(r"\1", claim)).strip()
    said = [bare[start:end] for start, end in sentences(bare)]
    parts = [_weigh(sentence, source, locale) for sentence in said if not points(sentence)]
    if any(part.verdict in (FULL, PARTIAL) for part in parts) and _misquotes(bare, source):
        return Support(UNKNOWN, "quotes-what-does-not-stand-there")
    for verdict in (CONTRADICTED, UNKNOWN):
        for part in parts:
            if part.verdict == verdict:
                return part
    if not parts:
        return Support(UNKNOWN, "nothing-to-check")
    if len({part.verdict for part in parts}) == 1:
        return parts[0]
    return Support(
        PARTIAL, "some-sentences-stand", next(part.passage for part in parts if part.verdict != NONE)
    )


def _misquotes(claim: str, source: Sequence[Passage]) -> bool:
    """Whether a claim puts words into quotation marks that do not stand in the text so."""
    text = "\n".join(passage.text for passage in source)
    return any(quote_level(claim[start:end], text) in (FUZZY, NOT_THERE) for start, end in quotes_in(claim))


def _weigh(raw: str, source: Sequence[Passage], locale: str | None) -> Support:
    claim = without_frame(raw)
    if claim.rstrip(" \"'”’)").endswith("?"):
        return Support(UNKNOWN, "asks")
    words = read_words(claim, locale)
    found_in = list(matches(words, source))
    if (verbatim := _verbatim(claim, found_in, source)) is not None:
        return Support(FULL, "stands-word-for-word", verbatim)
    if len(words) < 2 or any(is_cjk(word.stem[0]) for word in words):
        return Support(UNKNOWN, "too-little-to-compare")
    for found in found_in:
        if _proves(claim, found) and not _is_doubted(found.passage, source):
            rule = "two-sentences-say-all-of-it" if found.passage.paired else "one-sentence-says-all-of-it"
            return Support(FULL, rule, found.passage)
    for found in found_in:
        if not found.passage.paired and (how := refutes(found, source)) is not None:
            return Support(CONTRADICTED, how, found.passage)
    if (other := holder(claim, words, source)) is not None:
        return Support(CONTRADICTED, "another-holds-the-place", other)
    if (by_clause := _by_clause(claim, source, locale)) is not None:
        return by_clause
    if not found_in and _says_nothing_of(words, source):
        return Support(NONE, "names-and-numbers-stand-nowhere")
    return Support(UNKNOWN, "not-proven")


def _by_clause(claim: str, source: Sequence[Passage], locale: str | None) -> Support | None:
    """A claim of several clauses: full where a passage says each, partial where one is said and another names what
    stands nowhere in the text."""
    clauses = [clause for clause in _CLAUSE.split(claim) if clause.strip()]
    read = [read_words(clause, locale) for clause in clauses]
    if len(clauses) < 2 or any(sum(word.kind in CONTENT for word in words) < _CLAUSE_WORDS for words in read):
        return None
    by = [_passage_for(clause, words, source) for clause, words in zip(clauses, read, strict=True)]
    if all(by):
        return Support(FULL, "each-clause-stands", by[0])
    said = next(filter(None, by), None)
    unsaid = (words for words, passage in zip(read, by, strict=True) if passage is None)
    absent = any(word.kind in CHECKABLE and not _stands(word, source) for words in unsaid for word in words)
    return Support(PARTIAL, "one-clause-stands-another-cannot", said) if said and absent else None


def _passage_for(clause: str, words: tuple[Word, ...], source: Sequence[Passage]) -> Passage | None:
    for found in matches(words, source):
        if _proves(clause, found) and not _is_doubted(found.passage, source):
            return found.passage
    return None


def _stands(word: Word, source: Sequence[Passage]) -> bool:
    return any(word.says(other) for passage in source for other in passage.words)


def _says_nothing_of(words: Sequence[Word], source: Sequence[Passage]) -> bool:
    """Whether a text is about something else: none of several names and numbers stands in it, and few other words."""
    content = [word for word in words if word.kind in CONTENT]
    standing = [word for word in content if _stands(word, source)]
    named = sum(word.kind in CHECKABLE and not _is_fragment(word) for word in content)
    return (
        named > 1
        and not any(word.kind in CHECKABLE for word in standing)
        and len(standing) * 3 < len(content)
    )


def _is_fragment(word: Word) -> bool:
    """Whether a word is a part of a range or time, and names nothing by itself."""
    return word.kind == "code" and not any(map(str.isalpha, word.stem))


def _verbatim(claim: str, found_in: Sequence[Match], source: Sequence[Passage]) -> Passage | None:
    """The passage of which a clause begins with the claim word for word, and that neither asks nor doubts whether it is
    so."""
    wanted = _plain(claim)
    if any(map(is_cjk, wanted)):
        wanted, least = wanted.strip(), _VERBATIM_CJK
    else:
        least = _VERBATIM
    if len(wanted) < least:
        return None
    for found in found_in:
        stands = not found.missing and wanted in _plain(found.passage.text)
        if stands and begins(found) and _same_sense(found) and not _is_doubted(found.passage, source):
            return found.passage
    return None


def _plain(text: str) -> str:
    """Folded words and numbers with a blank on either side; none within scripts that are written without."""
    said = (piece.text for token in tokens(fold(text).text) for piece in _pieces(token))
    words = f" {' '.join(said)} "
    return re.sub(r"(?<=[\u2e80-\u9fff\u3040-\u30ff]) (?=[\u2e80-\u9fff\u3040-\u30ff])", "", words)


def _pieces(token: Token) -> Iterable[Token]:
    return pieces(token) if token.kind in (WORD, INITIALS) else (token,)


def _proves(claim: str, found: Match) -> bool:
    return _says_all(found) and _same_sense(found) and same_roles(claim, found)


def _says_all(found: Match) -> bool:
    """Every name, number and date, and every other word; a long claim may lack a few of those."""
    size = len(found.content)
    if size < _LOOSE and not any(word.kind in CHECKABLE for word in found.content):
        return False
    if any(word.kind in CHECKABLE for word in found.missing):
        return False
    missing = [word for word in found.missing if size < _LOOSE or not is_light(word)]
    return len(missing) <= (0 if size < _SHORT else _SLACK * size)


def _same_sense(found: Match) -> bool:
    """Polarity, certainty and amount are the same, and the passage does not ask."""
    if found.passage.asks:
        return False
    if any(ours != theirs for ours, theirs in (found.cues("negation"), found.hedges)):
        return False
    ours, theirs = found.cues_beside("limiting")
    return ours == theirs and {word.stem for word in found.claim if word.kind == "altering"} <= {
        word.stem for word in found.passage.words if word.kind == "altering"
    }


def _is_doubted(passage: Passage, source: Sequence[Passage]) -> bool:
    """Whether the passage, or the sentence behind it, is about what is said and not so."""
    behind = next((other.text for other in source if other.start >= passage.end), "")
    return bool(_DOUBTED.search(fold(f"{passage.text} {behind}").text))
