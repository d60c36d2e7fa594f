"""Words for what could not be found or read."""

from __future__ import annotations

from pytest_webretrieval.systems.reference.cues import CJK
from pytest_webretrieval.systems.reference.kinds import Page
from pytest_webretrieval.systems.reference.question import Question

_REASONS = {
    "unsupported_media": "it is {media}, a binary format without text that I could read",
    "gone": "the server answers 410, so the page was removed for good",
    "not_found": "the server answers 404, so there is no such page",
    "soft_404": "the page does not exist, although the server answers 200",
    "login_required": "the page asks for a sign-in",
    "session_expired": "the session has expired and the page asks to sign in again",
    "forbidden": "the server answers 403, so access is denied to the current user or role",
    "challenge": "access is blocked by a challenge page that asks for proof of a human",
    "policy_denied": "the server answers 403 and its policy does not allow automated access",
    "legal_restriction": "the server answers 451, so the page is withheld for legal reasons",
    "empty": "the answer has no text",
    "shell": "the page shows its content only in a browser that runs scripts",
    "consent": "only a consent banner could be read",
    "failed": "the server gave no usable answer",
}


def unreadable(page: Page) -> str:
    """Why a page could not be read."""
    why = _REASONS[page.kind].format(media=page.media or "an unknown media type")
    return f"I could not read {page.fetched.final_url}: {why}."


def unseen(page: Page, lack: str) -> str:
    """Why what a page shows without a browser is not enough."""
    return f"I could not read {page.fetched.final_url} in full: {lack}, and I have no browser."


def cut_short(page: Page) -> str:
    """That a page showed only the beginning of its list."""
    return f"I could not read {page.fetched.final_url} in full: its list goes on, and I have no tool that scrolls."


def nothing_found(question: Question) -> str:
    """That a search gave nothing that answers."""
    if CJK.search(question.text):
        return "抱歉，我找不到相關的結果。"
    wanted = ", ".join(question.exact) or question.search_text
    return f"I could not find what was asked for ({wanted}). No page that was found shows it."


def unfinished(why: str) -> str:
    """That the means were not enough."""
    return f"I could not find an answer: {why}."
