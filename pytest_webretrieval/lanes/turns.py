"""Whose turn it is to run: as many at once as there are slots, and of those with a browser as many as there are cores.

Eight browsers at once on two cores take eight times as long each as one. Which runs open one is known only when they
have: a case that is about a browser may be answered by a system that waits twenty seconds for its model and opens none.
So a run that may open a browser is presumed to for a while; afterwards it counts if a browser lives in its slot. With
each run in which none does more are let in on presumption, as TCP finds the width of a road; a browser that is seen
puts that back.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from pytest_webretrieval.slots.slot import SlotFailure

# For so long a run is presumed to open a browser: an interpreter, a driver and a browser start in it.
PRESUMED_S = 2.0
LOOK_S = 0.5

Look = Callable[[], Awaitable[bool]]


@dataclass(slots=True, eq=False)
class Turn:
    """One run that waits or is under way. ``look`` tells whether a browser lives where it runs; it is set when that
    place is known. ``browses`` is what was seen, or is ``presumed``."""

    may_browse: bool
    go: asyncio.Event = field(default_factory=asyncio.Event)
    look: Look | None = None
    began: float = 0.0
    presumed: bool = False
    browses: bool = False


class Turns:
    """``slots`` runs at once, ``browsers`` of them with one. Who waits longest goes first, unless it may open a
    browser and there are enough of those: then the next one does."""

    def __init__(self, slots: int, browsers: int) -> None:
        self._slots, self._browsers = slots, browsers
        self._trusted = browsers  # so many may be presumed to browse at once
        self._waiting: dict[Turn, None] = {}
        self._under_way: set[Turn] = set()
        self._looking: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def turn(self, may_browse: bool) -> AsyncIterator[Turn]:
        """Wait for one's turn, and have it."""
        turn = Turn(may_browse)
        self._waiting[turn] = None
        self._admit()
        try:
            await turn.go.wait()
            yield turn
        finally:
            self._waiting.pop(turn, None)
            self._under_way.discard(turn)
            self._admit()

    async def close(self) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])

    def _admit(self) -> None:
        for turn in tuple(self._waiting):
            if len(self._under_way) >= self._slots:
                break
            if turn.may_browse and self._browsing() >= self._browsers:
                continue
            del self._waiting[turn]
            turn.began, turn.presumed = time.monotonic(), turn.may_browse
            self._under_way.add(turn)
            turn.go.set()
        held_back = self._slots > self._browsers and self._held_back()
        if held_back and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look())

    def _held_back(self) -> bool:
        return any(turn.may_browse for turn in self._waiting)

    def _browsing(self) -> float:
        """How many browsers there are: those that were seen, and a part of those that are presumed."""
        seen = sum(turn.browses for turn in self._under_way)
        presumed = sum(turn.presumed for turn in self._under_way)
        return seen + presumed * self._browsers / self._trusted

    async def _look(self) -> None:
        """See what runs really do for as long as somebody is held back by what is presumed of them."""
        while self._held_back():
            await asyncio.sleep(LOOK_S)
            for turn in tuple(self._under_way):
                if turn.look is not None and time.monotonic() - turn.began >= PRESUMED_S:
                    await self._see(turn, turn.look)
            self._admit()

    async def _see(self, turn: Turn, look: Look) -> None:
        with contextlib.suppress(SlotFailure):  # the run itself tells of it
            turn.browses = await look()
        if turn.browses:
            self._trusted = self._browsers
        elif turn.presumed:
            self._trusted += 1
        turn.presumed = False
