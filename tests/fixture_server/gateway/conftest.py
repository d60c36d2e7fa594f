"""Worlds with a gateway, each with a door on loopback, and a server outside.

A world is started once a module for each mode; every test has a case, and with it a cassette, of its own.
"""

from __future__ import annotations

import itertools
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from fixture_server.client import World
from pytest_webretrieval.outward import Outward
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Attempt, Trace
from pytest_webretrieval.wire.doors import Door
from pytest_webretrieval.wire.recording import Account
from tests.fixture_server.conftest import _ToLoopback
from tests.fixture_server.gateway.origin import Origin, start

HOST = "api.acme.test"
_FILES = {
    "site/pages/https/vendor/notes/current.html": "<title>Notes</title><p>Version 3.2.</p>",
    "site/scenes/known/notes.yaml": (
        "start_urls: [fixture://vendor/notes/current]\ncheapest: direct-fetch\n"
        "pages: [fixture://vendor/notes/current]\n"
    ),
}
_numbers = itertools.count(1)


@dataclass
class Gate:
    """A slot of a world that passes hosts on. ``port`` is that of its door for https; ``case`` names its cassette."""

    world: World
    name: str
    port: int
    cassettes: Path
    case: str

    @property
    def cassette(self) -> Path:
        corpus, _, case = self.case.partition("::")
        return self.cassettes / corpus / f"{case}.yaml"

    @property
    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cadata=self.world.ca_pem.decode())

    def client(self, **options: object) -> httpx.AsyncClient:
        options = {"timeout": 30, **options}
        return httpx.AsyncClient(transport=_ToLoopback(self.port, self.context), **options)  # type: ignore[arg-type]

    async def begin(self, trial: int = 0, seed: int = 0) -> None:
        await self.world.begin(self.name, seed=seed, scene="known/notes", case=self.case, trial=trial)

    async def attempts(self) -> tuple[Attempt, ...]:
        return (await self.world.drain(self.name))[0].attempts

    async def keep(self, *cited: str) -> Account:
        return (await self.kept(*cited))[0]

    async def kept(self, *cited: str) -> tuple[Account, Trace, Archive]:
        return await self.world.keep(self.name, cited)


Open = Callable[..., Awaitable[Gate]]


@dataclass
class Worlds:
    """Running worlds by what they were started with."""

    folder: Path
    running: dict[tuple[str, ...], World] = field(default_factory=dict)

    @property
    def cassettes(self) -> Path:
        return self.folder / "cassettes"

    async def world(self, mode: str, *gateway: str) -> World:
        if (mode, *gateway) not in self.running:
            self.running[mode, *gateway] = await self.fresh(mode, *gateway)
        return self.running[mode, *gateway]

    async def fresh(self, mode: str, *gateway: str) -> World:
        outward = Outward(gateway=gateway, record=mode, cassettes=str(self.cassettes))
        return await World.start(
            self.folder / f"world-{next(_numbers)}",
            truths=[self.folder / "truth"],
            sites=[self.folder / "site"],
            outward=outward,
        )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def worlds(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Worlds]:
    """No world leaves anything in its log."""
    worlds = Worlds(tmp_path_factory.mktemp("gateway"))
    (worlds.folder / "truth").mkdir()
    for name, text in _FILES.items():
        path = worlds.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    yield worlds
    for world in worlds.running.values():
        await world.close()
    assert [log.read_text() for log in worlds.folder.glob("world-*/world.log") if log.read_text()] == []


@pytest.fixture(scope="module")
def server() -> Iterator[Origin]:
    origin = start()
    yield origin
    origin.close()


@pytest.fixture
def origin(server: Origin) -> Iterator[Origin]:
    """The server outside, with nothing to say yet."""
    server.reset()
    yield server
    assert server.after_its_end == [], "somebody went out though a recording was asked for"


@pytest_asyncio.fixture(loop_scope="module")
async def open_gate(worlds: Worlds, origin: Origin) -> AsyncIterator[Open]:
    """Begins a run in a slot of its own, in a mode; of a host other than HOST where ``gateway`` is given."""
    case, fresh = f"own-v1::A{next(_numbers)}", list[World]()

    async def open_it(mode: str = "none", *gateway: str, new: bool = False) -> Gate:
        gateway = gateway or (f"{HOST}={origin.url}",)
        world = await (worlds.fresh if new else worlds.world)(mode, *gateway)
        if new:
            fresh.append(world)
        await world.ready()
        with socket.create_server(("127.0.0.1", 0)) as door:
            name = f"slot-{next(_numbers)}"
            await world.open_slot(name, [Door("https", 4, door.fileno())])
            gate = Gate(world, name, door.getsockname()[1], worlds.cassettes, case)
        await gate.begin()
        return gate

    yield open_it
    for world in fresh:
        await world.close()
