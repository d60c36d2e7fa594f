"""Sources that stand each on its own feet and say the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .answer import Statement, nearest
from .authority import publisher_of
from .copies import leans
from .kinds import Page
from .question import Question, overlap
from .rank import Ranked
from .values import DECIMAL, PERCENT, PRICE, distinct, sentences

_COUNTS = {"three": 3, "3": 3, "four": 4, "4": 4}


def how_many(question: Question) -> int:
    """The number of sources that is asked for; two when none is named."""
    return next((_COUNTS[word] for word in question.text.casefold().split() if word in _COUNTS), 2)


def agreeing(question: Question, ranked: Sequence[Ranked], count: int) -> list[Statement]:
    """Statements of ``count`` pages that speak for themselves, do not lean on one another, and give the
    same value where they give any. Empty when there are not as many."""
    best: tuple[float, list[Statement]] = (0.0, [])
    for chosen in combinations([item for item in ranked if item.authority > 0], count):
        pages = [item.page for item in chosen]
        if any(leans(one, other) for one, other in combinations(pages, 2)):
            continue
        value = _common_value(pages)
        score = sum(item.score + item.authority for item in chosen) + 10.0 * (value is not None)
        if score > best[0]:
            best = (score, [Statement(_said(question, page, value), page) for page in pages])
    return best[1]


def _common_value(pages: Sequence[Page]) -> str | None:
    """The most specific value that every page gives: a share, else a price, else a number with a fraction."""
    texts = [page.document.text for page in pages if page.document]
    for pattern in (PERCENT, PRICE, DECIMAL):
        first, *others = (distinct(pattern, text) for text in texts)
        shared = [value for value in first if all(value in other for other in others)]
        if shared:
            return shared[0]
    return None


def _said(question: Question, page: Page, value: str | None) -> str:
    document = page.document
    assert document is not None
    who = publisher_of(document) or document.name
    if value is None:
        return ": ".join([who, *nearest(question, document, 1)])
    holding = [line for block in document.blocks for line in sentences(block) if value in line]
    return f"{who}: {max(holding, key=lambda line: (overlap(question, line), len(line)))}"
