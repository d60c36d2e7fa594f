"""How far a fetch goes: no page sends it inside a network, and none makes it read or unpack without end."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from aiohttp import web

from pytest_webretrieval.systems.reference.bounds import (
    LARGEST_FILE,
    LARGEST_TEXT,
    Gauge,
    largest,
    leads_inside,
)

Opener = Callable[[], AbstractAsyncContextManager[Any]]
QUERY = "Which version of the kiln controller is current?"
GOOD = "<p>The current version of the kiln controller is v14.3, released by us.</p>"


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://127.0.0.1/",
        "https://10.0.0.8:8443/admin",
        "http://[::1]/",
        "http://[::ffff:10.0.0.8]/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://localhost:8080/",
        "http://metadata.google.internal/",
    ],
)
def test_what_lies_inside(url: str) -> None:
    assert leads_inside(url)


@pytest.mark.parametrize(
    "url", ["https://vendor.example/", "http://93.184.216.34/", "http://10.example/", "http://["]
)
def test_what_lies_outside(url: str) -> None:
    assert not leads_inside(url)


@pytest.mark.parametrize(
    ("kind", "limit"), [("text/html; charset=utf-8", LARGEST_TEXT), ("application/pdf", LARGEST_FILE)]
)
def test_a_text_is_read_less_far_than_a_file(kind: str, limit: int) -> None:
    assert largest(kind) == limit


def test_a_gauge_measures_what_comes_out() -> None:
    packed = gzip.compress(b" " * 1_000_000)
    assert len(packed) < 2000
    assert Gauge("gzip", 10_000).is_passed_by(packed)
    assert not Gauge("gzip", 2_000_000).is_passed_by(packed)
    assert not Gauge("", 10_000).is_passed_by(packed)
    plain = Gauge("", 10)
    assert [plain.is_passed_by(part) for part in (b"12345", b"12345", b"1")] == [False, False, True]
    assert not Gauge("gzip", 10).is_passed_by(b"no gzip")


@pytest.mark.asyncio
@pytest.mark.parametrize("inside", ["http://127.0.0.1/status", "http://169.254.169.254/latest/"])
async def test_no_page_sends_it_inside(small_web: Opener, inside: str) -> None:
    async with small_web() as small:
        small.html("a.test/go", "", status=302, location=inside)
        small.html("b.test/", f'<meta http-equiv="refresh" content="0; url={inside}"><p>Moved.</p>')
        small.html("c.test/", GOOD)
        result = await small.ask(QUERY, "http://a.test/go", "http://b.test/", "http://c.test/")
    assert result.status == "answered"
    assert "v14.3" in result.answer
    assert small.urls() == ["http://a.test/go", "http://b.test/", "http://c.test/"]


@pytest.mark.asyncio
async def test_a_start_address_inside_is_the_user_s_own_wish(small_web: Opener) -> None:
    async with small_web() as small:
        small.html("wiki.internal/kiln", GOOD)
        result = await small.ask(QUERY, "http://wiki.internal/kiln")
    assert result.status == "answered"


@pytest.mark.asyncio
@pytest.mark.parametrize("packed", [True, False])
async def test_a_page_without_an_end_is_read_so_far(small_web: Opener, packed: bool) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    left = asyncio.Event()

    async def endless(request: web.Request) -> web.StreamResponse:
        headers = {"content-type": "text/html"} | ({"content-encoding": "gzip"} if packed else {})
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        part = f"<title>Kiln</title><h1>Kiln</h1>{GOOD}".encode()
        try:
            while True:
                await response.write(
                    packer.compress(part) + packer.flush(zlib.Z_SYNC_FLUSH) if packed else part
                )
                part = b"<p>And so on. </p>" * 2000
                await asyncio.sleep(0)  # it shares its loop with who reads
        except ConnectionError:
            left.set()
        return response

    async with small_web() as small:
        small.pages["a.test/"] = endless
        result = await small.ask(QUERY, "http://a.test/")
        assert "v14.3" in result.answer
        await asyncio.wait_for(left.wait(), 5)
