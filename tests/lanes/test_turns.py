"""Whose turn it is: every slot is used, and no more browsers at once than cores, whatever a case is about."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webretrieval.lanes import turns
from pytest_webretrieval.lanes.turns import Turns
from pytest_webretrieval.slots.slot import SlotFailure


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PRESUMED_S", 0.02)
    monkeypatch.setattr(turns, "LOOK_S", 0.005)


class Hall:
    """Runs that begin when it is their turn, and end when they are told to."""

    def __init__(self, slots: int, browsers: int) -> None:
        self.turns = Turns(slots, browsers)
        self.under_way: list[str] = []
        self.changed = asyncio.Event()
        self.ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def ask(self, name: str, *, may_browse: bool = False, browses: bool = False) -> None:
        self.ends[name] = asyncio.Event()
        self.tasks[name] = asyncio.create_task(self._run(name, may_browse, browses))

    async def _run(self, name: str, may_browse: bool, browses: bool) -> None:
        async def look() -> bool:
            return browses

        async with self.turns.turn(may_browse) as turn:
            turn.look = look
            self.under_way.append(name)
            self.changed.set()
            await self.ends[name].wait()
            self.under_way.remove(name)

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await self.tasks[name]

    async def until(self, *names: str) -> None:
        """Wait until these are under way, in whatever order."""
        async with asyncio.timeout(10):
            while sorted(self.under_way) != sorted(names):
                self.changed.clear()
                await self.changed.wait()

    async def settle(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)


@asynccontextmanager
async def hall(slots: int, browsers: int) -> AsyncIterator[Hall]:
    there = Hall(slots, browsers)
    try:
        yield there
    finally:
        for task in there.tasks.values():
            task.cancel()
        await asyncio.gather(*there.tasks.values(), return_exceptions=True)
        await there.turns.close()


def test_who_waits_longest_goes_first() -> None:
    async def runs() -> None:
        async with hall(2, 2) as there:
            for name in "abcd":
                there.ask(name)
            await there.until("a", "b")
            await there.end("a")
            await there.until("b", "c")

    asyncio.run(runs())


def test_one_that_waits_for_a_browser_lets_others_pass() -> None:
    async def runs() -> None:
        async with hall(3, 1) as there:
            there.ask("first", may_browse=True, browses=True)
            there.ask("second", may_browse=True, browses=True)
            there.ask("plain")
            await there.until("first", "plain")
            await asyncio.sleep(0.1)  # many looks: the browser lives on
            assert sorted(there.under_way) == ["first", "plain"]
            await there.end("first")
            await there.until("second", "plain")

    asyncio.run(runs())


def test_runs_that_open_no_browser_are_let_in_sooner_and_sooner() -> None:
    async def runs() -> None:
        async with hall(16, 2) as there:
            names = [f"run-{number}" for number in range(16)]
            for name in names:
                there.ask(name, may_browse=True)
            await there.settle()
            assert len(there.under_way) == 2
            await there.until(*names)

    asyncio.run(runs())


def test_a_browser_that_is_seen_counts_whoever_opened_it() -> None:
    async def runs() -> None:
        async with hall(4, 1) as there:
            there.ask("plain", browses=True)
            there.ask("first", may_browse=True)
            there.ask("second", may_browse=True)
            await there.until("plain", "first")
            await asyncio.sleep(0.1)
            assert sorted(there.under_way) == ["first", "plain"]
            await there.end("plain")
            await there.until("first", "second")

    asyncio.run(runs())


def test_a_slot_that_failed_says_nothing_of_a_browser() -> None:
    async def runs() -> None:
        there = Turns(2, 1)

        async def broken() -> bool:
            raise SlotFailure("gone")

        async with there.turn(True) as first:
            first.look = broken
            async with asyncio.timeout(10), there.turn(True):
                pass
        await there.close()

    asyncio.run(runs())


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=12), st.integers(1, 4), st.integers(1, 4))
def test_everybody_has_a_turn_and_never_more_than_there_are_slots(
    asked: list[tuple[bool, bool]], slots: int, browsers: int
) -> None:
    async def runs() -> int:
        there, under_way, most = Turns(slots, browsers), 0, 0

        async def one(may_browse: bool) -> None:
            nonlocal under_way, most
            async with there.turn(may_browse):
                under_way += 1
                most = max(most, under_way)
                try:
                    await asyncio.sleep(0)
                finally:
                    under_way -= 1

        tasks = [asyncio.create_task(one(may_browse)) for may_browse, _ in asked]
        await asyncio.sleep(0)
        for task, (_, cancelled) in zip(tasks, asked, strict=True):
            if cancelled:
                task.cancel()
        async with asyncio.timeout(10):
            await asyncio.gather(*tasks, return_exceptions=True)
        await there.close()
        return most

    assert asyncio.run(runs()) <= slots
