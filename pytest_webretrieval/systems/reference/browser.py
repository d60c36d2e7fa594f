"""A browser of one's own: started at the first need, one context a user, closed with the system."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from pytest_webretrieval.systems.contract import User

from .fetch import authorization, origin, value_of

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Page

START_S = 15.0


class NoBrowser(Exception):
    """No browser is offered, its driver is not installed, or it did not start; the message says which."""


class Browser:
    """One browser for the life of the system. Nothing is started before the first page is opened."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._chromium: Chromium | None = None
        self._contexts: dict[User | None, BrowserContext] = {}

    async def open_page(self, offer: Mapping[str, Any] | None, user: User | None) -> Page:
        """A new page in the user's own context. Raises NoBrowser."""
        if offer is None:
            raise NoBrowser("no browser is offered")
        try:
            from playwright.async_api import Error
        except ImportError as error:
            raise NoBrowser("Playwright is not installed") from error
        try:
            return await self._new_page(offer, user)
        except Error as error:
            raise NoBrowser(f"the browser did not start: {str(error).splitlines()[0]}") from error

    async def _new_page(self, offer: Mapping[str, Any], user: User | None) -> Page:
        if self._chromium is None:
            self._chromium = await self._start(offer)
        if user not in self._contexts:
            self._contexts[user] = await _context(self._chromium, user)
        page = await self._contexts[user].new_page()
        if authorized := _authorizations(user):
            await _authorize(page, authorized)
        return page

    async def _start(self, offer: Mapping[str, Any]) -> Chromium:
        from playwright.async_api import async_playwright

        driver = await self._stack.enter_async_context(async_playwright())
        if address := offer.get("cdp_url"):
            return await driver.chromium.connect_over_cdp(address, timeout=START_S * 1000)
        return await driver.chromium.launch(
            executable_path=offer.get("executable_path") or None,
            args=list(offer.get("launch_args") or ()),
            timeout=START_S * 1000,
        )

    async def close(self) -> None:
        """End the browser and its driver, when they were started."""
        self._contexts.clear()
        chromium, self._chromium = self._chromium, None
        try:
            if chromium is not None:
                await chromium.close()
        finally:
            await self._stack.aclose()


async def _context(chromium: Chromium, user: User | None) -> BrowserContext:
    """A context that nobody else uses, with the user's cookies for their own origins."""
    context = await chromium.new_context(service_workers="block", accept_downloads=False)
    for credential in user.credentials if user else ():
        value = value_of(credential)
        if credential.kind != "cookie" or value is None:
            continue
        scheme, host, _ = origin(credential.url)
        # Host and path are named, else the cookie would hold for the credential's own folder only.
        await context.add_cookies(
            [
                {
                    "name": credential.name,
                    "value": value,
                    "domain": host,
                    "path": "/",
                    "secure": scheme == "https",
                }
            ]
        )
    return context


def _authorizations(user: User | None) -> dict[tuple[str, str, int], str]:
    """The ``Authorization`` value for each origin that a bearer or basic credential is for."""
    found = {}
    for credential in user.credentials if user else ():
        if value := authorization(credential):
            found[origin(credential.url)] = value
    return found


async def _authorize(page: Page, authorized: Mapping[tuple[str, str, int], str]) -> None:
    """Add the header to requests to its own origin only. Each hop of a redirect is looked at anew, which
    Playwright's routes do not do."""
    session = await page.context.new_cdp_session(page)

    async def paused(event: dict[str, Any]) -> None:
        from playwright.async_api import Error

        request = event["request"]
        answer: dict[str, Any] = {"requestId": event["requestId"]}
        if value := authorized.get(origin(request["url"])):
            headers = {
                name: said for name, said in request["headers"].items() if name.lower() != "authorization"
            }
            headers["Authorization"] = value
            answer["headers"] = [{"name": name, "value": said} for name, said in headers.items()]
        try:
            await session.send("Fetch.continueRequest", answer)
        except Error:
            return  # the page was closed in between

    session.on("Fetch.requestPaused", paused)
    patterns = [
        {"urlPattern": f"{scheme}://{_host(url_host, port)}/*"} for scheme, url_host, port in authorized
    ]
    await session.send("Fetch.enable", {"patterns": patterns})


def _host(host: str, port: int) -> str:
    return host if port in (80, 443) else f"{host}:{port}"
