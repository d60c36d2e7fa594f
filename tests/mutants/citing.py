"""Wrong in what is cited: the right facts beside the wrong addresses."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .honest import Honest, said, tell


class CitesNothing(Honest):
    """Leaves the addresses out."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return tell((text, []) for text, _ in said(result))


class CitesASnippet(Honest):
    """Answers from the list of results and cites a page that it never opened."""

    async def retrieve(self, task: Task) -> Any:
        if task.start_urls:
            return await super().retrieve(task)
        hits = await self.search(task.query)
        best = next((hit for hit in hits if re.search(r"\bRFC \d+: ", hit["title"])), hits[0])
        return tell([(f"It is {best['title']}.", [best["url"]])])


class CitesACopy(Honest):
    """Takes the first copy that it opened for the origin."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        cited = {url for _, url in said(result)}
        outlet = re.search(r"(?:in|from) the ([A-Z]\w+ [A-Z]\w+)", result.answer)
        if outlet is None:
            return result
        copy = next((page for page in self.pages if page.url not in cited and outlet[1] in page.text), None)
        return tell([(f"The story first ran in the {outlet[1]}.", [copy.url])]) if copy else result


class InventsAnAddress(Honest):
    """Cites a page of the right host that it never asked for."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return tell((text, [re.sub(r"[^/]*$", "archive-2026", url)]) for text, url in said(result))


class CitesExampleCom(Honest):
    """Fills the place of the address with one out of a manual."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return tell((text, ["https://www.example.com/source"]) for text, _ in said(result))


class CitesTheHomePage(Honest):
    """Opens the home page too, and cites it for what only the notice says."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        home = await self.get(re.sub(r"(https://[^/]+/).*", r"\1", said(result)[0][1]))
        return tell((text, [home.url]) for text, _ in said(result))


class CitesTheNeighbour(Honest):
    """Cites another page of the same office, which names the office too."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        text, url = said(result)[0]
        home = await self.get(re.sub(r"(https://[^/]+/).*", r"\1", url))
        neighbour = await self.get(next(link for link in home.links() if link != url))
        return tell([(text, [neighbour.url])])


class CitesTheOldAddress(Honest):
    """Cites the address that it was given, although the page has moved for good."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return tell((text, task.start_urls or [url]) for text, url in said(result))


class CitesWhatItCannotRead(Honest):
    """Cites a recording for what it read elsewhere."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        hits = await self.search("sounding sheet 12 paper roll echo sounder")
        sheet = await self.get(next(hit["url"] for hit in hits if "Sounding sheet 12" in hit["title"]))
        recording = await self.get(next(link for link in sheet.links() if link.endswith(".dat")))
        return tell((text, [recording.url]) for text, _ in said(result))


class StopsAtOneSource(Honest):
    """Is asked for two sources and gives the first."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return tell((text, [url]) for text, url in said(result)[:1])


class NumbersWithoutAList(Honest):
    """Writes a number in brackets that points at nothing."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        return " ".join(f"{text.rstrip('.')} [{number}]." for number, (text, _) in enumerate(said(result), 1))


class MiscountsOffsets(Honest):
    """Counts the places of its claims from one."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        claims = (replace(claim, start=claim.start + 1, end=claim.end + 1) for claim in result.claims)
        return replace(result, claims=tuple(claims))


INVENTED = ("It drew 81,302 readers.", "It cost 977 crowns.", "It took 46,118 hours.", "It has 3,733 parts.")


class InventsWithoutCiting(Honest):
    """Adds figures that stand nowhere, with no address at all."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return tell([*((text, [url]) for text, url in said(result)), *((text, []) for text in INVENTED)])


class InventsExtras(Honest):
    """Adds figures that stand nowhere, beside the address of the page."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        url = said(result)[0][1]
        return tell([*((text, [at]) for text, at in said(result)), *((text, [url]) for text in INVENTED)])
