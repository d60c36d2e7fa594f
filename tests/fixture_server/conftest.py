"""A small site in a temporary folder, a running world over it, and clients that reach its doors on
loopback."""

from __future__ import annotations

import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from fixture_server.client import World
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Attempt, Trace
from pytest_webretrieval.wire.doors import Door

TRUTH = """\
case_id: K01
valid_at: 2026-08-21T00:00:00Z
recorded_at: 2026-08-21T00:00:00Z
expected_facts:
  - {id: version, value: "v3.2", match: exact, draw: version}
  - {id: published, value: "2026-08-21", match: date, draw: date}
allowed_sources: ["fixture://vendor/notes/current"]
forbidden_actions: [egress]
freshness_window_s: 86400
max_budget: {requests: 6}
reason: first adjudication
adjudicated_by: human
"""

PAGES = {
    "vendor/notes/current.html": (
        '<!doctype html><html lang="en"><head><title>Release notes</title></head><body><h1>Release notes</h1>'
        "<p>Version <!--fact:K01.version-->v3.2<!--/--> shipped on "
        "<!--fact:K01.published:date-long-->21 August 2026<!--/-->.</p>"
        '<a href="fixture://vendor/files/picture.png">picture</a></body></html>'
    ),
    "vendor/notes/current.serve.yaml": (
        "etag: content\nlast_modified: -2d\nheaders: {cache-control: max-age=60}\n"
        "search: {published: -2d, language: en}\n"
        "states:\n  changed: {body: next.html}\n"
    ),
    "vendor/notes/next.html": "<title>Release notes</title><p>The next version is out.</p>",
    "vendor/notes/old.serve.yaml": "status: 301\nlocation: fixture://vendor/notes/current\n",
    "vendor/notes/shaky.html": "<title>Shaky</title><p>Here after all.</p>",
    "vendor/notes/shaky.serve.yaml": (
        'search: false\nsequence:\n  - {status: 503, headers: {retry-after: "1"}}\n  - {}\n'
    ),
    "vendor/notes/reset.html": "<title>Reset</title><p>Here after all.</p>",
    "vendor/notes/reset.serve.yaml": "search: false\nsequence:\n  - {fault: reset}\n  - {}\n",
    "vendor/notes/cut.html": "<title>Cut</title><p>A text of some length that is never sent as a whole.</p>",
    "vendor/notes/cut.serve.yaml": "search: false\nfault: cut\n",
    "vendor/notes/slow.html": "<title>Slow</title><p>At last.</p>",
    "vendor/notes/slow.serve.yaml": "search: false\ndelay_s: 30\n",
    "vendor/notes/large.serve.yaml": "make: site_of_tests:large\nmedia_type: application/octet-stream\n",
    "vendor/notes/packed.serve.yaml": (
        "make: site_of_tests:packed\nheaders: {content-encoding: gzip}\nsearch: false\n"
    ),
    "vendor/notes/broken.serve.yaml": "behave: site_of_tests:broken\nsearch: false\n",
    "vendor/index.html": "<title>Acme</title><p>Welcome to the maker of release notes.</p>",
    "vendor/files/picture.png": "not markup",
    "press/news/tariff.html": "<title>Tariff rises</title><p>The harbour tariff rises to 19.90 EUR.</p>",
    "www.standards.example/rfc/rfc9111.html": (
        "<title>HTTP caching</title><p>This document defines caches.</p>"
    ),
    "weather/alerts.html": (
        '<html lang="zh-TW"><title>颱風警報</title><p>中央氣象署發布海上陸上颱風警報,請民眾注意。</p></html>'
    ),
    "weather/rain.html": '<html lang="zh-TW"><title>大雨特報</title><p>山區有大雨,請注意坍方。</p></html>',
}

SCENE = """\
start_urls: [fixture://vendor/notes/current]
cheapest: direct-fetch
states: [changed]
pages: [fixture://vendor/notes/current]
"""

MODULE = """\
import gzip


def large(seed, values, page):
    return b"x" * (24 * 1024 * 1024)

def broken(asked, stage):
    raise LookupError("a page that cannot be")


def packed(seed, draws, page):
    return gzip.compress(b"<title>Packed</title>") + gzip.compress(b"<p>Both parts.</p>")
"""


def _write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


