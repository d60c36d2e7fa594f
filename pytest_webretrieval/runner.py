"""Runs cases in the background, as many at once as there are slots, in the order in which their items will ask."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.draw import draw_truth
from pytest_webretrieval.cases.targets import Target
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.grade.probing import Suspicion
from pytest_webretrieval.lanes.fixture import FixtureLane, open_lane
from pytest_webretrieval.lanes.live import LiveLane, RemoteLane
from pytest_webretrieval.lanes.stage import Place
from pytest_webretrieval.proposing import proposal_of
from pytest_webretrieval.records.attempts import attempt_rows
from pytest_webretrieval.records.codec import to_json
from pytest_webretrieval.records.evidence import dump, last_words
from pytest_webretrieval.records.folder import FolderError, keep_evidence
from pytest_webretrieval.records.probe_proposal import write_proposal
from pytest_webretrieval.records.record import Key, Record
from pytest_webretrieval.run import Finished, run_case
from pytest_webretrieval.settings import Settings

# How far the runner may be ahead of the items that await it: enough to keep every slot busy, little to hold.
AHEAD = 64

T = TypeVar("T")


class Lane(Protocol):
    """What ``open`` opens; how a run gets its stage there is the run's own ``enter``."""

    @property
    def capabilities(self) -> frozenset[str] | None: ...

    def beyond(self, case: Case) -> str | None: ...

    async def close(self) -> None: ...


Open = Callable[[Settings, Path, Sequence[Path]], Awaitable[Lane]]
Enter = Callable[[Any, Case, Truth, int], AbstractAsyncContextManager[Place]]


def in_a_slot(lane: FixtureLane, case: Case, truth: Truth, trial: int) -> AbstractAsyncContextManager[Place]:
    """The usual way for a run to get its stage."""
    return lane.stage(case, truth, trial)


def on_the_web(target: Target | None) -> Enter:
    """The way for a run that goes to a target on the real web."""

    def enter(
        lane: LiveLane | RemoteLane, case: Case, truth: Truth, trial: int
    ) -> AbstractAsyncContextManager[Place]:
        assert target is not None  # a case without one is skipped
        return lane.stage(target, case, truth, trial)

    return enter


