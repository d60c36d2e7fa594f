"""Refusals that say why, and at which address."""

from __future__ import annotations

import re

from pytest_webretrieval.systems.contract import Refusal, RetrievalResult

from .kinds import Page

_LINK = re.compile(r"<(?P<target>[^>]*)>(?P<parameters>(?:[^,\"]|\"[^\"]*\")*)")
_RELATION = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;,\"]+))", re.I)
# What may be said of a page of each kind; the wire shows the same.
_REASONS = {
    "unsupported_media": "it is {media}, a binary format without text that this system could read",
    "gone": "the server answers 410, so the page was removed for good",
    "not_found": "the server answers 404, so there is no such page",
    "soft_404": "the server answers 200, but the page only says that what was asked for is not there",
    "login_required": "the page asks for a sign-in",
    "session_expired": "the session has expired and the page asks to sign in again",
    "forbidden": "the server answers 403, so access is denied to the current user or role",
    "challenge": "a challenge page stands in its place, and such a check is not to be got around",
    "policy_denied": "the server answers 403 and its policy denies access",
    "legal_restriction": "the server answers 451, so the page is withheld for legal reasons",
    "empty": "the page came without any text",
    "shell": "the page shows its content only in a browser that runs scripts",
    "consent": "only a consent banner could be read",
    "failed": "no usable answer came ({detail})",
}
# Kinds that the contract knows under another name, or under none.
_GIVEN = {"empty": "unavailable", "failed": "unavailable", "shell": None, "consent": None}


def blocked_by(link: str) -> str | None:
    """Who implements a legal block, by a ``Link`` header with ``rel=blocked-by`` (RFC 7725, section 4)."""
    for match in _LINK.finditer(link):
        relations = _RELATION.search(match["parameters"])
        if relations and "blocked-by" in (relations[1] or relations[2]).lower().split():
            return match["target"]
    return None


def decline_page(page: Page) -> RetrievalResult:
    """A refusal for one page; its kind is the reason where the contract knows it as one."""
    fetched = page.fetched
    detail = fetched.error or f"status {fetched.status}"
    why = _REASONS[page.kind].format(media=page.media or "an unknown media type", detail=detail)
    if page.kind == "legal_restriction" and (blocker := blocked_by(fetched.headers.get("link", ""))):
        why += f"; blocked by {blocker}"
    return _declined(
        f"This could not be read: {fetched.final_url}. The reason is that {why}.",
        Refusal(
            reason=_GIVEN.get(page.kind, page.kind),
            url=fetched.final_url,
            detail=why,
        ),
    )


def decline_unseen(page: Page, lack: str, why: str) -> RetrievalResult:
    """A refusal for a page that needs a browser where none can be used."""
    url = page.fetched.final_url
    return _declined(
        f"This could not be read: {url}. The reason is that {lack}, and {why}.",
        Refusal(url=url, detail=f"{lack}; {why}"),
    )


def decline_search(what: str) -> RetrievalResult:
    """A refusal after a search whose results do not hold what was asked for."""
    return _declined(f"Nothing was found: {what}.", Refusal(reason="no_result", detail=what))


def decline_unfinished(detail: str) -> RetrievalResult:
    """A refusal because the means ran out: deadline, budget, or no way to search."""
    return _declined(f"No answer could be found: {detail}.", Refusal(detail=detail))


def _declined(answer: str, refusal: Refusal) -> RetrievalResult:
    return RetrievalResult(status="declined", answer=answer, refusal=refusal)
