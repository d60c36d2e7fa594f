"""What the world writes down of requests that reach its doors."""

from __future__ import annotations

import asyncio
import hashlib
import socket
import ssl
from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

BROWSER = {
    "user-agent": (
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36"
    ),
    "sec-fetch-mode": "navigate",
    "sec-fetch-site": "none",
    "sec-fetch-dest": "document",
}

DESTINATIONS = [
    ("script", "no-cors"),
    ("image", "no-cors"),
    ("font", "cors"),
    ("empty", "cors"),
    ("empty", "no-cors"),
    ("iframe", "navigate"),
]


@pytest.fixture
def slot(slot_in_shared_world: Any) -> Any:
    """A slot of the test's own."""
    return slot_in_shared_world


async def test_a_fetch_is_an_attempt_and_a_representation(slot: Any) -> None:
    url = await slot.begin()
    async with slot.client() as client:
        response = await client.get(url, headers={"X-Mine": "1"})
    trace, archive = await slot.drain()
    (attempt,) = trace.attempts
    digest = hashlib.sha256(response.content).hexdigest()
    assert (attempt.number, attempt.step, attempt.method, attempt.url) == (1, 1, "GET", url)
    assert (attempt.role, attempt.channel, attempt.status) == ("document", "direct-fetch", 200)
    assert (attempt.error_type, attempt.late, attempt.failed) == (None, False, False)
    assert attempt.request_headers["x-mine"] == "1"
    assert attempt.response_headers["cache-control"] == "max-age=60"
    assert "date" in attempt.response_headers
    assert attempt.bytes_received == len(response.content)
    assert 0 <= attempt.started_s < 60
    assert 0 < attempt.duration_s < 60
    assert attempt.body == digest
    assert archive.bodies == {digest: response.content}
    (given,) = archive.representations
    assert (given.url, given.sha256, given.media_type) == (url, digest, "text/html")
    assert (given.attempt, given.step, given.channel, given.status) == (1, 1, "direct-fetch", 200)


async def test_facts_and_addresses_are_drawn_by_seed_and_marks_are_gone(slot: Any) -> None:
    texts = {}
    for seed in (0, 5):
        url = await slot.begin(seed)
        async with slot.client() as client:
            texts[seed] = (await client.get(url)).text
        assert "fact:" not in texts[seed]
        assert "fixture:" not in texts[seed]
    assert "v3.2" in texts[0]
    assert "21 August 2026" in texts[0]
    assert "v3.2" not in texts[5]
    assert "21 August 2026" not in texts[5]
    assert texts[0].split('href="')[1] != texts[5].split('href="')[1]


async def test_states_change_pages_and_validators(slot: Any) -> None:
    url = await slot.begin()
    async with slot.client() as client:
        first = await client.get(url)
        again = await client.get(url, headers={"if-none-match": first.headers["etag"]})
        await slot.world.step("a", 2, "changed")
        changed = await client.get(url, headers={"if-none-match": first.headers["etag"]})
    assert [first.status_code, again.status_code, changed.status_code] == [200, 304, 200]
    assert again.content == b""
    assert "next version" in changed.text
    trace, archive = await slot.drain()
    assert [attempt.step for attempt in trace.attempts] == [1, 1, 2]
    assert [attempt.user for attempt in trace.attempts] == [None, None, None]
    assert [attempt.body is None for attempt in trace.attempts] == [False, True, False]
    assert len(archive.representations) == 2


async def test_redirects_are_linked_to_where_they_led(slot: Any) -> None:
    await slot.begin()
    old = "https://" + (await _host(slot)) + "/notes/"
    async with slot.client(follow_redirects=True) as client:
        pages = (await client.get("https://websearch.example/search", params={"q": "release notes"})).json()
        url = pages["results"][0]["url"]
        moved = await _address(slot, "fixture://vendor/notes/old")
        response = await client.get(moved)
        await client.get(url)
    assert str(response.url) == url
    assert moved.startswith(old)
    attempts = await slot.attempts()
    assert [attempt.status for attempt in attempts] == [200, 301, 200, 200]
    assert [attempt.redirected_from for attempt in attempts] == [None, None, moved, None]


