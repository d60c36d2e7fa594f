"""A reader that shares nothing with the reference system: one client, one sentence, one address.

It opens what it is given, or what a search gives, and answers with the sentence of a page that has most in common with
the question. What it cannot read it declines in one plain sentence.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from pytest_webretrieval.systems.contract import Task

MOST = 200_000  # bytes of a body
REDIRECTS = (301, 302, 303, 307, 308)
BLOCKS = "h1, h2, p, li, td, th, pre, div"
WALL = re.compile(r'type="password"|verify (?:that )?you are human|verifying that you are human', re.I)
GONE = re.compile(r"not found|does not exist|cannot find|not here", re.I)
ISSUER = re.compile(r"\b(?:by us|we run|we counted|this office)\b", re.I)


@dataclass(frozen=True, slots=True)
class Got:
    """What a request gave: status 0 where nothing came whole; header names are small."""

    url: str
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(slots=True)
class Purse:
    """What a task may still take."""

    ends: float
    retries: int
    slowest_s: float


class Plain:
    """An heir is a client: ``once`` sends one GET, follows nothing, and raises where no answer came whole."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], Got] = {}

    async def once(self, url: str, headers: Mapping[str, str], timeout_s: float) -> Got:
        raise NotImplementedError

    async def found(self, query: str, purse: Purse) -> list[str]:
        """Addresses of the best results."""
        answer = await self.get(f"https://websearch.example/search?limit=5&q={quote(query)}", {}, purse)
        return [hit["url"] for hit in json.loads(answer.body)["results"]] if answer.status == 200 else []

    async def retrieve(self, task: Task) -> Any:
        ends = time.monotonic() + task.deadline_s - 0.5
        purse = Purse(ends, int(task.budget.get("retries") or 0), min(8.0, task.deadline_s / 3))
        urls = list(task.start_urls) or await self.found(task.query, purse)
        told: list[tuple[int, str, str]] = []
        for url in urls:
            page = await self.opened(task, url, purse)
            if task.start_urls or all(name in text_of(page) for name in names_in(task.query)):
                told += best_of(page, task.query)
        if told:
            _, sentence, at = max(told, key=lambda one: one[0])
            return f"{sentence} ({at})"
        if task.start_urls:
            return f"Sorry, I could not read {task.start_urls[0]}."
        return "Unfortunately I couldn't find it. The search gave no result for that."

    async def opened(self, task: Task, url: str, purse: Purse) -> Got:
        """A page after its redirects within the web; each origin gets only what is its own."""
        seen: list[str] = []
        while url not in seen and len(seen) < 4:
            seen.append(url)
            page = await self.get(url, credentials_for(task, url), purse)
            target = page.headers.get("location") if page.status in REDIRECTS else None
            if target is None:
                return page
            url = urljoin(url, target)
            if not url.startswith("https://"):
                break
        return Got(url)

    async def get(self, url: str, own: Mapping[str, str], purse: Purse) -> Got:
        """One page, with the tries that it may take; a copy is asked about by its entity tag."""
        key = (url, str(own))
        copy = self.kept.get(key)
        headers = {"user-agent": "plain-reader/2", "accept-encoding": "gzip", **own}
        if copy is not None and "etag" in copy.headers:
            headers["if-none-match"] = copy.headers["etag"]
        resets = 0
        while True:
            try:
                page = unpacked(await self.once(url, headers, purse.slowest_s))
            except Exception:  # each client has errors of its own
                page = Got(url)
            wait = 0.4 if page.status == 0 else float(page.headers.get("retry-after", 0.4)) + 0.3
            again = page.status in (0, 429, 503) and not WALL.search(page.body.decode("utf-8", "replace"))
            resets += page.status == 0
            # A connection that is reset while it is made may be tried at the host's other address as well: asking once
            # more is two to four of them.
            if not again or resets > 1 or purse.retries <= 0 or time.monotonic() + wait + 1 > purse.ends:
                break
            purse.retries -= 1
            await asyncio.sleep(wait)
        if page.status == 304 and copy is not None:
            return copy
        if page.status == 200:
            self.kept[key] = page
        return page


def unpacked(page: Got) -> Got:
    """The page out of its gzip, as far as it is read. Raises where it breaks off."""
    if page.headers.get("content-encoding") != "gzip":
        return page
    packer = zlib.decompressobj(zlib.MAX_WBITS | 16)
    plain = packer.decompress(page.body, MOST)
    if not packer.eof and len(plain) < MOST:
        raise EOFError(page.url)
    return replace(page, body=plain)


def credentials_for(task: Task, url: str) -> dict[str, str]:
    """The headers that are the user's own at this origin."""
    own = [
        one
        for one in (task.user.credentials if task.user else ())
        if urlsplit(one.url).netloc == urlsplit(url).netloc
    ]
    bearer = next((f"Bearer {one.value}" for one in own if one.kind == "bearer"), "")
    cookies = "; ".join(f"{one.name}={one.value}" for one in own if one.kind == "cookie")
    return {name: value for name, value in (("authorization", bearer), ("cookie", cookies)) if value}


def text_of(page: Got) -> str:
    """The words of a page, whatever its header says of their coding."""
    if page.body.startswith(b"%PDF"):
        import pypdf

        pages = pypdf.PdfReader(io.BytesIO(page.body)).pages
        return " ".join(" ".join(one.extract_text().split()) for one in pages)
    try:
        text = page.body.decode("utf-8")
    except UnicodeDecodeError:
        text = page.body.decode("utf-8", "ignore")
    if "Ã" in text:  # encoded twice
        text = text.encode("cp1252", "ignore").decode("utf-8", "ignore")
    return text


def names_in(query: str) -> list[str]:
    """The proper names and numbers of a question."""
    return [word for word in re.findall(r"\w+", query)[1:] if word[0].isupper() or word.isdigit()]


def best_of(page: Got, query: str) -> list[tuple[int, str, str]]:
    """The sentence that has most in common with the question, its score and its page; none of a wall."""
    text = text_of(page)
    if page.status != 200 or WALL.search(text):
        return []
    blocks = [text]
    if not page.body.startswith(b"%PDF"):
        tree = LexborHTMLParser(text)
        if GONE.search(" ".join(node.text() for node in tree.css("h1"))):
            return []
        blocks = [" ".join(node.text().split()) for node in tree.css(BLOCKS)]
    sentences = [one for block in blocks for one in re.split(r"(?<=[a-z0-9A-Z][.!?])\s+(?=[A-Z])", block)]
    wanted = stems(query)
    scored = [(len(wanted & stems(one)), one) for one in sentences if re.search(r"\d", one)]
    if not scored:
        return []
    score, sentence = max(scored, key=lambda one: one[0])
    return [(score + 9 * bool(ISSUER.search(text)), sentence, page.url)] if score > 1 else []


def stems(text: str) -> set[str]:
    """The beginnings of its longer words."""
    return {word[:5] for word in re.findall(r"\w{3,}", text.lower())}


def held(url: str, status: int, headers: Sequence[tuple[str, str]], body: bytes) -> Got:
    """What came, if it is as long as it says or as long as one reads. Raises EOFError."""
    named = {name.lower(): value for name, value in headers}
    if len(body) < min(int(named.get("content-length", 0)), MOST) and status not in (204, 304):
        raise EOFError(url)
    return Got(url, status, named, body)
