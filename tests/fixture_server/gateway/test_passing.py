"""What is passed on, and how: nothing added, nothing taken away, nothing held back."""

from __future__ import annotations

import asyncio
import gzip
import threading
from typing import Any

import httpx
import pytest

from .conftest import HOST
from .origin import Heard, Origin, Out

pytestmark = pytest.mark.asyncio(loop_scope="module")

URL = f"https://{HOST}"


async def test_a_request_goes_on_as_it_was_made(open_gate: Any, origin: Origin) -> None:
    origin.says("/v1/items", b"ok")
    gate = await open_gate("all")
    async with gate.client() as client:
        await client.post(
            f"{URL}/v1/items?b=2&a=%7e&a=1",
            content=b"\x00\xff raw",
            headers={
                "X-Mine": "1",
                "Authorization": "Bearer not-a-secret",
                "Connection": "keep-alive, X-Hop",
                "X-Hop": "mine",
                "Accept-Encoding": "gzip, br;q=0.9, zstd",
            },
        )
    (heard,) = origin.heard
    assert (heard.method, heard.target, heard.body) == ("POST", "/v1/items?b=2&a=%7e&a=1", b"\x00\xff raw")
    assert heard.headers["x-mine"] == "1"
    assert heard.headers["authorization"] == "Bearer not-a-secret"
    assert heard.headers["host"] == origin.url.removeprefix("http://")
    assert heard.headers["accept-encoding"] == "gzip"
    assert heard.headers["content-length"] == "6"
    assert "x-hop" not in heard.headers
    assert not {"content-type", "cookie", "transfer-encoding"} & set(heard.headers)


async def test_an_answer_comes_back_as_it_was_given(open_gate: Any, origin: Origin) -> None:
    packed = gzip.compress(b"The harbour tariff rises." * 9, mtime=7)
    origin.says(
        "/page",
        packed,
        *("Content-Type: text/html; charset=utf-8", "Content-Encoding: gzip", "X-Two: a", "X-Two: b"),
        *("Set-Cookie: a=1; Path=/", "Set-Cookie: b=2", "Connection: X-Hop", "X-Hop: theirs", 'ETag: "v1"'),
        status="203 Fine By Me",
    )
    gate = await open_gate("all")
    async with gate.client() as client, client.stream("GET", f"{URL}/page") as response:
        raw = b"".join([part async for part in response.aiter_raw()])
    assert (response.status_code, response.reason_phrase, raw) == (203, "Fine By Me", packed)
    assert response.headers.get_list("set-cookie") == ["a=1; Path=/", "b=2"]
    assert response.headers.get_list("x-two") == ["a", "b"]
    assert response.headers["content-length"] == str(len(packed))
    assert not {"x-hop", "server", "date", "transfer-encoding"} & set(response.headers)
    trace, archive = await gate.world.drain(gate.name)
    (attempt,) = trace.attempts
    assert (attempt.role, attempt.channel, attempt.status) == ("document", "direct-fetch", 203)
    assert (attempt.bytes_received, attempt.error_type) == (len(packed), None)
    (given,) = archive.representations
    assert archive.bodies[given.sha256] == b"The harbour tariff rises." * 9
    assert (given.url, given.media_type) == (f"{URL}/page", "text/html")


@pytest.mark.parametrize("status", ["301 Moved Permanently", "302 Found", "303 See Other", "307 T", "308 P"])
async def test_redirects_are_the_clients_to_follow(open_gate: Any, origin: Origin, status: str) -> None:
    origin.says("/old", b"", "Location: /new?x=1#part", status=status)
    gate = await open_gate("all")
    async with gate.client() as client:
        response = await client.get(f"{URL}/old")
    assert (response.status_code, response.headers["location"]) == (int(status[:3]), "/new?x=1#part")
    assert [heard.target for heard in origin.heard] == ["/old"]


@pytest.mark.parametrize("status", [204, 304])
async def test_answers_without_a_body(open_gate: Any, origin: Origin, status: int) -> None:
    origin.on("/x", lambda _, out: out.head(f"{status} Whatever", 'ETag: "v1"'))
    gate = await open_gate("all")
    async with gate.client() as client:
        response = await client.get(f"{URL}/x", headers={"If-None-Match": '"v1"'})
    assert (response.status_code, response.content, response.headers["etag"]) == (status, b"", '"v1"')
    assert origin.heard[0].headers["if-none-match"] == '"v1"'


async def test_the_length_that_head_tells_is_the_servers(open_gate: Any, origin: Origin) -> None:
    origin.on("/x", lambda _, out: out.head("200 OK", "Content-Length: 12345"))
    gate = await open_gate("all")
    async with gate.client() as client:
        response = await client.head(f"{URL}/x")
    assert (response.headers["content-length"], response.content) == ("12345", b"")


async def test_a_stream_is_passed_on_as_it_comes(open_gate: Any, origin: Origin) -> None:
    """The server sends a part only when the client has the part before: held back by anybody, it would never end."""
    turn = threading.Semaphore(0)

    def stream(heard: Heard, out: Out) -> None:
        out.head("200 OK", "Content-Type: text/event-stream", "Transfer-Encoding: chunked")
        for number in range(3):
            assert turn.acquire(timeout=20)
            out.chunk(b"data: %d\n\n" % number)
        out.chunk(b"")

    origin.on("/events", stream)
    gate = await open_gate("all")
    got = []
    async with gate.client(timeout=20) as client, client.stream("POST", f"{URL}/events") as response:
        turn.release()
        async for part in response.aiter_raw():
            got.append(part)
            turn.release()
    assert got == [b"data: 0\n\n", b"data: 1\n\n", b"data: 2\n\n"]