async def _address(slot: Any, address: str) -> str:
    from pytest_webretrieval.cases.draw import address as draw_address

    return draw_address(0, address)


async def _host(slot: Any) -> str:
    from pytest_webretrieval.cases.draw import draw_host

    return draw_host(0, "vendor")


async def test_a_browser_is_known_by_fetch_metadata_and_its_parts_by_destination(slot: Any) -> None:
    url = await slot.begin()
    icon = httpx.URL(url).join("/favicon.ico")
    async with slot.client() as client:
        await client.get(url, headers=BROWSER)
        for destination, mode in DESTINATIONS:
            part = {"sec-fetch-dest": destination, "sec-fetch-mode": mode, "referer": url}
            await client.get(url, headers=BROWSER | part)
        await client.get(icon, headers={**BROWSER, "sec-fetch-dest": "image"})
        await client.get(httpx.URL(url).join("/robots.txt"))
        preflight = {"access-control-request-method": "PUT", "origin": "https://a.example"}
        await client.options(url, headers=BROWSER | preflight)
        await client.get(url, headers={"user-agent": BROWSER["user-agent"]})
    attempts = await slot.attempts()
    assert [attempt.role for attempt in attempts] == [
        *("document", "subresource", "subresource", "subresource", "api", "subresource", "subresource"),
        *("favicon", "robots", "preflight", "document"),
    ]
    assert [attempt.channel for attempt in attempts] == [
        *["browser"] * 8,
        "direct-fetch",
        "browser",
        "direct-fetch",
    ]
    assert attempts[1].referrer == url
    assert attempts[7].status == attempts[8].status == 404


async def test_what_a_browser_fetches_ahead_is_no_document_and_no_part_of_a_page(slot: Any) -> None:
    url = await slot.begin()
    ahead = {**BROWSER, "sec-purpose": "prefetch;prerender", "referer": url}
    async with slot.client() as client:
        await client.get(url, headers=ahead)
    (attempt,) = await slot.attempts()
    assert (attempt.role, attempt.referrer) == ("subresource", None)


async def test_an_origin_as_referrer_stands_for_its_last_document(slot: Any) -> None:
    url = await slot.begin()
    async with slot.client() as client:
        await client.get(url, headers=BROWSER)
        origin = str(httpx.URL(url).join("/"))
        other = await _address(slot, "fixture://press/news/tariff")
        await client.get(other, headers={**BROWSER, "sec-fetch-dest": "script", "referer": origin})
    assert (await slot.attempts())[1].referrer == url


async def test_models_and_browsers_own_hosts_exist(slot: Any) -> None:
    await slot.begin()
    async with slot.client() as client:
        openai = await client.post("https://api.openai.com/v1/chat/completions", json={"model": "m"})
        google = await client.post(
            "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"
        )
        anthropic = await client.post("https://api.anthropic.com/v1/messages", json={})
        await client.get("https://update.googleapis.com/service/update2/json")
    assert (openai.status_code, google.status_code, anthropic.status_code) == (401, 503, 401)
    assert openai.json()["error"]["type"] == "invalid_request_error"
    assert google.json()["error"]["status"] == "UNAVAILABLE"
    assert anthropic.json()["type"] == "error"
    trace, archive = await slot.drain()
    assert [attempt.role for attempt in trace.attempts] == ["model"] * 3 + ["background"]
    assert [attempt.channel for attempt in trace.attempts][:3] == ["model"] * 3
    assert trace.attempts[0].request_body == b'{"model":"m"}'
    assert trace.attempts[0].error_type == "401"
    assert [given.url for given in archive.representations] == []
    assert archive.bodies[trace.attempts[0].body or ""] == openai.content


