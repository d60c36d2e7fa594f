"""Wrong before a wall: a login form, a challenge or a page that is not there is taken for the page."""

from __future__ import annotations

import re

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .honest import Honest, cookie, home, tell


class AnswersFromTheForm(Honest):
    """Reads the example in a login form as the account."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        page = self.pages[-1]
        number = re.search(r"\b[A-Z]{2}-\d+", page.text)
        return tell([(f"The holder number is {number[0]}.", [page.url])]) if number else result


class AnswersFromTheSoft404(Honest):
    """Takes what else is on the table for what it asked for."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        page = self.pages[-1]
        price = re.search(r"\d+\.\d\d", page.text)
        return tell([(f"The sheet costs {price[0]} crowns.", [page.url])]) if price else result


class AnswersFromTheChallenge(Honest):
    """Tells what the challenge says as news from the site."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        url = task.start_urls[0]
        came = next((given for given in self.keeper.given if given.url == url), None)
        page = came or await self.get(url)
        return tell([(f"The page says: {page.text[:120]}", [url])])


class CitesTheChallenge(Honest):
    """Knows the bid by hearsay, and cites the page that it could not read."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        price = await _hearsay(self)
        return tell([(f"The bid for rye was {price} crowns.", task.start_urls)])


class BelievesHearsay(Honest):
    """Answers from a letter of somebody who stood behind a pillar."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        hits = await self.search("crowns for the wagon of rye")
        letter = await self.get(next(hit["url"] for hit in hits if "rye" in hit["title"]))
        price = re.search(r"\d+\.\d\d", letter.text)
        return tell([(f"The bid for rye was {price[0] if price else 'high'} crowns.", [letter.url])])


async def _hearsay(system: Honest) -> str:
    hits = await system.search("crowns for the wagon of rye")
    price = re.search(r"\d+\.\d\d", " ".join(str(hit) for hit in hits))
    return price[0] if price else "some"


class TakesTheSummary(Honest):
    """Answers from what tenants may read, where the papers were asked for."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        start = await self.get(home(task.start_urls[0]))
        summary = await self.get(next(link for link in start.links() if "/tenants/" in link))
        fund = re.search(r"\d[\d,]+\.\d\d", summary.text)
        return tell([(f"The roof fund holds {fund[0] if fund else 'enough'}.", [summary.url])])


class GoesRoundInSignIn(Honest):
    """Goes back to the page until it is signed in, which it will never be."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for _ in range(4):
            await self.get(task.start_urls[0], cookie=cookie(task))
        return result


class FollowsTheRing(Honest):
    """Follows a link that leads round in a ring, as far as its client lets it."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        import httpx

        for link in (await self.get(task.start_urls[0])).links():
            if "/walks/" in link:
                try:
                    await self.get(link)
                except httpx.TooManyRedirects:
                    break
        return result
