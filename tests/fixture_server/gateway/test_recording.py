"""What is recorded is replayed, byte for byte, with the server gone."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import threading
import zlib
from typing import Any

import httpx
import pytest

from pytest_webretrieval.wire.sidecar import meta_path, read_cassette

from .conftest import HOST, Gate
from .origin import Heard, Origin, Out

pytestmark = pytest.mark.asyncio(loop_scope="module")

URL = f"https://{HOST}"
ALL_BYTES = bytes(range(256))


async def _recorded(open_gate: Any, origin: Origin, *asked: tuple[str, str, dict[str, Any]]) -> list[Any]:
    """The answers to requests while they are recorded; then the server is gone."""
    gate = await open_gate("once")
    answers = await _ask(gate, *asked)
    account = await gate.keep()
    assert (account.recorded, account.failure) == (len(asked), None)
    return answers


async def _ask(gate: Gate, *asked: tuple[str, str, dict[str, Any]]) -> list[Any]:
    answers = []
    async with gate.client(timeout=20) as client:
        for method, path, options in asked:
            async with client.stream(method, f"{URL}{path}", **options) as response:
                raw = b"".join([part async for part in response.aiter_raw()])
            headers = [pair for pair in response.headers.raw if pair[0].lower() != b"connection"]
            answers.append((response.status_code, response.reason_phrase, sorted(headers), raw))
    return answers


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        pytest.param(ALL_BYTES, ["Content-Type: application/octet-stream"], id="binary"),
        pytest.param(b"", ["Content-Type: text/plain"], id="empty"),
        pytest.param(
            "Zoë\r\nline\rline\n\ufeff\x00\x85\u2028".encode(), ["Content-Type: text/plain"], id="text"
        ),
        pytest.param("Zoë".encode("latin-1"), ["Content-Type: text/html; charset=latin-1"], id="latin"),
        pytest.param(gzip.compress(b"x" * 999, mtime=1), ["Content-Encoding: gzip"], id="gzip"),
        pytest.param(zlib.compress(b"x" * 999), ["Content-Encoding: deflate"], id="deflate"),
        pytest.param(b"\x8b\x03\x80abc\x03", ["Content-Encoding: br"], id="br"),
        pytest.param(
            b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + ALL_BYTES * 9, ["Content-Type: application/pdf"], id="pdf"
        ),
    ],
)
async def test_bodies_come_back_byte_for_byte(
    open_gate: Any, origin: Origin, body: bytes, headers: list[str]
) -> None:
    origin.says("/x", body, *headers)
    before = await _recorded(open_gate, origin, ("GET", "/x", {}))
    origin.stop()
    after = await _ask(await open_gate("none"), ("GET", "/x", {}))
    assert after == before
    assert after[0][3] == body


async def test_uploads_are_told_apart_byte_for_byte(open_gate: Any, origin: Origin) -> None:
    origin.on("/up", lambda heard, out: out.reply("200 OK", heard.body[::-1]))
    uploads = [b"\xc7\x00", ALL_BYTES, b"\xff\xfe", "ü".encode()]
    asked = [("POST", "/up", {"content": body}) for body in uploads]
    before = await _recorded(open_gate, origin, *asked)
    origin.stop()
    after = await _ask(await open_gate("none"), *reversed(asked))
    assert after == before[::-1]


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        ("301 Moved Permanently", ["Location: /next"]),
        ("302 Found", ["Location: https://other.acme.test/next?x=1"]),
        ("307 Temporary Redirect", ["Location: next"]),
        ("304 Not Modified", ['ETag: "v1"', "Cache-Control: max-age=60"]),
        ("204 No Content", []),
        ("404 Not Found", []),
        ("429 Slow Down", ["Retry-After: 7"]),
        ("503 Service Unavailable", ["Retry-After: 1"]),
        ("299 Odd", ["X-Two: a", "X-Two: b", "x-three: ü"]),
    ],
)
async def test_statuses_and_headers_come_back(
    open_gate: Any, origin: Origin, status: str, headers: list[str]
) -> None:
    empty = status[:3] in ("304", "204")
    origin.on(
        "/x", lambda _, out: out.head(status, *headers) if empty else out.reply(status, b"told", *headers)
    )
    before = await _recorded(open_gate, origin, ("GET", "/x", {"headers": {"if-none-match": '"v1"'}}))
    origin.stop()
    after = await _ask(await open_gate("none"), ("GET", "/x", {}))
    assert after == before
    assert f"{after[0][0]} {after[0][1]}" == status


async def test_head_is_not_get(open_gate: Any, origin: Origin) -> None:
    def either(heard: Heard, out: Out) -> None:
        out.head("200 OK", "Content-Length: 4")
        if heard.method == "GET":
            out.send(b"body")

    origin.on("/x", either)
    asked = (("HEAD", "/x", {}), ("GET", "/x", {}))
    before = await _recorded(open_gate, origin, *asked)
    origin.stop()
    after = await _ask(await open_gate("none"), *reversed(asked))
    assert after == before[::-1]
    assert [answer[3] for answer in after] == [b"body", b""]


async def test_repeats_come_in_order_and_never_once_more(open_gate: Any, origin: Origin) -> None:
    said = iter(("pending", "pending", "done"))
    origin.on(
        "/poll",
        lambda _, out: out.reply(
            "503 Busy" if (text := next(said)) == "pending" else "200 OK", text.encode()
        ),
    )
    asked = [("GET", "/poll", {})] * 3
    before = await _recorded(open_gate, origin, *asked)
    origin.stop()
    gate = await open_gate("none")
    assert await _ask(gate, *asked) == before
    (fourth,) = await _ask(gate, ("GET", "/poll", {}))
    assert fourth[0] == 502
    assert f"{gate.cassette.name} has 3 of this request, and each was played".encode() in fourth[3]
    account = await gate.keep()
    assert len(account.missed) == 1
    assert account.trouble == fourth[3].decode().strip()


async def test_equal_requests_at_once_keep_the_order_in_which_they_began(
    open_gate: Any, origin: Origin
) -> None:
    """The first is answered last: what was recorded is told by its beginning, not by its end."""
    lock, turns = threading.Lock(), [threading.Event() for _ in range(3)]
    arrived: list[int] = []

    def count(heard: Heard, out: Out) -> None:
        with lock:
            number = len(arrived)
            arrived.append(number)
        turns[number].wait(20)
        out.reply("200 OK", str(number).encode())

    origin.on("/s", count)
    gate = await open_gate("once")
    async with gate.client(timeout=30) as client:
        asking = []
        for number in range(3):
            asking.append(asyncio.create_task(client.get(f"{URL}/s?q=x")))
            await asyncio.to_thread(_until, lambda wanted=number: len(arrived) > wanted)
        for turn in reversed(turns):
            turn.set()
            await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
        first = [(await answer).text for answer in asking]
    account = await gate.keep()
    assert first == ["0", "1", "2"]
    assert len(account.unordered) == 3, "that chance decides is told"
    origin.stop()
    gate = await open_gate("none")
    async with gate.client() as client:
        again = [(await client.get(f"{URL}/s?q=x")).text for _ in range(3)]
    assert again == first
    assert (await gate.keep()).unordered == account.unordered


def _until(true: Any) -> None:
    while not true():
        threading.Event().wait(0.005)


async def test_what_is_written_between_two_reads_stays_between_them(open_gate: Any, origin: Origin) -> None:
    held: list[str] = []

    def listing(heard: Heard, out: Out) -> None:
        if heard.method == "POST":
            held.append(json.loads(heard.body)["name"])
        out.reply("200 OK", json.dumps(held).encode(), "Content-Type: application/json")

    origin.on("/list", listing)
    asked = (("GET", "/list", {}), ("POST", "/list", {"json": {"name": "b"}}), ("GET", "/list", {}))
    before = await _recorded(open_gate, origin, *asked)
    origin.stop()
    assert await _ask(await open_gate("none"), *asked) == before


async def test_one_address_answers_by_what_it_is_sent(open_gate: Any, origin: Origin) -> None:
    origin.on(
        "/graphql", lambda heard, out: out.reply("200 OK", json.loads(heard.body)["operationName"].encode())
    )
    asked = [("POST", "/graphql", {"json": {"operationName": name, "v": 1}}) for name in "ABC"]
    before = await _recorded(open_gate, origin, *asked)
    origin.stop()
    mixed = [
        (
            "POST",
            "/graphql",
            {
                "content": f'{{"v": 1,  "operationName": "{name}"}}',
                "headers": {"content-type": "application/json"},
            },
        )
        for name in "CAB"
    ]
    assert [answer[3] for answer in await _ask(await open_gate("none"), *mixed)] == [b"C", b"A", b"B"]
    assert [answer[3] for answer in before] == [b"A", b"B", b"C"]


EVENTS = (b": keep-alive\n\n", b'event: step\nid: 7\ndata: {"a":\ndata: 1}\n\n', b"data: [DO", b"NE]\n\n")


@pytest.mark.parametrize("ending", ["whole", "cut"])
async def test_streams_keep_parts_times_and_how_they_ended(
    open_gate: Any, origin: Origin, ending: str
) -> None:
    turn = threading.Semaphore(0)

    def stream(heard: Heard, out: Out) -> None:
        out.head("200 OK", "Content-Type: text/event-stream", "Transfer-Encoding: chunked")
        for event in EVENTS:
            out.chunk(event)
            turn.acquire(timeout=20)
        if ending == "whole":
            out.chunk(b"")

    origin.on("/events", stream)
    gate = await open_gate("once")
    first = await _read_parts(gate, turn)
    await gate.keep()
    origin.stop()
    cassette = read_cassette(gate.cassette)
    assert cassette is not None
    (one,) = cassette.interactions
    assert one.body == b"".join(EVENTS)
    assert [size for _, size in one.chunks] == [len(event) for event in EVENTS]
    times = [at_s for at_s, _ in one.chunks]
    assert 0 < times[0] <= times[-1] <= one.ended_s - one.started_s + 0.001
    gate = await open_gate("none")
    assert await _read_parts(gate, turn) == first
    assert first == (list(EVENTS), ending == "whole")


async def _read_parts(gate: Gate, turn: threading.Semaphore) -> tuple[list[bytes], bool]:
    parts = []
    async with gate.client(timeout=30) as client, client.stream("POST", f"{URL}/events") as response:
        try:
            async for part in response.aiter_raw():
                parts.append(part)
                turn.release()
        except httpx.RemoteProtocolError:
            return parts, False
    return parts, True


async def test_a_replay_never_waits(open_gate: Any, origin: Origin) -> None:
    origin.says("/x", b"late")
    gate = await open_gate("once")
    await _ask(gate, ("GET", "/x", {}))
    await gate.keep()
    path = meta_path(gate.cassette)
    meta = json.loads(path.read_text())
    meta["recordings"][0]["chunks"] = [[3600.0, 2], [7200.0, 2]]
    path.write_text(json.dumps(meta))
    origin.stop()
    async with asyncio.timeout(15):
        ((*_, body),) = await _ask(await open_gate("none"), ("GET", "/x", {}))
    assert body == b"late"


async def test_dates_are_of_today_when_they_are_played(open_gate: Any, origin: Origin) -> None:
    """A client reckons with them against its own clock: a page of 90 days ago is stale, a session is over."""
    from datetime import UTC, datetime, timedelta
    from email.utils import format_datetime, parsedate_to_datetime

    now = datetime.now(UTC)
    origin.says(
        "/x",
        b"fresh",
        f"Date: {format_datetime(now, usegmt=True)}",
        f"Expires: {format_datetime(now + timedelta(hours=1), usegmt=True)}",
        "Last-Modified: Sat, 01 Aug 2026 00:00:00 GMT",
        f"Set-Cookie: seen=1; Expires={format_datetime(now + timedelta(hours=1), usegmt=True)}; Path=/",
    )
    gate = await open_gate("once")
    await _ask(gate, ("GET", "/x", {}))
    await gate.keep()
    path = meta_path(gate.cassette)
    meta = json.loads(path.read_text())
    meta["recordings"][0]["recorded_at"] = (now - timedelta(days=60)).isoformat(timespec="seconds")
    path.write_text(json.dumps(meta))
    origin.stop()
    gate = await open_gate("none")
    async with gate.client() as client:
        response = await client.get(f"{URL}/x")
    expected = now + timedelta(days=60)
    assert abs(parsedate_to_datetime(response.headers["date"]) - expected) < timedelta(minutes=2)
    assert abs(parsedate_to_datetime(response.headers["expires"]) - expected) < timedelta(minutes=62)
    assert response.headers["last-modified"] == "Sat, 01 Aug 2026 00:00:00 GMT"
    assert "seen" in response.cookies, "it has not run out"


async def test_what_a_client_left_unread_is_replayed_as_far_as_it_came(
    open_gate: Any, origin: Origin
) -> None:
    def endless(heard: Heard, out: Out) -> None:
        out.head("200 OK", "Transfer-Encoding: chunked")
        try:
            while True:
                out.chunk(b"x" * 1000)
        except OSError:
            return

    origin.on("/endless", endless)
    for mode in ("once", "none"):
        gate = await open_gate(mode)
        async with gate.client(timeout=30) as client, client.stream("GET", f"{URL}/endless") as response:
            assert await anext(response.aiter_raw())
        account = await gate.keep()
        assert (account.missed, account.unplayed, account.failure) == ((), (), None)


async def test_base64_is_marked(open_gate: Any, origin: Origin) -> None:
    origin.says("/x", ALL_BYTES)
    gate = await open_gate("once")
    await _ask(gate, ("GET", "/x", {}))
    await gate.keep()
    text = gate.cassette.read_text()
    assert "!!binary" in text
    assert base64.b64encode(ALL_BYTES)[:40].decode() in text.replace("\n", "").replace(" ", "")


async def test_a_replayed_answer_is_in_the_log_like_a_live_one(open_gate: Any, origin: Origin) -> None:
    origin.says(
        "/page", gzip.compress(b"<p>19.90", mtime=1), "Content-Type: text/html", "Content-Encoding: gzip"
    )
    gate = await open_gate("once")
    seen = []
    for mode in ("once", "none"):
        gate = gate if mode == "once" else await open_gate("none")
        await _ask(gate, ("GET", "/page", {}))
        trace, archive = await gate.world.drain(gate.name)
        (attempt,), (given,) = trace.attempts, archive.representations
        seen.append(
            (attempt.role, attempt.status, attempt.bytes_received, attempt.body, given.sha256, archive.bodies)
        )
        await gate.keep()
    assert seen[0] == seen[1]
    assert list(seen[0][5].values()) == [b"<p>19.90"]