async def test_what_a_framework_tells_a_provider_of_its_runs_is_taken_and_counts_for_nothing(
    slot: Any,
) -> None:
    await slot.begin()
    async with slot.client() as client:
        told = await client.post(
            "https://api.openai.com/v1/traces/ingest",
            json={"data": [{"object": "trace"}]},
            headers={"authorization": "Bearer sk"},
        )
    assert (told.status_code, told.content) == (204, b"")
    (attempt,) = await slot.attempts()
    assert (attempt.role, attempt.request_body, attempt.error_type) == ("background", b"", None)


async def test_an_unknown_host_is_misdirected_and_logged(slot: Any) -> None:
    await slot.begin()
    async with slot.client() as client:
        response = await client.get("https://nobody.example/x?y=1")
    assert response.status_code == 421
    (attempt,) = await slot.attempts()
    assert (attempt.url, attempt.status) == ("https://nobody.example/x?y=1", 421)


async def test_plain_http_leads_to_https(slot: Any) -> None:
    url = await slot.begin()
    host = httpx.URL(url).host
    async with httpx.AsyncClient() as client:
        response = await client.get(f"http://127.0.0.1:{slot.ports['http']}/a?b=1", headers={"host": host})
    assert response.status_code == 301
    assert response.headers["location"] == f"https://{host}/a?b=1"
    (attempt,) = await slot.attempts()
    assert attempt.url == f"http://{host}/a?b=1"


async def test_head_gives_headers_and_no_bytes(slot: Any) -> None:
    url = await slot.begin()
    async with slot.client() as client:
        full, head = await client.get(url), await client.head(url)
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers["content-length"] == str(len(full.content))
    attempts = await slot.attempts()
    assert (attempts[1].bytes_received, attempts[1].body) == (0, None)


async def test_sequences_reset_and_cut(slot: Any) -> None:
    await slot.begin()
    shaky, reset, cut = [
        await _address(slot, f"fixture://vendor/notes/{name}") for name in ("shaky", "reset", "cut")
    ]
    async with slot.client() as client:
        assert [(await client.get(shaky)).status_code for _ in range(3)] == [503, 200, 200]
        with pytest.raises(httpx.TransportError):
            await client.get(reset)
        assert (await client.get(reset)).status_code == 200
        with pytest.raises(httpx.RemoteProtocolError):
            await client.get(cut)
    attempts = await slot.attempts()
    assert [attempt.error_type for attempt in attempts] == [
        *("503", None, None, "connection_reset", None, "incomplete_body")
    ]
    assert [attempt.failed for attempt in attempts] == [True, False, False, True, False, True]
    assert attempts[0].response_headers["retry-after"] == "1"
    assert attempts[3].status is None
    assert attempts[5].status == 200


async def test_a_browsers_own_resend_after_a_reset_is_not_the_systems(slot: Any) -> None:
    url = await slot.begin()
    reset = await _address(slot, "fixture://vendor/notes/reset")
    async with slot.client() as client:
        await client.get(url, headers=BROWSER)
        with pytest.raises(httpx.TransportError):
            await client.get(reset, headers=BROWSER)
        await client.get(reset, headers=BROWSER)
    assert [attempt.resend_by for attempt in await slot.attempts()] == [None, None, "browser"]


async def test_uploads_up_to_the_limit_are_read_and_more_is_refused(slot: Any) -> None:
    url = await slot.begin()
    async with slot.client(timeout=30) as client:
        fits = await client.post(url, content=b"a" * (5 * 1024 * 1024))
        large = await client.post(url, content=b"a" * (9 * 1024 * 1024))
        refused = await client.post(url, content=b"a" * (64 * 1024 * 1024 + 1))
    assert fits.status_code == 405
    assert fits.headers["allow"].startswith("GET")
    assert large.status_code == 405
    assert refused.status_code == 413
    kept = [len(attempt.request_body) for attempt in await slot.attempts()]
    assert kept == [5 * 1024 * 1024, 8 * 1024 * 1024, 0]


