"""The stage: all that one run of one case has."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from fixture_server.client import World
from fixture_server.replies import SceneView
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.truth import Step, Truth
from pytest_webretrieval.grade.evidence import WIRE
from pytest_webretrieval.grade.probing import Suspicion
from pytest_webretrieval.slots.browser import Browser
from pytest_webretrieval.slots.slot import RunEnd
from pytest_webretrieval.systems.contract import Task, Testimony
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Trace
from pytest_webretrieval.wire.cleaning import Cleaner
from pytest_webretrieval.wire.recording import Account

from .task import task_for, user_for


class Runs(Protocol):
    """Whatever runs a system: a slot, or the caller's own process. ``name`` is that of its doors."""

    @property
    def name(self) -> str: ...

    async def ask(self, task: Task, deadline_s: float) -> Testimony: ...

    async def end(self) -> RunEnd: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What a record says of where a run on the real web took place, and on which ``terms`` (see ``cases.live``);
    ``disallowed`` are documents that the system read although robots.txt keeps them from who it said it was."""

    region: str
    target: str
    terms: str
    disallowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """What the harness saw when it looked whether a failure is the system's. ``suspicion`` is None where it is."""

    suspicion: Suspicion | None
    trace: Trace
    archive: Archive


class Place(Protocol):
    """All that one run has, in either lane. ``witness`` says what its evidence is (see ``grade.evidence``)."""

    case: Case
    truth: Truth
    scene: SceneView
    began_at: float
    cleaner: Cleaner
    witness: str

    async def open(self) -> None: ...

    async def forbidden(self) -> Suspicion | None: ...

    async def ask(self, number: int, step: Step) -> Testimony: ...

    async def evidence(self) -> tuple[Trace, Archive]: ...

    async def end(self) -> tuple[RunEnd, Trace]: ...

    async def keep(self, cited: Sequence[str]) -> tuple[Account, Trace, Archive]: ...

    async def doubt(self) -> Doubt | None: ...

    def beside(self) -> Beside | None: ...


def late(trace: Trace) -> Trace:
    """What came after the last answer, marked so."""
    return replace(trace, attempts=tuple(replace(attempt, late=True) for attempt in trace.attempts))


class Stage:
    """A slot, and the world as one case meets it there. One run at a time uses a slot, so what comes through its
    doors between ``open`` and ``end`` is the run's. ``cleaner`` knows what of it is a secret."""

    def __init__(
        self,
        slot: Runs,
        world: World,
        case: Case,
        truth: Truth,
        seed: int,
        browser: Browser | None = None,
        *,
        trial: int = 0,
    ) -> None:
        self.case, self.truth, self.witness = case, truth, WIRE
        self._slot, self._world, self._seed, self._browser, self._trial = slot, world, seed, browser, trial
        self.scene = SceneView(start_urls=(), cheapest="direct-fetch", states=())
        self.began_at = 0.0
        self.cleaner = Cleaner()

    async def open(self) -> None:
        """Set the scene: counters, archive and times begin anew, at ``began_at`` (Unix time)."""
        self.began_at = time.time()
        self.scene = await self._world.begin(
            self._slot.name,
            seed=self._seed,
            scene=self.case.scene,
            case=f"{self.case.corpus}::{self.case.id}",
            trial=self._trial,
            faults=self.case.faults,
        )
        credentials = [one["value"] for held in self.scene.users.values() for one in held if one["value"]]
        self.cleaner = Cleaner(self._world.listed, credentials)

    async def forbidden(self) -> Suspicion | None:
        """Nothing here is anybody else's."""
        return None

    async def ask(self, number: int, step: Step) -> Testimony:
        """Put one step's task to the system."""
        await self._world.step(self._slot.name, number + 1, step.state, step.user)
        user = user_for(step.user, self.scene.users)
        task: Task = task_for(
            self.case,
            self.truth,
            step,
            self.scene.start_urls,
            user,
            self._browser,
            self._world.dialects(),
            self._world.model,
        )
        return await self._slot.ask(task, step.deadline_s)

    async def evidence(self) -> tuple[Trace, Archive]:
        """What the wire saw and carried since it was last asked, without secrets."""
        return self.cleaner.cleaned(*await self._world.drain(self._slot.name))

    async def end(self) -> tuple[RunEnd, Trace]:
        """End the run: whatever it started is gone afterwards. What came after the last answer is ``late``."""
        ended = await self._slot.end()
        trace, _ = await self.evidence()
        return ended, late(trace)

    async def keep(self, cited: Sequence[str]) -> tuple[Account, Trace, Archive]:
        """End the run's recordings, once it has ended itself; with the ``cited`` pages that it did not fetch, where
        they are those of a recorded host."""
        account, trace, archive = await self._world.keep(self._slot.name, cited)
        return account, *self.cleaner.cleaned(trace, archive)

    async def doubt(self) -> Doubt | None:
        """Nothing here vanishes or changes by itself: a failure is the system's."""
        return None

    def beside(self) -> Beside | None:
        """There is one world, and it is here."""
        return None
