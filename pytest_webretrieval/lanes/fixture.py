"""The fixture lane: one world, one system, a number of slots. No key, no network."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

from fixture_server.client import World, WorldFailure
from fixture_server.places import BUILT_IN
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.settings import Settings, default_slots
from pytest_webretrieval.slots.browser import Browser, BrowserUnusable, find_browser
from pytest_webretrieval.slots.slot import SlotFailure
from pytest_webretrieval.slots.temporary import new_folder, remove
from pytest_webretrieval.systems.ways import lives_on
from pytest_webretrieval.wire.attempt import Trace

from .carriers import PROXY, AnyCarrier, AnySlot, choose, open_any, room
from .grounds import needs_browser, sites_for
from .loss import no_loss
from .stage import Stage
from .turns import Turns

NO_BROWSER = "only a browser shows what it asks for, and there is none: `webretrieval browser` brings one"


class LaneFailure(Exception):
    """The lane could not be opened; the message says what is missing and how to mend it."""


class FixtureLane:
    """Slots are opened as they are needed, up to the number that the settings allow, and used again."""

    def __init__(
        self,
        settings: Settings,
        world: World,
        carrier: AnyCarrier,
        scratch: Path,
        at_import: Trace,
        browser: Browser | None = None,
        sites: Sequence[Path] = (BUILT_IN,),
    ) -> None:
        self._sites = sites
        self.at_import, self.browser = at_import, browser
        self._settings, self._world, self._carrier, self._scratch = settings, world, carrier, scratch
        self._free: list[AnySlot] = []
        self._turns = Turns(settings.slots, browsers=default_slots())
        self._opened = 0

    @property
    def capabilities(self) -> frozenset[str] | None:
        """What the system itself declares that it can do; None: nothing declared, which means all."""
        return self._carrier.capabilities

    def beyond(self, case: Case) -> str | None:
        """Why the case cannot be run here; None for what can."""
        if self.browser is None and needs_browser(case, self._sites):
            return NO_BROWSER
        return no_loss(case, self._settings.carrier)

    @contextlib.asynccontextmanager
    async def stage(self, case: Case, truth: Truth, trial: int) -> AsyncIterator[Stage]:
        """A stage of one's own for one run; waits while every slot is in use, and every core by a browser."""
        async with self._turns.turn(self.browser is not None and case.live_channel == "browser") as turn:
            slot = self._free.pop() if self._free else await self._open_slot()
            turn.look = slot.browses
            try:
                seed = self._settings.fixture_seed
                yield Stage(slot, self._world, case, truth, seed, self.browser, trial=trial)
            finally:
                if slot.failure is None:
                    self._free.append(slot)

    async def _open_slot(self) -> AnySlot:
        self._opened += 1
        slot = await self._carrier.open_slot(f"slot-{self._opened}")
        await self._world.open_slot(slot.name, slot.doors)
        await slot.ready()
        return slot

    async def start_server(self) -> None:
        """Open the first slot of a system that lives as long as its slot. Raises SystemUnusable when it does not
        start."""
        self._free.append(await self._open_slot())

    async def close(self) -> None:
        """End every slot and the world."""
        await self._turns.close()
        await _close(self._world, self._carrier, self._scratch)


async def open_lane(settings: Settings, root: Path, truths: Sequence[Path]) -> FixtureLane:
    """Start the world and the system's zygote side by side, and import the system where the world answers it.

    ``root`` is where the user's modules are looked for; ``truths`` are the truth folders of the corpora, and the files
    of own cases. Raises LaneFailure (the world), CaseError, NoCarrier or SystemUnusable (their own messages).
    """
    scratch = new_folder(f"world-{secrets.token_hex(4)}")
    world: World | None = None
    carrier: AnyCarrier | None = None
    try:
        settings = replace(settings, carrier=choose(settings.carrier).name)
        settings = replace(settings, slots=room(settings))
        looking = asyncio.create_task(asyncio.to_thread(find_browser, settings.browser))
        sites = sites_for(truths)
        world = await World.start(scratch, truths=truths, sites=sites, outward=settings.outward(root))
        browser = await looking
        if settings.carrier == PROXY:
            browser = None  # it would go round the proxy
        carrier = await open_any(settings, world.ca_pem, root, browser)
        await world.open_slot("import", carrier.import_doors)
        await carrier.imported()
        at_import, _ = await world.drain("import")
        if not carrier.import_doors:
            await world.close_slot("import")  # they will be the first slot's
        lane = FixtureLane(settings, world, carrier, scratch, at_import, browser, sites)
        if lives_on(settings.system):
            await lane.start_server()
        return lane
    except (WorldFailure, BrowserUnusable, SlotFailure) as error:
        await _close(world, carrier, scratch)
        raise LaneFailure(str(error)) from error
    except BaseException:
        await _close(world, carrier, scratch)
        raise


async def _close(world: World | None, carrier: AnyCarrier | None, scratch: Path) -> None:
    if carrier is not None:
        await carrier.close()
    if world is not None:
        await world.close()
    remove(scratch)