@pytest.mark.parametrize("framing", ["length", "chunked"])
async def test_a_client_sees_where_a_response_was_cut(open_gate: Any, origin: Origin, framing: str) -> None:
    def cut(heard: Heard, out: Out) -> None:
        if framing == "length":
            out.head("200 OK", "Content-Length: 4000")
            out.send(b"x" * 900)
        else:
            out.head("200 OK", "Transfer-Encoding: chunked")
            out.chunk(b"x" * 900)

    origin.on("/cut", cut)
    gate = await open_gate("all")
    got = b""
    async with gate.client() as client, client.stream("GET", f"{URL}/cut") as response:
        parts = response.aiter_raw()
        while len(got) < 900:
            got += await anext(parts)
        with pytest.raises(httpx.RemoteProtocolError):
            await anext(parts)
    assert got == b"x" * 900
    (attempt,) = await gate.attempts()
    assert (attempt.error_type, attempt.bytes_received, attempt.failed) == ("incomplete_body", 900, True)


async def test_who_leaves_ends_the_request_outside(open_gate: Any, origin: Origin) -> None:
    ended = threading.Event()

    def endless(heard: Heard, out: Out) -> None:
        out.head("200 OK", "Transfer-Encoding: chunked")
        try:
            while True:
                out.chunk(b"x" * 1000)
        except OSError:
            ended.set()

    origin.on("/endless", endless)
    gate = await open_gate("all")
    async with gate.client() as client, client.stream("GET", f"{URL}/endless") as response:
        async for _ in response.aiter_raw():
            break
    assert await asyncio.to_thread(ended.wait, 20)
    (attempt,) = await gate.attempts()
    assert attempt.error_type == "client_closed"


async def test_who_leaves_before_the_answer_ends_the_request_outside(open_gate: Any, origin: Origin) -> None:
    asked, ended = threading.Event(), threading.Event()

    def silent(heard: Heard, out: Out) -> None:
        asked.set()
        out.connection.settimeout(20)
        if out.connection.recv(1) == b"":
            ended.set()

    origin.on("/silent", silent)
    gate = await open_gate("all")
    async with gate.client(timeout=60) as client:
        task = asyncio.create_task(client.get(f"{URL}/silent"))
        assert await asyncio.to_thread(asked.wait, 20)
        task.cancel()
    assert await asyncio.to_thread(ended.wait, 20)
    assert (await gate.keep()).recorded == 0


async def test_a_slow_client_holds_the_server_back(open_gate: Any, origin: Origin) -> None:
    sent, size = [0], 64 * 1024 * 1024

    def large(heard: Heard, out: Out) -> None:
        out.head("200 OK", f"Content-Length: {size}")
        for _ in range(size // (1 << 20)):
            out.send(b"x" * (1 << 20))
            sent[0] += 1 << 20

    origin.on("/large", large)
    gate = await open_gate("all")
    async with gate.client(timeout=60) as client, client.stream("GET", f"{URL}/large") as response:
        parts = response.aiter_raw()
        await anext(parts)
        before = -1
        while before != sent[0]:  # until nothing moves any more
            before = sent[0]
            await asyncio.sleep(0.3)
        assert before < size / 2
        got = 1
        async for part in parts:
            got += len(part)
    assert sent[0] == size


async def test_uploads_go_up_to_64_mb(open_gate: Any, origin: Origin) -> None:
    origin.on("/up", lambda heard, out: out.reply("200 OK", str(len(heard.body)).encode()))
    gate = await open_gate("all")
    async with gate.client(timeout=60) as client:
        fits = await client.put(f"{URL}/up", content=bytes(64 * 1024 * 1024))
        not_ = await client.put(f"{URL}/up", content=bytes(64 * 1024 * 1024 + 1))
    assert (fits.status_code, fits.text, not_.status_code) == (200, str(64 * 1024 * 1024), 413)


async def test_the_environments_proxy_is_not_used(
    open_gate: Any, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    origin.says("/x", b"straight")
    gate = await open_gate("all", new=True)
    async with gate.client() as client:
        assert (await client.get(f"{URL}/x")).text == "straight"


async def test_a_path_of_the_servers_own_comes_first(open_gate: Any, origin: Origin) -> None:
    origin.says("/emulator/v1/x", b"there")
    gate = await open_gate("all", f"{HOST}={origin.url}/emulator")
    async with gate.client() as client:
        assert (await client.get(f"{URL}/v1/x")).text == "there"


async def test_requests_at_once_do_not_wait_for_each_other(open_gate: Any, origin: Origin) -> None:
    both = threading.Barrier(8)

    def together(heard: Heard, out: Out) -> None:
        both.wait(20)
        out.reply("200 OK", b"all are here")

    origin.on("/x", together)
    gate = await open_gate("all")
    async with gate.client(timeout=30) as client:
        answers = await asyncio.gather(*(client.get(f"{URL}/x?n={n}") for n in range(8)))
    assert {answer.text for answer in answers} == {"all are here"}


async def test_other_hosts_stay_the_worlds(open_gate: Any, origin: Origin) -> None:
    gate = await open_gate("all")
    async with gate.client() as client:
        tavily = await client.post(
            "https://api.tavily.com/search", json={"query": "x"}, headers={"authorization": "Bearer k"}
        )
        stranger = await client.get("https://other.acme.test/")
    assert (tavily.status_code, stranger.status_code, origin.heard) == (200, 421, [])
    trace, _ = await gate.world.drain(gate.name)
    assert [left.address for left in trace.egress] == ["other.acme.test"]
