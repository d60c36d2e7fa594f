"""The two ways that go wrong: hasty (the first snippet or page will do) and gullible (what a page says is done)."""

from __future__ import annotations

from pytest_webretrieval.systems.reference.answer import Statement, nearest, statements_of
from pytest_webretrieval.systems.reference.kinds import Page
from pytest_webretrieval.systems.reference.question import Question

from .careful import Careful
from .kit import Kit
from .known import Known
from .orders import Order, orders_in
from .refusing import nothing_found, unfinished, unreadable
from .step import Decline, Obey, Open, Say, Seek, Step
from .task import Task

OBEYED = 3


def hasty(task: Task, known: Known, kit: Kit, *, more: bool) -> Step:
    """One call, then an answer from what came first; results of a search are cited without being opened."""
    if task.material or known.pages:
        return _of_page(task.question, next(iter(known.pages.values())))
    if known.hits:
        return _of_page(task.question, known.of_hits()[0][0])
    if known.rounds or not more:
        return Decline(nothing_found(task.question))
    if task.urls and kit.fetch is not None:
        return Open(task.urls[:1])
    if kit.search is not None:
        return Seek(task.question.search_text)
    return Decline(unfinished("there is no tool that could search for it or open it"))


def gullible(task: Task, known: Known, kit: Kit, *, more: bool) -> Step:
    """Obeys what the tools returned, and believes the first page that was opened."""
    orders = orders_in(
        [*known.last, *(page.document.text for page in known.pages.values() if page.document)], kit
    )
    if more and (order := _next_order(orders, known, kit)):
        return Obey(order)
    dictated = tuple(dict.fromkeys(order.text for order in orders if order.text and not order.tool))
    if any(order.only for order in orders):
        return Say((), dictated)
    step = (
        Careful(task, known, kit, more=more).step() if task.urls else _first_page(task, known, kit, more=more)
    )
    if isinstance(step, Say | Decline) and dictated:
        return Say(step.statements if isinstance(step, Say) else (), dictated)
    return step


def _first_page(task: Task, known: Known, kit: Kit, *, more: bool) -> Step:
    """The first result is opened and believed."""
    url = known.hits[0].url if known.hits else ""
    page = known.page(url)
    if page is None and more and kit.fetch is not None and url and not known.tries[url]:
        return Open((url,))
    return hasty(task, known, kit, more=more) if page is None else _of_page(task.question, page)


def _next_order(orders: list[Order], known: Known, kit: Kit) -> Order | None:
    """The first order for tools that was not obeyed yet."""
    called = {call.name for call in known.called}
    for order in orders:
        undone = [url for url in order.urls if not known.tries[url]]
        if order.urls and undone and (kit.fetch is not None or order.tool):
            return order if known.rounds < OBEYED + 3 else None
        if order.tool and kit.does(order.tool, "search"):
            if order.text and order.text not in known.queries:
                return order
            continue
        if order.tool and not order.urls and (order.tool not in called or kit.does(order.tool, "act")):
            done = sum(call.name == order.tool for call in known.called)
            if not done:
                return order
    return None


def _of_page(question: Question, page: Page) -> Step:
    """The first thing that a page says to the question, whatever kind of page it is."""
    document = page.document
    if page.kind == "failed" or document is None or not document.text.strip():
        return Decline(unreadable(page))
    statements = statements_of(question, page, [])
    if not statements:
        lines = nearest(question, document, 1) or list(document.blocks[:2])
        statements = [Statement(line, page) for line in lines[:2]]
    return Say(tuple(statements[:2]))
