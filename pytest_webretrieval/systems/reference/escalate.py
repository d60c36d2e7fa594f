"""When the cheap way is not enough, and what a browser then makes of the page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .browser import Browser, NoBrowser
from .document import Document
from .fetch import Errand, Fetched
from .kinds import Page, judge
from .lists import best_list, count_of, is_short_of, is_wanted
from .question import Question, overlap
from .render import Wanted, render
from .values import PRICE, VERSION

# A dash may be all that a page has to say, so it is not waited for as long as a word that promises more.
DASH_S = 3.0
_VALUES = {"price": PRICE, "version": VERSION, "number": re.compile(r"\d")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """The means to look at a page in a browser: the system's one browser, and what the task offers."""

    browser: Browser
    offer: Mapping[str, Any] | None


def what_lacks(question: Question, page: Page) -> str | None:
    """Why the page as it was fetched is not enough for the question; None when it is, or when a browser
    could not help."""
    document = page.document
    if page.kind == "shell":
        return "the page shows its content only in a browser that runs scripts"
    if page.kind == "consent":
        return "a request for consent stands before the content"
    if page.kind != "document" or document is None or document.media != "html":
        return None
    if is_wanted(question, document) and is_short_of(question, document):
        return "the page does not yet hold all items of its list"
    if not document.loads:
        return None
    if document.waiting:
        return f"part of the page is still to come ({document.waiting[0]})"
    if document.blank and _is_meant(question, document):
        return f"the page has a placeholder in place of a value ({document.blank[0]})"
    if not _states(question, document):
        return "the page does not hold such a value before its scripts have run"
    if "consent" in question.traits and document.consent:
        return "a request for consent stands before the content"
    if is_wanted(question, document) and not count_of(question, document):
        return "the page may show more items than it came with"
    return "what its scripts show is asked for" if "rendered" in question.traits else None


def _states(question: Question, document: Document) -> bool:
    """Whether a value of every wanted kind that is known by its form stands on the page."""
    return all(_VALUES[want].search(document.text) for want in question.wants if want in _VALUES)


def suffices_without(question: Question, page: Page) -> bool:
    """Whether the page as it was fetched can answer although more may be shown in a browser: nothing of it is
    still to come, and nothing that was asked for is known to be missing."""
    document = page.document
    if document is None or document.waiting or document.blank or not _states(question, document):
        return False
    return not ("listed" in question.traits and is_short_of(question, document))


def _is_meant(question: Question, document: Document) -> bool:
    """Whether a value that is not there yet may be the one that is asked for: its label is in the question, or
    no line with a value is."""
    if not _states(question, document) or any(overlap(question, label) for label in document.blank):
        return True
    given = (
        block for block in document.blocks if block not in document.blank and block not in document.headings
    )
    return not question.wants and not any(overlap(question, block) for block in given)


async def escalate(question: Question, cheap: Page, sight: Sight, errand: Errand) -> Page:
    """The page as a browser shows it. Raises NoBrowser where none may or can be used."""
    if errand.escalations <= 0:
        raise NoBrowser("no browser may be used any more")
    if len(errand.attempts) >= errand.allowed:
        raise NoBrowser("the number of requests is used up")
    errand.escalations -= 1
    url = cheap.fetched.final_url
    signed_in = errand.is_signed_in(url)

    def shown(body: bytes) -> Page:
        seen = Fetched(
            url=url,
            final_url=url,
            status=200,
            headers={"content-type": "text/html; charset=utf-8"},
            body=body,
        )
        return judge(seen, signed_in=signed_in)

    def is_ready(body: bytes, waited: float) -> bool:
        page = shown(body)
        document = page.document
        if document is None or page.kind in ("shell", "empty") or document.waiting:
            return False
        return waited > DASH_S or not (document.blank and _is_meant(question, document))

    listed = cheap.document is not None and is_wanted(question, cheap.document)
    items: dict[str, None] = {}

    def gathered(body: bytes) -> tuple[int, bool]:
        document = shown(body).document
        if document is None:
            return len(items), False
        items.update(dict.fromkeys(best_list(question, document)))
        whole = count_of(question, document)
        return len(items), whole is not None and len(items) >= whole

    wanted = Wanted(is_ready=is_ready, gathered=gathered if listed else None)
    page = await sight.browser.open_page(sight.offer, errand.user)
    try:
        fetched = await render(page, url, errand, wanted)
    finally:
        await page.close()
    return _with_items(judge(replace(fetched, url=cheap.fetched.url), signed_in=signed_in), tuple(items))


def _with_items(page: Page, items: tuple[str, ...]) -> Page:
    """The page with all items that it showed one after another: some pages keep only those in view."""
    if page.document is None or len(items) < 2:
        return page
    return replace(page, document=replace(page.document, lists=(items, *page.document.lists)))
