"""Runs cases in the background, as many at once as there are slots, in the order in which their items will ask."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.draw import draw_truth
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.lanes.fixture import FixtureLane, open_lane
from pytest_webretrieval.lanes.stage import Stage
from pytest_webretrieval.records.attempts import attempt_rows
from pytest_webretrieval.records.codec import to_json
from pytest_webretrieval.records.evidence import dump, last_words
from pytest_webretrieval.records.folder import keep_evidence
from pytest_webretrieval.records.record import Key
from pytest_webretrieval.run import Finished, run_case
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.wire.secrets import scrubber

# How far the runner may be ahead of the items that await it: enough to keep every slot busy, little to hold.
AHEAD = 64


class Lane(Protocol):
    """What ``open`` opens; how a run gets its stage there is the run's own ``enter``."""

    @property
    def capabilities(self) -> frozenset[str] | None: ...

    def beyond(self, case: Case) -> str | None: ...

    async def close(self) -> None: ...


Open = Callable[[Settings, Path, Sequence[Path]], Awaitable[Lane]]
Enter = Callable[[Any, Case, Truth, int], AbstractAsyncContextManager[Stage]]


def in_a_slot(lane: FixtureLane, case: Case, truth: Truth, trial: int) -> AbstractAsyncContextManager[Stage]:
    """The usual way for a run to get its stage."""
    return lane.stage(case, truth, trial)


@dataclass(frozen=True, slots=True)
class Planned:
    """One run that was asked for. ``truth`` reads the case's truth, at first use; ``system`` is what its record says
    where that is not the settings' own."""

    case: Case
    key: Key
    truth: Callable[[], Truth]
    enter: Enter = in_a_slot
    system: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A finished run as it travels to the process that writes: JSON-able, with what could not be kept. ``said`` is the
    end of what a system said that gave no answer, ``answer`` the last one that it gave."""

    record: dict[str, Any]
    attempts: list[dict[str, Any]]
    said: str = ""
    answer: str = ""
    trouble: str | None = None
    replayed: bool = False


class Runner:
    """A thread with an event loop of its own: nothing here runs in the thread of the tests, where other plugins keep
    loops of theirs. ``open`` opens the lane, ``close`` ends all of it."""

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        root: Path,
        truths: Sequence[Path],
        open_it: Open = open_lane,
    ) -> None:
        self._settings, self._folder, self._root, self._truths = settings, folder, root, truths
        self._open_it = open_it
        self.capabilities: frozenset[str] | None = None
        self.beyond: Callable[[Case], str | None] = lambda case: None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="webretrieval", daemon=True)
        self._lane: asyncio.Future[Lane] | None = None
        self._ahead = asyncio.Semaphore(max(AHEAD, 4 * settings.slots))
        self._runs: dict[Key, concurrent.futures.Future[Told]] = {}
        self._pumps: set[asyncio.Task[None]] = set()
        self._scrub = scrubber()

    def open(self) -> None:
        """Open the lane. Raises what opening it raises (LaneFailure, NoCarrier, SystemUnusable)."""
        self._thread.start()
        lane = asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        self.capabilities, self.beyond = lane.capabilities, lane.beyond

    def start(self, planned: Sequence[Planned]) -> None:
        """Begin to run ``planned``, in order, without waiting for them."""
        fresh = tuple(run for run in planned if run.key not in self._runs)
        for run in fresh:
            self._runs[run.key] = concurrent.futures.Future()
        self._loop.call_soon_threadsafe(self._begin, fresh)

    def result(self, planned: Planned) -> Told:
        """The finished run; begins it when nothing did before. Raises what opening the lane raises."""
        try:
            return self.begun(planned).result()
        finally:
            self.forget(planned)

    def begun(self, planned: Planned) -> concurrent.futures.Future[Told]:
        """The run under way; begins it when nothing did before. Whoever takes it calls ``forget`` when it is over."""
        if planned.key not in self._runs:
            self.start((planned,))
        return self._runs[planned.key]

    def forget(self, planned: Planned) -> None:
        """Make room for the next run."""
        self._runs.pop(planned.key, None)
        self._loop.call_soon_threadsafe(self._ahead.release)

    def close(self) -> None:
        """Cancel what has not ended, end every process, stop the thread."""
        if not self._thread.is_alive():
            return
        try:
            asyncio.run_coroutine_threadsafe(self._shut(), self._loop).result()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _begin(self, planned: tuple[Planned, ...]) -> None:
        pump = self._loop.create_task(self._pump(planned))
        self._pumps.add(pump)
        pump.add_done_callback(self._pumps.discard)

    async def _pump(self, planned: tuple[Planned, ...]) -> None:
        running: set[asyncio.Task[None]] = set()
        try:
            for run in planned:
                await self._ahead.acquire()
                task = asyncio.create_task(self._tell(run))
                running.add(task)
                task.add_done_callback(running.discard)
            await asyncio.gather(*running)
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _tell(self, planned: Planned) -> None:
        waiting = self._runs[planned.key]
        try:
            told = await self._run(planned)
        except asyncio.CancelledError:
            waiting.cancel()
            raise
        except BaseException as error:
            waiting.set_exception(error)
        else:
            waiting.set_result(told)

    async def _open(self) -> Lane:
        if self._lane is None:
            self._lane = asyncio.ensure_future(self._open_it(self._settings, self._root, self._truths))
        return await asyncio.shield(self._lane)

    async def _run(self, planned: Planned) -> Told:
        lane = await self._open()
        truth = draw_truth(planned.truth(), self._settings.fixture_seed)
        settings = replace(self._settings, system=planned.system) if planned.system else self._settings
        async with planned.enter(lane, planned.case, truth, planned.key.trial) as stage:
            finished = await run_case(planned.case, truth, stage, planned.key, settings)
        return self._kept(finished)

    def _kept(self, finished: Finished) -> Told:
        trouble = keep_evidence(
            self._folder, finished.record.evidence, dump(finished.run), (finished.archive,)
        )
        traces = [step.trace for step in finished.run.steps]
        return Told(
            record=to_json(finished.record),
            attempts=list(attempt_rows(finished.record.key, traces)),
            said=self._scrub(last_words(finished.run)),
            answer=self._scrub(finished.answer),
            trouble=trouble,
        )

    async def _shut(self) -> None:
        pumps = tuple(self._pumps)
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        if self._lane is not None:
            with contextlib.suppress(Exception):
                await (await self._lane).close()
