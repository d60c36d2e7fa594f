"""Clients of the model providers' own SDKs that reach a world's doors on loopback, under the providers' names."""

from __future__ import annotations

import json
import ssl
from collections.abc import AsyncIterator, Iterator
from typing import Any

import anthropic
import httpx2
import openai
import pytest
import pytest_asyncio

from fixture_server.client import World
from pytest_webretrieval.wire.doors import Door

from ..conftest import PAGES as PAGES_OF_SITE
from ..conftest import TRUTH, Slot, _doors

SEARCH = {
    "type": "object",
    "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1, "default": 5}},
    "required": ["query"],
}
FETCH = {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}
QUESTION = "What is the current version of the Tern lathe firmware?"
SYSTEM = "Answer with citations as markdown links."
PAGES = {
    "https://tern.example/firmware": (
        "URL: https://tern.example/firmware\nStatus: 200\n\n# Tern lathe firmware\n\n"
        "The current version of the Tern lathe firmware is v4.2, released on 3 May 2026.\n"
    ),
    "https://forum.example/tern": (
        "URL: https://forum.example/tern\nStatus: 200\n\n# Talk: Tern lathe firmware\n\n"
        "I think the version of the firmware was v3.9 last year?\n"
    ),
}
HITS = json.dumps(
    {
        "results": [
            {
                "url": "https://tern.example/firmware",
                "title": "Tern lathe firmware",
                "content": "The current version",
            },
            {
                "url": "https://forum.example/tern",
                "title": "Talk: Tern lathe firmware",
                "content": "which version?",
            },
        ]
    }
)


def run_tool(name: str, arguments: dict[str, Any]) -> str:
    """What the tools of these tests return."""
    return HITS if name == "search_web" else PAGES.get(arguments["url"], "Error: 404 Not Found")


class _ToLoopback(httpx2.HTTPTransport):
    """Sends every request to one port of loopback, under its own name."""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        super().__init__(verify=context)
        self.port = port

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.extensions = {**request.extensions, "sni_hostname": request.url.host}
        request.url = request.url.copy_with(host="127.0.0.1", port=self.port)
        return super().handle_request(request)


class _ToLoopbackAsync(httpx2.AsyncHTTPTransport):
    """The same for clients that await."""

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        super().__init__(verify=context)
        self.port = port

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.extensions = {**request.extensions, "sni_hostname": request.url.host}
        request.url = request.url.copy_with(host="127.0.0.1", port=self.port)
        return await super().handle_async_request(request)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_slot(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Slot]:
    """A slot of a world with one page: a model needs none."""
    folder = tmp_path_factory.mktemp("scripted")
    for name, text in {
        "truth/K01.yaml": TRUTH,
        "site/pages/https/vendor/notes/current.html": PAGES_OF_SITE["vendor/notes/current.html"],
        "site/scenes/known/notes.yaml": "start_urls: [fixture://vendor/notes/current]\ncheapest: direct-fetch\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    world = await World.start(folder / "world", truths=[folder / "truth"], sites=[folder / "site"])
    try:
        slot, opened = Slot(world, "a"), dict(_doors())
        await world.open_slot("a", [Door(kind, 4, door.fileno()) for kind, door in opened.items()])
        for kind, door in opened.items():
            slot.ports[kind] = door.getsockname()[1]
            door.close()
        yield slot
    finally:
        await world.close()
    assert (folder / "world" / "world.log").read_text(encoding="utf-8") == ""


@pytest_asyncio.fixture(loop_scope="module")
async def open_slot(shared_slot: Slot) -> Slot:
    """A slot in which a run is open that nothing was asked of yet."""
    await shared_slot.begin()
    await shared_slot.drain()
    return shared_slot


@pytest_asyncio.fixture(loop_scope="module")
async def web(open_slot: Slot) -> AsyncIterator[httpx2.AsyncClient]:
    """A client for SDKs that await."""
    transport = _ToLoopbackAsync(open_slot.ports["https"], open_slot.context)
    async with httpx2.AsyncClient(transport=transport, timeout=30) as client:
        yield client


@pytest.fixture
def sync_web(open_slot: Slot) -> Iterator[httpx2.Client]:
    """A client for SDKs that do not."""
    transport = _ToLoopback(open_slot.ports["https"], open_slot.context)
    with httpx2.Client(transport=transport, timeout=30) as client:
        yield client


@pytest.fixture
def chatgpt(web: httpx2.AsyncClient) -> openai.AsyncOpenAI:
    """OpenAI's SDK."""
    return openai.AsyncOpenAI(api_key="key", http_client=web, max_retries=0)


@pytest.fixture
def claude(web: httpx2.AsyncClient) -> anthropic.AsyncAnthropic:
    """Anthropic's SDK."""
    return anthropic.AsyncAnthropic(api_key="key", http_client=web, max_retries=0)
