"""However a run ends, it ends alone: the slot goes on, and the next run begins clean."""

from __future__ import annotations

import asyncio
import time

import pytest

from pytest_webretrieval.slots import parent
from pytest_webretrieval.slots.slot import RunEnd
from pytest_webretrieval.systems import contract

from .conftest import Open, task


def run(
    place: Open, *prompts: str, deadline_s: float = 20.0, system: str = "System"
) -> tuple[list[contract.Testimony], RunEnd, float]:
    """Testimonies of one run, its end, and how long the end took; the slot is proven to work afterwards."""

    async def steps() -> tuple[list[contract.Testimony], RunEnd, float]:
        async with place(f"endings:{system}") as here:
            said = [await here.ask(prompt, deadline_s) for prompt in prompts]
            began = time.monotonic()
            end = await here.slot.end()
            took = time.monotonic() - began
            again = await here.ask("count")
            if system == "System":
                assert (again.ending, again.payload) == ("answered", 1), again
            else:
                assert again.ending in ("answered", "raised", "timeout"), again
            return said, end, took

    return asyncio.run(steps())


def test_steps_of_a_run_share_a_process_and_a_folder(place: Open) -> None:
    said, end, _ = run(place, "number", "remember tariff", "recall", "count", "number")
    assert [step.ending for step in said] == ["answered"] * 5
    assert said[2].payload == "tariff"
    assert said[3].payload == 4
    assert said[0].payload == said[4].payload
    assert said[1].stdout == "asked: remember\n"
    assert said[1].stderr == "complained: remember\n"
    assert end.stdout.splitlines()[0] == "asked: number"
    assert end.stdout.endswith("closed\n")
    assert end.error is None
    assert end.survivors == 0


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("exit 3", "exit:3"),
        ("exit 0", "exit:0"),
        ("kill_itself 9", "signal:9"),
        ("kill_itself 15", "signal:15"),
        ("kill_itself 11", "signal:11"),
        ("abort", "signal:6"),
        ("fork_hang_and_exit", "exit:5"),
    ],
)
def test_a_process_that_dies(place: Open, prompt: str, kind: str) -> None:
    (died, after), end, _ = run(place, prompt, "count")
    assert (died.ending, died.error_type) == ("died", kind)
    assert died.stdout in ("", f"asked: {prompt.split()[0]}\n")
    assert after.ending == "not-asked"
    assert end.survivors == (1 if "fork" in prompt else 0)


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("raise_value", "ValueError"),
        ("raise_odd", "Odd"),
        ("raise_unprintable", "Unprintable"),
        ("leave", "SystemExit"),
        ("interrupt", "KeyboardInterrupt"),
    ],
)
def test_whatever_is_raised_is_only_raised(place: Open, prompt: str, kind: str) -> None:
    (raised, after), _, _ = run(place, prompt, "count")
    assert (raised.ending, raised.error_type) == ("raised", kind)
    assert raised.error is not None
    assert "endings.py" in raised.error or kind == "Unprintable"
    assert "slots/host.py" not in raised.error
    assert (after.ending, after.payload) == ("answered", 2)


@pytest.mark.parametrize("prompt", ["hang", "stop", "spin", "shout_and_hang", "slowly 60"])
def test_a_deadline_is_kept_from_outside(place: Open, prompt: str) -> None:
    began = time.monotonic()
    (late, after), _, took = run(place, prompt, "count", deadline_s=0.5)
    assert (late.ending, late.error_type) == ("timeout", "timeout")
    assert 0.5 <= late.duration_s < 2
    assert after.ending == "not-asked"
    assert took < 1
    assert time.monotonic() - began < 8


def test_a_slow_answer_within_the_deadline_is_an_answer(place: Open) -> None:
    (said,), _, _ = run(place, "slowly 0.3")
    assert said.payload == "at last"
    assert 0.3 <= said.duration_s < 2


def test_a_hundred_megabytes_of_output(place: Open) -> None:
    (said,), end, _ = run(place, "shout 100")
    assert said.payload == "shouted"
    assert said.duration_s < 5
    for text in (said.stdout, end.stdout):
        assert text.startswith("asked: shout\nfirst\nxxx")
        assert "bytes left out" in text
        assert len(text) < 70_000
    assert said.stdout.endswith("x\nlast\n")
    assert end.stdout.endswith("last\nclosed\n")
    left_out = int(said.stdout.partition("[... ")[2].partition(" bytes")[0])
    assert left_out == 100_000_000 + len("asked: shout\nfirst\nlast\n") - 2 * 32 * 1024


