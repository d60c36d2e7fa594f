"""Right answers from pages that scripts make: by another browser, by another click, or by reading what the scripts
read."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from pytest_webretrieval.systems.contract import RetrievalResult, Task
from tests.mutants.honest import Given, Honest, said, tell
from tests.mutants.looking import a_page

from .ways import URL

if TYPE_CHECKING:
    from playwright.async_api import Page

QUOTED = re.compile(r"""["'](https://[^"'\s]+)["']""")


def by_sync_playwright(prompt: str) -> str:
    """A synchronous function with a browser that it finds by itself."""
    from playwright.sync_api import sync_playwright

    (url,) = URL.findall(prompt)
    with sync_playwright() as driver:
        browser = driver.chromium.launch()
        page = browser.new_page()
        page.goto(url)
        page.wait_for_selector("main p")
        line = page.locator("main p").first.inner_text()
        browser.close()
    return f"{line} ({url})"


class _Answers(Honest):
    """Presses one button of the request for consent and reads what then stands there."""

    button = ""

    async def retrieve(self, task: Task) -> Any:
        async with a_page(task) as page:
            await page.goto(task.start_urls[0])
            await page.get_by_role("button", name=self.button).click()
            await page.wait_for_selector("article p")
            return tell([(await page.locator("article p").first.inner_text(), task.start_urls)])


class AcceptsConsent(_Answers):
    """Says yes."""

    button = "Accept all"


class RejectsConsent(_Answers):
    """Says no."""

    button = "Reject all"


class ScrollsByHand(Honest):
    """Turns the wheel until the end of the list is said, and makes a table of it."""

    async def retrieve(self, task: Task) -> Any:
        async with a_page(task) as page:
            await page.goto(task.start_urls[0])
            while "That is all of them." not in await page.inner_text("body"):
                await page.mouse.wheel(0, 2000)
                await page.wait_for_timeout(50)
            names = await _texts(page, "article h2")
        rows = "\n".join(f"| {number} | {name} |" for number, name in enumerate(names, 1))
        return f"| No. | Boat |\n| --- | --- |\n{rows}\n\nSource: {task.start_urls[0]}"


async def _texts(page: Page, selector: str) -> list[str]:
    return await page.locator(selector).all_inner_texts()


class ReadsTheScript(Honest):
    """Opens no browser: finds in the script what the script fetches, waits as it waits, and cites that."""

    async def retrieve(self, task: Task) -> Any:
        import json

        return self.told([(part.url, json.loads(part.markup)) async for part in self.parts(task)])

    async def parts(self, task: Task) -> AsyncIterator[Given]:
        """What the page's scripts would fetch, one after another."""
        page = await self.get(task.start_urls[0])
        scripts = [await self.get(urljoin(page.url, source)) for source in _scripts(page.markup)]
        waiting = [
            url for script in scripts for url in QUOTED.findall(script.markup) if "/static/" not in url
        ]
        waiting = [url for url in waiting if not url.endswith("/")]
        for url in waiting:
            part = await self.get(url)
            while part.status == 202:
                part = await self.get(url)
            yield part
            waiting += QUOTED.findall(part.markup)

    def told(self, parts: list[tuple[str, dict[str, Any]]]) -> RetrievalResult | str:
        (url, found), *_ = parts
        return tell([(found.get("sentence") or found["lines"][0], [url])])


def _scripts(markup: str) -> list[str]:
    return re.findall(r'<script[^>]* src="([^"]+)"', markup)


class CitesThePageItself(Honest):
    """Fetches what the script fetches as the script does, with the page as referrer, and cites the page."""

    async def retrieve(self, task: Task) -> Any:
        import json

        page = await self.get(task.start_urls[0])
        script = await self.get(_scripts(page.markup)[0], referer=page.url)
        part = await self.get(QUOTED.findall(script.markup)[0], referer=page.url)
        return tell([(json.loads(part.markup)["lines"][0], [page.url])])


class ListsTheItems(ReadsTheScript):
    """The six items as a list, each with the part of it that names it."""

    def told(self, parts: list[tuple[str, dict[str, Any]]]) -> str:
        items = [f"- {boat['name']} ([part]({url}))" for url, part in parts for boat in part["boats"]]
        return "\n".join(["Six boats are afloat:", "", *items])


