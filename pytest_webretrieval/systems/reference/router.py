"""The decision flow: what to fetch, when to search, whether to answer or to decline."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from urllib.parse import urlsplit

import httpx

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .agree import agreeing, how_many
from .answer import compose, read_out, states_nothing
from .browser import NoBrowser
from .copies import copied
from .cues import cues
from .decline import decline_page, decline_unfinished, decline_unseen
from .escalate import Sight, escalate, suffices_without, what_lacks
from .fetch import Errand, OutOfBudget, get
from .html import LONGEST_REFRESH_S
from .kinds import Page, judge
from .pick import gives
from .question import Question, overlap, understand
from .rank import rank
from .seek import Seeker

REFRESHES = 4
START_PAGES = 4
_REMOVED = frozenset({"gone", "not_found"})
_FILE = cues(r"\S+\.(?:pdf|docx?|odt|xlsx?|csv|txt|epub) / pdf / csv / download")


async def route(task: Task, client: httpx.AsyncClient, errand: Errand, sight: Sight) -> RetrievalResult:
    """The result for one task, with the attempts that it took."""
    question = understand(task.query)
    if "recent" in question.traits:
        errand.cache_control = "no-cache"
    try:
        result = await _decide(task, question, client, errand, sight)
    except OutOfBudget:
        result = decline_unfinished("the deadline or the number of requests is used up")
    return replace(result, attempts=tuple(errand.attempts))


async def _decide(
    task: Task, question: Question, client: httpx.AsyncClient, errand: Errand, sight: Sight
) -> RetrievalResult:
    seeker = Seeker(client=client, channels=task.channels, errand=errand, today=_today(task))
    if not task.start_urls:
        return await seeker.answer(question)
    cheap = [await visit(client, url, errand) for url in task.start_urls[:START_PAGES]]
    try:
        pages = [await _looked_at(question, page, sight, errand) for page in cheap]
    except NoBrowser as error:
        lacking = next(page for page in cheap if what_lacks(question, page))
        return decline_unseen(lacking, what_lacks(question, lacking) or "", str(error))
    readable = [page for page in pages if page.kind == "document"]
    if not readable:
        return await _in_place_of(pages[0], question, seeker)
    group = copied(question, readable) if question.after_origin else []
    if group and (result := await seeker.origin(group)):
        return result
    if "several" in question.traits and len(readable) > 1:
        ranked = rank(question, [(page, None) for page in readable], seeker.today)
        if statements := agreeing(question, ranked, how_many(question)):
            return compose(statements)
    page = readable[0]
    elsewhere = "linked" in question.traits or (page.document and not gives(question, page.document))
    if elsewhere and (link := linked_file(question, page)):
        page = await visit(client, link, errand)
        if page.kind != "document":
            return decline_page(page)
    if missing := states_nothing(question, page):
        return decline_unfinished(missing)
    before = next(
        (old.document for old, new in zip(cheap, pages, strict=True) if new is page is not old), None
    )
    return compose(read_out(question, page, before))


async def _looked_at(question: Question, page: Page, sight: Sight, errand: Errand) -> Page:
    """The page, in a browser where the cheap way is not enough. Raises NoBrowser where it says nothing without
    one."""
    if not (lack := what_lacks(question, page)):
        return page
    try:
        seen = await escalate(question, page, sight, errand)
    except NoBrowser:
        if page.kind == "document" and suffices_without(question, page):
            return page
        raise
    # A browser that got nothing takes nothing away from what was there.
    return page if seen.kind in ("failed", "empty") and page.kind == "document" and lack else seen


async def _in_place_of(page: Page, question: Question, seeker: Seeker) -> RetrievalResult:
    """For a start page that cannot be read: its replacement when one is asked for, or when it is gone and
    what holds now is asked for; else a refusal."""
    wanted = "replacement" in question.traits or ("recent" in question.traits and page.kind in _REMOVED)
    if wanted and page.kind in (*_REMOVED, "soft_404"):
        return await seeker.replacement(question, page)
    return decline_page(page)


async def visit(client: httpx.AsyncClient, url: str, errand: Errand) -> Page:
    """The page at ``url``, past short refreshes to another address; those that lead back, or ever on, fail."""
    passed: set[str] = set()
    while True:
        fetched = await get(client, url, errand)
        page = judge(fetched, signed_in=errand.is_signed_in(url) or errand.is_signed_in(fetched.final_url))
        passed |= {url, fetched.final_url}
        refresh = page.document.refresh if page.document else None
        if refresh is None or refresh[0] > LONGEST_REFRESH_S or refresh[1] == page.fetched.final_url:
            return page
        url = refresh[1]
        if url in passed or len(passed) > REFRESHES:
            return Page(fetched=replace(fetched, status=None, error="refresh-loop"), kind="failed")


def linked_file(question: Question, page: Page) -> str | None:
    """The address of the file that the page links to and the question means: the nearest name, a PDF before
    others.

    None when there is none, or when the page is a file itself.
    """
    assert page.document is not None
    if page.document.media == "pdf":
        return None
    links = [
        link
        for link in page.document.links
        if not link.acts
        if _FILE.search(urlsplit(link.url).path.rpartition("/")[2]) or _FILE.search(link.text)
    ]

    def fit(at: int) -> tuple[float, bool, int]:
        link = links[at]
        return overlap(question, f"{link.text} {link.around}"), ".pdf" in link.url.lower(), -at

    return links[max(range(len(links)), key=fit)].url if links else None


def _today(task: Task) -> date:
    try:
        return datetime.fromisoformat(task.now).astimezone(UTC).date()
    except ValueError:
        return datetime.now(UTC).date()
