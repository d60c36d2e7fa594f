"""The front: what each fault does to real clients over TLS, and what the trace says of it, by either kind of
toxics."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import httpx
import openai
import pytest
import pytest_asyncio
import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

from fixture_server.client import World, WorldFailure
from fixture_server.front.client_end import ClientEnd, Refused
from pytest_webretrieval.cases.faults import Fault
from pytest_webretrieval.outward import Outward
from pytest_webretrieval.wire.attempt import Attempt
from pytest_webretrieval.wire.doors import Door
from tests.faults.real import real_program

from .conftest import Site, empty_site_in
from .conftest import Slot as Reach

pytestmark = pytest.mark.asyncio(loop_scope="module")

VENDOR = "fixture://vendor"
PAGE = "<title>Long</title><p>" + "word " * 4000 + "</p>"


@dataclass(frozen=True)
class Slot:
    """A slot in which a run with faults can be begun."""

    reach: Reach

    async def begin(self, *faults: Fault, seed: int = 0, case: str = "tests::K01") -> str:
        """Begin a run; its start URL."""
        view = await self.reach.world.begin("a", seed=seed, scene="known/long", case=case, faults=faults)
        return view.start_urls[0]

    def client(self, **options: object) -> httpx.AsyncClient:
        return self.reach.client(**options)

    async def attempts(self) -> tuple[Attempt, ...]:
        return await self.reach.attempts()


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["embedded", "real"])
async def world(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[World]:
    """A world with either kind of toxics."""
    program = real_program()
    if request.param == "real" and program is None:
        pytest.skip("no Toxiproxy server here; `make toxiproxy` builds one where Go is")
    place = tmp_path_factory.mktemp("front")
    site = empty_site_in(place)
    site.page("vendor/notes/long.html", PAGE)
    site.page("vendor/index.html", "<title>Acme</title><p>Welcome.</p>")
    site.page("press/news/tariff.html", "<title>Tariff rises</title><p>The harbour tariff rises.</p>")
    site.scene(
        "known/long.yaml", "start_urls: [fixture://vendor/notes/long]\ncheapest: direct-fetch\npages: []\n"
    )
    asked = "embedded" if request.param == "embedded" else str(program)
    world = await World.start(
        place / "world", truths=[site.truth], sites=[site.folder], outward=Outward(toxiproxy=asked)
    )
    try:
        yield world
    finally:
        await world.close()
    assert (place / "world" / "world.log").read_text(encoding="utf-8") == ""


@pytest_asyncio.fixture(loop_scope="module")
async def slot(world: World) -> AsyncIterator[Slot]:
    """A slot of its own for each test."""
    yield Slot(await open_slot(world))
    await world.close_slot("a")


async def open_slot(world: World) -> Reach:
    """A slot with a door for each scheme on loopback."""
    reach = Reach(world, "a")
    doors = {kind: socket.create_server(("127.0.0.1", 0)) for kind in ("https", "http")}
    await world.open_slot("a", [Door(kind, 4, door.fileno()) for kind, door in doors.items()])
    for kind, door in doors.items():
        reach.ports[kind] = door.getsockname()[1]
        door.close()
    return reach


async def read_all(pieces: AsyncIterator[bytes], into: bytearray) -> None:
    """Add what comes to what has come."""
    async for piece in pieces:
        into += piece


def summary(attempts: tuple[Attempt, ...]) -> list[tuple[str, int | None, str | None, str | None, bool]]:
    """Of each attempt: method, status, error, fault, and whether it reached the origin."""
    return [(one.method, one.status, one.error_type, one.fault, one.reached) for one in attempts]


async def test_without_faults_nothing_is_between(slot: Slot) -> None:
    url = await slot.begin()
    async with slot.client() as client:
        assert (await client.get(url)).status_code == 200
    assert summary(await slot.attempts()) == [("GET", 200, None, None, True)]


async def test_another_host_goes_on_as_ever(slot: Slot) -> None:
    url = await slot.begin(Fault(toxic="reset_peer", host="fixture://press"))
    async with slot.client() as client:
        assert (await client.get(url)).status_code == 200
    assert summary(await slot.attempts()) == [("GET", 200, None, None, True)]


@pytest.mark.parametrize("stream", ["upstream", "downstream"])
async def test_an_upstream_reset_never_reaches_the_origin_and_a_downstream_one_does(
    slot: Slot, stream: str
) -> None:
    url = await slot.begin(Fault(toxic="reset_peer", host=VENDOR, stream=stream))
    async with slot.client() as client:
        with pytest.raises(httpx.ReadError):
            await client.get(url)
    (attempt,) = await slot.attempts()
    assert attempt.url == url
    assert summary((attempt,)) == [
        ("GET", None, "connection_reset", f"reset_peer {stream}", stream == "downstream")
    ]
    assert attempt.bytes_received == 0
    assert attempt.failed


async def test_only_the_first_connections_meet_it(slot: Slot) -> None:
    url = await slot.begin(Fault(toxic="reset_peer", host=VENDOR, first=2))
    for expected in ("reset", "reset", 200):
        async with slot.client() as client:
            try:
                assert (await client.get(url)).status_code == expected
            except httpx.ReadError:
                assert expected == "reset"
    reset = ("GET", None, "connection_reset", "reset_peer downstream", True)
    assert summary(await slot.attempts()) == [reset, reset, ("GET", 200, None, None, True)]


async def test_only_the_first_documents_of_a_path_meet_it_on_one_connection(slot: Slot) -> None:
    url = await slot.begin(
        Fault(
            toxic="latency",
            host=VENDOR,
            attributes={"latency": 300},
            by="document",
            first=1,
            path="/notes/long",
        )
    )
    other = url.rsplit("/", 2)[0] + "/"
    took = []
    async with slot.client() as client:
        for one in (other, url, url):
            began = time.monotonic()
            assert (await client.get(one)).status_code == 200
            took.append(time.monotonic() - began)
    assert took[1] > 0.3
    assert [attempt.fault for attempt in await slot.attempts()] == [None, "latency downstream", None]


async def test_nobody_answers_twice_and_then_somebody_does(slot: Slot) -> None:
    url = await slot.begin(Fault(toxic="down", host=VENDOR, first=2))
    async with slot.client() as client:
        for _ in range(2):
            with pytest.raises(httpx.ConnectError):
                await client.get(url)
        assert (await client.get(url)).status_code == 200
    host = "/".join(url.split("/")[:3])
    attempts = await slot.attempts()
    assert [attempt.url for attempt in attempts] == [f"{host}/", f"{host}/", url]
    down = ("?", None, "connection_reset", "down", False)
    assert summary(attempts) == [down, down, ("GET", 200, None, None, True)]


@pytest.mark.parametrize(("end", "error"), [("close", httpx.RemoteProtocolError), ("reset", httpx.ReadError)])
async def test_a_body_that_breaks_off(slot: Slot, end: str, error: type[Exception]) -> None:
    url = await slot.begin(Fault(toxic="limit_data", host=VENDOR, attributes={"bytes": 5000}, end=end))
    body = bytearray()
    async with slot.client() as client, client.stream("GET", url) as answer:
        pieces = answer.aiter_raw()
        with pytest.raises(error):
            await read_all(pieces, body)
    (attempt,) = await slot.attempts()
    assert 4000 < len(body) < 5000
    assert attempt.bytes_received == len(body)
    assert summary((attempt,)) == [("GET", 200, "incomplete_body", "limit_data downstream", True)]


@pytest.mark.parametrize("stream", ["upstream", "downstream"])
async def test_silence_until_the_client_gives_up(slot: Slot, stream: str) -> None:
    url = await slot.begin(Fault(toxic="timeout", host=VENDOR, stream=stream))
    async with slot.client(timeout=0.5) as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.get(url)
    (attempt,) = await slot.attempts()
    assert summary((attempt,)) == [
        ("GET", None, "client_closed", f"timeout {stream}", stream == "downstream")
    ]
    assert attempt.duration_s > 0.49


async def test_what_the_client_still_waits_for_is_in_the_trace(slot: Slot) -> None:
    url = await slot.begin(Fault(toxic="timeout", host=VENDOR, stream="upstream"))
    async with slot.client(timeout=30) as client:
        asking = asyncio.create_task(client.get(url))
        seen: tuple[Attempt, ...] = ()
        while not seen:
            seen = await slot.attempts()
        assert summary(seen) == [("GET", None, "unanswered", "timeout upstream", False)]
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)


async def test_a_timeout_closes(slot: Slot) -> None:
    url = await slot.begin(Fault(toxic="timeout", host=VENDOR, attributes={"timeout": 300}))
    async with slot.client() as client:
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            await client.get(url)
    assert summary(await slot.attempts()) == [("GET", None, "connection_closed", "timeout downstream", True)]


async def test_slices_and_a_chain(slot: Slot) -> None:
    url = await slot.begin(
        Fault(
            toxic="slicer", host=VENDOR, attributes={"average_size": 500, "size_variation": 50, "delay": 1000}
        ),
        Fault(toxic="latency", host=VENDOR, stream="upstream", attributes={"latency": 100, "jitter": 20}),
    )
    began = time.monotonic()
    async with slot.client() as client:
        assert len((await client.get(url)).content) > 20_000
    assert time.monotonic() - began > 0.1
    assert summary(await slot.attempts()) == [("GET", 200, None, "slicer downstream, latency upstream", True)]


async def test_a_post_whose_answer_is_lost_has_reached_the_origin(slot: Slot) -> None:
    url = await slot.begin(Fault(toxic="limit_data", host=VENDOR, attributes={"bytes": 0}))
    async with slot.client() as client:
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            await client.post(url, content=b"x" * 100_000)
    (attempt,) = await slot.attempts()
    assert (attempt.reached, attempt.status, len(attempt.request_body)) == (True, None, 100_000)


async def test_plain_http_meets_them_too(slot: Slot) -> None:
    url = await slot.begin(Fault(toxic="reset_peer", host=VENDOR))
    host = url.split("/")[2]
    async with httpx.AsyncClient(trust_env=False) as client:
        with pytest.raises(httpx.ReadError):
            await client.get(f"http://127.0.0.1:{slot.reach.ports['http']}/x", headers={"host": host})
    assert summary(await slot.attempts()) == [
        ("GET", None, "connection_reset", "reset_peer downstream", True)
    ]


async def test_what_is_drawn_is_drawn_by_seed_and_case(slot: Slot) -> None:
    async def pattern(seed: int, case: str) -> str:
        url = await slot.begin(Fault(toxic="reset_peer", host=VENDOR, toxicity=0.5), seed=seed, case=case)
        for _ in range(16):
            async with slot.client() as client:
                with contextlib.suppress(httpx.ReadError):
                    await client.get(url)
        return "".join("x" if attempt.fault else "-" for attempt in await slot.attempts())

    first = await pattern(0, "tests::A")
    assert set(first) == {"x", "-"}
    assert await pattern(0, "tests::A") == first
    assert await pattern(1, "tests::A") != first
    assert await pattern(0, "tests::B") != first


async def test_whichever_search_api_is_asked_meets_it(slot: Slot) -> None:
    await slot.begin(
        Fault(toxic="reset_peer", host="search-api", stream="upstream", by="document", first=1),
        Fault(toxic="latency", host=VENDOR, attributes={"latency": 1}),
    )
    asked = ["https://websearch.example/search?q=notes", "https://searxng.example/search?q=notes&format=json"]
    async with slot.client() as client:
        for url in asked:
            with pytest.raises(httpx.TransportError):
                await client.get(url)
            assert (await client.get(url)).status_code == 200
    reset = ("GET", None, "connection_reset", "reset_peer upstream", False)
    assert summary(await slot.attempts()) == [reset, ("GET", 200, None, None, True)] * 2


async def test_a_host_that_nobody_has_is_refused(slot: Slot) -> None:
    with pytest.raises(WorldFailure, match=r"tests::K01: fault `down`: nobody is nowhere\.example here"):
        await slot.begin(Fault(toxic="down", host="nowhere.example"))


@pytest.mark.parametrize("word", [b"GET / HTTP/1.1\r\n", b"\x16\x03\x01"], ids=["http", "https"])
async def test_nobody_is_refused_before_the_first_word(word: bytes) -> None:
    """Else a client that still connects would go on to the host's next address, as chance has it."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    context = None if word.startswith(b"GET") else ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with ours, theirs:
        greeting = asyncio.create_task(ClientEnd(ours, context).greet(lambda: True))
        done, _ = await asyncio.wait([greeting], timeout=0.05)
        assert not done
        theirs.send(word)
        with pytest.raises(Refused):
            await asyncio.wait_for(greeting, 5)


