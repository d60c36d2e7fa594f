"""After success, failure, Ctrl-C and kill -9 of the harness nothing is left: processes, mounts, files, descriptors."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_webretrieval.slots import temporary
from pytest_webretrieval.slots.slot import SlotFailure

from .conftest import AGENTS, Open

MARK = "WEBRETRIEVAL_TEST_MARK"

# Stands for a pytest that is in the middle of a run. It says its folder when the run hangs.
HARNESS = """
import asyncio, json, os, sys
from pathlib import Path
import trustme
from pytest_webretrieval.slots.carrier import open_carrier
from pytest_webretrieval.systems.contract import Task

async def main(folder, forks):
    carrier = await open_carrier(
        "endings:System", ca_pem=trustme.CA().cert_pem.bytes(), isolation="run", folder=Path(folder))
    try:
        await carrier.imported()
        slot = await carrier.open_slot("one")
        left = Task(task_id="t", query="", prompt="leave_daemon 600")
        hang = Task(task_id="t", query="", prompt="hang")
        await slot.ask(left, 20)
        if forks and os.fork() == 0:
            os.read(int(forks), 1)  # a copy of the harness that holds all its sockets open
            os._exit(0)
        print(json.dumps(carrier._plan.own), flush=True)
        await slot.ask(hang, 600)
    finally:
        await carrier.close()

asyncio.run(main(*sys.argv[1:]))
"""


def marked(mark: str) -> set[int]:
    """Processes whose environment carries the mark."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if mark.encode() in environment:
                found.add(int(folder.name))
    return found


def _grown_to(count: int, mark: str) -> set[int]:
    """Processes that carry the mark, as soon as they are so many."""
    until = time.monotonic() + 30
    while len(found := marked(mark)) < count:
        assert time.monotonic() < until, f"{len(found)} of {count} processes"
        time.sleep(0.01)
    return found


def wait_for(numbers: set[int], timeout_s: float) -> bool:
    """Whether all of these processes end within the time."""
    poller, waiting = select.poll(), set()
    for number in numbers:
        try:
            descriptor = os.pidfd_open(number)
        except ProcessLookupError:
            continue
        waiting.add(descriptor)
        poller.register(descriptor, select.POLLIN)
    until = time.monotonic() + timeout_s
    while waiting and (left := until - time.monotonic()) > 0:
        for descriptor, _ in poller.poll(left * 1000):
            poller.unregister(descriptor)
            os.close(descriptor)
            waiting.discard(descriptor)
    for descriptor in waiting:
        os.close(descriptor)
    return not waiting


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


ENDINGS = ("count", "exit 3", "raise_value", "interrupt")


@pytest.mark.parametrize(
    ("isolation", "prompts"), [("run", (*ENDINGS, "leave_daemon 0")), ("session", ENDINGS)]
)
def test_fifty_runs(place: Open, isolation: str, prompts: tuple[str, ...]) -> None:
    mark = uuid.uuid4().hex

    async def runs() -> tuple[int, int, set[int]]:
        environment = {**os.environ, MARK: mark}
        async with place("endings:System", isolation, environment=environment) as here:
            await here.ask("count")
            await here.slot.end()
            before = descriptors()
            for number in range(50):
                await here.ask(prompts[number % len(prompts)])
                await here.slot.end()
            return before, descriptors(), marked(mark)

    mounts, before = Path("/proc/self/mountinfo").read_text(encoding="utf-8"), descriptors()
    opened, after_runs, living = asyncio.run(runs())
    assert after_runs == opened
    # Warden, who waits for its end, zygote and slot's parent; and by session isolation the one process of the slot.
    assert len(living) <= 5
    assert not marked(mark)
    assert descriptors() == before
    assert Path("/proc/self/mountinfo").read_text(encoding="utf-8") == mounts


