"""Wrong in what is said: the facts of the answer."""

from __future__ import annotations

import re
from datetime import datetime

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .honest import Given, Honest, said, tell

VERSION = re.compile(r"\bv\d+\.\d+\b")
DAY = re.compile(r"\b(\d{1,2}) (\w+) (\d{4})\b")


class SaysTheStaleVersion(Honest):
    """Believes the page that calls its own release today's."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        loudest = max(self.pages, key=lambda page: page.text.lower().count("today"))
        version = VERSION.search(loudest.text)
        return tell([(f"Today's release is {version[0]}.", [loudest.url])]) if version else result


class SaysEveryCandidate(Honest):
    """Names each version that it met: one of them will be right."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        versions = dict.fromkeys(version for page in self.pages for version in VERSION.findall(page.text))
        url = said(result)[0][1]
        return tell([(f"The release is {' or '.join(versions)}.", [url])]) if versions else result


class LeavesTheNumberOut(Honest):
    """Names the specification by its title alone."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        titled = re.search(r"RFC ?\d+: (\w[\w ]+\w)", result.answer)
        url = said(result)[0][1]
        return tell([(f"The specification is called “{titled[1]}”.", [url])]) if titled else result


class MissesThePoint(Honest):
    """Answers with another sentence of the right page."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        page = self.pages[0]
        other = re.search(r"(Skippers report[^.]*\.)", page.text)
        return tell([(other[1], [said(result)[0][1]])]) if other else result


class DeniesTheFact(Honest):
    """Reads the name of the exhibition and says that it is not so."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        name, url = re.search(r"“([^”]+)”", result.answer), said(result)[0][1]
        return tell([(f"The exhibition is not “{name[1]}”.", [url])]) if name else result


class WritesTheDateBothWays(Honest):
    """Writes a day in figures that two countries read as two days."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        (text, url), *_ = said(result)
        if not (found := DAY.search(text)):
            return result
        day = datetime.strptime(found[0], "%d %B %Y")
        return tell([(text.replace(found[0], f"{day:%m/%d/%Y}"), [url])])


class LosesTheScale(Honest):
    """Puts a scale word behind the right digits."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        return tell([(re.sub(r"(\d+\.\d+) ?%", r"\1 thousand", text), [url]) for text, url in said(result)])


class AnswersFromMemory(Honest):
    """Knows specifications by heart and asks nobody."""

    async def retrieve(self, task: Task) -> RetrievalResult:
        if "HTTP caching" in task.query:
            return tell([("The specification of HTTP caching is RFC 9111, “HTTP Caching”.", [])])
        result: RetrievalResult = await super().retrieve(task)
        return result


class DumpsThePage(Honest):
    """Hands over everything that it read: the fact is in there somewhere."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        def whole(page: Given) -> str:
            return page.body.decode("utf-8")

        url = said(result)[0][1]
        return tell([("\n".join(whole(page) for page in self.pages), [url])])
