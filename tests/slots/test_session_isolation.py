"""Isolation ``session``: one process a slot, used by run after run, replaced when it ended."""

from __future__ import annotations

import asyncio
import time

from .conftest import Open


def test_runs_share_a_process_until_one_ends_it(place: Open) -> None:
    async def runs() -> None:
        async with place("endings:System", "session") as here:
            first = await here.ask("number")
            await here.ask("remember tariff")
            end = await here.slot.end()
            assert end.stdout == "asked: number\nasked: remember\n"
            second = await here.ask("number")
            # The folder is the run's, the process the slot's.
            assert (await here.ask("recall")).payload == "nothing"
            assert (await here.ask("count")).payload == 5
            assert second.payload == first.payload
            assert second.stdout == "asked: number\n"
            await here.slot.end()
            assert (await here.ask("exit 3")).error_type == "exit:3"
            assert (await here.ask("count")).ending == "not-asked"
            await here.slot.end()
            third = await here.ask("number")
            assert third.payload != first.payload
            assert (await here.ask("hang", 0.3)).ending == "timeout"
            await here.slot.end()
            assert (await here.ask("count")).payload == 1

    asyncio.run(runs())


def test_what_is_raised_does_not_end_the_process(place: Open) -> None:
    async def runs() -> None:
        async with place("endings:System", "session") as here:
            assert (await here.ask("raise_value")).error_type == "ValueError"
            await here.slot.end()
            assert (await here.ask("count")).payload == 2

    asyncio.run(runs())


def test_close_is_called_when_the_slot_is_closed(place: Open) -> None:
    async def runs() -> float:
        async with place("endings:ClosesBadly", "session") as here:
            await here.ask("count")
            assert (await here.slot.end()).error is None
            began = time.monotonic()
            await here.slot.close()
            return time.monotonic() - began

    assert asyncio.run(runs()) < 2


def test_a_step_costs_little(place: Open) -> None:
    async def steps() -> float:
        async with place("endings:System", "session") as here:
            await here.ask("count")
            took = []
            for _ in range(100):
                began = time.perf_counter()
                await here.ask("count")
                took.append(time.perf_counter() - began)
            return sorted(took)[50]

    assert asyncio.run(steps()) < 0.01
