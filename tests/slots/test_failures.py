"""When the slot itself fails, that is told as such, and another can be opened."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from pytest_webretrieval.slots.slot import SlotFailure

from .conftest import Open, Place, task


def parent_of_slot(place: Place) -> int:
    """The process that holds the slot: the one that is first in the innermost of three PID namespaces."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and _is_below(int(folder.name), place.carrier._warden.pid):
            status = (folder / "status").read_text(encoding="utf-8")
            numbers = next(line.split()[1:] for line in status.splitlines() if line.startswith("NSpid"))
            if len(numbers) >= 3 and numbers[-1] == "1":
                return int(folder.name)
    raise AssertionError("no such process")


def _is_below(number: int, ancestor: int) -> bool:
    while number > 1:
        if number == ancestor:
            return True
        try:
            text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8")
        except OSError:
            return False
        number = int(text.rpartition(")")[2].split()[1])
    return False


def test_a_slot_whose_parent_dies_in_a_step(place: Open) -> None:
    async def steps() -> None:
        async with place("endings:System") as here:
            asking = asyncio.create_task(here.ask("call_and_hang", 60))
            await here.web.saw("DNS hanging.example")
            os.kill(parent_of_slot(here), signal.SIGKILL)
            with pytest.raises(SlotFailure, match="slot one: its parent process is gone"):
                await asking
            with pytest.raises(SlotFailure):
                await here.slot.end()
            with pytest.raises(SlotFailure):
                await here.ask("count")
            assert here.slot.failure is not None
            other = await here.carrier.open_slot("two")
            assert (await other.ask(task("count"), 20)).payload == 1

    asyncio.run(steps())


def test_a_slot_whose_parent_does_not_answer(place: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_webretrieval.slots.slot._PATIENCE_S", 0.3)

    async def steps() -> None:
        async with place("endings:System") as here:
            await here.ask("count")
            os.kill(parent_of_slot(here), signal.SIGSTOP)
            with pytest.raises(SlotFailure, match=r"no answer to `ask` within 0\.5 s"):
                await here.ask("count", 0.1)

    asyncio.run(steps())


def test_a_zygote_that_dies(place: Open) -> None:
    async def steps() -> None:
        async with place("endings:System") as here:
            await here.ask("count")
            asking = asyncio.create_task(here.ask("call_and_hang", 60))
            await here.web.saw("DNS hanging.example")
            here.carrier._warden.kill()
            with pytest.raises(SlotFailure):
                await asking
            with pytest.raises(SlotFailure, match="slot two"):
                await here.carrier.open_slot("two")

    asyncio.run(steps())


def test_closing_twice_is_closing_once(place: Open) -> None:
    async def steps() -> None:
        async with place("endings:System") as here:
            await here.ask("count")
            await here.slot.close()
            await here.slot.close()
            await here.carrier.close()
            with pytest.raises(SlotFailure, match="it was closed"):
                await here.ask("count")

    asyncio.run(steps())
