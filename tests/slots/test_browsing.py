"""Whether a browser lives in a slot is seen by the names of its processes, and of no other slot's."""

from __future__ import annotations

import asyncio

import pytest

from .conftest import Open, task


@pytest.mark.parametrize("name", ["chromium", "chrome", "headless_shell"])
def test_a_browser_is_seen_while_it_lives_and_only_in_its_slot(place: Open, name: str) -> None:
    async def runs() -> None:
        async with place("named:answer") as here:
            other = await here.carrier.open_slot("two")
            assert not await here.slot.browses()
            await here.ask(name)
            await other.ask(task("python"), 20.0)
            assert await here.slot.browses()
            assert not await other.browses()
            await here.slot.end()
            assert not await here.slot.browses()

    asyncio.run(runs())


def test_a_slot_can_be_looked_at_while_it_is_asked(place: Open) -> None:
    async def runs() -> None:
        async with place("endings:System") as here:
            asked = asyncio.create_task(here.ask("slowly 1"))
            assert not await here.slot.browses()
            assert not asked.done()
            assert (await asked).ending == "answered"

    asyncio.run(runs())
