"""A world, a system and its slots, opened together: they trust one authority, and end together."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from pathlib import Path

from fixture_server.client import World, WorldFailure
from pytest_webretrieval.lanes.outside import outward_of
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.browser import Browser, BrowserUnusable, find_browser
from pytest_webretrieval.slots.slot import SlotFailure
from pytest_webretrieval.slots.temporary import new_folder, remove
from pytest_webretrieval.systems.ways import lives_on
from pytest_webretrieval.wire.attempt import Trace

from .carriers import PROXY, AnyCarrier, AnySlot, open_any


class LaneFailure(Exception):
    """The lane could not be opened; the message says what is missing and how to mend it."""


class Camp:
    """Slots are opened as they are needed, and used again. ``busy`` counts those in use."""

    def __init__(
        self, world: World, carrier: AnyCarrier, scratch: Path, at_import: Trace, browser: Browser | None
    ) -> None:
        self.world, self.at_import, self.browser, self.busy = world, at_import, browser, 0
        self._carrier, self._scratch = carrier, scratch
        self._free: list[AnySlot] = []
        self._opened = 0

    @property
    def capabilities(self) -> frozenset[str] | None:
        """What the system itself declares that it can do; None: nothing declared, which means all."""
        return self._carrier.capabilities

    async def take(self) -> AnySlot:
        """A slot of one's own, until it is given back."""
        slot = self._free.pop() if self._free else await self._open_slot()
        self.busy += 1
        return slot

    def give_back(self, slot: AnySlot) -> None:
        """Let others have a slot, where it is still good."""
        self.busy -= 1
        if slot.failure is None:
            self._free.append(slot)

    async def start_server(self) -> None:
        """Open the first slot of a system that lives as long as its slot. Raises SystemUnusable when it does not
        start."""
        self._free.append(await self._open_slot())

    async def close(self) -> None:
        """End every slot and the world."""
        await _close(self.world, self._carrier, self._scratch)

    async def _open_slot(self) -> AnySlot:
        self._opened += 1
        slot = await self._carrier.open_slot(f"slot-{self._opened}")
        await self.world.open_slot(slot.name, slot.doors)
        await slot.ready()
        return slot


async def open_camp(settings: Settings, root: Path, truths: Sequence[Path], sites: Sequence[Path]) -> Camp:
    """Start the world and the system's zygote side by side, and import the system where the world answers it.

    ``root`` is where the user's modules are looked for; ``truths`` are what the pages of ``sites`` mark facts of.
    Raises LaneFailure (the world), CaseError, NoCarrier or SystemUnusable (their own messages).
    """
    scratch = new_folder(f"world-{secrets.token_hex(4)}")
    world: World | None = None
    carrier: AnyCarrier | None = None
    try:
        looking = asyncio.create_task(asyncio.to_thread(find_browser, settings.browser))
        world = await World.start(scratch, truths=truths, sites=sites, outward=outward_of(settings, root))
        browser = await looking
        if settings.carrier == PROXY:
            browser = None  # it would go round the proxy
        carrier = await open_any(settings, world.ca_pem, root, browser)
        await world.open_slot("import", carrier.import_doors)
        await carrier.imported()
        at_import, _ = await world.drain("import")
        if not carrier.import_doors:
            await world.close_slot("import")  # they will be the first slot's
        camp = Camp(world, carrier, scratch, at_import, browser)
        if lives_on(settings.system):
            await camp.start_server()
        return camp
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
