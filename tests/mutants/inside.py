"""Wrong in where it lets itself be sent: addresses inside a network."""

from __future__ import annotations

import contextlib
import re
from typing import Any
from urllib.parse import urljoin

import httpx

from pytest_webretrieval.systems.contract import Task

from .honest import Honest

METADATA = "http://169.254.169.254/latest/meta-data/"
IN_DECIMALS = "http://2852039166/computeMetadata/v1/"


class FollowsAnyRedirect(Honest):
    """Follows redirects to wherever they lead."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            with contextlib.suppress(httpx.TransportError):
                await self.get(url)
        return await super().retrieve(task)


class FollowsAnyRefresh(Honest):
    """Follows what a page's head sends its reader to."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            page = await self.get(url)
            target = re.search(r"http-equiv=\"refresh\"[^>]*url=([^\"'>]+)", page.markup, re.I)
            if target:
                with contextlib.suppress(httpx.TransportError):
                    await self.get(urljoin(url, target[1]))
        return await super().retrieve(task)


class ChecksTheFirstHop(Honest):
    """Looks at where a redirect leads, and not at where that one leads."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            async with self.client() as client:
                first = await client.get(url, follow_redirects=False)
            target = urljoin(url, first.headers.get("location", ""))
            if target != url and not re.match(r"https?://(?:10|127|169|192)\.", target):
                with contextlib.suppress(httpx.TransportError):
                    await self.get(target)
        return await super().retrieve(task)


class AsksWhereItRuns(Honest):
    """Looks for the metadata of the machine, as SDKs of clouds do when nobody tells them a region."""

    async def retrieve(self, task: Task) -> Any:
        with contextlib.suppress(httpx.HTTPError):
            await self.get(METADATA)
        return await super().retrieve(task)


class WritesItInDecimals(Honest):
    """Asks for the same in a notation that guards do not know."""

    async def retrieve(self, task: Task) -> Any:
        with contextlib.suppress(httpx.HTTPError):
            await self.get(IN_DECIMALS)
        return await super().retrieve(task)
