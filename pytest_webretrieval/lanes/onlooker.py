"""The harness's own fetches on the real web: under its own name, by robots.txt, in the evidence of the run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin, urlsplit

from fixture_server.client import World
from fixture_server.replies import Checked
from pytest_webretrieval.grade.httpcache import retry_after
from pytest_webretrieval.grade.probing import TOO_MANY, Look, is_down
from pytest_webretrieval.grade.robots import allows, product_of
from pytest_webretrieval.wire.attempt import Attempt

MOST_REDIRECTS, MOST_ORIGINS = 5, 16
LONGEST_WAIT_S = 30.0
_MOST_RULES = 512 * 1024


@dataclass(frozen=True, slots=True)
class Rules:
    """The robots.txt of an origin; where it could not be read, ``failure`` is what came in its place, and nothing may
    be read there. Where there is none, everything may (RFC 9309, 2.3.1)."""

    text: str = ""
    failure: Look | None = None

    def allow(self, product: str, url: str) -> bool:
        """Whether a program of this name may read a URL."""
        return self.failure is None and allows(self.text, product, url)


class Onlooker:
    """Looks in one run; the rules of an origin are read once."""

    def __init__(self, world: World, slot: str, user_agent: str) -> None:
        self._world, self._slot, self._product = world, slot, product_of(user_agent)
        self._rules: dict[str, Rules] = {}

    async def look(self, url: str) -> Look:
        """What a URL gives, redirects followed."""
        url = urldefrag(url).url
        for _ in range(MOST_REDIRECTS + 1):
            if (refused := await self.refused(url)) is not None:
                return refused
            found = await self._world.check(self._slot, url)
            location = found.headers.get("location")
            if found.status is None or not 300 <= found.status < 400 or not location:
                return _look(found)
            url = urljoin(url, location)
        return Look(url=url, error_type="too_many_redirects")

    async def refused(self, url: str) -> Look | None:
        """What stands in the place of a look at a URL: its host does not answer, or robots.txt disallows it; None where
        it may be read."""
        rules = await self._rules_of(url)
        if rules.failure is not None:
            return rules.failure
        if rules.allow(self._product, url):
            return None
        return Look(url=url, disallowed=True, content_type="text/plain", body=rules.text.encode())

    async def patiently(self, url: str) -> Look:
        """The same, and once more where it was asked to come back in a while (429 with Retry-After)."""
        found = await self.look(url)
        if found.wait_s is None or found.wait_s > LONGEST_WAIT_S:
            return found
        await asyncio.sleep(found.wait_s)
        return await self.look(url)

    async def sample(self, host: str) -> Look | None:
        """What an API that the system asked gives for a request that it answers to anybody; None where nobody wrote
        one."""
        found = await self._world.check(self._slot, provider=host)
        return None if found.error_type == "no_sample" else _look(found)

    async def disallowed(self, attempts: Iterable[Attempt]) -> tuple[str, ...]:
        """The documents among a system's requests that robots.txt keeps from who it said it was, each once."""
        found: dict[str, None] = {}
        for attempt in attempts:
            if not _gave(attempt) or not (self._knows(attempt.url) or len(self._rules) < MOST_ORIGINS):
                continue
            product = product_of(attempt.request_headers.get("user-agent", "*"))
            rules = await self._rules_of(attempt.url)
            if rules.failure is None and not rules.allow(product, attempt.url):
                found[attempt.url] = None
        return tuple(found)

    def _knows(self, url: str) -> bool:
        return _origin(url) in self._rules

    async def _rules_of(self, url: str) -> Rules:
        origin = _origin(url)
        if origin not in self._rules:
            found = await self._world.check(self._slot, f"{origin}/robots.txt")
            for _ in range(MOST_REDIRECTS):
                location = found.headers.get("location")
                if found.status is None or not 300 <= found.status < 400 or not location:
                    break
                found = await self._world.check(self._slot, urljoin(found.url, location))
            self._rules[origin] = _read(found)
        return self._rules[origin]


def _gave(attempt: Attempt) -> bool:
    """Whether a host gave something for a document; what the gateway refused was never read."""
    refused = attempt.status is None or attempt.error_type in ("denied", "over_budget")
    return attempt.role == "document" and not refused


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _read(found: Checked) -> Rules:
    if is_down(found.status):
        return Rules(failure=_look(found))
    return Rules(found.body[:_MOST_RULES].decode("utf-8", "replace")) if found.status == 200 else Rules()


def _look(found: Checked) -> Look:
    asked_to_wait = found.headers.get("retry-after") if found.status == TOO_MANY else None
    return Look(
        url=found.url,
        status=found.status,
        error_type=found.error_type,
        content_type=found.headers.get("content-type", ""),
        body=found.body,
        wait_s=None if asked_to_wait is None else retry_after(asked_to_wait, time.time()),
    )
