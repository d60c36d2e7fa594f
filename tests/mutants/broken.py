"""Wrong about what a faulty line left of a page: half of it, or bytes in another coding, taken for the whole."""

from __future__ import annotations

import re
from typing import Any

import httpx

from pytest_webretrieval.systems.contract import RetrievalResult, Task
from pytest_webretrieval.systems.reference.coding import unpacked

from .honest import AGENT, Honest, tell

PARAGRAPH = re.compile(r"</h1>\s*<p>(.*?)</p>", re.DOTALL)


def first_paragraph(markup: str) -> str | None:
    """The first thing that a page says below its heading, on one line."""
    found = PARAGRAPH.search(markup)
    return " ".join(re.sub(r"<[^>]+>", "", found[1]).split()) if found else None


class _Half(Honest):
    """Reads pages by a client of its own that tells whether they came whole, and tells the first paragraph of one
    that did not."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls or [hit["url"] for hit in await self.search(task.query, limit=3)]:
            markup, whole = await self.read(url)
            paragraph = None if whole else first_paragraph(markup)
            if paragraph:
                return tell([(paragraph, [url])])
        return await super().retrieve(task)

    async def read(self, url: str) -> tuple[str, bool]:
        raise NotImplementedError


class AnswersFromHalf(_Half):
    """Does not look at how a body ended."""

    async def read(self, url: str) -> tuple[str, bool]:
        body, whole = b"", True
        try:
            async with self.client() as client, client.stream("GET", url) as response:
                async for piece in response.aiter_raw():
                    body += piece
        except httpx.TransportError:
            whole = False
        return body.decode("utf-8", "replace"), whole


class KeepsWhatUnpacked(_Half):
    """Does not look at whether a packed body could be unpacked to its end."""

    async def read(self, url: str) -> tuple[str, bool]:
        headers = {"accept-encoding": "gzip", "user-agent": AGENT}
        body = b""
        async with self.client() as client, client.stream("GET", url, headers=headers) as response:
            async for piece in response.aiter_raw():
                body += piece
        plain, whole = unpacked(body, response.headers.get("content-encoding", ""), 1_000_000)
        return plain.decode("utf-8", "replace"), whole


class DecodesEachPiece(_Half):
    """Decodes every piece of a body for itself, where characters lie across the seams."""

    async def read(self, url: str) -> tuple[str, bool]:
        text, body = "", b""
        async with self.client() as client, client.stream("GET", url) as response:
            async for piece in response.aiter_bytes(3):
                text += piece.decode("utf-8", "ignore")
                body += piece
        return text, text == body.decode("utf-8", "ignore")


class ObeysTheCharset(Honest):
    """Decodes by the header alone, where the bytes say something else."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for page in self.pages:
            told = re.search(r"charset=([\w-]+)", page.media)
            if told and told[1].lower() != "utf-8":
                paragraph = first_paragraph(page.body.decode(told[1], "replace"))
                if paragraph:
                    return tell([(paragraph, [page.url])])
        return result


class QuotesAsItCame(Honest):
    """Passes on what was encoded twice as it came."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for page in self.pages:
            paragraph = first_paragraph(page.markup)
            if paragraph and "Ã" in paragraph:
                return tell([(paragraph, [page.url])])
        return result


class KeepsTheOldOnError(Honest):
    """Asks about its copy, is cut off, and gives the copy."""

    def __init__(self) -> None:
        super().__init__()
        self._before: Any = None

    async def retrieve(self, task: Task) -> Any:
        if self._before is not None:
            try:
                await self.get(task.start_urls[0], if_none_match='"known"')
            except httpx.TransportError:
                return self._before
        self._before = await super().retrieve(task)
        return self._before
