"""A system that uses a browser, each time in the way that the question names."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time


def answer(prompt: str) -> object:
    way, *rest = prompt.split()
    return globals()[way](*rest)


def say(*words: str) -> str:
    return " ".join(words)


def playwright(url: str, **launch: bool) -> str:
    """As most people call it: nothing says where the browser is."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        browser = p.chromium.launch(**launch)  # type: ignore[arg-type]
        page = browser.new_page()
        page.goto(url)
        text = page.inner_text("body")
        browser.close()
    return text


def sandboxed(url: str) -> str:
    return playwright(url, chromium_sandbox=True)


def asynchronous(url: str) -> str:
    from playwright.async_api import async_playwright

    async def look() -> str:
        async with async_playwright() as p:
            browser = await p.chromium.launch()
            page = await browser.new_page()
            await page.goto(url)
            return await page.inner_text("body")

    return asyncio.run(look())


def request(url: str) -> str:
    """Playwright's own client, which is no browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        return p.request.new_context().get(url).text()


def _command(program: str, *more: str) -> list[str]:
    flags = ["--no-sandbox"] if os.getuid() == 0 else []
    return [program, "--headless", *flags, *more]


def dump(url: str, program: str) -> list[str]:
    done = subprocess.run(
        _command(program, "--dump-dom", url), capture_output=True, text=True, timeout=60, check=False
    )
    return [done.stdout, *sorted(os.listdir(os.environ["HOME"]))]


def daemonise(url: str, program: str) -> None:
    """A browser in a session of its own that nobody waits for; it is up when it has said where it listens."""
    told, tell = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for target in (1, 2):
                os.dup2(tell, target)
            os.execvp(program, _command(program, "--remote-debugging-port=9222", url))
        os._exit(0)
    os.close(tell)
    said = b""
    while b"DevTools listening" not in said:
        said += os.read(told, 4096)
    print("up", flush=True)
    time.sleep(600)
