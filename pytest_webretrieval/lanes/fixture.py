"""The fixture lane: one world, one system, a number of slots. No key, no network."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from fixture_server.client import BUILT_IN, World, WorldFailure
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.carrier import Carrier, open_carrier
from pytest_webretrieval.slots.slot import Slot
from pytest_webretrieval.slots.temporary import new_folder, remove
from pytest_webretrieval.wire.attempt import Trace

from .stage import Stage


class LaneFailure(Exception):
    """The lane could not be opened; the message says what is missing and how to mend it."""


def scene_names() -> frozenset[str]:
    """The scenes that the built-in world has, as in ``known/static``."""
    scenes = BUILT_IN / "scenes"
    return frozenset(path.relative_to(scenes).with_suffix("").as_posix() for path in scenes.rglob("*.yaml"))


class FixtureLane:
    """Slots are opened as they are needed, up to the number that the settings allow, and used again."""

    def __init__(
        self, settings: Settings, world: World, carrier: Carrier, scratch: Path, at_import: Trace
    ) -> None:
        self.at_import = at_import
        self._settings, self._world, self._carrier, self._scratch = settings, world, carrier, scratch
        self._free: list[Slot] = []
        self._room = asyncio.Semaphore(settings.slots)
        self._opened = 0

    @property
    def capabilities(self) -> frozenset[str] | None:
        """What the system itself declares that it can do; None where it declares nothing."""
        return self._carrier.capabilities

    @contextlib.asynccontextmanager
    async def stage(self, case: Case, truth: Truth) -> AsyncIterator[Stage]:
        """A stage of one's own for one run; waits while every slot is in use."""
        async with self._room:
            slot = self._free.pop() if self._free else await self._open_slot()
            try:
                yield Stage(slot, self._world, case, truth, self._settings.fixture_seed)
            finally:
                if slot.failure is None:
                    self._free.append(slot)

    async def _open_slot(self) -> Slot:
        self._opened += 1
        slot = await self._carrier.open_slot(f"slot-{self._opened}")
        await self._world.open_slot(slot.name, slot.doors)
        return slot

    async def close(self) -> None:
        """End every slot and the world."""
        await _close(self._world, self._carrier, self._scratch)


async def open_lane(settings: Settings, root: Path, truths: Sequence[Path]) -> FixtureLane:
    """Start the world and the system's zygote side by side, and import the system where the world answers it.

    ``root`` is where the user's modules are looked for; ``truths`` are the truth folders of the corpora.
    Raises LaneFailure (the world), NoCarrier or SystemUnusable (their own messages).
    """
    scratch = new_folder(f"world-{secrets.token_hex(4)}")
    world: World | None = None
    carrier: Carrier | None = None
    try:
        world = await World.start(scratch, truths=truths)
        carrier = await open_carrier(
            settings.system, ca_pem=world.ca_pem, isolation=settings.isolation, folder=root
        )
        await world.open_slot("import", carrier.import_doors)
        await carrier.imported()
        at_import, _ = await world.drain("import")
    except WorldFailure as error:
        await _close(world, carrier, scratch)
        raise LaneFailure(str(error)) from error
    except BaseException:
        await _close(world, carrier, scratch)
        raise
    return FixtureLane(settings, world, carrier, scratch, at_import)


async def _close(world: World | None, carrier: Carrier | None, scratch: Path) -> None:
    if carrier is not None:
        await carrier.close()
    if world is not None:
        await world.close()
    remove(scratch)
