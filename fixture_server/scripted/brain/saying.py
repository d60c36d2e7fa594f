"""What a careful model says of a page, and when a page gives it nothing to say."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_webretrieval.systems.reference.answer import Statement, statements_of, states_nothing
from pytest_webretrieval.systems.reference.authority import publisher_of
from pytest_webretrieval.systems.reference.kinds import Page
from pytest_webretrieval.systems.reference.question import Question
from pytest_webretrieval.systems.reference.values import sentences

from .step import Say

_TELLING = frozenset({"version", "price"})


def missing(question: Question, page: Page) -> str | None:
    """Why what was given of a page cannot answer: it has not the one kind of value that is asked for."""
    if lacking := states_nothing(question, page):
        return lacking
    asked = question.wants[0] if len(question.wants) == 1 else ""
    if asked in _TELLING and not statements_of(question, page, []):
        return f"what was given of {page.url} states no {asked}"
    return None


def said(statements: Sequence[Statement]) -> Say:
    """Statements without one that only repeats a page's address, as for a page without a name."""
    telling = [one for one in statements if one.text.strip("“”") != one.page.url]
    return Say(tuple(telling or statements))


def of_first(origin: Page) -> list[str]:
    """What is said of the page that others copied: its name and place, and a line of its own."""
    document = origin.document
    assert document is not None
    publisher = publisher_of(document)
    own = [
        line
        for block in document.blocks
        if block not in document.headings
        for line in sentences(block)
        if publisher and publisher in line
    ]
    where = f" in the {publisher.removeprefix('The ')}" if publisher else ""
    return [f"The original is “{document.name}”{where}", *own[:1]]
