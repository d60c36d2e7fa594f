"""What a page says, in its own words, when the question names no kind of value: the lines that tell most."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .document import Document
from .kinds import THIN_TEXT
from .placeholders import is_blank, is_waiting, says_more
from .question import Question, overlap
from .values import sentences

# What an answer may hold beside the addresses that it cites.
LONGEST_READING = 820
LONGEST_LINE = 300
LONGEST_HEADING = 60
_PAIR = re.compile(r"[^:：.!?]{2,48}[:：] ?\S")
_VALUE = re.compile(r"\d|[\"“«「][^\"”»」]{3,}[\"”»」]|\b[A-Z]{2,}[-\dA-Z]+\b")
_SENTENCE = re.compile(r"[.!?。！？]$")


def reading(question: Question, document: Document, before: Document | None = None) -> list[str]:
    """The lines of a page that tell most, in its order, as many as an answer may hold. ``before`` is the same
    page without its scripts: what is new since then was waited for."""
    known = frozenset(_lines_of(before)) if before is not None else frozenset()
    lines = list(dict.fromkeys(line[:LONGEST_LINE] for line in _lines_of(document)))
    if "form" in question.traits:
        lines += [field for field in document.fields if field not in lines and not _is_held(field, lines)]

    def tells(at: int) -> float:
        line = lines[at]
        score = (
            2.0 * overlap(question, line) + 1.2 * bool(_PAIR.match(line)) + 1.0 * bool(_VALUE.search(line))
        )
        score += 0.5 * (len(line) >= THIN_TEXT / 2) + 0.5 * bool(_SENTENCE.search(line))
        score += 1.0 * (line in document.fields and "form" in question.traits)
        return score + 1.5 * (before is not None and line not in known) - at / 50

    chosen: list[int] = []
    length = 0
    for at in sorted(range(len(lines)), key=lambda at: (-tells(at), at)):
        if length + len(lines[at]) <= LONGEST_READING:
            chosen.append(at)
            length += len(lines[at]) + 2
    return [lines[at] for at in sorted(chosen)]


def _lines_of(document: Document) -> Iterator[str]:
    """Sentences and labelled values, the first of a section under its heading, without what only stands in for
    something."""
    heading = ""
    for block in document.blocks:
        if block in document.headings:
            heading = block if block != document.heading and len(block) <= LONGEST_HEADING else ""
            continue
        if is_waiting(block) or is_blank(block):
            continue
        if len(block) < THIN_TEXT / 2 and (says_more(block) or f"Button: {block}" in document.fields):
            continue
        for sentence in sentences(block):
            if len(sentence) > 2:
                yield f"{heading.rstrip(' :.')}: {sentence}" if heading else sentence
                heading = ""


def _is_held(field: str, lines: list[str]) -> bool:
    """Whether a line of the page already says what a line of a form says."""
    said = field.removeprefix("Button: ")
    return any(said in line for line in lines)
