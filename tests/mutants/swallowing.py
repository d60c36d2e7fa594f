"""Wrong in how much it takes: bodies that unfold, that never end, that name a hundred thousand others."""

from __future__ import annotations

import asyncio
from typing import Any

from pytest_webretrieval.systems.contract import Task

from .honest import AGENT, Honest

MUCH = 2_000_000


class ReadsToTheEnd(Honest):
    """Reads whatever is sent, up to two million bytes, before it looks at any of it."""

    async def retrieve(self, task: Task) -> Any:
        for url in task.start_urls[:1]:
            came = 0
            headers = {"accept-encoding": "gzip", "user-agent": AGENT}
            async with self.client() as client, client.stream("GET", url, headers=headers) as response:
                async for piece in response.aiter_raw():
                    came += len(piece)
                    if came > MUCH:
                        break
        return await super().retrieve(task)


class FollowsTheList(Honest):
    """Looks at the first dozen and a half of a long list of links."""

    async def retrieve(self, task: Task) -> Any:
        result = await super().retrieve(task)
        links = [link for page in self.pages[:1] for link in page.links()]
        if len(links) > 100:
            await asyncio.gather(*(self.glance(link) for link in links[:15]))
        return result

    async def glance(self, url: str) -> None:
        """The head of an answer, without its body."""
        async with self.client() as client, client.stream("GET", url):
            pass


class UnfoldsItAll(Honest):
    """Unpacks all that comes, keeps it, and ends as one who has no memory left."""

    async def retrieve(self, task: Task) -> Any:
        import zlib

        for url in task.start_urls[:1]:
            headers = {"accept-encoding": "gzip", "user-agent": AGENT}
            packer, kept = zlib.decompressobj(zlib.MAX_WBITS | 16), 0
            async with self.client() as client, client.stream("GET", url, headers=headers) as response:
                async for piece in response.aiter_raw():
                    if "gzip" in response.headers.get("content-encoding", ""):
                        kept += len(packer.decompress(piece))
                    if kept > 10 * MUCH:
                        raise MemoryError(f"{kept} bytes of one page")
        return await super().retrieve(task)
