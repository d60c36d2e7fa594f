"""The proxy carrier: clients that look at the variables reach the world, the rest is refused and named, and a run ends
with all that it started. The world is the real one."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from fixture_server.client import World
from pytest_webretrieval.cases.data import truth_folder
from pytest_webretrieval.slots.proxy import ProxyCarrier, ProxySlot, open_proxy_carrier
from pytest_webretrieval.slots.temporary import new_folder, remove
from pytest_webretrieval.systems.contract import Testimony
from pytest_webretrieval.systems.ways import SystemUnusable
from pytest_webretrieval.wire.attempt import Trace

from .conftest import AGENTS, task
from .test_nothing_left import MARK, descriptors, marked, wait_for

BOTH = pytest.mark.parametrize("starts", ["fork", "spawn"])
ELSEWHERE = "203.0.113.7"  # RFC 5737: nobody's


@dataclass
class Here:
    """A slot in front of the static page."""

    world: World
    carrier: ProxyCarrier
    slot: ProxySlot
    url: str = ""

    async def begin(self) -> Here:
        view = await self.world.begin(self.slot.name, seed=0, scene="known/static")
        await self.world.step(self.slot.name, 1)
        self.url = view.start_urls[0]
        return self

    async def ask(self, prompt: str, deadline_s: float = 30.0) -> Testimony:
        return await self.slot.ask(task(prompt), deadline_s)

    async def trace(self) -> Trace:
        return (await self.world.drain(self.slot.name))[0]

    async def another(self, name: str) -> Here:
        slot = await self.carrier.open_slot(name)
        await self.world.open_slot(name, slot.doors)
        await slot.ready()
        return await Here(self.world, self.carrier, slot).begin()


@asynccontextmanager
async def place(
    system: str,
    starts: str = "fork",
    isolation: str = "run",
    environment: dict[str, str] | None = None,
    allow: tuple[str, ...] = (),
) -> AsyncIterator[Here]:
    scratch = new_folder(f"world-{uuid.uuid4().hex[:8]}")
    world = await World.start(scratch, truths=[truth_folder("web-retrieval-v1", None)])
    carrier = None
    try:
        carrier = await open_proxy_carrier(
            system,
            ca_pem=world.ca_pem,
            isolation=isolation,
            folder=AGENTS,
            environment=environment,
            allow=allow,
            starts=starts,
        )
        await world.open_slot("import", carrier.import_doors)
        await carrier.imported()
        assert carrier.import_doors == ()
        await world.close_slot("import")
        slot = await carrier.open_slot("one")
        await world.open_slot("one", slot.doors)
        await slot.ready()
        yield await Here(world, carrier, slot).begin()
    finally:
        if carrier is not None:
            await carrier.close()
        await world.close()
        remove(scratch)


def within(
    system: str, steps: Callable[[Here], Awaitable[None]], starts: str = "fork", isolation: str = "run"
) -> None:
    async def run() -> None:
        async with place(system, starts, isolation) as here:
            await steps(here)

    asyncio.run(run())


CLIENTS = ["by_the_client", "by_httpx", "by_requests", "by_urllib", "by_aiohttp", "by_curl"]


@BOTH
def test_clients_that_look_at_the_variables_reach_the_world(starts: str) -> None:
    clients = [name for name in CLIENTS if name != "by_curl" or shutil.which("curl")]

    async def steps(here: Here) -> None:
        for name in clients:
            said = await here.ask(f"{name} {here.url}")
            assert (said.ending, said.payload) == ("answered", "200"), (name, said)
        trace = await here.trace()
        assert [attempt.url for attempt in trace.attempts] == [here.url] * len(clients)
        assert {(attempt.status, attempt.role, attempt.channel) for attempt in trace.attempts} == {
            (200, "document", "direct-fetch")
        }
        assert trace.egress == ()
        assert {lookup.known for lookup in trace.lookups} == {True}

    within("proxied:answer", steps, starts)


def test_plain_requests_come_in_absolute_form() -> None:
    async def steps(here: Here) -> None:
        said = await here.ask(f"by_httpx {here.url.replace('https:', 'http:')}")
        assert said.payload == "200", said
        trace = await here.trace()
        plain, secure = trace.attempts
        assert (plain.url, plain.status) == (here.url.replace("https:", "http:"), 301)
        assert (secure.url, secure.status, secure.redirected_from) == (here.url, 200, plain.url)

    within("proxied:answer", steps)


REFUSED = [
    (f"connect {ELSEWHERE} 443", "ConnectionRefusedError", ("tcp", ELSEWHERE, 443)),
    (f"in_a_loop {ELSEWHERE} 5432", "ConnectionRefusedError", ("tcp", ELSEWHERE, 5432)),
    ("connect_6 2001:db8::7 22", "ConnectionRefusedError", ("tcp", "2001:db8::7", 22)),
    (f"by_a_python {ELSEWHERE} 25", "ConnectionRefusedError", ("tcp", ELSEWHERE, 25)),
    (f"send {ELSEWHERE} 514", "OSError", ("udp", ELSEWHERE, 514)),
    ("look_up telemetry.invalid-vendor.com", "gaierror", ("dns", "telemetry.invalid-vendor.com", 53)),
    (
        "by_httpx https://telemetry.invalid-vendor.com/",
        "ProxyError",
        ("dns", "telemetry.invalid-vendor.com", 53),
    ),
    ("tunnel telemetry.invalid-vendor.com 443", "HTTP/1.1 502", ("dns", "telemetry.invalid-vendor.com", 53)),
]


@BOTH
def test_what_goes_elsewhere_is_refused_and_named(starts: str) -> None:
    async def steps(here: Here) -> None:
        for number, (prompt, error, left) in enumerate(REFUSED, 1):
            await here.world.step(here.slot.name, number)  # a place is named once a step
            said = await here.ask(prompt)
            assert isinstance(said.payload, str), said
            assert said.payload.startswith(error), said
            trace = await here.trace()
            assert [(one.protocol, one.address, one.port) for one in trace.egress] == [left], prompt
            assert trace.attempts == ()

    within("proxied:answer", steps, starts)


def test_what_is_refused_and_not_held_against_the_system() -> None:
    async def steps(here: Here) -> None:
        host = here.url.split("/")[2]
        for prompt, error in [
            (f"look_up {host}", "gaierror"),
            (f"without_trust_env {here.url}", "ConnectError"),
            (f"own_address {ELSEWHERE} 53", "OSError"),
        ]:
            said = await here.ask(prompt)
            assert isinstance(said.payload, str), said
            assert said.payload.startswith(error), said
        trace = await here.trace()
        assert trace.egress == ()
        assert trace.attempts == ()
        assert [(lookup.name, lookup.known) for lookup in trace.lookups] == [(host, True)] * 2

    within("proxied:answer", steps)


def test_a_port_that_no_door_has_is_named() -> None:
    async def steps(here: Here) -> None:
        host = here.url.split("/")[2]
        said = await here.ask(f"tunnel {host} 8443")
        assert said.payload == "HTTP/1.1 502 Bad Gateway", said
        trace = await here.trace()
        assert [(one.protocol, one.address, one.port) for one in trace.egress] == [("tcp", host, 8443)]

    within("proxied:answer", steps)


def test_loopback_is_free_and_so_is_what_is_allowed() -> None:
    async def steps() -> None:
        async with place("proxied:answer", allow=(f"{ELSEWHERE}:9",)) as here:
            said = await here.ask("listen_and_connect")
            assert said.payload == "connected", said
            said = await here.ask(f"own_address {ELSEWHERE} 9")
            assert isinstance(said.payload, str), said
            # Nothing is sent: whether there is a route is the machine's business, not the guard's.
            assert "outside the world" not in said.payload
            assert (await here.trace()).egress == ()

    asyncio.run(steps())


@BOTH
def test_a_client_made_at_import_is_its_own_slots(starts: str) -> None:
    async def steps(here: Here) -> None:
        other = await here.another("two")
        said = await asyncio.gather(
            *(one.ask(f"by_the_client {one.url}?from={one.slot.name}") for one in (here, other))
        )
        assert [one.payload for one in said] == ["200", "200"], said
        for one in (here, other):
            trace = await one.trace()
            assert [attempt.url for attempt in trace.attempts] == [f"{one.url}?from={one.slot.name}"]

    within("proxied:answer", steps, starts)


@BOTH
@pytest.mark.parametrize(
    ("prompt", "ending", "kind"),
    [
        ("exit 3", "died", "exit:3"),
        ("kill_itself 9", "died", "signal:9"),
        ("raise_value", "raised", "ValueError"),
        ("fork_hang_and_exit", "died", "exit:5"),
        ("shout 20", "answered", None),
        ("write_garbage", "died", "garbled"),
    ],
)
def test_however_a_run_ends_the_next_begins_clean(
    starts: str, prompt: str, ending: str, kind: str | None
) -> None:
    async def steps(here: Here) -> None:
        said = await here.ask(prompt)
        assert (said.ending, said.error_type) == (ending, kind), said
        assert len(said.stdout) < 200_000
        await here.slot.end()
        again = await here.ask("count")
        assert (again.ending, again.payload) == ("answered", 1), again

    within("endings:System", steps, starts)


async def left_since(mark: str, before: set[int]) -> set[int]:
    """Processes that have come since; one that is just being started has no environment for a moment."""
    for _ in range(50):
        if left := marked(mark) - before:
            return left
        await asyncio.sleep(0.1)
    return set()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process inherit its orphans")
@BOTH
@pytest.mark.parametrize("prompt", ["leave_daemon 600", "leave_command"])
def test_what_a_run_leaves_behind_is_ended(starts: str, prompt: str) -> None:
    mark = uuid.uuid4().hex

    async def steps() -> None:
        async with place("endings:System", starts, environment={**os.environ, MARK: mark}) as here:
            await here.ask("count")
            before = marked(mark)
            said = await here.ask(prompt)
            assert said.payload == "left", said
            left = await left_since(mark, before)
            assert left
            end = await here.slot.end()
            assert end.survivors >= 1
            assert wait_for(left, 5)
        assert wait_for(marked(mark), 5)

    asyncio.run(steps())


def test_a_deadline_ends_what_ignores_signals() -> None:
    async def steps(here: Here) -> None:
        began = time.monotonic()
        said = await here.ask("hang", deadline_s=0.5)
        assert said.ending == "timeout", said
        assert time.monotonic() - began < 10
        await here.slot.end()
        assert (await here.ask("count")).payload == 1

    within("endings:System", steps)


def test_one_process_a_slot() -> None:
    async def steps(here: Here) -> None:
        first = await here.ask("number")
        await here.slot.end()
        await here.begin()
        assert (await here.ask("number")).payload == first.payload

    within("endings:System", steps, isolation="session")


@BOTH
def test_steps_share_a_folder(starts: str) -> None:
    async def steps(here: Here) -> None:
        await here.ask("remember tariff")
        assert (await here.ask("recall")).payload == "tariff"
        await here.slot.end()
        assert (await here.ask("recall")).payload == "nothing"

    within("endings:System", steps, starts)


@BOTH
def test_a_system_that_cannot_be_imported(starts: str) -> None:
    async def steps(here: Here) -> None:
        raise AssertionError(here)

    with pytest.raises(SystemUnusable, match="there is no module `nowhere`"):
        within("nowhere:answer", steps, starts)


def test_nothing_is_left() -> None:
    mark, before = uuid.uuid4().hex, descriptors()

    async def runs() -> None:
        async with place("endings:System", environment={**os.environ, MARK: mark}) as here:
            await here.ask("count")
            await here.slot.end()
            opened = descriptors()
            for number in range(20):
                await here.ask(("count", "exit 3", "raise_value", "leave_daemon 0")[number % 4])
                await here.slot.end()
            assert descriptors() == opened
            assert len(marked(mark)) <= 3  # keeper, zygote, slot's parent

    asyncio.run(runs())
    assert wait_for(marked(mark), 5)
    assert descriptors() == before


HARNESS = """
import asyncio, json, sys
from pathlib import Path
import trustme
from pytest_webretrieval.slots.proxy import open_proxy_carrier
from pytest_webretrieval.systems.contract import Task

async def main(folder):
    carrier = await open_proxy_carrier(
        "endings:System", ca_pem=trustme.CA().cert_pem.bytes(), isolation="run", folder=Path(folder))
    try:
        await carrier.imported()
        slot = await carrier.open_slot("one")
        await slot.ready()
        await slot.ask(Task(task_id="t", query="", prompt="leave_daemon 600"), 20)
        print(json.dumps(carrier._first._plan.own), flush=True)
        await slot.ask(Task(task_id="t", query="", prompt="hang"), 600)
    finally:
        await carrier.close()

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process inherit its orphans")
def test_a_killed_harness_leaves_nothing() -> None:
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [sys.executable, "-c", HARNESS, str(AGENTS)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, MARK: mark},
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        folder = Path(json.loads(process.stdout.readline()))
        deadline = time.monotonic() + 10
        # Harness, keeper, zygote, slot's parent, run, daemon; one that was forked just now shows itself a little later.
        while len(living := marked(mark)) < 6:
            assert time.monotonic() < deadline, living
            time.sleep(0.02)
        process.kill()
        process.wait()
        assert wait_for(living, 10)
        assert not folder.exists()
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