async def test_a_program_that_is_not_there_is_said(site: Site, tmp_path: Path) -> None:
    outward = Outward(toxiproxy="/nowhere/toxiproxy-server")
    world = await World.start(tmp_path / "world", truths=[site.truth], sites=[site.folder], outward=outward)
    try:
        await open_slot(world)
        with pytest.raises(
            WorldFailure, match=re.escape("--webretrieval-toxiproxy=/nowhere/toxiproxy-server")
        ):
            await world.begin("a", seed=0, scene="known/notes", faults=[Fault(toxic="timeout", host=VENDOR)])
    finally:
        await world.close()


# Clients with retries of their own, as they are.


def _connecting(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    """Every name leads to one port of loopback: clients that cannot be told so go to it unaware."""
    resolve = socket.getaddrinfo

    def there(host: object, _: object, *rest: object, **options: object) -> object:
        return resolve("127.0.0.1", port, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", there)


async def _in_thread(work: Callable[[], object]) -> object:
    return await asyncio.to_thread(work)


@pytest.fixture
def ca(slot: Slot, tmp_path: Path) -> Path:
    path = tmp_path / "ca.pem"
    path.write_bytes(slot.reach.world.ca_pem)
    return path


async def test_urllib3_retries_a_get_and_not_a_post(
    slot: Slot, ca: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = await slot.begin(Fault(toxic="reset_peer", host=VENDOR, first=2))
    _connecting(monkeypatch, slot.reach.ports["https"])

    def ask(method: str) -> int:
        with requests.Session() as session:
            session.mount("https://", HTTPAdapter(max_retries=Retry(total=3, backoff_factor=0)))
            return session.request(method, url, verify=str(ca)).status_code

    assert await _in_thread(lambda: ask("GET")) == 200
    assert [attempt.status for attempt in await slot.attempts()] == [None, None, 200]
    await slot.begin(Fault(toxic="reset_peer", host=VENDOR, first=2))
    with pytest.raises(requests.ConnectionError):
        await _in_thread(lambda: ask("POST"))
    assert summary(await slot.attempts()) == [
        ("POST", None, "connection_reset", "reset_peer downstream", True)
    ]


async def test_httpx_transport_retries_only_what_did_not_connect(
    slot: Slot, ca: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = await slot.begin(Fault(toxic="down", host=VENDOR, first=2))
    _connecting(monkeypatch, slot.reach.ports["https"])
    trust = ssl.create_default_context(cafile=str(ca))

    def ask() -> int:
        with httpx.Client(transport=httpx.HTTPTransport(verify=trust, retries=3)) as client:
            return client.get(url).status_code

    assert await _in_thread(ask) == 200
    assert [attempt.fault for attempt in await slot.attempts()] == ["down", "down", None]
    await slot.begin(Fault(toxic="reset_peer", host=VENDOR, first=2))
    # A blocking socket of Python's ssl shows a reset as an end.
    with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
        await _in_thread(ask)
    assert len(await slot.attempts()) == 1


async def test_openai_asks_twice_more(slot: Slot, ca: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await slot.begin(Fault(toxic="reset_peer", host="api.openai.com", stream="upstream"))
    _connecting(monkeypatch, slot.reach.ports["https"])
    trust = ssl.create_default_context(cafile=str(ca))

    def ask() -> None:
        with openai.OpenAI(api_key="k", http_client=httpx.Client(verify=trust)) as client:
            client.chat.completions.create(model="gpt-x", messages=[{"role": "user", "content": "?"}])

    with pytest.raises(openai.APIConnectionError):
        await _in_thread(ask)
    attempts = await slot.attempts()
    assert summary(attempts) == [("POST", None, "connection_reset", "reset_peer upstream", False)] * 3
    assert {attempt.role for attempt in attempts} == {"model"}