async def test_a_client_that_leaves_is_noted_at_once(slot: Any) -> None:
    await slot.begin()
    slow, large = [await _address(slot, f"fixture://vendor/notes/{name}") for name in ("slow", "large")]
    async with slot.client() as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.get(slow, timeout=0.2)
        async with client.stream("GET", large) as response:
            assert response.status_code == 200
    attempts = await slot.attempts()
    assert [attempt.error_type for attempt in attempts] == ["client_closed", "client_closed"]
    assert [attempt.status for attempt in attempts] == [None, 200]
    assert attempts[1].bytes_received < 24 * 1024 * 1024
    assert attempts[1].failed is False


async def test_what_is_packed_is_kept_as_a_reader_has_it(slot: Any) -> None:
    await slot.begin()
    async with slot.client() as client:
        url = await _address(slot, "fixture://vendor/notes/packed")
        async with client.stream("GET", url) as response:
            sent = b"".join([piece async for piece in response.aiter_raw()])
    trace, archive = await slot.drain()
    (attempt,) = trace.attempts
    assert archive.bodies[attempt.body] == b"<title>Packed</title><p>Both parts.</p>"
    assert attempt.bytes_received == len(sent)
    assert sent.startswith(b"\x1f\x8b")


async def test_large_answers_arrive_whole(slot: Any) -> None:
    await slot.begin()
    async with slot.client(timeout=30) as client:
        response = await client.get(await _address(slot, "fixture://vendor/notes/large"))
    assert len(response.content) == 24 * 1024 * 1024
    (attempt,) = await slot.attempts()
    assert attempt.bytes_received == 24 * 1024 * 1024


async def test_a_client_without_trust_is_a_tls_failure(slot: Any) -> None:
    url = await slot.begin()
    host = httpx.URL(url).host
    distrustful = ssl.create_default_context()
    for version in (ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_2):
        distrustful.maximum_version = version
        with pytest.raises(ssl.SSLCertVerificationError):
            await asyncio.open_connection(
                "127.0.0.1", slot.ports["https"], ssl=distrustful, server_hostname=host
            )
    attempts = await _attempts(slot, 2)
    assert [(attempt.url, attempt.error_type, attempt.status) for attempt in attempts] == [
        (f"https://{host}/", "tls", None)
    ] * 2


async def _attempts(slot: Any, count: int) -> list[Any]:
    """The next attempts; what ends without an answer is known to the world only when it hears of the end."""
    found: list[Any] = []
    async with asyncio.timeout(10):
        while len(found) < count:
            found.extend(await slot.attempts())
    return found


@pytest.mark.parametrize(
    ("sent", "method", "target"),
    [
        (b"GET /half HTTP/1.1\r\nHost: {host}\r\n", "GET", "/half"),
        (b"PO", "?", "/"),
    ],
)
async def test_half_requests_are_noted(slot: Any, sent: bytes, method: str, target: str) -> None:
    url = await slot.begin()
    host = httpx.URL(url).host
    _, writer = await asyncio.open_connection(
        "127.0.0.1", slot.ports["https"], ssl=slot.context, server_hostname=host
    )
    writer.write(sent.replace(b"{host}", host.encode()))
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    (attempt,) = await _attempts(slot, 1)
    assert (attempt.method, attempt.url) == (method, f"https://{host}{target}")
    assert (attempt.error_type, attempt.status) == ("incomplete_request", None)