@dataclass(frozen=True, slots=True)
class Planned:
    """One run that was asked for. ``truth`` reads the case's truth, at first use; ``system`` is what its record says
    where that is not the settings' own; ``told`` is the run where it was finished before."""

    case: Case
    key: Key
    truth: Callable[[], Truth]
    enter: Enter = in_a_slot
    system: str | None = None
    told: Told | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A finished run as it travels to the process that writes: JSON-able, with what could not be kept. ``said`` is the
    end of what a system said that gave no answer, ``answer`` the last one that it gave, ``recordings`` what became of
    those that it used."""

    record: dict[str, Any]
    attempts: list[dict[str, Any]]
    said: str = ""
    answer: str = ""
    trouble: str | None = None
    replayed: bool = False
    diverged: str | None = None
    recordings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Batch:
    """What one item asks for: ``trials``, side by side, and then what ``further`` asks for when these are told."""

    trials: tuple[Planned, ...]
    further: Callable[[Sequence[Told]], tuple[Planned, ...]] = lambda tolds: ()

    @property
    def key(self) -> Key:
        return self.trials[0].key


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
        self._held: set[Key] = set()
        self._begun: set[Key] = set()
        self._batches: dict[Key, concurrent.futures.Future[tuple[Told, ...]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Open the lane. Raises what opening it raises (LaneFailure, NoCarrier, SystemUnusable)."""
        self._thread.start()
        lane = asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        self.capabilities, self.beyond = lane.capabilities, lane.beyond

    def start(self, batches: Sequence[Batch]) -> None:
        """Begin to run ``batches``, in order, without waiting for them."""
        fresh = tuple(batch for batch in batches if batch.key not in self._batches)
        for batch in fresh:
            self._batches[batch.key] = concurrent.futures.Future()
        self._loop.call_soon_threadsafe(self._spawn, self._pump, fresh)

    def results(self, batch: Batch) -> tuple[Told, ...]:
        """The finished runs; begins them when nothing did before. Raises what opening the lane raises."""
        try:
            return self.begun(batch).result()
        finally:
            self.forget(batch)

    def begun(self, batch: Batch) -> concurrent.futures.Future[tuple[Told, ...]]:
        """The runs under way; begins them when nothing did before. Whoever takes them calls ``forget`` when they are
        over."""
        waiting = self._batches.setdefault(batch.key, concurrent.futures.Future())
        # Somebody waits for it now, so it does not wait for room: those that hold it may never be asked for.
        self._loop.call_soon_threadsafe(self._spawn, self._tell, batch)
        return waiting

    def forget(self, batch: Batch) -> None:
        """Make room for the next one."""
        self._batches.pop(batch.key, None)
        self._loop.call_soon_threadsafe(self._make_room, batch.key)

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

    def _spawn(self, work: Callable[[T], Coroutine[Any, Any, None]], on: T) -> None:
        task = self._loop.create_task(work(on))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _make_room(self, key: Key) -> None:
        self._begun.discard(key)
        if key in self._held:
            self._held.remove(key)
            self._ahead.release()

    async def _pump(self, batches: tuple[Batch, ...]) -> None:
        running: set[asyncio.Task[None]] = set()
        try:
            for batch in batches:
                await self._ahead.acquire()
                if batch.key not in self._batches:  # it was asked for, told and forgotten meanwhile
                    self._ahead.release()
                    continue
                self._held.add(batch.key)
                task = asyncio.create_task(self._tell(batch))
                running.add(task)
                task.add_done_callback(running.discard)
            await asyncio.gather(*running)
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _tell(self, batch: Batch) -> None:
        waiting = self._batches.get(batch.key)
        if waiting is None or batch.key in self._begun:  # told and forgotten, or under way
            return
        self._begun.add(batch.key)
        try:
            tolds = await self._all(batch.trials)
            tolds += await self._all(batch.further(tolds))
        except asyncio.CancelledError:
            waiting.cancel()
            raise
        except BaseException as error:
            waiting.set_exception(error)
        else:
            waiting.set_result(tolds)

    async def _all(self, planned: tuple[Planned, ...]) -> tuple[Told, ...]:
        """Side by side; where one cannot be run, none is."""
        running = [asyncio.create_task(self._run(run)) for run in planned]
        try:
            return tuple(await asyncio.gather(*running))
        finally:
            for task in running:
                task.cancel()

    async def _open(self) -> Lane:
        if self._lane is None:
            self._lane = asyncio.ensure_future(self._open_it(self._settings, self._root, self._truths))
        return await asyncio.shield(self._lane)

    async def _run(self, planned: Planned) -> Told:
        if planned.told is not None:
            return planned.told
        lane = await self._open()
        truth = draw_truth(planned.truth(), self._settings.fixture_seed)
        settings = replace(self._settings, system=planned.system) if planned.system else self._settings
        async with planned.enter(lane, planned.case, truth, planned.key.trial) as stage:
            finished = await run_case(planned.case, truth, stage, planned.key, settings)
        return self._kept(finished, truth)

    def _kept(self, finished: Finished, truth: Truth) -> Told:
        """All that is told of a run, without secrets."""
        scrub = finished.scrub
        trouble = keep_evidence(
            self._folder, finished.record.evidence, scrub.data(dump(finished.run)), (finished.archive,)
        )
        if trouble is None and finished.suspicion is not None:
            trouble = self._proposed(finished.record, truth, finished.suspicion)
        traces = [step.trace for step in finished.run.steps]
        return Told(
            record=scrub.data(to_json(finished.record)),
            attempts=list(attempt_rows(finished.record.key, traces)),
            said=scrub.text(last_words(finished.run)),
            answer=scrub.text(finished.answer),
            trouble=trouble,
            diverged=finished.diverged,
            recordings=asdict(finished.account),
        )

    def _proposed(self, record: Record, truth: Truth, suspicion: Suspicion) -> str | None:
        """Write down for people what was seen of a target that is not what truth says; what went wrong with that."""
        try:
            write_proposal(self._folder, proposal_of(record, truth, suspicion))
        except FolderError as error:
            return str(error)
        return None

    async def _shut(self) -> None:
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._lane is not None:
            with contextlib.suppress(Exception):
                await (await self._lane).close()
