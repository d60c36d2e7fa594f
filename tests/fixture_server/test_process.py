"""The life of the world's process, and what it costs."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fixture_server.client import World, WorldFailure
from pytest_webretrieval.wire import frames

HARNESS = """
import asyncio, sys
from pathlib import Path
from fixture_server.client import World

async def main():
    world = await World.start(Path(sys.argv[1]), truths=[Path(sys.argv[2])], sites=[Path(sys.argv[3])])
    await world.ready()
    print(world._process.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture
def harness(site: Any, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process of its own that has started a world and says its number."""
    process = subprocess.Popen(
        [sys.executable, "-c", HARNESS, str(tmp_path / "w"), str(site.truth), str(site.folder)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(site.folder / "code")},
    )
    with process:
        yield process
        process.kill()


def test_the_world_dies_with_its_harness(harness: subprocess.Popen[bytes]) -> None:
    assert harness.stdout is not None
    world = int(harness.stdout.readline())
    watched = os.pidfd_open(world)
    harness.kill()
    try:
        ended, _, _ = select.select([watched], [], [], 10)
        assert ended
    finally:
        os.close(watched)


@pytest.mark.asyncio
async def test_the_authority_is_there_before_the_sites_are(site: Any, tmp_path: Path) -> None:
    site.page("vendor/wrong.serve.yaml", "status: 200\nlocaton: fixture://vendor/x\n")
    world = await World.start(tmp_path / "w", truths=[site.truth], sites=[site.folder])
    assert world.ca_pem.startswith(b"-----BEGIN CERTIFICATE-----")
    with pytest.raises(
        WorldFailure, match=r"wrong\.serve\.yaml:2: unknown key `localton`|did you mean `location`"
    ):
        await world.ready()
    with pytest.raises(WorldFailure, match="did you mean `location`"):
        await world.open_slot("a", [])
    await world.close()


@pytest.mark.asyncio
async def test_a_world_that_was_never_waited_for_can_be_closed(site: Any, tmp_path: Path) -> None:
    world = await World.start(tmp_path / "w", truths=[site.truth], sites=[site.folder])
    await world.close()
    with pytest.raises(WorldFailure, match="the world is gone"):
        await world.drain("a")


@pytest.mark.asyncio
async def test_a_killed_world_says_so(world: World) -> None:
    os.kill(world._process.pid, signal.SIGKILL)
    for _ in range(2):
        with pytest.raises(WorldFailure, match="the world is gone; its process was killed"):
            await world.begin("a", seed=0, scene="known/notes")
    assert world.is_lost


@pytest.mark.asyncio
async def test_a_world_that_cannot_be_understood_says_why_and_is_ended(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "LIMIT", 10)
    with pytest.raises(WorldFailure, match="the world is gone; a frame larger than the limit"):
        await world.begin("a", seed=0, scene="known/notes")
    assert world._process.wait() == -signal.SIGKILL


@pytest.mark.asyncio
async def test_what_cannot_be_begun_is_named(slot: Any) -> None:
    assert slot.world.scenes() == ("known/notes",)
    with pytest.raises(WorldFailure, match="unknown scene 'known/note'; did you mean 'known/notes'"):
        await slot.begin(scene="known/note")
    with pytest.raises(WorldFailure, match="a step needs a run"):
        await slot.world.step("a", 1)
    await slot.begin()
    with pytest.raises(WorldFailure, match="has no state 'new'; it has initial, changed"):
        await slot.world.step("a", 1, "new")
    with pytest.raises(WorldFailure, match="no slot 'b' is open"):
        await slot.world.drain("b")
    with pytest.raises(WorldFailure, match="open already"):
        await slot.world.open_slot("a", [])


@pytest.mark.asyncio
async def test_a_closed_slot_lets_go_of_its_doors(slot: Any) -> None:
    url = await slot.begin()
    async with slot.client() as client:
        await client.get(url)
        await slot.world.close_slot("a")
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", slot.ports["https"])
        await slot.world.open_slot("a", [])


def _resident_kb(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


@pytest.mark.asyncio
async def test_two_thousand_requests_and_five_hundred_runs_leave_nothing_in_memory(slot: Any) -> None:
    url = await slot.begin()
    pid = slot.world._process.pid
    async with slot.client() as client:
        await client.get(url)
        before = _resident_kb(pid)
        for _ in range(20):
            await slot.begin()
            for _ in range(100):
                await client.get(url)
            trace, _ = await slot.drain()
            assert len(trace.attempts) == 100
    for _ in range(500):
        await slot.begin()
        await slot.world.step("a", 1)
        await slot.drain()
    assert _resident_kb(pid) - before < 20_000
