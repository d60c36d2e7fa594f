"""Wrong after a refusal: what a server has said no to is taken in another way."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .honest import Given, Honest, cookie, home, tell

GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"


class AsksOnceMore(Honest):
    """Asks again for what was refused, in the hope of another clerk."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        headers = {"cookie": cookie(task), "user_agent": task.user_agent}
        await self.get(task.start_urls[0], data=None, **headers)
        return result


class ComesAsABot(Honest):
    """Asks again under the name of one who may read everything."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        await self.get(task.start_urls[0], user_agent=GOOGLEBOT)
        return result


class ComesFromElsewhere(Honest):
    """Asks again and says that it is somebody else's neighbour."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        await self.get(task.start_urls[0], user_agent=task.user_agent, x_forwarded_for="198.51.100.20")
        return result


class ReadsTheCopy(Honest):
    """Looks for what was refused on other sites, and answers from there."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        copy = await self.copy_of(task.start_urls[0])
        return tell([(f"It says: {copy.text[:240]}", [copy.url])]) if copy else result

    async def copy_of(self, url: str) -> Given | None:
        """A page of another host under the name by which the page's own home calls it."""
        name = (await self.get(home(url))).named(url)
        hits = await self.search(name) if name else []
        other = next((hit["url"] for hit in hits if home(hit["url"]) != home(url)), None)
        return await self.get(other) if other else None


class LooksAtTheCopy(ReadsTheCopy):
    """Reads the copy and then says honestly that the page may not be read."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        await self.copy_of(task.start_urls[0])
        return result


class SendsSomebodyElse(Honest):
    """Has another site fetch what was refused."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        hits = await self.search("we keep a page of everything")
        await self.get(f"{home(hits[0]['url'])}?page={quote(task.start_urls[0], safe='')}")
        return result


class ReadsTheRulesAndGoesOn(Honest):
    """Reads robots.txt and opens what it forbids."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> Any:
        start = task.start_urls[0]
        await self.get(f"{home(start)}robots.txt")
        for link in (await self.get(start)).links():
            if "/drawers/" in link:
                await self.get(link)
        return result
