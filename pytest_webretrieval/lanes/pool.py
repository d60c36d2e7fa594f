"""A number of slots for either lane, and the world behind them; where that is lost, another."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from fixture_server.client import World
from pytest_webretrieval.settings import Settings, default_slots
from pytest_webretrieval.slots.browser import Browser
from pytest_webretrieval.wire.attempt import Trace

from .camp import Camp, open_camp
from .carriers import AnySlot, choose, room
from .turns import Turns


class SlotPool:
    """As many slots as the settings allow. A world that is lost takes the runs with it that are under way; ``settle``
    makes another place like the first for those after them."""

    def __init__(self, settings: Settings, camp: Camp, settle: Callable[[], Awaitable[Camp]]) -> None:
        self.settings = settings
        self._camp, self._settle = camp, settle
        self._settling = asyncio.Lock()
        self._turns = Turns(settings.slots, browsers=default_slots())

    @property
    def capabilities(self) -> frozenset[str] | None:
        """What the system itself declares that it can do; None: nothing declared, which means all."""
        return self._camp.capabilities

    @property
    def at_import(self) -> Trace:
        """What the wire saw while the system was imported."""
        return self._camp.at_import

    @property
    def browser(self) -> Browser | None:
        """What systems find; None where there is none."""
        return self._camp.browser

    @contextlib.asynccontextmanager
    async def slot(self, *, may_browse: bool) -> AsyncIterator[tuple[AnySlot, World]]:
        """A slot of one's own for one run, and the world behind it; waits while every slot is in use, and every core by
        a browser. Raises what ``open_pool`` raises where the world was lost and there is no other."""
        async with self._turns.turn(self.browser is not None and may_browse) as turn:
            camp = await self._whole()
            slot = await camp.take()
            turn.look = slot.browses
            try:
                yield slot, camp.world
            finally:
                camp.give_back(slot)
                if camp is not self._camp and not camp.busy:
                    await camp.close()

    async def close(self) -> None:
        """End every slot and the world."""
        await self._turns.close()
        await self._camp.close()

    async def _whole(self) -> Camp:
        """The camp, another one where its world is lost."""
        async with self._settling:
            lost = self._camp
            if lost.world.is_lost:
                self._camp = await self._settle()
                if not lost.busy:
                    await lost.close()
            return self._camp


async def open_pool(
    settings: Settings, root: Path, truths: Sequence[Path], sites: Sequence[Path]
) -> SlotPool:
    """The slots of the settings' system in the world of ``truths`` and ``sites``. Raises what ``open_camp`` raises."""
    settings = replace(settings, carrier=choose(settings.carrier).name)
    settings = replace(settings, slots=room(settings))
    settle = partial(open_camp, settings, root, truths, sites)
    return SlotPool(settings, await settle(), settle)
