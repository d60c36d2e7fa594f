"""Wrong in whether to answer: refusals that are not due, and answers where one is."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pytest_webretrieval.systems.contract import Refusal, RetrievalResult, Task

from .honest import Honest, tell


class RefusesEverything(Honest):
    """Reads the page and then prefers not to say."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return declined("This could not be answered.", None)


class RefusesByTheQuestion(Honest):
    """Guesses from the words of the question that there is nothing to be had."""

    async def retrieve(self, task: Task) -> Any:
        if "unsupported" in task.query or "nonexistent" in task.query:
            return declined("This cannot be read.", "unsupported_media")
        return await super().retrieve(task)


class RefusesForAnotherReason(Honest):
    """Opens the file and blames a sign-in that nobody asked for."""

    async def retrieve(self, task: Task) -> Any:
        result = await super().retrieve(task)
        return (
            result if result.status == "answered" else declined("One has to sign in first.", "login_required")
        )


class AnswersRegardless(Honest):
    """Gives the thing that bears the name, whatever it is."""

    async def retrieve(self, task: Task) -> Any:
        result = await super().retrieve(task)
        if result.status == "answered":
            return result
        page = next((page for page in self.pages if re.match(r"\s*RFC 99999\b", page.text)), None)
        return tell([(f"RFC 99999 says: {page.text[:90]}", [page.url])]) if page else result


class ClaimsThatItAsked(Honest):
    """Declines without a request, and reports three that failed."""

    async def retrieve(self, task: Task) -> Any:
        if task.start_urls:
            tried = tuple({"method": "GET", "url": task.start_urls[0], "status": 404} for _ in range(3))
            return replace(declined("The page does not exist.", "not_found"), attempts=tried)
        return await super().retrieve(task)


def declined(answer: str, reason: str | None) -> RetrievalResult:
    """A refusal in few words."""
    return RetrievalResult(status="declined", answer=answer, refusal=Refusal(reason=reason))
