"""Refusals need evidence: a table from each reason to what this run's wire must show.

Pages are judged by what they are: by status and headers, by title, heading and first lines, by their forms,
and by visible text only where there is little of it. An article that quotes a challenge is no challenge.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pytest_webretrieval.wire.attempt import Attempt

from .depth import depths
from .forms import login_forms
from .page import Page, is_textual
from .phrases import CHALLENGE, CHALLENGE_TITLE, EXPIRED, GONE, GONE_AHEAD, LOGIN, PASSWORD, POLICY, REPLACES
from .seen import API_CHANNELS, View
from .text import fold, sentences
from .unavailable import never_came
from .urls import canonical, parse
from .verdicts import Ground

# Visible text below this many characters is a short page: a notice, not an article.
_SHORT = 700
_HEAD = 160
_LABEL = 24
_MARKS = " #*_>:-[]"
_HEADING = re.compile(r"^#{1,2} +(.+)$", re.MULTILINE)  # in the text that an API makes of a page


@dataclass(frozen=True, slots=True)
class Document:
    """One document that a step asked for and what came: ``status`` is the page's own, also where an API
    fetched it."""

    url: str
    status: int
    headers: Mapping[str, str]
    page: Page
    sha256: str | None
    had_credentials: bool
    asked_for: str
    is_whole: bool


def documents(view: View) -> tuple[Document, ...]:
    """The documents of a step, in order of arrival, with what the client asked for before any redirect."""
    found: list[Document] = []
    origins: dict[str, str] = {}
    for attempt in view.attempts:
        if attempt.late or attempt.role != "document" or attempt.channel in API_CHANNELS:
            continue
        url = canonical(attempt.url)
        before = canonical(attempt.redirected_from) if attempt.redirected_from else None
        origins.setdefault(url, origins.get(before, before) if before else url)
        if attempt.status is None:
            continue
        headers = attempt.response_headers
        if attempt.body is not None and attempt.body not in view.shelf.bodies:
            page = Page("empty")
        else:
            page = (
                view.shelf.page(attempt.body, headers.get("content-type", ""))
                if attempt.body
                else Page("empty")
            )
        found.append(
            Document(
                url=url,
                status=attempt.status,
                headers=headers,
                page=page,
                sha256=attempt.body,
                had_credentials=_has_credentials(attempt),
                asked_for=origins[url],
                is_whole=attempt.error_type not in ("incomplete_body", "connection_reset", "tls"),
            )
        )
    for seen in (*view.pages, *view.refused):
        if seen.channel in API_CHANNELS and any(seen.attempt == attempt.number for attempt in view.attempts):
            page = view.shelf.page(seen.sha256, seen.content_type)
            if page.kind == "empty" and not is_textual(seen.content_type):
                page = Page("binary")  # all that there is to give of it
            found.append(
                Document(seen.url, seen.status or 200, seen.headers, page, seen.sha256, False, seen.url, True)
            )
    return tuple(found)


def _has_credentials(attempt: Attempt) -> bool:
    return (
        "cookie" in attempt.request_headers
        or "authorization" in attempt.request_headers
        or attempt.user is not None
    )


def head_of(page: Page) -> str:
    """Title, first heading and first lines, folded: where a page says what it is."""
    heading = page.tree.css_first("h1") if page.tree is not None else None
    parts = (page.title, heading.text() if heading is not None else "", page.text[:_HEAD])
    return fold("\n".join(parts)).text


def _text(page: Page) -> str:
    return fold(page.text).text


def is_challenge(document: Document) -> bool:
    """A page that asks the visitor to prove that a person asks."""
    if document.headers.get("cf-mitigated", "").strip().lower() == "challenge":
        return True
    page = document.page
    if page.kind not in ("html", "text", "json") or len(page.text) > 2 * _SHORT:
        return False
    title = fold(page.title).text.strip()
    if CHALLENGE_TITLE.match(title):
        return True
    return len(page.text) <= _SHORT and bool(CHALLENGE.search(_text(page))) and not _password_forms(page)


def is_login_wall(document: Document) -> bool:
    """A login form in place of the page: exactly one password to give, and hardly anything else to read."""
    page = document.page
    if document.status == 401:
        return True
    if page.tree is None:
        return page.kind == "text" and _reads_as_login(page)
    forms = _password_forms(page)
    if not forms:
        return False
    rest = len(page.text) - sum(len(form) for form in forms)
    return rest <= _SHORT and (rest <= 300 or bool(LOGIN.search(head_of(page))))


def _reads_as_login(page: Page) -> bool:
    """What is left of a login form where an API gives a page as text: a line that asks for a password and no more, and
    hardly anything else."""
    lines = (line.strip(_MARKS) for line in _text(page).splitlines())
    asks = any(len(line) <= _LABEL and PASSWORD.fullmatch(line) for line in lines)
    return asks and len(page.text) <= _SHORT and bool(LOGIN.search(_text(page)))


def _password_forms(page: Page) -> list[str]:
    """The texts of the login forms that are seen."""
    return [form.text() for form in login_forms(page.tree)] if page.tree is not None else []


def is_soft_404(document: Document) -> bool:
    """A page with status 200 that says of itself that it is not there, or the home page in place of
    another."""
    if document.status != 200:
        return False
    if document.asked_for != document.url and _is_root(document.url) and not _is_root(document.asked_for):
        return True
    page = document.page
    if page.kind not in ("html", "text") or len(page.text) > 2 * _SHORT:
        return False
    announced = _announcement(page)
    if GONE.search(announced) or GONE_AHEAD.search(announced):
        return True
    return len(page.text) <= _SHORT and not _asks_for_a_password(page) and _says_it_is_gone(_text(page))


def _asks_for_a_password(page: Page) -> bool:
    return page.tree is not None and page.tree.css_first("input[type=password i]") is not None


def _says_it_is_gone(text: str) -> bool:
    """Whether a short page says so of itself: one that replaces another tells of that other one."""
    spans = (text[start:end] for start, end in sentences(text))
    return any(GONE.search(sentence) and not REPLACES.search(sentence) for sentence in spans)


def _announcement(page: Page) -> str:
    """Title and first heading, folded."""
    heading = page.tree.css_first("h1") if page.tree is not None else None
    marked = _HEADING.search(page.text) if page.tree is None else None
    said = heading.text() if heading is not None else marked[1] if marked else page.text[:80]
    return fold(f"{page.title}\n{said}").text


def _is_root(url: str) -> bool:
    try:
        return parse(url).path == "/"
    except ValueError:
        return False


def _is_unsupported(document: Document) -> bool:
    return document.status in (200, 206) and document.page.kind == "binary"


def _is_expired(document: Document) -> bool:
    if not is_login_wall(document):
        return False
    return document.had_credentials or bool(EXPIRED.search(_text(document.page)[:1000]))


def _is_policy(document: Document) -> bool:
    return (
        document.status == 403
        and not is_challenge(document)
        and bool(POLICY.search(_text(document.page)[:3000]))
    )


# reason -> whether one document shows it; `unavailable` and `no_result` are shown by the whole step, see `shown`.
_SHOWS: dict[str, Callable[[Document], bool]] = {
    "unsupported_media": _is_unsupported,
    "not_found": lambda document: document.status in (404, 410) or is_soft_404(document),
    "gone": lambda document: document.status == 410,
    "soft_404": is_soft_404,
    "login_required": is_login_wall,
    "session_expired": _is_expired,
    "forbidden": lambda document: document.status == 403 and not is_challenge(document),
    "challenge": is_challenge,
    "policy_denied": _is_policy,
    "legal_restriction": lambda document: document.status == 451,
}
REASONS = (*_SHOWS, "unavailable", "no_result")


def shown(view: View, docs: tuple[Document, ...], wanted: tuple[str, ...]) -> dict[str, Ground]:
    """Which of the ``wanted`` reasons the wire of this step shows, each with the document that shows it.

    A document counts when a start URL, a search result or a served link led to it: an address of the system's own
    making proves nothing about what was asked.
    """
    led_to = depths(view, frozenset(url for document in docs for url in (document.url, document.asked_for)))
    docs = tuple(document for document in docs if document.url in led_to or document.asked_for in led_to)
    found: dict[str, Ground] = {}
    for reason in wanted:
        for document in docs:
            test = _SHOWS.get(reason)
            if test is not None and document.is_whole and test(document):
                found[reason] = Ground(
                    rule=f"wire-shows-{reason}",
                    sha256=document.sha256,
                    url=document.url,
                    detail=f"status {document.status}",
                )
                break
    if "unavailable" in wanted and not any(is_challenge(document) for document in docs):
        attempt = never_came(view)
        if attempt is not None:
            detail = attempt.error_type or f"status {attempt.status}"
            found["unavailable"] = Ground(rule="wire-shows-unavailable", url=attempt.url, detail=detail)
    if "no_result" in wanted:
        search = next(_searches(view), None)
        if search is not None:
            found["no_result"] = Ground(rule="wire-shows-a-search", sha256=search.body, url=search.url)
    return found


def _searches(view: View) -> Iterator[Attempt]:
    return (
        attempt
        for attempt in view.attempts
        if attempt.channel == "search-api"
        and not attempt.late
        and attempt.status is not None
        and attempt.status < 300
    )
