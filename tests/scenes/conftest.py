"""The world's own scenes at its doors on loopback, for a plain client and for a real browser."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from fixture_server.client import World
from fixture_server.places import BUILT_IN
from fixture_server.replies import SceneView
from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.draw import draw_truth
from pytest_webretrieval.cases.load import load_corpus, load_truths
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Attempt, Trace
from pytest_webretrieval.wire.doors import Door

ROOT = Path(__file__).resolve().parents[2]
CORPUS = "web-retrieval-v1"

# A site that has what the world's own pages have no need of.
LAB = {
    "lab/start.html": (
        '<!doctype html><html lang="en"><head><title>Start</title><link rel="prefetch" href="fixture://lab/later">'
        '</head><body><h1>Start</h1><iframe src="fixture://lab/inner"></iframe>'
        '<object data="fixture://lab/beside" type="text/html"></object>'
        '<script src="fixture://lab/start.js"></script></body></html>'
    ),
    "lab/start.js": (
        'fetch("fixture://lab/data.json");\n'
        'fetch("fixture://other/open.json", { headers: { "x-question": "1" } });\n'
        'navigator.sendBeacon("fixture://lab/beacon.txt", "here");\n'
        'navigator.serviceWorker.register("fixture://lab/worker.js");\n'
    ),
    "lab/worker.js": 'self.addEventListener("fetch", () => {});\n',
    "lab/data.json": '{"all": "well"}\n',
    "lab/beacon.txt": "nothing\n",
    "lab/inner.html": (
        '<!doctype html><title>Inner</title><p>Inner</p><script>fetch("fixture://lab/deep.json")</script>'
    ),
    "lab/deep.json": '{"deep": "well"}\n',
    "lab/beside.html": "<!doctype html><title>Beside</title><p>Beside</p>",
    "lab/later.html": "<!doctype html><title>Later</title><p>Later</p>",
    "lab/torn.html": "<!doctype html><title>Torn</title><p>Here after all</p>",
    "lab/torn.serve.yaml": "sequence:\n  - {fault: reset}\n  - {}\n",
    "other/open.json": '{"open": "well"}\n',
    "other/open.json.serve.yaml": (
        'headers: {access-control-allow-origin: "*", access-control-allow-headers: "*"}\n'
    ),
}
LAB_SCENE = (
    "start_urls: [fixture://lab/start, fixture://lab/torn, fixture://lab/inner, fixture://tide-gauge/]\n"
    "cheapest: browser\n"
)


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
class Scenes:
    """A slot of the world whose doors are on loopback."""

    world: World
    ports: Mapping[str, int]
    cases: Mapping[str, Case]
    truths: Mapping[str, Truth]

    async def begin(self, case: str, seed: int) -> tuple[SceneView, Truth]:
        """Begin a run of a case's scene; the truth is as drawn."""
        view = await self.world.begin("a", seed=seed, scene=self.cases[case].scene)
        return view, draw_truth(self.truths[case], seed)

    async def begin_scene(self, scene: str, seed: int = 0) -> SceneView:
        """Begin a run of a scene by name."""
        return await self.world.begin("a", seed=seed, scene=scene)

    async def drain(self) -> tuple[Trace, Archive]:
        """What came since the last time, without what a browser calls by itself."""
        trace, archive = await self.world.drain("a")
        kept = tuple(one for one in trace.attempts if one.role != "background")
        return replace(trace, attempts=kept), archive

    async def attempts(self) -> tuple[Attempt, ...]:
        """The attempts alone."""
        return (await self.drain())[0].attempts

    def client(self, **options: Any) -> httpx.AsyncClient:
        """A plain client that trusts the world."""
        context = ssl.create_default_context(cadata=self.world.ca_pem.decode())
        return httpx.AsyncClient(transport=_ToLoopback(self.ports["https"], context), **options)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scenes(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scenes]:
    """The built-in sites and the lab, behind doors on loopback. The world must leave nothing in its log."""
    folder = tmp_path_factory.mktemp("scenes")
    for name, text in (LAB | {"../../scenes/lab/start.yaml": LAB_SCENE}).items():
        path = (folder / "lab" / "pages" / "https" / name).resolve()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    truths = ROOT / "truth" / CORPUS
    world = await World.start(folder / "world", truths=[truths], sites=[BUILT_IN, folder / "lab"])
    try:
        await world.ready()
        doors = {kind: socket.create_server(("127.0.0.1", 0), backlog=128) for kind in ("https", "http")}
        ports = {kind: door.getsockname()[1] for kind, door in doors.items()}
        await world.open_slot("a", [Door(kind, 4, door.fileno()) for kind, door in doors.items()])
        for door in doors.values():
            door.close()
        corpus = load_corpus(ROOT / "corpus" / f"{CORPUS}.yaml")
        yield Scenes(world, ports, {case.id: case for case in corpus.cases}, load_truths(truths))
    finally:
        await world.close()
    assert (folder / "world" / "world.log").read_text(encoding="utf-8") == ""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium(scenes: Scenes) -> AsyncIterator[Any]:
    """A running Chromium for which every address is the world's."""
    playwright = pytest.importorskip("playwright.async_api", reason="Playwright is not installed")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium or Chrome on PATH")
    rules = ", ".join(
        f"MAP *:{port} 127.0.0.1:{scenes.ports[kind]}" for kind, port in (("https", 443), ("http", 80))
    )
    arguments = [f"--host-resolver-rules={rules}", "--ignore-certificate-errors"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")
    async with playwright.async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def tab(chromium: Any) -> AsyncIterator[Any]:
    """A page of a new profile, on which no script may fail."""
    context = await chromium.new_context()
    page = await context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    await context.close()
    assert errors == []
