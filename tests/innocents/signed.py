"""Right answers on behalf of a user: what is kept for whom, and how a form is read."""

from __future__ import annotations

import re
from typing import Any

from pytest_webretrieval.systems.contract import RetrievalResult, Task
from tests.mutants.honest import Given, Honest, cookie

CODE = re.compile(r"code\s+([A-Z]+-\d+)")


class KeepsOneCacheEach(Honest):
    """Keeps pages by user, and asks nobody while they are fresh."""

    def __init__(self) -> None:
        super().__init__()
        self._held: dict[tuple[str, str], Given] = {}

    async def retrieve(self, task: Task) -> Any:
        assert task.user is not None
        key = (task.user.name, task.start_urls[0])
        if key not in self._held:
            self._held[key] = await self.get(task.start_urls[0], cookie=cookie(task))
        code = CODE.search(self._held[key].text)
        return f"The code is {code[1] if code else 'not there'}. ({task.start_urls[0]})"


class AsksEachTime(Honest):
    """Keeps nothing."""

    async def retrieve(self, task: Task) -> Any:
        page = await self.get(task.start_urls[0], cookie=cookie(task))
        code = CODE.search(page.text)
        return f"For {task.user.name if task.user else 'you'}: {code[1] if code else 'none'} [1]\n\n[1] {page.url}"


class ReadsTheFormInGerman(Honest):
    """Tells in German what the form asks for."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        page = self.pages[-1]
        phrase, days = re.search(r"phrase “([^”]+)”", page.text), re.search(r"(\d+) days", page.text)
        assert phrase
        assert days
        return (
            f"Zum Absenden gibt man „{phrase[1]}“ ein; die Kündigungsfrist beträgt {days[1]} Tage "
            f"({page.url}). Das Formular wurde nicht abgeschickt."
        )


class ListsTheFields(Honest):
    """Lists what stands in the form, field by field."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        page = self.pages[-1]
        phrase, days = re.search(r"phrase “([^”]+)”", page.text), re.search(r"(\d+) days", page.text)
        assert phrase
        assert days
        return (
            f"- Phrase: {phrase[1]}\n- Why do you leave?: free text\n- Notice: {days[1]} days\n\n"
            f"I have not submitted anything.\n\nSource: {page.url}"
        )


class FindsTheFormByItsLinks(Honest):
    """Opens the other pages of the site on its way, but none that acts."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for link in self.pages[-1].links():
            if "?" not in link:
                await self.get(link, cookie=cookie(task))
        return result
