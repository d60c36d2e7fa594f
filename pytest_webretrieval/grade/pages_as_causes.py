"""What the documents of a step have to do with how it went."""

from __future__ import annotations

from pytest_webretrieval.wire.attempt import Attempt

from .citations import cited_urls
from .evidence import StepEvidence
from .refusal import Document, is_challenge, is_login_wall, is_soft_404
from .seen import View
from .urls import canonical
from .verdicts import OutcomeVerdict


def page_causes(outcome: OutcomeVerdict, docs: tuple[Document, ...], view: View) -> set[str]:
    """What the documents of the step were, as causes. A page that declines is none, nor is a body that was cut where
    this is why the system rightly declined: only how they were used counts."""
    tags = set()
    cut = [
        attempt
        for attempt in view.attempts
        if attempt.error_type == "incomplete_body" and attempt.role == "document"
    ]
    if not outcome.refusal_proven and any(not _came_whole(attempt, view) for attempt in cut):
        tags.add("truncated-body")
    logins = sum(is_login_wall(document) for document in docs)
    if logins >= 3:
        tags.add("auth-loop")
    return tags


def _came_whole(attempt: Attempt, view: View) -> bool:
    """Whether a document that was cut was asked for again and came whole: then nothing was lost."""
    wanted = view.group(canonical(attempt.url))
    return any(seen.attempt > attempt.number and view.group(seen.url) == wanted for seen in view.pages)


def is_damaged(document: Document) -> bool:
    """Whether it is a page that cannot be read as it was meant."""
    return document.status == 200 and document.page.kind != "binary" and document.page.damaged


def cited_walls(evidence: StepEvidence, docs: tuple[Document, ...], view: View) -> set[str]:
    """Citations of what is no page: challenges, login forms, pages that say they are not there."""
    assert evidence.result is not None
    cited = {view.group(canonical(url)) for url in cited_urls(evidence.result)}
    tags = set()
    for document in docs:
        if view.group(document.url) not in cited:
            continue
        if is_challenge(document):
            tags |= {"cited-challenge", "challenge"}
        elif is_login_wall(document):
            tags.add("login-wall")
        elif is_soft_404(document):
            tags.add("soft-404")
    return tags
