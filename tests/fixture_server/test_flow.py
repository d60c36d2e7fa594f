"""Bodies that are made while they are sent: as long as somebody reads, and the world stays as small as it was."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest

from fixture_server.flow import KEPT
from fixture_server.makers.large import LINKS, PADDING, many_links
from fixture_server.respond import Making
from pytest_webretrieval.cases.draw import address
from pytest_webretrieval.wire.attempt import Attempt

pytestmark = pytest.mark.asyncio
NAMES = {"endless": "", "many_links": "", "unfolding": "headers: {content-encoding: gzip}\n"}


@pytest.fixture
def site(site: Any) -> Any:
    for name, more in NAMES.items():
        site.page(f"vendor/notes/{name}.html", f"<title>{name}</title><p>It is v3.2.</p></body></html>")
        flow = f"fixture_server.makers.large:{name}"
        site.page(f"vendor/notes/{name}.serve.yaml", f"search: false\nflow: {flow}\n{more}")
    return site


def resident(pid: int) -> int:
    """Bytes of memory that a process has."""
    pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * 4096


async def _read(slot: Any, name: str, most: int) -> bytes:
    """What comes of a page, as it is sent, until it is ``most`` bytes."""
    await slot.begin()
    body = b""
    async with (
        slot.client() as client,
        client.stream("GET", address(0, f"fixture://vendor/notes/{name}")) as response,
    ):
        assert response.status_code == 200
        async for part in response.aiter_raw():
            body += part
            if len(body) >= most:
                break
    return body


async def _sent(slot: Any) -> tuple[Attempt, bytes]:
    """The page's attempt, once the world has noticed its end, and what it kept of the body."""
    trace, archive = await slot.drain()
    (attempt,) = trace.attempts
    return attempt, archive.bodies[attempt.body or ""]


async def test_a_page_without_an_end_ends_with_its_reader(slot: Any) -> None:
    before = resident(slot.world._process.pid)
    body = await _read(slot, "endless", 3_000_000)
    assert body.startswith(b"<title>endless</title><p>It is v3.2.</p>\n<p>Entry 1: ")
    attempt, kept = await _sent(slot)
    assert attempt.error_type == "client_closed"
    assert 3_000_000 <= attempt.bytes_received < 12_000_000
    assert body.startswith(kept)
    assert len(kept) == KEPT
    # Neither what was sent nor what would have come is held.
    assert resident(slot.world._process.pid) - before < 32 * 1024 * 1024


async def test_what_unfolds_is_kept_unpacked_and_only_so_far(slot: Any) -> None:
    body = await _read(slot, "unfolding", 30_000)
    start = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body, 100)
    assert start.startswith(b"<title>unfolding</title><p>It is v3.2.</p>\n   ")
    attempt, kept = await _sent(slot)
    assert attempt.bytes_received < PADDING / 500
    assert kept.startswith(b"<title>unfolding</title>")
    assert len(kept) <= KEPT


async def test_others_are_answered_meanwhile(slot: Any) -> None:
    start = await slot.begin()
    endless = address(0, "fixture://vendor/notes/endless")
    async with slot.client() as client, client.stream("GET", endless) as response:
        await anext(response.aiter_raw())
        assert (await client.get(start)).status_code == 200
        assert (await client.head(endless)).status_code == 200


async def test_a_list_of_links_is_whole() -> None:
    pieces = list(many_links(0, {}, Making(address="fixture://a/b", text="<p>It is v3.2.</p></body></html>")))
    assert max(map(len, pieces)) < 64 * 1024
    whole = b"".join(pieces)
    assert whole.startswith(b"<p>It is v3.2.</p>")
    assert (whole.count(b"<a href="), whole.count(b"</html>")) == (LINKS, 1)
