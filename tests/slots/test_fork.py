"""What an import leaves in its process must not keep slots from being made of it."""

from __future__ import annotations

import asyncio

from .conftest import Open


def test_threads_that_are_started_again_after_a_fork(place: Open) -> None:
    async def steps() -> list[object]:
        async with place("restarting:threads") as here:
            first = await here.ask("x")
            await here.slot.end()
            return [first.payload, (await here.ask("x")).payload]

    assert asyncio.run(steps()) == ["MainThread exporter"] * 2
