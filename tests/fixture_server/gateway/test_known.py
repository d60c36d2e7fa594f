"""A listed host is one of the world's names, and what came from it counts as what it is."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import pytest
from dnslib import DNSRecord

from pytest_webretrieval.wire.doors import Door

from .conftest import HOST
from .origin import Origin

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _lookup(gate: Any, name: str) -> str:
    with socket.socket(type=socket.SOCK_DGRAM) as door, socket.socket(type=socket.SOCK_DGRAM) as client:
        door.bind(("127.0.0.1", 0))
        await gate.world.open_slot("dns", [Door("dns-udp", 4, door.fileno())])
        client.connect(door.getsockname())
        client.settimeout(5)
        client.send(DNSRecord.question(name).pack())
        reply = DNSRecord.parse(await asyncio.to_thread(client.recv, 4096))
        return str(reply.rr[0].rdata) if reply.rr else ""


async def test_the_name_exists_also_between_runs(open_gate: Any) -> None:
    gate = await open_gate("all")
    assert await _lookup(gate, HOST)
    trace, _ = await gate.world.drain("dns")
    assert trace.egress == ()
    assert [(lookup.name, lookup.known) for lookup in trace.lookups] == [(HOST, True)]


async def test_asking_a_listed_host_is_no_try_to_leave(open_gate: Any, origin: Origin) -> None:
    origin.says("/x", b"ok")
    gate = await open_gate("all")
    async with gate.client() as client:
        await client.get(f"https://{HOST}/x")
    trace, _ = await gate.world.drain(gate.name)
    assert trace.egress == ()


SEARCH = {
    "results": [
        {"url": "https://news.acme.test/a", "title": "A", "content": "…", "raw_content": "# Tariff\n19.90"}
    ]
}


async def test_a_known_api_gives_the_pages_that_it_delivered(open_gate: Any, origin: Origin) -> None:
    origin.says("/search", json.dumps(SEARCH).encode(), "Content-Type: application/json")
    gate = await open_gate("all", f"api.tavily.com={origin.url}")
    async with gate.client() as client:
        await client.post("https://api.tavily.com/search", json={"query": "tariff"})
    trace, archive = await gate.world.drain(gate.name)
    (attempt,) = trace.attempts
    assert (attempt.role, attempt.channel, attempt.status) == ("api", "search-api", 200)
    (given,) = archive.representations
    assert (given.url, given.channel, given.attempt) == ("https://news.acme.test/a", "search-api", 1)
    assert archive.bodies[given.sha256] == b"# Tariff\n19.90"


async def test_a_model_stays_inside_unless_it_is_live(open_gate: Any, origin: Origin) -> None:
    gate = await open_gate("all", f"api.openai.com={origin.url}")
    async with gate.client() as client:
        await client.get("https://api.openai.com/v1/models")
    assert origin.heard == []


@pytest.mark.parametrize(
    ("path", "role"), [("/robots.txt", "robots"), ("/favicon.ico", "favicon"), ("/page", "document")]
)
async def test_other_hosts_have_the_usual_roles(open_gate: Any, origin: Origin, path: str, role: str) -> None:
    origin.says(path, b"x")
    gate = await open_gate("all")
    async with gate.client() as client:
        await client.get(f"https://{HOST}{path}")
    (attempt,) = await gate.attempts()
    assert attempt.role == role