class NamesTheItems(ReadsTheScript):
    """The six items in one sentence, with the parts below."""

    def told(self, parts: list[tuple[str, dict[str, Any]]]) -> str:
        names = [
            f"{boat['name']} [{number}]"
            for number, (_, part) in enumerate(parts, 1)
            for boat in part["boats"]
        ]
        listed = "\n".join(f"[{number}] {url}" for number, (url, _) in enumerate(parts, 1))
        return f"There are {', '.join(names[:-1])} and {names[-1]}.\n\nSources:\n{listed}"


class NamesWhatIsGone(ReadsTheScript):
    """Also says which boat is there no longer."""

    def told(self, parts: list[tuple[str, dict[str, Any]]]) -> RetrievalResult:
        statements = [(f"{boat['name']}.", [url]) for url, part in parts for boat in part["boats"]]
        gone = re.search(r"<i>([^<]+)</i>", self.page.markup)
        assert gone is not None
        return tell([*statements, (f"{gone[1]} has been sold and is no longer among them.", [self.page.url])])

    async def parts(self, task: Task) -> AsyncIterator[Given]:
        self.page = await self.get(task.start_urls[0])
        async for part in super().parts(task):
            yield part


class WatchesUntilItSettles(Honest):
    """Waits until a paragraph stands where the script puts it, and loads the page once more where none comes."""

    async def retrieve(self, task: Task) -> Any:
        from playwright.async_api import TimeoutError as Late

        async with a_page(task) as page:
            for _ in range(2):
                await page.goto(task.start_urls[0])
                line = page.locator("#board p, #kiln p, #count:not([aria-busy]) p").first
                try:
                    return tell([(await line.inner_text(timeout=4000), task.start_urls)])
                except Late:
                    continue
        return "The page stayed empty."


class FetchesTheData(Honest):
    """Fetches itself what the script would fetch, once more where the first answer was an error."""

    async def retrieve(self, task: Task) -> Any:
        import asyncio
        import json

        page = await self.get(task.start_urls[0])
        script = await self.get(urljoin(page.url, _scripts(page.markup)[0]), referer=page.url)
        (data, *_) = re.findall(r'fetch\("([^"]+)"\)', script.markup)
        told = await self.get(data, referer=page.url)
        if told.status == 503:
            await asyncio.sleep(0.4)
            told = await self.get(data, referer=page.url)
        found = json.loads(told.markup)
        return tell([(found.get("sentence") or found["lines"][0], [data])])


class WarnsOfTheGuess(Honest):
    """Names the placeholder that it did not believe."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        url = said(result)[0][1]
        fineness = re.search(r"\d+\.\d+(?= parts)", result.answer)
        guess = re.search(r"([\d.]+) parts", (await self.get(task.start_urls[0])).text)
        assert fineness
        assert guess
        right, wrong = fineness[0], guess[1]
        return f"The fineness is {right} parts in a thousand, not {wrong} as guessed at the counter. ({url})"


class LooksAtTheTypedSheet(Honest):
    """Opens a page that cannot be decoded too, and answers from the one that can."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        for link in (await self.get(task.start_urls[0])).links():
            if "/typed/" in link:
                await self.get(link)
        return result


class _Priced(Honest):
    """Writes the price in another notation."""

    def written(self, price: str) -> str:
        raise NotImplementedError

    async def otherwise(self, task: Task, result: RetrievalResult) -> str:
        page = await self.get(task.start_urls[0])
        price = re.search(r"Price ([\d.]+) crowns", page.text)
        assert price is not None
        return f"{self.written(price[1])} ({page.url})"


class PriceWithComma(_Priced):
    """As it is written in German."""

    def written(self, price: str) -> str:
        return f"Die Laterne kostet {price.replace('.', ',')} Kronen."


class PriceWithCodeBefore(_Priced):
    """With the currency before it."""

    def written(self, price: str) -> str:
        return f"Price: Kr. {price}"


class PriceInBold(_Priced):
    """Set off, without a currency."""

    def written(self, price: str) -> str:
        return f"The stable lantern is **{price}** crowns."
