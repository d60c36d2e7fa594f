"""The world for systems in the caller's own process: no slots, one run at a time."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from fixture_server.client import World, WorldFailure
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.lanes.outside import outward_of
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.inside import InsideCall, InsideDoor, InsideRun
from pytest_webretrieval.slots.temporary import new_folder, remove

from .camp import LaneFailure
from .carriers import real_keys
from .grounds import sites_for
from .stage import Stage


class InsideLane:
    """One door, which every run uses in turn: variables and guard are those of the whole process."""

    capabilities: frozenset[str] | None = None

    def beyond(self, case: Case) -> str | None:
        """Nothing: whoever calls ``arun`` has looked."""
        return None

    def __init__(self, settings: Settings, world: World, door: InsideDoor, scratch: Path) -> None:
        self._settings, self._world, self._door, self._scratch = settings, world, door, scratch
        self._turn = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def stage(self, call: InsideCall, case: Case, truth: Truth, trial: int) -> AsyncIterator[Stage]:
        """A stage for one call."""
        async with self._turn:
            run = InsideRun(self._door, call)
            yield Stage(run, self._world, case, truth, self._settings.fixture_seed, trial=trial)

    async def close(self) -> None:
        """End the world and close the door."""
        self._door.close()
        await self._world.close()
        remove(self._scratch)


async def open_inside(settings: Settings, root: Path, truths: Sequence[Path]) -> InsideLane:
    """Start the world and open the door. ``root`` is where recordings are. Raises LaneFailure."""
    scratch = new_folder(f"world-{secrets.token_hex(4)}")
    world: World | None = None
    door: InsideDoor | None = None
    try:
        world = await World.start(
            scratch, truths=truths, sites=sites_for(truths), outward=outward_of(settings, root)
        )
        door = InsideDoor(world.ca_pem, real_keys(settings))
        await world.open_slot(door.name, door.doors)
    except BaseException as error:
        if door is not None:
            door.close()
        if world is not None:
            await world.close()
        remove(scratch)
        if isinstance(error, WorldFailure):
            raise LaneFailure(str(error)) from error
        raise
    return InsideLane(settings, world, door, scratch)
