"""WebSockets: a page's messages, an echo, and what the log holds of them."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from pytest_webretrieval.cases import draw

pytestmark = pytest.mark.asyncio

AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36"
LIVE = {
    "vendor/wire/float.txt": "Up {{fact:K01.version|v3.2}}\n\nDown\n",
    "vendor/wire/float.serve.yaml": "live: true\nbody: float.txt\nsearch: false\n",
}


@pytest.fixture
def site(site: Any) -> Any:
    """With a page that speaks."""
    for name, text in LIVE.items():
        site.page(name, text)
    return site


async def address(slot: Any) -> str:
    await slot.begin(seed=3)
    return draw.address(3, "fixture://vendor/wire/float")


def connect(slot: Any, session: aiohttp.ClientSession, url: str, **headers: str) -> Any:
    """A handshake with the door on loopback, under the page's name."""
    host, path = url.removeprefix("https://").split("/", 1)
    there = f"wss://127.0.0.1:{slot.ports['https']}/{path}"
    return session.ws_connect(
        there, ssl=slot.context, server_hostname=host, headers={"host": host, **headers}
    )


async def test_each_line_is_a_message_and_what_the_client_says_comes_back(slot: Any) -> None:
    url = await address(slot)
    async with aiohttp.ClientSession() as session, connect(slot, session, url) as live:
        heard = [await live.receive_str(timeout=5) for _ in range(2)]
        await live.send_str("and you?")
        heard.append(await live.receive_str(timeout=5))
    assert heard[0].startswith("Up v")
    assert heard[0] != "Up v3.2", "drawn by seed"
    assert heard[1:] == ["Down", "and you?"]
    trace, archive = await slot.drain()
    (attempt,) = trace.attempts
    assert (attempt.status, attempt.role, attempt.channel) == (101, "api", "direct-fetch")
    assert attempt.error_type is None
    assert attempt.url == url
    assert archive.bodies[attempt.body].decode().splitlines() == heard[:2]
    assert [(one.url, one.status) for one in archive.representations] == [(url, 101)]


async def test_a_browser_s_handshake_is_a_browser_s_and_leads_to_its_page(slot: Any) -> None:
    url = await address(slot)
    origin = "/".join(url.split("/")[:3])
    page = f"{origin}/"
    async with slot.client() as client:
        await client.get(page, headers={"user-agent": AGENT, "sec-fetch-dest": "document"})
    headers = {"origin": origin, "user-agent": AGENT}
    async with aiohttp.ClientSession() as session, connect(slot, session, url, **headers) as live:
        await live.receive_str(timeout=5)
        await live.receive_str(timeout=5)
    attempt = (await slot.attempts())[-1]
    assert (attempt.channel, attempt.role, attempt.referrer) == ("browser", "api", page)


async def test_who_asks_for_no_websocket_is_told_to(slot: Any) -> None:
    url = await address(slot)
    async with slot.client() as client:
        answer = await client.get(url)
    assert answer.status_code == 426
    assert answer.headers["upgrade"] == "websocket"


async def test_a_handshake_that_is_none_is_refused(slot: Any) -> None:
    url = await address(slot)
    async with slot.client() as client:
        answer = await client.get(url, headers={"upgrade": "websocket", "connection": "upgrade"})
    assert answer.status_code == 400
    assert [one.error_type for one in await slot.attempts()] == ["400"]


async def test_a_page_that_does_not_speak_answers_as_ever(slot: Any) -> None:
    url = await slot.begin()
    async with slot.client() as client:
        answer = await client.get(url, headers={"upgrade": "websocket", "connection": "upgrade"})
    assert answer.status_code == 200
