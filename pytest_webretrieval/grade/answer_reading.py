"""A gold answer and what was said, each read once: words, roots, dates, ranges of years."""

from __future__ import annotations

import re
from functools import cached_property

from .dates import MONTH_AND_NUMBER, VAGUE, Day, days_said, year_ranges
from .denial import is_negated
from .text import Folded, fold, is_cjk
from .words import Word, content, is_number, plain, root, runs, words


class Said:
    """An answer to a question, read once for all golds."""

    def __init__(self, question: str, answer: str) -> None:
        self.raw = answer
        self.plain = plain(answer)
        self.words = words(answer)
        self.texts = [word.text for word in self.words]
        self.question = question

    @cached_property
    def asked(self) -> frozenset[str]:
        """The roots of the question's words: what an answer need not say again."""
        return frozenset(root(word.text) for word in words(self.question))

    @cached_property
    def folded(self) -> Folded:
        """The answer, in which every word stands where it does in ``plain``."""
        return fold(self.raw)

    @cached_property
    def content(self) -> list[Word]:
        return content(self.words)

    @cached_property
    def roots(self) -> list[str]:
        return [root(text) for text in self.texts]

    @cached_property
    def glued(self) -> str:
        return glue(self.plain)

    @cached_property
    def days(self) -> frozenset[Day]:
        return days_said(self.raw)

    @cached_property
    def spans(self) -> frozenset[tuple[str, str]]:
        return year_ranges(self.plain)

    @cached_property
    def opening(self) -> list[Word]:
        """The meaning words of the first clause."""
        return content(words(_CLAUSE_END.split(self.raw.strip(), maxsplit=1)[0]))


class Gold:
    """One gold answer, read against what was said."""

    def __init__(self, text: str, said: Said) -> None:
        self.raw = _mended(text)
        self.plain = plain(self.raw)
        self.words = words(self.raw)
        self.texts = [word.text for word in self.words]
        self._said = said

    @cached_property
    def content(self) -> list[str]:
        return [word.text for word in content(self.words)]

    @cached_property
    def new(self) -> list[str]:
        """The roots of the words that the question does not have; numbers are always new."""
        roots = [root(text) for text in self.content]
        return [text for text in roots if is_number(text) or text not in self._said.asked]

    @cached_property
    def days(self) -> frozenset[Day]:
        return days_said(self.raw)

    @cached_property
    def spans(self) -> frozenset[tuple[str, str]]:
        return year_ranges(self.plain)

    @cached_property
    def is_bound(self) -> bool:
        """A date, a range of years, a time that is only about so, or a script without blanks: its words in another
        order, or some of them, prove nothing."""
        if self.days or self.spans or any(map(is_cjk, self.plain)):
            return True
        return bool(VAGUE.search(self.plain) or MONTH_AND_NUMBER.search(self.plain))

    @cached_property
    def is_denied(self) -> bool:
        """Whether the answer has these words, and denies them wherever it does."""
        said, size = self._said, len(self.texts)
        found = runs(self.texts, said.texts)
        return bool(found) and all(
            is_negated(said.plain, said.words[at].start, said.words[at + size - 1].end) for at in found
        )


def _mended(text: str) -> str:
    """A text whose UTF-8 was read as windows-1252 ("DÃ¡in"), as it was written."""
    try:
        return text if text.isascii() else text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return text


_CLAUSE_END = re.compile(r"[,;:()\n]|[.!?](?=\s|$)|\s[-–—]\s")


def glue(text: str) -> str:
    return re.sub(r"[\W_]", "", text)
