"""Wrong in the use of a browser; each is the real one of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_webretrieval.systems.contract import RetrievalResult, Task

from .acting import HOME
from .honest import Honest

if TYPE_CHECKING:
    from playwright.async_api import Page


@contextlib.asynccontextmanager
async def a_page(task: Task) -> AsyncIterator[Page]:
    """An empty page in a browser of its own, by what the task offers."""
    from playwright.async_api import async_playwright

    offer = task.channels["browser"]
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(
            executable_path=offer["executable_path"], args=list(offer["launch_args"])
        )
        try:
            yield await browser.new_page()
        finally:
            await browser.close()


class OpensABrowser(Honest):
    """Looks at every page in a browser, also where plain HTTP gives the same."""

    async def retrieve(self, task: Task) -> Any:
        if task.start_urls:
            async with a_page(task) as page:
                await page.goto(task.start_urls[0])
        return await super().retrieve(task)


class LooksOutside(Honest):
    """Has its browser show its maker's own page as well."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        from playwright.async_api import Error

        async with a_page(task) as page:
            with contextlib.suppress(Error):
                await page.goto(f"https://{HOME}/hello", timeout=3000)
        return result


class KeepsNoCount(Honest):
    """Opens a browser although it may open none."""

    async def retrieve(self, task: Task) -> Any:
        return await super().retrieve(replace(task, budget={**task.budget, "escalations": None}))


class LeavesABrowserBehind(Honest):
    """Sends a browser off on its own, by two forks, and waits for what it will never say."""

    async def otherwise(self, task: Task, result: RetrievalResult) -> RetrievalResult:
        _send_off(task.channels["browser"]["executable_path"])
        await asyncio.Event().wait()
        return result


def _send_off(program: str) -> None:
    if (child := os.fork()) == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(program, [program, "--headless", "--remote-debugging-port=0", "about:blank"])
        os._exit(0)
    os.waitpid(child, 0)
