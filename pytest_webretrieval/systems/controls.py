"""Controls of a corpus: what can be had without looking, and what the right page gives who is handed it.

None of them has a model. A case that one of the first two passes asks for nothing of the web.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

from .contract import Citation, Claim, Refusal, RetrievalResult, Task
from .reference.cues import cues

# Names the file that tells ``OraclePage`` the pages of each question: a JSON object of queries to lists of URLs.
PAGES = "WEBRETRIEVAL_CONTROL_PAGES"
# What a question may give away of why it cannot be answered.
_TOLD = {
    "legal_restriction": cues("legal(?:ly)? / law / court / restrict\\w+"),
    "session_expired": cues("expired? / session"),
    "login_required": cues("log ?in / sign ?in / password"),
    "challenge": cues("challenge / captcha / robot"),
    "policy_denied": cues("policy / denied / 403"),
    "forbidden": cues("access / role / permission"),
    "soft_404": cues("soft 404 / 404"),
    "gone": cues("removed / gone / 410"),
    "unsupported_media": cues("unsupported / media / binary"),
    "no_result": cues("nonexistent / non-existent / no such"),
}


class QueryOnly:
    """Sees the question's words and nothing else: it says them back."""

    async def retrieve(self, task: Task) -> RetrievalResult:
        """The question as its own answer, without a source."""
        return RetrievalResult(status="answered", answer=task.query)


class NoWeb:
    """Sees all of the task and sends nothing: it says what the task tells, names the start page as its source, and
    declines where the question sounds as if it had to be declined."""

    async def retrieve(self, task: Task) -> RetrievalResult:
        """An answer or a refusal out of the task alone."""
        for reason, pattern in _TOLD.items():
            if pattern.search(task.query):
                url = task.start_urls[0] if task.start_urls else None
                return RetrievalResult(
                    status="declined",
                    answer=f"This cannot be answered: {reason.replace('_', ' ')}.",
                    refusal=Refusal(reason=reason, url=url, detail="the question says so"),
                )
        who = f" for {task.user.name}" if task.user else ""
        text = f"{task.query} As of {task.now[:10]}{who}: {' '.join(task.start_urls)}".strip()
        sources = tuple(Citation(url=url) for url in task.start_urls)
        claim = Claim(text=text, start=0, end=len(text), citations=sources)
        return RetrievalResult(status="answered", answer=text, claims=(claim,))


class OraclePage:
    """Is handed the pages of truth, and reads them as the reference system does: what it misses no search can find."""

    def __init__(self) -> None:
        from .reference.system import System

        self._reader = System()
        self._pages: dict[str, list[str]] = json.loads(Path(os.environ[PAGES]).read_text(encoding="utf-8"))

    async def start(self) -> None:
        """Open the reader's client."""
        await self._reader.start()

    async def retrieve(self, task: Task) -> RetrievalResult:
        """What the pages say to the question."""
        return await self._reader.retrieve(replace(task, start_urls=tuple(self._pages[task.query])))

    async def close(self) -> None:
        """Close the reader's client and browser."""
        await self._reader.close()