@pytest.mark.parametrize("prompt", ["leave_daemon 600", "leave_command"])
def test_what_a_run_leaves_behind_is_ended(place: Open, prompt: str) -> None:
    (said,), end, took = run(place, prompt)
    assert said.payload == "left"
    assert end.survivors == 1
    assert parent.LINGER_S <= took < parent.LINGER_S + 1


def test_what_ends_within_the_grace_is_no_survivor(place: Open) -> None:
    (_,), end, took = run(place, "leave_daemon 0.1")
    assert end.survivors == 0
    assert took < parent.LINGER_S


def test_a_forked_child_does_not_answer_for_its_parent(place: Open) -> None:
    said, _, _ = run(place, "fork_and_come_back", "count", "fork_and_come_back", "count")
    assert [step.payload for step in said] == ["parent", 2, "parent", 4]


def test_a_run_that_closes_our_descriptors(place: Open) -> None:
    (said,), _, _ = run(place, "close_everything", deadline_s=5)
    assert said.ending == "died"


def test_a_run_that_writes_where_it_should_not(place: Open) -> None:
    (said,), _, _ = run(place, "write_garbage", deadline_s=5)
    assert (said.ending, said.error_type) == ("died", "garbled")


def test_large_and_odd_answers_arrive(place: Open) -> None:
    (large, odd), _, _ = run(place, "huge 6", "not_text")
    assert large.payload == "x" * (6 << 20)
    assert odd.payload == {"odd": "\ud800"}


def test_a_start_that_raises(place: Open) -> None:
    (said, after), _, _ = run(place, "count", "count", system="NeverStarts")
    assert (said.ending, said.error_type) == ("raised", "RuntimeError")
    assert said.error is not None
    assert said.error.endswith("RuntimeError: no key")
    assert after.ending == "not-asked"


def test_a_start_that_hangs(place: Open) -> None:
    async def steps() -> contract.Testimony:
        async with place("endings:HangsInStart") as here:
            return await here.ask("count", 0.3)

    said = asyncio.run(steps())
    assert said.ending == "timeout"
    assert said.error == "start() did not return within 0.3 s"


def test_a_close_that_raises(place: Open) -> None:
    _, end, _ = run(place, "count", system="ClosesBadly")
    assert end.error is not None
    assert end.error.startswith("close() raised: ")
    assert end.error.endswith("RuntimeError: still busy")


def test_a_close_that_hangs(place: Open) -> None:
    async def steps() -> tuple[RunEnd, float]:
        async with place("endings:NeverCloses") as here:
            await here.ask("count")
            began = time.monotonic()
            end = await here.slot.end()
            return end, time.monotonic() - began

    end, took = asyncio.run(steps())
    assert end.error == f"close() did not return within {parent.CLOSE_S:g} s"
    assert took < parent.CLOSE_S + 1


@pytest.mark.parametrize("moment", ["at once", "in the middle"])
def test_a_step_that_is_cancelled_ends_with_its_run(place: Open, moment: str) -> None:
    async def steps() -> tuple[RunEnd, float, contract.Testimony]:
        async with place("endings:System") as here:
            asking = asyncio.create_task(here.ask("call_and_hang", 60))
            await asyncio.sleep(0)
            if moment == "in the middle":
                await here.web.saw("DNS hanging.example")
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            began = time.monotonic()
            end = await here.slot.end()
            return end, time.monotonic() - began, await here.ask("count")

    end, took, after = asyncio.run(steps())
    assert end.survivors == 0
    assert took < 2
    assert after.payload == 1


def test_an_end_without_a_run_is_nothing(place: Open) -> None:
    async def steps() -> RunEnd:
        async with place("endings:System") as here:
            return await here.slot.end()

    assert asyncio.run(steps()) == RunEnd()


def test_slots_run_side_by_side(place: Open) -> None:
    async def steps() -> tuple[list[contract.Testimony], float]:
        async with place("endings:System") as here:
            slots = [here.slot, *[await here.carrier.open_slot(f"more-{number}") for number in range(3)]]
            began = time.monotonic()
            said = await asyncio.gather(*(slot.ask(task("slowly 0.5"), 20) for slot in slots))
            return list(said), time.monotonic() - began

    said, took = asyncio.run(steps())
    assert [step.payload for step in said] == ["at last"] * 4
    assert took < 1.5
