"""Pages that an answer cites are kept, by us and on nobody's account."""

from __future__ import annotations

from typing import Any

import pytest

from fixture_server.gateway.looking import plain_get, unasked
from fixture_server.log import Log
from pytest_webretrieval.wire.sidecar import read_cassette

from .conftest import HOST
from .origin import Origin

pytestmark = pytest.mark.asyncio(loop_scope="module")

URL = f"https://{HOST}"


@pytest.mark.parametrize("url", [f"{URL}:443/a", f"http://{HOST}:80/a", f"{URL}/a"])
async def test_a_port_that_has_a_door_is_the_same_address(url: str) -> None:
    asked = plain_get(url)
    assert asked is not None
    assert asked.host == HOST


@pytest.mark.parametrize("url", [f"{URL}:8443/a", f"http://{HOST}:443/a", f"https://me:secret@{HOST}:80/a"])
async def test_a_port_without_a_door_is_looked_at_nowhere_and_named(url: str) -> None:
    log = Log(stage=None)
    assert plain_get(url) is None
    assert unasked(url, log) == "no_door"
    (seen,) = log.take()[0].attempts
    assert (seen.url, seen.role, seen.error_type) == (url.replace("me:secret@", ""), "check", "no_door")


@pytest.mark.parametrize("url", ["no url", "https://x:y/", "ftp://x:21/", "https:///a", "https://x/\u00e9"])
async def test_no_address_is_nobodys(url: str) -> None:
    log = Log(stage=None)
    assert (plain_get(url), unasked(url, log)) == (None, "no_address")
    assert not log.take()[0].attempts


async def test_cited_pages_are_archived_and_there_again_offline(open_gate: Any, origin: Origin) -> None:
    origin.says("/read", b"<p>read", "Content-Type: text/html")
    origin.says("/cited", b"<p>19.90 EUR", "Content-Type: text/html")
    origin.says("/moved", b"", "Location: /cited", status="301 Moved Permanently")
    gate = await open_gate("once")
    async with gate.client() as client:
        await client.get(f"{URL}/read")
    await gate.world.drain(gate.name)
    cited = (
        f"{URL}/read",
        f"{URL}/moved#part",
        f"{URL}/cited",
        "https://elsewhere.test/",
        "no url",
        "ftp://x/",
    )
    account, trace, archive = await gate.kept(*cited)
    assert account.recorded == 3
    assert [heard.target for heard in origin.heard] == ["/read", "/moved", "/cited"]
    seen = [(attempt.role, attempt.url, attempt.status) for attempt in trace.attempts]
    assert seen == [("check", f"{URL}/moved", 301), ("check", f"{URL}/cited", 200)]
    assert [(one.url, one.status) for one in archive.representations] == [
        (f"{URL}/moved", 301),
        (f"{URL}/cited", 200),
    ]
    assert archive.bodies[trace.attempts[1].body or ""] == b"<p>19.90 EUR"
    cassette = read_cassette(gate.cassette)
    assert cassette is not None
    assert [one.cited for one in cassette.interactions] == [False, True, True]
    origin.stop()
    gate = await open_gate("none")
    async with gate.client() as client:
        await client.get(f"{URL}/read")
    await gate.world.drain(gate.name)
    again, trace, archive = await gate.kept(*cited)
    assert (again.unplayed, again.missed) == ((), ())
    assert archive.bodies[trace.attempts[1].body or ""] == b"<p>19.90 EUR"


async def test_without_recording_a_page_that_nobody_recorded_is_let_alone(
    open_gate: Any, origin: Origin
) -> None:
    origin.stop()
    gate = await open_gate("none")
    account, trace, _ = await gate.kept(f"{URL}/cited")
    assert (account.missed, trace.attempts) == ((), ())


async def test_a_cited_page_that_cannot_be_reached_harms_nobody(open_gate: Any) -> None:
    gate = await open_gate("once", f"{HOST}=http://127.0.0.1:9")
    account, trace, _ = await gate.kept(f"{URL}/cited")
    assert (account.trouble, account.recorded) == (None, 0)
    assert [(attempt.role, attempt.error_type) for attempt in trace.attempts] == [
        ("check", "upstream_refused")
    ]
