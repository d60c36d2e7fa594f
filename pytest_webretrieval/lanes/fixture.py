"""The fixture lane: one world, one system, a number of slots. No key, no network."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.browser import Browser
from pytest_webretrieval.wire.attempt import Trace

from .grounds import needs_browser, sites_for
from .loss import no_loss
from .pool import SlotPool, open_pool
from .stage import Stage

NO_BROWSER = "only a browser shows what it asks for, and there is none: `webretrieval browser` brings one"


class FixtureLane:
    """The slots of a pool, and the sites that its world serves."""

    def __init__(self, pool: SlotPool, sites: Sequence[Path]) -> None:
        self._pool, self._sites = pool, sites

    @property
    def capabilities(self) -> frozenset[str] | None:
        """What the system itself declares that it can do; None: nothing declared, which means all."""
        return self._pool.capabilities

    @property
    def at_import(self) -> Trace:
        """What the wire saw while the system was imported."""
        return self._pool.at_import

    @property
    def browser(self) -> Browser | None:
        """What systems find; None where there is none."""
        return self._pool.browser

    def beyond(self, case: Case) -> str | None:
        """Why the case cannot be run here; None for what can."""
        if self.browser is None and needs_browser(case, self._sites):
            return NO_BROWSER
        return no_loss(case, self._pool.settings.carrier)

    @contextlib.asynccontextmanager
    async def stage(self, case: Case, truth: Truth, trial: int) -> AsyncIterator[Stage]:
        """A stage of one's own for one run."""
        async with self._pool.slot(may_browse=case.live_channel == "browser") as (slot, world):
            seed = self._pool.settings.fixture_seed
            yield Stage(slot, world, case, truth, seed, self.browser, trial=trial)

    async def close(self) -> None:
        """End every slot and the world."""
        await self._pool.close()


async def open_lane(settings: Settings, root: Path, truths: Sequence[Path]) -> FixtureLane:
    """The lane for the cases of ``truths``: truth folders of corpora, and files of own cases. ``root`` is where the
    user's modules are looked for. Raises what ``open_pool`` raises."""
    sites = sites_for(truths)
    return FixtureLane(await open_pool(settings, root, truths, sites), sites)