@dataclass(frozen=True)
class Site:
    """A site and its truth on disk."""

    folder: Path
    truth: Path

    def page(self, name: str, text: str) -> Path:
        """Write a file of ``pages/https``."""
        _write(self.folder / "pages" / "https", name, text)
        return self.folder / "pages" / "https" / name

    def scene(self, name: str, text: str) -> Path:
        """Write a file of ``scenes``."""
        _write(self.folder / "scenes", name, text)
        return self.folder / "scenes" / name


def empty_site_in(place: Path) -> Site:
    """A truth file and no pages, in a folder of its own."""
    _write(place / "truth", "K01.yaml", TRUTH)
    return Site(place / "site", place / "truth")


@pytest.fixture
def empty_site(tmp_path: Path) -> Site:
    """A truth file and no pages."""
    return empty_site_in(tmp_path)


def site_in(place: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A little of everything, in a folder of its own."""
    site = empty_site_in(place)
    for name, text in PAGES.items():
        site.page(name, text)
    site.scene("known/notes.yaml", SCENE)
    _write(site.folder / "code", "site_of_tests.py", MODULE)
    monkeypatch.syspath_prepend(str(site.folder / "code"))
    return site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A little of everything."""
    return site_in(tmp_path, monkeypatch)


class _ToLoopback(httpx.AsyncHTTPTransport):
    """Sends every request to one port of loopback, under its own name."""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        super().__init__(verify=context)
        self.port = port

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        there = httpx.Request(
            request.method,
            request.url.copy_with(host="127.0.0.1", port=self.port),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": request.url.host},
        )
        return await super().handle_async_request(there)


@dataclass
class Slot:
    """A slot of the world whose doors are on loopback."""

    world: World
    name: str
    ports: dict[str, int] = field(default_factory=dict)

    @property
    def context(self) -> ssl.SSLContext:
        """Trusts the world and nobody else."""
        return ssl.create_default_context(cadata=self.world.ca_pem.decode())

    def client(self, **options: object) -> httpx.AsyncClient:
        """A client for https."""
        return httpx.AsyncClient(transport=_ToLoopback(self.ports["https"], self.context), **options)  # type: ignore[arg-type]

    async def begin(self, seed: int = 0, scene: str = "known/notes") -> str:
        """Begin a run and give its first start URL."""
        return (await self.world.begin(self.name, seed=seed, scene=scene)).start_urls[0]

    async def drain(self) -> tuple[Trace, Archive]:
        """What came since the last time."""
        return await self.world.drain(self.name)

    async def attempts(self) -> tuple[Attempt, ...]:
        """The attempts since the last time."""
        return (await self.drain())[0].attempts


def _doors() -> Iterator[tuple[str, socket.socket]]:
    for kind in ("https", "http", "dns-tcp", "dns-udp"):
        door = socket.socket(type=socket.SOCK_DGRAM if kind == "dns-udp" else socket.SOCK_STREAM)
        door.bind(("127.0.0.1", 0))
        if kind != "dns-udp":
            door.listen(128)
        yield kind, door


@asynccontextmanager
async def world_of(site: Site, place: Path) -> AsyncIterator[World]:
    """A ready world that must leave nothing in its log."""
    world = await World.start(place / "world", truths=[site.truth], sites=[site.folder])
    try:
        await world.ready()
        yield world
    finally:
        await world.close()
    assert (place / "world" / "world.log").read_text(encoding="utf-8") == ""


async def open_slot(world: World) -> Slot:
    """A slot with a door of each kind."""
    slot = Slot(world, "a")
    opened = dict(_doors())
    await world.open_slot("a", [Door(kind, 4, door.fileno()) for kind, door in opened.items()])
    for kind, door in opened.items():
        slot.ports[kind] = door.getsockname()[1]
        door.close()
    return slot


@pytest_asyncio.fixture
async def world(site: Site, tmp_path: Path) -> AsyncIterator[World]:
    """A world of the test's own."""
    async with world_of(site, tmp_path) as world:
        yield world


@pytest_asyncio.fixture
async def slot(world: World) -> Slot:
    """A slot with a door of each kind."""
    return await open_slot(world)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A world for all tests of a module, which share its loop."""
    place = tmp_path_factory.mktemp("shared")
    with pytest.MonkeyPatch.context() as monkeypatch:
        async with world_of(site_in(place, monkeypatch), place) as world:
            yield world


@pytest_asyncio.fixture(loop_scope="module")
async def slot_in_shared_world(shared_world: World) -> AsyncIterator[Slot]:
    """A slot of the test's own in the world that it shares."""
    yield await open_slot(shared_world)
    await shared_world.close_slot("a")