@pytest.fixture
def harness(place: Open, request: pytest.FixtureRequest) -> Iterator[tuple[subprocess.Popen[str], str, int]]:
    """A harness in the middle of a run: its process, its mark, and a pipe end that ends its forked copy, if any."""
    asyncio.run(_once(place))
    mark = uuid.uuid4().hex
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", HARNESS, str(AGENTS), str(reading) if request.param else ""],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, MARK: mark},
        pass_fds=(reading,),
        start_new_session=True,
    )
    os.close(reading)
    try:
        yield process, mark, writing
    finally:
        with suppress(OSError):
            os.close(writing)
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


async def _once(place: Open) -> None:
    async with place(None):
        pass  # skips where no slot can be made


@pytest.mark.parametrize("harness", [False, True], indirect=True)
def test_a_killed_harness(harness: tuple[subprocess.Popen[str], str, int]) -> None:
    process, mark, writing = harness
    assert process.stdout is not None
    folder = Path(json.loads(process.stdout.readline()))
    assert list(folder.iterdir())
    assert folder.parent.name.startswith(f"{process.pid}-")
    # Harness, warden and who waits for its end, zygote, slot's parent, daemon, and the run, which begins last.
    living = _grown_to(7, mark)
    copies = {
        number for number in living if _is_child_of(number, process.pid) and _is_copy(number, process.pid)
    }
    process.kill()
    process.wait()
    assert wait_for(living - copies, 10)
    assert not folder.parent.exists()
    os.close(writing)
    assert wait_for(living, 10)
    assert not marked(mark)


@pytest.mark.parametrize("harness", [False], indirect=True)
def test_ctrl_c(harness: tuple[subprocess.Popen[str], str, int]) -> None:
    process, mark, _ = harness
    assert process.stdout is not None
    folder = Path(json.loads(process.stdout.readline()))
    living = marked(mark)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    assert process.wait(10) == -signal.SIGINT
    assert wait_for(living, 10)
    assert not folder.parent.exists()


def _is_child_of(number: int, parent: int) -> bool:
    text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8")
    return int(text.rpartition(")")[2].split()[1]) == parent


def _is_copy(number: int, of: int) -> bool:
    commands = [Path(f"/proc/{which}/cmdline").read_bytes() for which in (number, of)]
    return commands[0] == commands[1]


def test_folders_of_processes_that_are_gone_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    first = temporary.new_folder("first")
    mine, ours = first.parent, first.parent.parent
    gone = subprocess.Popen(["true"])
    gone.wait()
    for name in (f"{gone.pid}-1", f"{os.getpid()}-1", f"{os.getppid()}-1"):
        (ours / name / "left").mkdir(parents=True)
    assert temporary.new_folder("second").parent == mine
    assert list(ours.iterdir()) == [mine]
    assert sorted(folder.name for folder in mine.iterdir()) == ["first", "second"]
    temporary.remove(first)
    assert mine.exists()
    temporary.remove(mine / "second")
    assert not list(tmp_path.iterdir())


def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    theirs = tmp_path / f"webretrieval-{os.getuid()}"
    theirs.mkdir()
    theirs.chmod(0o777)
    mine = temporary.new_folder("one")
    assert mine.parent == tmp_path
    assert not list(theirs.iterdir())
    temporary.remove(mine)
    assert list(tmp_path.iterdir()) == [theirs]


@pytest.mark.parametrize("which", ["who waits for the warden", "the warden"])
def test_a_killed_warden(place: Open, which: str) -> None:
    """Everything in the namespaces ends with either of them; the harness lives, and says what happened."""
    mark = uuid.uuid4().hex

    async def run() -> Path:
        async with place("endings:System", environment={**os.environ, MARK: mark}) as here:
            await here.ask("leave_daemon 600")
            living = marked(mark)
            (outer,) = (number for number in living if _is_child_of(number, os.getpid()))
            (warden,) = (number for number in living if _is_child_of(number, outer))
            os.kill(warden if which == "the warden" else outer, signal.SIGKILL)
            assert await asyncio.to_thread(wait_for, living - {outer}, 10)
            with pytest.raises(SlotFailure):
                await here.ask("count")
            return Path(here.carrier._plan.own)

    own = asyncio.run(run())
    assert not marked(mark)
    assert not own.exists()
