"""Fetching over a real connection: retries, redirects, waits, credentials, what is told of it."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from aiohttp import web

from pytest_webretrieval.systems.contract import Credential, User
from pytest_webretrieval.systems.reference.retry import FIRST_WAIT_S

pytestmark = pytest.mark.asyncio
Opener = Callable[[], AbstractAsyncContextManager[Any]]
PAGE = (
    "<title>Dues</title><h1>Dues</h1><p>Published 12 March 2026.</p><p>Boats pay by the metre and night.</p>"
)


def after(failures: int, failing: Callable[[web.Request], Any]) -> Callable[[web.Request], Any]:
    """A handler that fails a number of times, then gives the page."""
    count = 0

    async def answer(request: web.Request) -> web.StreamResponse:
        nonlocal count
        count += 1
        if count <= failures:
            failed: web.StreamResponse = await failing(request)
            return failed
        return web.Response(text=PAGE, content_type="text/html")

    return answer


async def reset(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def cut(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"content-length": "4000", "content-type": "text/html"})
    await response.prepare(request)
    await response.write(PAGE.encode())
    assert request.transport is not None
    request.transport.close()
    return response


async def short(request: web.Request) -> web.StreamResponse:
    """Packed, broken off, and stored by whoever believes that it is whole."""
    headers = {"content-encoding": "gzip", "content-type": "text/html", "cache-control": "max-age=60"}
    return web.Response(body=gzip.compress(PAGE.encode(), compresslevel=0)[:-20], headers=headers)


def status(code: int, **headers: str) -> Callable[[web.Request], Any]:
    async def answer(_: web.Request) -> web.StreamResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return web.Response(status=code, text="no", headers=named)

    return answer


@pytest.mark.parametrize(
    ("failing", "wait"),
    [
        (reset, FIRST_WAIT_S),
        (cut, FIRST_WAIT_S),
        (short, FIRST_WAIT_S),
        (status(503), FIRST_WAIT_S),
        (status(429, retry_after="1"), 1.0),
        (status(429, retry_after="-5"), FIRST_WAIT_S),
    ],
)
async def test_a_passing_failure_is_tried_again(
    small_web: Opener, failing: Callable[[web.Request], Any], wait: float
) -> None:
    async with small_web() as small:
        small.pages["pier.test/dues"] = after(1, failing)
        result = await small.ask("When was this published?", "http://pier.test/dues")
        assert "12 March 2026" in result.answer
        assert len(small.seen) == 2
        assert small.times[1] - small.times[0] >= wait
        assert [attempt["url"] for attempt in result.attempts or ()] == ["http://pier.test/dues"] * 2


async def test_tries_are_bounded(small_web: Opener) -> None:
    async with small_web() as small:
        small.pages["pier.test/dues"] = after(9, status(503, retry_after="0"))
        result = await small.ask("When was this published?", "http://pier.test/dues")
        assert result.status == "declined"
        assert len(small.seen) == 3


@pytest.mark.parametrize("wait", ["86400", "99999999999999999999", "1792567680"])
async def test_a_wait_that_does_not_fit_ends_the_attempt(small_web: Opener, wait: str) -> None:
    async with small_web() as small:
        small.pages["pier.test/dues"] = after(1, status(429, retry_after=wait))
        result = await asyncio.wait_for(small.ask("When was this published?", "http://pier.test/dues"), 3)
        assert result.status == "declined"
        assert len(small.seen) == 1


@pytest.mark.parametrize(
    ("code", "reason"),
    [(401, "login_required"), (403, "forbidden"), (404, "not_found"), (451, "legal_restriction")],
)
async def test_a_denial_is_final(small_web: Opener, code: int, reason: str) -> None:
    async with small_web() as small:
        small.pages["pier.test/dues"] = after(1, status(code, retry_after="0"))
        result = await small.ask("When was this published?", "http://pier.test/dues")
        assert result.refusal is not None
        assert result.refusal.reason == reason
        assert len(small.seen) == 1


async def test_a_redirect_is_followed_and_its_end_is_cited(small_web: Opener) -> None:
    async with small_web() as small:
        small.html("pier.test/old", "", status=301, location="/mid")
        small.html("pier.test/mid", "", status=308, location="http://quay.test/dues")
        small.html("quay.test/dues", PAGE)
        result = await small.ask("When was this published?", "http://pier.test/old")
        assert [claim.citations[0].url for claim in result.claims] == ["http://quay.test/dues"]
        assert [attempt["status"] for attempt in result.attempts or ()] == [301, 308, 200]


async def test_a_circle_of_redirects_ends(small_web: Opener) -> None:
    async with small_web() as small:
        small.html("pier.test/a", "", status=302, location="/b")
        small.html("pier.test/b", "", status=302, location="/a")
        result = await small.ask("When was this published?", "http://pier.test/a")
        assert result.status == "declined"
        assert len(small.seen) == 2


async def test_credentials_go_to_their_own_origin_only(small_web: Opener) -> None:
    keys = tuple(
        Credential(kind=kind, name="sid", value="secret", url="http://pier.test/")
        for kind in ("cookie", "bearer")
    )
    async with small_web() as small:
        small.html("pier.test/account", "", status=302, location="http://quay.test/account")
        small.html("quay.test/account", PAGE)
        await small.ask(
            "When was this published?", "http://pier.test/account", user=User(name="ada", credentials=keys)
        )
        own, other = (headers for _, _, headers in small.seen)
        assert own["Cookie"] == "sid=secret"
        assert own["Authorization"] == "Bearer secret"
        assert "secret" not in str(other)


async def test_the_task_names_the_user_agent(small_web: Opener) -> None:
    async with small_web() as small:
        small.html("pier.test/dues", PAGE)
        await small.ask("When was this published?", "http://pier.test/dues")
        assert small.seen[0][2]["User-Agent"] == "tester/1"


async def test_a_short_refresh_is_followed_and_a_long_one_is_not(small_web: Opener) -> None:
    async with small_web() as small:
        small.html("pier.test/a", "<meta http-equiv=refresh content='0; url=/b'><p>Moved.</p>")
        small.html("pier.test/b", f"<meta http-equiv=refresh content='1500; url=/a'>{PAGE}")
        result = await small.ask("When was this published?", "http://pier.test/a")
        assert result.claims[0].citations[0].url == "http://pier.test/b"
        assert small.urls() == ["http://pier.test/a", "http://pier.test/b"]


@pytest.mark.parametrize("first", ["/a", "/b"])
async def test_refreshes_that_lead_back_are_no_page(small_web: Opener, first: str) -> None:
    async with small_web() as small:
        for one, other in ("ab", "ba"):
            moved = f"<meta http-equiv=refresh content='0; url=/{other}'><p>One moment, 12 March 2026.</p>"
            small.html(f"pier.test/{one}", moved)
        result = await small.ask("When was this published?", f"http://pier.test{first}")
        assert (result.status, result.refusal and result.refusal.reason) == ("declined", "unavailable")
        assert len(small.seen) == 2


async def test_retries_are_counted_over_all_pages_of_an_errand(small_web: Opener) -> None:
    """Pages that are read side by side wait side by side, and spend what is left once."""
    async with small_web() as small:
        for number in range(3):
            small.html(f"pier.test/{number}", "busy", status=503, title=f"Tide tables of Corran {number}")
        result = await small.ask("Find the tide tables of Corran")
        assert result.status == "declined"
        documents = [url for url in small.urls() if "pier.test" in url]
        assert len(documents) == 3 + 2
