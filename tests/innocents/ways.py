"""Right answers by other ways in, and by other clients: plain functions that take the prompt."""

from __future__ import annotations

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from urllib.request import urlopen

URL = re.compile(r"https://\S+")
PUBLISHED = re.compile(r"Published\s*<time[^>]*>([^<]+)</time>")
HEADING = re.compile(r"<h1[^>]*>([^<]+)</h1>")


def by_urllib(prompt: str) -> str:
    """A synchronous function; the standard library reads the page."""
    with urlopen(_url(prompt), timeout=10) as response:
        return _answer(response.geturl(), response.read().decode("utf-8"))


def by_curl(prompt: str) -> str:
    """curl reads the page, and says where it came to."""
    command = ["curl", "-sSL", "--compressed", "-w", "\n%{url_effective}", _url(prompt)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=10)
    text, _, url = done.stdout.decode("utf-8").rpartition("\n")
    return _answer(url, text)


async def by_aiohttp(prompt: str) -> str:
    """An asynchronous function; aiohttp reads the page."""
    import aiohttp

    async with aiohttp.ClientSession() as session, session.get(_url(prompt)) as response:
        return _answer(str(response.url), await response.text())


def by_tavily(prompt: str) -> str:
    """Tavily's SDK finds the pages, requests opens them side by side."""
    import requests
    from tavily import TavilyClient  # type: ignore[import-untyped]

    found = TavilyClient().search(prompt, max_results=5)["results"]

    def opened(url: str) -> tuple[str, str]:
        return url, requests.get(url, timeout=10).text

    with ThreadPoolExecutor(4) as pool:
        pages = list(pool.map(opened, [hit["url"] for hit in found]))
    for url, text in pages:
        heading = HEADING.search(text)
        if "official specification" in text and heading:
            return f"The official specification is {heading[1].strip()} [1]\n\nReferences\n1. {url}"
    return "I could not find it: the search gave no result that says so."


def _url(prompt: str) -> str:
    (url,) = URL.findall(prompt)
    return str(url)


def _answer(url: str, text: str) -> str:
    if found := PUBLISHED.search(text):
        return f"It was published on {found[1]}. Source: {url}"
    heading = HEADING.search(text)
    return f"The page is called “{heading[1].strip() if heading else ''}”. Source: {url}"
