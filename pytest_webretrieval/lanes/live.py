"""The live lane: the same cases on the real web, by slots whose doors lead to it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

from fixture_server.client import World, WorldFailure
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.targets import Target
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.configuration import LiveConfiguration
from pytest_webretrieval.grade.evidence import REPORTED
from pytest_webretrieval.lanes.outside import outward_of
from pytest_webretrieval.outward import Outward
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.temporary import new_folder, remove
from pytest_webretrieval.systems.ways import RemoteWay, parse

from .camp import LaneFailure
from .fixture import NO_BROWSER
from .live_stage import LiveStage
from .pool import SlotPool, open_pool
from .remote import RemoteRun

Targets = Mapping[str, Mapping[str, Target]]


class LiveLane:
    """Slots, whose world is the web."""

    def __init__(self, pool: SlotPool, configuration: LiveConfiguration) -> None:
        self._pool, self._configuration = pool, configuration

    @property
    def capabilities(self) -> frozenset[str] | None:
        """What the system itself declares that it can do; None: nothing declared, which means all."""
        return self._pool.capabilities

    def beyond(self, case: Case) -> str | None:
        """Why the case cannot be run here; None for what can."""
        return NO_BROWSER if self._pool.browser is None and case.live_channel == "browser" else None

    @contextlib.asynccontextmanager
    async def stage(self, target: Target, case: Case, truth: Truth, trial: int) -> AsyncIterator[LiveStage]:
        """A stage of one's own for one run."""
        pool = self._pool
        async with pool.slot(may_browse=case.live_channel == "browser") as (slot, world):
            yield LiveStage(slot, world, case, truth, target, self._configuration, pool.browser, trial=trial)

    async def close(self) -> None:
        """End every slot and the world."""
        await self._pool.close()


class RemoteLane:
    """A system that runs elsewhere and is asked by POST: what it did there, only it can say."""

    capabilities: frozenset[str] | None = None

    def __init__(
        self, way: RemoteWay, scratch: Path, outward: Outward, world: World, configuration: LiveConfiguration
    ) -> None:
        self._way, self._configuration = way, configuration
        self._scratch, self._outward, self._world = scratch, outward, world
        self._settling = asyncio.Lock()
        self._runs = 0

    def beyond(self, case: Case) -> str | None:
        """Nothing that can be known here."""
        return None

    @contextlib.asynccontextmanager
    async def stage(self, target: Target, case: Case, truth: Truth, trial: int) -> AsyncIterator[LiveStage]:
        """A stage of one's own for one run."""
        self._runs += 1
        run = RemoteRun(f"remote-{self._runs}", self._way.url)
        world = await self._whole()
        await world.open_slot(run.name, ())
        try:
            yield LiveStage(
                run,
                world,
                case,
                truth,
                target,
                self._configuration,
                trial=trial,
                witness=REPORTED,
            )
        finally:
            with contextlib.suppress(WorldFailure):  # the run has told of a world that is lost
                await world.close_slot(run.name)

    async def close(self) -> None:
        """End the world."""
        await self._world.close()
        remove(self._scratch)

    async def _whole(self) -> World:
        """The world, another one where it is lost."""
        async with self._settling:
            if self._world.is_lost:
                await self._world.close()
                self._world = await _start(self._scratch, self._outward)
            return self._world


async def open_live(settings: Settings, root: Path, truths: Sequence[Path]) -> LiveLane | RemoteLane:
    """The lane that the settings' ``live`` configures. Raises what ``open_pool`` raises."""
    assert settings.live is not None
    way = parse(settings.system)
    if not isinstance(way, RemoteWay):
        return LiveLane(await open_pool(settings, root, (), ()), settings.live)
    scratch, outward = new_folder(f"world-{secrets.token_hex(4)}"), outward_of(settings, root)
    try:
        world = await _start(scratch, outward)
    except LaneFailure:
        remove(scratch)
        raise
    return RemoteLane(way, scratch, outward, world, settings.live)


async def _start(folder: Path, outward: Outward) -> World:
    """A world that has nothing of its own. Raises LaneFailure."""
    try:
        world = await World.start(folder, truths=(), sites=(), outward=outward)
        await world.ready()
    except WorldFailure as error:
        raise LaneFailure(str(error)) from error
    return world
