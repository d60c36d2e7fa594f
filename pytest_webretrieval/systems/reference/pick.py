"""The one value that a question means, among all that a page gives of its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .concepts import ASIDE, concepts_of
from .dates import dates_in
from .document import Document
from .question import Question, words_of
from .values import NUMBER, PRICE, sentences

LONGEST = 280
# How far the best must be ahead where a page gives several values of the kind.
AHEAD = 0.34
_VALUES: dict[str, Callable[[str], list[str]]] = {
    "date": lambda text: [text[dated.start : dated.end] for dated in dates_in(text)],
    "price": PRICE.findall,
    "number": NUMBER.findall,
}
# At which edge of a time something stands.
_EDGES = {"begin": "start", "open": "start", "end": "end"}


@dataclass(frozen=True, slots=True)
class Said:
    """A line of a page, and the part of it that says what its value is."""

    line: str
    about: str

    @property
    def tokens(self) -> frozenset[str]:
        """Words in the form of ``words_of``, and ``#concept``."""
        return frozenset((*words_of(self.about), *(f"#{name}" for name in concepts_of(self.about))))


def gives(question: Question, document: Document) -> bool:
    """Whether a page gives any value of a kind that is asked for; True where no such kind is asked for."""
    kind = _kind(question)
    return kind is None or bool(_said(question, document, kind))


def picked(question: Question, document: Document) -> str | None:
    """The line with the value that is meant; None where the page gives none, or none that stands out.

    A word tells the more the fewer of the lines hold it. A label of what was once, or comes on
    top, counts against its value.
    """
    kind = _kind(question)
    if kind is None or not (lines := _said(question, document, kind)):
        return None
    asked = {*question.topic, *(f"#{name}" for name in concepts_of(question.text))}
    aside = {f"#{name}" for name in ASIDE} - asked
    held = Counter(token for line in lines for token in line.tokens)

    def score(line: Said) -> float:
        told = sum(1 / held[token] for token in line.tokens & asked if held[token] < len(lines))
        return told - 1.5 * len(line.tokens & aside)

    ranked = sorted(lines, key=score, reverse=True)
    best, others = ranked[0], [line for line in ranked[1:] if line.line != ranked[0].line]
    if others and score(best) < score(others[0]) + AHEAD:
        return None
    return best.line if len(best.line) <= LONGEST else None


def tells_otherwise(question: Question, line: str) -> bool:
    """Whether a line gives the one day of an end where a beginning is asked for, or the other way round."""
    asked, told = _edges(question.text), _edges(line)
    return len(asked) == len(told) == 1 and asked != told and len(dates_in(line)) == 1


def _edges(text: str) -> frozenset[str]:
    return frozenset(_EDGES[name] for name in concepts_of(text) if name in _EDGES)


def _kind(question: Question) -> str | None:
    return next((kind for kind in question.wants if kind in _VALUES), None)


def _said(question: Question, document: Document, kind: str) -> list[Said]:
    """The labelled values of the kind, and the other sentences that hold one. What the question itself names is no
    answer to it."""

    def fits(text: str) -> bool:
        return any(value not in question.text for value in _VALUES[kind](text))

    def other(text: str) -> bool:
        return kind == "date" and tells_otherwise(question, text)

    pairs = [pair for pair in document.pairs if fits(pair.value)]
    others = [
        line
        for line in _sentences(document)
        if fits(line) and not any(line in (pair.said, pair.value) or pair.value in line for pair in pairs)
    ]
    found = [*(Said(pair.said, pair.label) for pair in pairs), *(Said(line, line) for line in others)]
    return [said for said in found if not other(said.line)]


def _sentences(document: Document) -> Iterator[str]:
    for block in document.blocks:
        if block not in document.headings:
            yield from sentences(block)
