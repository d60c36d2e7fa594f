"""A page as a browser shows it, when it has settled: consent dismissed, lists scrolled to their end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from .consent import ACCEPTS, LONGEST_BANNER, REJECTS, SUBJECTS, whole
from .fetch import Errand, Fetched
from .inpage import CHANGE, CONSENT_BUTTON, MORE_BUTTON, QUIET, SCROLL, SNAPSHOT
from .placeholders import more_buttons

if TYPE_CHECKING:
    from playwright.async_api import ElementHandle, Page, Request, Response

# How long a page may take to show what it promised, and how long to give one that only shows a dash.
PATIENCE_S = 12.0
STILL_MS, LONGEST_STILL_MS, CHANGE_MS = 250, 2000, 400
SCROLLS = 40
# A scroll that brings nothing within this time, twice in a row, was the last one.
IDLE_S, IDLE_SCROLLS = 0.8, 2
LONGEST_REQUEST_S = 6.0
CLICK_MS = 2000
_COUNTED = frozenset({"document", "xhr", "fetch"})
_AWAITED = _COUNTED | {"script", "stylesheet"}
# What a page says of a request that it ended itself.
_GIVEN_UP = "net::ERR_ABORTED"
# How long a page may try by itself to get what did not come, before it is loaded anew.
OWN_TRY_S = 1.0


# Without slots: Playwright keeps a note of its own on the object whose methods it calls.
@dataclass(kw_only=True)
class Traffic:
    """What the page has sent: requests under way, parts of it that did not come, and the notes for the system's
    account."""

    errand: Errand
    running: dict[Request, float] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    notes: dict[Request, dict[str, Any]] = field(default_factory=dict)

    def begin(self, request: Request) -> None:
        if request.resource_type in _AWAITED:
            self.running[request] = time.monotonic()
        if request.resource_type in _COUNTED:
            note = {"method": request.method, "url": request.url, "status": None, "channel": "browser"}
            self.notes[request] = note
            self.errand.attempts.append(note)

    def answered(self, response: Response) -> None:
        if note := self.notes.get(response.request):
            note["status"] = response.status
        if response.status >= 400:
            # Scripts seldom read an error's body, and without that it never ends.
            self.running.pop(response.request, None)

    def end(self, request: Request) -> None:
        self.running.pop(request, None)
        self.broken.discard(request.url)

    def fail(self, request: Request) -> None:
        self.running.pop(request, None)
        if request.resource_type in _AWAITED and request.failure != _GIVEN_UP:
            self.broken.add(request.url)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way, but for what stays open on purpose."""
        recent = time.monotonic() - LONGEST_REQUEST_S
        return all(began < recent for began in self.running.values())

    def may_go_on(self) -> bool:
        return len(self.errand.attempts) < self.errand.allowed and self.errand.left_s() > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to wait for. ``is_ready`` says of a snapshot, taken so many seconds after the page came, whether it
    holds what it promises. ``gathered`` is given where a list is wanted to its end: how many items were seen
    so far, and whether these are all."""

    is_ready: Callable[[bytes, float], bool]
    gathered: Callable[[bytes], tuple[int, bool]] | None = None


async def render(page: Page, url: str, errand: Errand, wanted: Wanted) -> Fetched:
    """What ``url`` shows in ``page`` once it has settled."""
    from playwright.async_api import Error

    traffic = Traffic(errand=errand)
    page.on("request", traffic.begin)
    page.on("response", traffic.answered)
    page.on("requestfinished", traffic.end)
    page.on("requestfailed", traffic.fail)
    try:
        async with asyncio.timeout(max(0.1, errand.left_s())):
            return await _shown(page, url, traffic, wanted)
    except TimeoutError:
        return Fetched(url=url, final_url=url, status=None, error="timeout", channel="browser")
    except Error:
        return Fetched(url=url, final_url=url, status=None, error="connection", channel="browser")


async def _shown(page: Page, url: str, traffic: Traffic, wanted: Wanted) -> Fetched:
    response = await page.goto(url, wait_until="domcontentloaded", timeout=traffic.errand.left_s() * 1000)
    if response is None:
        return Fetched(url=url, final_url=page.url, status=None, error="connection", channel="browser")
    hops, before = [], response.request.redirected_from
    while before is not None:
        answer = await before.response()
        hops.append(answer.status if answer else 302)
        before = before.redirected_from
    shown = Fetched(
        url=url,
        final_url=page.url.partition("#")[0],
        status=response.status,
        headers={**await response.all_headers(), "content-type": "text/html; charset=utf-8"},
        hops=tuple(reversed(hops)),
        channel="browser",
    )
    body = await _settled(page, traffic, wanted)
    if _is_worth_loading_anew(traffic) and not wanted.is_ready(body, 0.0):
        traffic.errand.retries -= 1
        traffic.broken.clear()
        await page.reload(wait_until="domcontentloaded", timeout=max(1.0, traffic.errand.left_s() * 1000))
        body = await _settled(page, traffic, wanted)
    if await _dismiss_consent(page):
        body = await _settled(page, traffic, wanted)
    if wanted.gathered is not None:
        body = await _to_the_end(page, traffic, body, wanted.gathered)
    moment = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return replace(shown, body=body, final_url=page.url.partition("#")[0], retrieved_at=moment)


async def _settled(page: Page, traffic: Traffic, wanted: Wanted) -> bytes:
    """The page when nothing changes, nothing is under way and it is ready, or a part of it did not come; else as it is
    when patience or time ends."""
    began = time.monotonic()
    while True:
        await _evaluate(page, QUIET, [STILL_MS, LONGEST_STILL_MS])
        body = await _snapshot(page)
        waited = time.monotonic() - began
        if (traffic.is_idle and wanted.is_ready(body, waited)) or waited > _patience(traffic.errand):
            return body
        if traffic.is_idle and waited > OWN_TRY_S and _is_worth_loading_anew(traffic):
            return body
        await _evaluate(page, CHANGE, CHANGE_MS)


def _is_worth_loading_anew(traffic: Traffic) -> bool:
    return bool(traffic.broken) and traffic.errand.retries > 0 and traffic.may_go_on()


def _patience(errand: Errand) -> float:
    return min(PATIENCE_S, errand.left_s() - 1.0)


async def _snapshot(page: Page) -> bytes:
    """The page as it is seen, with frames of other sites behind it."""
    markup: str = await _evaluate(page, SNAPSHOT) or ""
    for frame in page.frames[1:]:
        if not _is_foreign(page.url, frame.url):
            continue
        inner = await _evaluate(frame, SNAPSHOT)
        if inner:
            body = inner.partition("<body>")[2].rpartition("</body>")[0]
            markup = markup.replace("</body></html>", f"<section>{body}</section></body></html>")
    return markup.encode("utf-8", "replace")


def _is_foreign(own: str, other: str) -> bool:
    return other.startswith("http") and other.split("/")[:3] != own.split("/")[:3]


async def _evaluate(where: Any, script: str, argument: Any = None) -> Any:
    """What a script gives; None when the page moved on to another address meanwhile."""
    from playwright.async_api import Error

    try:
        return await where.evaluate(script, argument)
    except Error:
        await asyncio.sleep(0)
        return None


async def _dismiss_consent(page: Page) -> bool:
    """Answer a request for consent, with no before yes; whether there was one."""
    patterns = [whole(REJECTS), whole(ACCEPTS)]
    for frame in page.frames:
        if await _click(frame, CONSENT_BUTTON, [patterns, SUBJECTS, LONGEST_BANNER]):
            return True
    return False


async def _click(where: Any, script: str, argument: Any) -> bool:
    from playwright.async_api import Error

    try:
        handle = await where.evaluate_handle(script, argument)
        button: ElementHandle | None = handle.as_element()
        if button is None:
            return False
        await button.click(timeout=CLICK_MS)
    except Error:
        return False
    return True


async def _to_the_end(
    page: Page, traffic: Traffic, body: bytes, gathered: Callable[[bytes], tuple[int, bool]]
) -> bytes:
    """The page after scrolling and asking for more until the list is whole or nothing new comes."""
    idle = 0
    held, whole_list = gathered(body)
    for _ in range(SCROLLS):
        if whole_list or idle >= IDLE_SCROLLS or not traffic.may_go_on():
            break
        await _evaluate(page, SCROLL)
        await page.mouse.wheel(0, 4000)
        await _click(page, MORE_BUTTON, more_buttons())
        before, until = held, time.monotonic() + IDLE_S
        while held == before and traffic.errand.left_s() > 1.0:
            await _evaluate(page, CHANGE, 100)
            body = await _snapshot(page)
            held, whole_list = gathered(body)
            if time.monotonic() > until and traffic.is_idle:
                break
        idle = 0 if held != before else idle + 1
    return body
