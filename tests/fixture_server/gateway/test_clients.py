"""Clients as people use them, unmodified, over TLS, while recording and replayed: the same to each."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
from typing import Any

import aiohttp
import httpx2
import openai
import pytest
import requests
from aiohttp.abc import AbstractResolver, ResolveResult

from .conftest import HOST, Gate
from .origin import Heard, Origin, Out

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT = "Der Hafentarif steigt auf 19,90 €. " * 40


class _Here(AbstractResolver):
    """Every name is at the door."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def resolve(self, host: str, port: int = 0, family: Any = 0) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host, host="127.0.0.1", port=self.port, family=socket.AF_INET, proto=0, flags=0
            )
        ]

    async def close(self) -> None:
        return


async def _by_httpx(gate: Gate, path: str) -> str:
    async with gate.client() as client:
        return (await client.get(f"https://{HOST}{path}")).text


async def _by_aiohttp(gate: Gate, path: str) -> str:
    connector = aiohttp.TCPConnector(resolver=_Here(gate.port), ssl=gate.context)
    async with (
        aiohttp.ClientSession(connector=connector) as session,
        session.get(f"https://{HOST}{path}") as response,
    ):
        return await response.text()


async def _by_requests(gate: Gate, path: str) -> str:
    def get() -> str:
        ca = gate.cassettes.parent / "ca.pem"
        ca.write_bytes(gate.world.ca_pem)
        with requests.Session() as session:
            session.trust_env = False
            response = session.get(f"https://{HOST}{path}", verify=str(ca))
            response.encoding = "utf-8"
            return response.text

    original = socket.getaddrinfo

    def here(host: Any, port: Any, *rest: Any, **named: Any) -> Any:
        return (
            original("127.0.0.1", gate.port, *rest, **named)
            if host == HOST
            else original(host, port, *rest, **named)
        )

    socket.getaddrinfo = here
    try:
        return await asyncio.to_thread(get)
    finally:
        socket.getaddrinfo = original


CLIENTS = [_by_httpx, _by_aiohttp, _by_requests]


@pytest.mark.parametrize("recorder", CLIENTS)
async def test_the_same_text_whoever_recorded_and_whoever_reads(
    open_gate: Any, origin: Origin, recorder: Any
) -> None:
    """Some ask for gzip and some do not: the body is kept as it was sent, and says how it is encoded."""
    headers = ("Content-Type: text/html; charset=utf-8", "Content-Encoding: gzip")
    origin.says("/page", gzip.compress(TEXT.encode(), mtime=1), *headers)
    gate = await open_gate("once")
    assert await recorder(gate, "/page") == TEXT
    await gate.keep()
    origin.stop()
    for reader in CLIENTS:
        gate = await open_gate("none")
        assert await reader(gate, "/page") == TEXT


EVENTS = [
    {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": {"content": word}, "finish_reason": None}],
    }
    for word in ("The ", "tariff ", "rises.")
]


def _stream(heard: Heard, out: Out) -> None:
    out.head("200 OK", "Content-Type: text/event-stream", "Transfer-Encoding: chunked")
    for event in EVENTS:
        out.chunk(f"data: {json.dumps(event)}\n\n".encode())
    out.chunk(b"data: [DONE]\n\n")
    out.chunk(b"")


async def test_an_sdk_streams_through_it(open_gate: Any, origin: Origin) -> None:
    """A provider that the world does not know is a host like any other."""
    origin.on("/v1/chat/completions", _stream)
    told = []
    for mode in ("once", "none"):
        gate = await open_gate(mode)
        async with httpx2.AsyncClient(transport=_Httpx2ToDoor(gate)) as client:
            sdk = openai.AsyncOpenAI(
                api_key="sk-not-a-secret", base_url=f"https://{HOST}/v1", http_client=client, max_retries=0
            )
            stream = await sdk.chat.completions.create(
                model="m", stream=True, messages=[{"role": "user", "content": "What of the tariff?"}]
            )
            told.append([chunk.choices[0].delta.content async for chunk in stream])
        await gate.keep()
        origin.stop()
    assert told == [["The ", "tariff ", "rises."]] * 2


async def test_a_miss_reaches_the_user_of_an_sdk_in_words(open_gate: Any, origin: Origin) -> None:
    """And is not asked again: the SDK is told that it is in vain."""
    origin.stop()
    gate = await open_gate("none")
    async with httpx2.AsyncClient(transport=_Httpx2ToDoor(gate)) as client:
        sdk = openai.AsyncOpenAI(api_key="sk-not-a-secret", base_url=f"https://{HOST}/v1", http_client=client)
        with pytest.raises(
            openai.InternalServerError, match=r"no recording of GET .+ is not there; record it with"
        ):
            await sdk.models.list()
    (attempt,) = await gate.attempts()
    assert (attempt.status, attempt.error_type) == (502, "no_recording")


class _Httpx2ToDoor(httpx2.AsyncHTTPTransport):
    """Sends every request to the door, under its own name."""

    def __init__(self, gate: Gate) -> None:
        super().__init__(verify=gate.context)
        self.port = gate.port

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        there = httpx2.Request(
            request.method,
            request.url.copy_with(host="127.0.0.1", port=self.port),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": request.url.host},
        )
        return await super().handle_async_request(there)
