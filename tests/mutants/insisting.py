"""Wrong in how it meets a server that cannot now: too often, too soon, too long, or not once more."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from urllib.parse import urljoin

import httpx

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .broken import first_paragraph
from .honest import Given, Honest, cookie, home, said, tell
from .refusing import declined


class RetriesUntilItAnswers(Honest):
    """Has a client that asks up to six times by itself, and tells nobody."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            for tries in range(6):
                page = await self.tried(url)
                if page is None or page.status >= 500:
                    continue
                paragraph = first_paragraph(page.markup) if tries else None
                if paragraph:
                    return tell([(paragraph, [url])])
                break
        return await super().retrieve(task)

    async def tried(self, url: str) -> Given | None:
        try:
            return await self.get(url)
        except httpx.TransportError:
            return None


class WaitsForEver(Honest):
    """Has a client without a timeout."""

    async def retrieve(self, task: Task) -> Any:
        async with httpx.AsyncClient(timeout=None, follow_redirects=True) as client:
            for url in task.start_urls[:1]:
                await client.get(url)
        return await super().retrieve(task)


class SleepsAsLongAsAsked(Honest):
    """Waits for as long as it is told, whatever time it has."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            async with self.client() as client:
                response = await client.get(url)
            if response.status_code == 429:
                await asyncio.sleep(float(response.headers["retry-after"]))
        return await super().retrieve(task)


class KnocksAtWhatItFound(Honest):
    """Opens a result, is asked to wait, and opens it again."""

    async def retrieve(self, task: Task) -> Any:
        for hit in [] if task.start_urls else await self.search(task.query, limit=3):
            if (await self.get(hit["url"])).status == 429:
                await self.get(hit["url"])
        return await super().retrieve(task)


class GivesUpItsSearch(Honest):
    """Takes the first failure of a search for its last word."""

    async def retrieve(self, task: Task) -> Any:
        try:
            await self.search(task.query)
        except httpx.TransportError:
            return declined("The search could not be reached.", None)
        return await super().retrieve(task)


class GivesUpTheScript(Honest):
    """Loads a script once, and declines where half of it came."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            page = await self.get(url)
            script = re.search(r'<script[^>]* src="([^"]+)"', page.markup)
            try:
                await self.get(urljoin(url, script[1]) if script else url)
            except httpx.TransportError:
                return declined("The page could not be loaded.", None)
        return await super().retrieve(task)


class RefreshesForEver(Honest):
    """Follows a page that sends on to one that sends back."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        url = task.start_urls[0]
        for _ in range(8):
            page = await self.get(url)
            target = re.search(r"http-equiv=\"?refresh\"?[^>]*url=([^\"'>]+)", page.markup, re.I)
            if target is None:
                break
            url = urljoin(url, target[1])
        return result


class FollowsToTheTwentieth(Honest):
    """Follows redirects for as long as its client does."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for url in task.start_urls[:1]:
            try:
                await self.get(url)
            except (httpx.TooManyRedirects, httpx.TransportError):
                continue
        return result


class DoesNotFollow(Honest):
    """Has a client that follows no redirect, and tells that the page has moved."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            async with self.client() as client:
                response = await client.get(url, follow_redirects=False)
            if response.status_code == 301:
                return tell([("The page says that it has moved.", [url])])
        return await super().retrieve(task)


class QuotesTheErrorPage(Honest):
    """Answers with the figure that stands on the page of a refusal."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for given in self.keeper.given:
            figure = re.search(r"\d[\d.,]*\d", given.text) if given.status >= 400 else None
            if figure:
                return tell([(f"It is {figure[0]}.", [given.url])])
        return result


class AnswersWithAnother(Honest):
    """Goes to the front page for what it could not read, and takes the page beside it, when it has waited."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        await asyncio.sleep(1.1)
        front = await self.get(home(task.start_urls[0]))
        other = next((link for link in front.links() if link != task.start_urls[0]), None)
        page = await self.get(other) if other else None
        paragraph = first_paragraph(page.markup) if page and page.is_page else None
        return tell([(paragraph, [page.url])]) if page and paragraph else result


class TakesTheGuests(Honest):
    """Gives what everybody may know, where somebody's own was asked for."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        front = await self.get(home(task.start_urls[0]))
        number = re.search(r"\b[A-Z]-\d+", front.text)
        return tell([(f"Your locker is {number[0]}.", [front.url])]) if number else result


class InventsABinder(Honest):
    """Finds nothing and makes something up."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return tell([("It was bound by Ambrose Quill.", [])]) if not task.start_urls else result


class AsksTheSameAgain(Honest):
    """Has been told that there is nothing, and asks the same once more."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for _ in range(2):
            await self.search(" ".join(re.findall(r"[A-Z]\w{5,}|\d{5}", task.query)))
        return result


class CitesWhatIsDown(Honest):
    """Cites the board itself, which did not answer, for what the newspaper says."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        if task.start_urls:
            return result
        opened = {page.url for page in self.pages}
        hits = [
            hit for hit in await self.search(task.query) if "Board of" in str(hit) or "Height" in str(hit)
        ]
        down = next((hit["url"] for hit in hits if hit["url"] not in opened), None)
        return tell((text, [down]) for text, _ in said(result)) if down else result


class AnswersFromWhatIsGone(Honest):
    """Takes a result for the page, whatever it says of itself."""

    async def retrieve(self, task: Task) -> Any:
        hits = [] if task.start_urls else await self.search(task.query)
        for hit in [hit for hit in hits if "not found" in hit["title"]]:
            page = await self.get(hit["url"])
            every = re.search(r"every (\d+) seconds", page.text)
            if every:
                return tell([(f"It sounds every {every[1]} seconds.", [page.url])])
        return await super().retrieve(task)


class SendsTheBearerOn(Honest):
    """Carries its token along a redirect to another origin."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        held = task.user.credentials if task.user else ()
        for one in held:
            if one.kind == "bearer":
                await self.get(said(result)[0][1], authorization=f"Bearer {one.value}")
        return result


class AsksAgainAsItself(Honest):
    """Asks again for what its role has no access to."""

    async def instead(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        await self.get(task.start_urls[0], cookie=cookie(task), user_agent=task.user_agent)
        return result


class ReadsTheErrorsBody(Honest):
    """Finds what a script would fetch, is told to come back, and reads what the error says."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            page = await self.get(url)
            for script in re.findall(r'<script[^>]* src="([^"]+)"', page.markup):
                code = (await self.get(urljoin(url, script))).markup
                data = re.search(r'fetch\("([^"]+)"\)', code)
                told = await self.get(data[1], referer=url) if data else None
                last = re.search(r'"last": "([^"]+)"', told.markup) if told else None
                if last:
                    return tell([(f"The night car leaves the siding at {last[1]}.", [url])])
        return await super().retrieve(task)


class TakesTheGuess(Honest):
    """Reads the guess that stands there until the count is in."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            guess = re.search(r"Guess [\w ]+:\s+(\d+)\s+eels", (await self.get(url)).text)
            if guess:
                return tell([(f"The watch has counted {guess[1]} eels.", [url])])
        return await super().retrieve(task)