@pytest.mark.parametrize(
    ("sent", "method", "target"),
    [
        (b"GET /a HTTP/9.9\r\n\r\n", "GET", "/a"),
        (b"GET /a?\xff HTTP/1.1\r\n\r\n", "GET", "/a?\xff"),
        (b"\x16\x03\x01\x00\xa5\r\n\r\n", "?", "/"),
    ],
)
async def test_what_is_no_http_is_refused_and_noted(slot: Any, sent: bytes, method: str, target: str) -> None:
    url = await slot.begin()
    host = httpx.URL(url).host
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", slot.ports["https"], ssl=slot.context, server_hostname=host
    )
    writer.write(sent)
    async with asyncio.timeout(5):
        assert (await reader.readline()).split()[1] == b"400"
        await reader.read()
    writer.close()
    await writer.wait_closed()
    (attempt,) = await _attempts(slot, 1)
    assert (attempt.method, attempt.url) == (method, f"https://{host}{target}")
    assert (attempt.error_type, attempt.status) == ("400", 400)


async def test_half_an_upload_is_noted(slot: Any) -> None:
    url = await slot.begin()
    host = httpx.URL(url).host
    _, writer = await asyncio.open_connection(
        "127.0.0.1", slot.ports["https"], ssl=slot.context, server_hostname=host
    )
    writer.write(b"POST /up HTTP/1.1\r\nHost: %s\r\nContent-Length: 100\r\n\r\nhalf" % host.encode())
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    (attempt,) = await _attempts(slot, 1)
    assert (attempt.method, attempt.error_type) == ("POST", "incomplete_request")


async def test_a_preconnect_is_nothing(slot: Any) -> None:
    url = await slot.begin()
    _, writer = await asyncio.open_connection(
        "127.0.0.1", slot.ports["https"], ssl=slot.context, server_hostname=httpx.URL(url).host
    )
    writer.close()
    await writer.wait_closed()
    socket.create_connection(("127.0.0.1", slot.ports["https"])).close()
    async with slot.client() as client:
        await client.get(url)
    assert [attempt.url for attempt in await slot.attempts()] == [url]


async def test_an_upload_that_asks_first_is_told_to_go_on(slot: Any) -> None:
    url = await slot.begin()
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", slot.ports["https"], ssl=slot.context, server_hostname=httpx.URL(url).host
    )
    head = f"POST /up HTTP/1.1\r\nHost: {httpx.URL(url).host}\r\nContent-Length: 4\r\n"
    writer.write(head.encode() + b"Expect: 100-continue\r\n\r\n")
    async with asyncio.timeout(5):
        assert await reader.readline() == b"HTTP/1.1 100 Continue\r\n"
    writer.write(b"body")
    async with asyncio.timeout(5):
        assert await reader.readline() == b"\r\n"
        assert b" 404 " in await reader.readline()
    writer.close()
    await writer.wait_closed()
    assert (await slot.attempts())[0].request_body == b"body"


async def test_attribution_is_by_first_byte_not_by_connection(slot: Any) -> None:
    url = await slot.begin()
    async with slot.client() as client:
        await client.get(url)
        assert [attempt.step for attempt in await slot.attempts()] == [1]
        await client.get(url)
        (late,) = await slot.attempts()
        await slot.world.step("a", 2)
        await client.get(url)
        (second,) = await slot.attempts()
        await slot.begin()
        await client.get(url)
        (anew,) = await slot.attempts()
    assert (late.step, late.late, late.number) == (1, True, 2)
    assert (second.step, second.late, second.number) == (2, False, 3)
    assert (anew.step, anew.late, anew.number) == (1, False, 1)


async def test_what_comes_before_the_first_run_is_step_zero(slot: Any) -> None:
    async with slot.client() as client:
        await client.get("https://api.openai.com/v1/models")
        attempts = await slot.attempts()
        response = await client.get("https://vendor.example/")
    assert [(attempt.step, attempt.late) for attempt in attempts] == [(0, False)]
    assert response.status_code == 421


async def test_a_page_that_fails_is_the_worlds_failure(slot: Any) -> None:
    from fixture_server.client import WorldFailure

    await slot.begin()
    async with slot.client() as client:
        response = await client.get(await _address(slot, "fixture://vendor/notes/broken"))
    assert response.status_code == 500
    with pytest.raises(WorldFailure, match="a page that cannot be"):
        await slot.drain()
