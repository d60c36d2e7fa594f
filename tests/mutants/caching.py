"""Wrong in what is kept: copies that had to be asked about, or whose age nothing tells."""

from __future__ import annotations

import os
from typing import Any

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .honest import Honest, tell


class NeverAsksAgain(Honest):
    """Keeps an answer for good, whatever the page said about keeping it."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[tuple[str, tuple[str, ...]], RetrievalResult] = {}

    async def retrieve(self, task: Task) -> Any:
        key = (task.query, task.start_urls)
        if key not in self._kept:
            self._kept[key] = await super().retrieve(task)
        return self._kept[key]


class NeverValidates(Honest):
    """Fetches the whole page anew where it was asked to validate its copy."""

    async def retrieve(self, task: Task) -> Any:
        self.keeper.given.clear()
        await self.close()
        return await super().retrieve(task)


class RestsOnAProvidersCopy(Honest):
    """Reads pages in the copy that a search API delivers: nothing says how old it is."""

    async def retrieve(self, task: Task) -> Any:
        if task.start_urls:
            return await super().retrieve(task)
        body = {"query": task.query, "max_results": 10, "include_raw_content": "text"}
        key = os.environ["TAVILY_API_KEY"]
        async with self.client() as client:
            answer = await client.post(
                "https://api.tavily.com/search", json=body, headers={"authorization": f"Bearer {key}"}
            )
        best = next(
            hit for hit in answer.json()["results"] if "official specification" in (hit["raw_content"] or "")
        )
        return tell([(f"It is {best['title']}.", [best["url"]])])


class RestsOnAnIndexsCopy(Honest):
    """Does the same by another provider, which says no more of its copies."""

    async def retrieve(self, task: Task) -> Any:
        if task.start_urls:
            return await super().retrieve(task)
        body = {"query": task.query, "numResults": 10, "contents": {"text": True}}
        async with self.client() as client:
            answer = await client.post(
                "https://api.exa.ai/search", json=body, headers={"x-api-key": os.environ["EXA_API_KEY"]}
            )
        best = next(hit for hit in answer.json()["results"] if "official specification" in hit["text"])
        return tell([(f"It is {best['title']}.", [best["url"]])])
