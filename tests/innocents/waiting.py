"""Right answers from servers that are busy or fail once, by clients with patience of their own."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable
from email.message import Message
from urllib.error import HTTPError
from urllib.request import urlopen

from .ways import HEADING, URL

PARAGRAPH = re.compile(r"</h1>\s*<p>(.*?)</p>", re.DOTALL)
TAGS = re.compile(r"<[^>]+>")


def waits_longer(prompt: str) -> str:
    """Waits half a second longer than it was asked to."""
    return _read(prompt, lambda headers, _: float(headers["retry-after"]) + 0.5)


def backs_off(prompt: str) -> str:
    """Doubles a short wait of its own where nobody says how long."""
    return _read(prompt, lambda _, tries: 0.2 * 2**tries)


def by_curls_retry(prompt: str) -> str:
    """curl asks again by itself, after Retry-After or a second."""
    (url,) = URL.findall(prompt)
    command = ["curl", "-sSL", "--retry", "2", "--retry-all-errors", "--fail", url]
    done = subprocess.run(command, capture_output=True, check=True, timeout=20)
    return _told(done.stdout.decode("utf-8"), url)


def by_urllib3s_retry(prompt: str) -> str:
    """requests with the retries of urllib3, which heeds Retry-After."""
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3 import Retry

    (url,) = URL.findall(prompt)
    retries = Retry(total=2, backoff_factor=0.3, status_forcelist=[429, 503])
    with requests.Session() as session:
        session.mount("https://", HTTPAdapter(max_retries=retries))
        return _told(session.get(url, timeout=10).text, url)


def by_httpxs_own_limits(prompt: str) -> str:
    """httpx as it is, twice: it gives up after five seconds, and knows of no deadline."""
    import httpx

    (url,) = URL.findall(prompt)
    for _ in range(2):
        try:
            return _told(httpx.get(url).text, url)
        except httpx.TransportError:
            pass
    return f"I could not load {url}: the server did not respond."


def _read(prompt: str, wait: Callable[[Message, int], float]) -> str:
    (url,) = URL.findall(prompt)
    for tries in range(3):
        try:
            with urlopen(url, timeout=10) as response:
                return _told(response.read().decode("utf-8"), url)
        except HTTPError as error:
            time.sleep(wait(error.headers, tries))
        except OSError:
            time.sleep(wait(Message(), tries))
    return "The page could not be loaded."


def _told(markup: str, url: str) -> str:
    heading, paragraph = HEADING.search(markup), PARAGRAPH.search(markup)
    assert heading
    assert paragraph
    return f"{heading[1]}: {TAGS.sub('', paragraph[1]).strip()} (source: {url})"
