"""What is kept between questions: validated when it matters, and never shared between users."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from aiohttp import web

from pytest_webretrieval.systems.contract import Credential, User

pytestmark = pytest.mark.asyncio
Opener = Callable[[], AbstractAsyncContextManager[Any]]
AGES_AGO = "Sat, 22 Aug 2026 12:00:00 GMT"


def versioned(answers: list[int], **headers: str) -> Callable[[web.Request], Any]:
    """A page whose version is the last of ``answers``, with a validator; 304 when it has not changed."""

    async def answer(request: web.Request) -> web.StreamResponse:
        tag = f'"{answers[-1]}"'
        named = {"etag": tag, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if request.headers.get("If-None-Match") == tag:
            return web.Response(status=304, headers=named)
        body = f"<h1>Firmware</h1><p>Current version: v{answers[-1]}.0</p>"
        return web.Response(text=body, content_type="text/html", headers=named)

    return answer


@pytest.mark.parametrize("control", ["no-cache", "max-age=600"])
@pytest.mark.parametrize("later", [4, 5])
async def test_what_is_current_is_validated(small_web: Opener, control: str, later: int) -> None:
    async with small_web() as small, small.system() as system:
        answers = [4]
        small.pages["pier.test/firmware"] = versioned(answers, cache_control=control)
        question = small.task("Which version is current?", "http://pier.test/firmware")
        assert "v4.0" in (await system.retrieve(question)).answer
        answers.append(later)
        assert f"v{later}.0" in (await system.retrieve(question)).answer
        assert small.seen[1][2]["If-None-Match"] == '"4"'


async def test_what_is_fresh_is_not_asked_for_again(small_web: Opener) -> None:
    async with small_web() as small, small.system() as system:
        small.html(
            "pier.test/dues", "<h1>Dues</h1><p>Published 12 March 2026.</p>", cache_control="max-age=600"
        )
        for _ in range(2):
            await system.retrieve(small.task("When was this published?", "http://pier.test/dues"))
        assert len(small.seen) == 1


STALE_AT_ONCE = [
    *({"expires": value, "last_modified": AGES_AGO} for value in ("0", "-1", "never", "Thu, 01 Jan 1970")),
    {"age": "120", "cache_control": "max-age=60"},
]


@pytest.mark.parametrize("headers", STALE_AT_ONCE)
async def test_what_is_stale_at_once_is_asked_for_again(small_web: Opener, headers: dict[str, str]) -> None:
    async with small_web() as small, small.system() as system:
        small.html("pier.test/dues", "<h1>Dues</h1><p>Published 12 March 2026.</p>", **headers)
        for _ in range(2):
            await system.retrieve(small.task("When was this published?", "http://pier.test/dues"))
        assert len(small.seen) == 2


async def test_max_age_is_stronger_than_an_expiry_that_is_past(small_web: Opener) -> None:
    async with small_web() as small, small.system() as system:
        page = "<h1>Dues</h1><p>Published 12 March 2026.</p>"
        small.html("pier.test/dues", page, expires=AGES_AGO, cache_control="max-age=600")
        for _ in range(2):
            await system.retrieve(small.task("When was this published?", "http://pier.test/dues"))
        assert len(small.seen) == 1


async def test_what_is_not_to_be_stored_is_not_kept(small_web: Opener) -> None:
    async with small_web() as small, small.system() as system:
        small.html("pier.test/dues", "<h1>Dues</h1><p>Published 12 March 2026.</p>", cache_control="no-store")
        for _ in range(2):
            await system.retrieve(small.task("When was this published?", "http://pier.test/dues"))
        assert len(small.seen) == 2


async def test_one_user_never_gets_what_another_was_given(small_web: Opener) -> None:
    async def account(request: web.Request) -> web.StreamResponse:
        body = f"<h1>Account of {request.headers['Authorization']}</h1><p>The balance of this account is kept here.</p>"
        headers = {
            "cache-control": "max-age=600",
            "set-cookie": f"seen={request.headers['Authorization'][-3:]}",
        }
        return web.Response(text=body, content_type="text/html", headers=headers)

    def user(name: str) -> User:
        return User(
            name=name, credentials=(Credential(kind="bearer", name="", value=name, url="http://pier.test/"),)
        )

    async with small_web() as small, small.system() as system:
        small.pages["pier.test/account"] = account
        for name in ("ada", "bob", "ada"):
            question = small.task("Read the account", "http://pier.test/account", user=user(name))
            answer = (await system.retrieve(question)).answer
            assert name in answer
            assert ({"ada", "bob"} - {name}).pop() not in answer
        assert len(small.seen) == 2
        assert "ada" not in str(small.seen[1][2])


async def test_a_body_that_was_cut_is_not_kept(small_web: Opener) -> None:
    cuts = [True, True, True, False]

    async def answer(request: web.Request) -> web.StreamResponse:
        body = b"<h1>Dues</h1><p>Published 12 March 2026.</p>"
        if not cuts.pop(0):
            return web.Response(body=body, content_type="text/html", headers={"cache-control": "max-age=600"})
        response = web.StreamResponse(headers={"content-length": "900", "cache-control": "max-age=600"})
        await response.prepare(request)
        await response.write(body)
        assert request.transport is not None
        request.transport.close()
        return response

    async with small_web() as small, small.system() as system:
        small.pages["pier.test/dues"] = answer
        question = small.task("When was this published?", "http://pier.test/dues")
        assert (await system.retrieve(question)).status == "declined"
        assert (await system.retrieve(question)).status == "answered"


async def test_without_its_cache_it_says_what_it_needs() -> None:
    code = "import sys; sys.modules['hishel'] = None; import pytest_webretrieval.systems.reference as it; it.System"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stderr=asyncio.subprocess.PIPE)
    _, said = await asyncio.wait_for(process.communicate(), 60)
    needs = 'the reference system needs hishel: pip install "pytest-webretrieval[reference]"'
    assert process.returncode == 1
    assert said.decode().splitlines()[-1] == f"ImportError: {needs}"


async def test_importing_it_is_quick_and_starts_no_browser() -> None:
    code = (
        "import sys, time; began = time.process_time(); import pytest_webretrieval.systems.reference\n"
        "print(time.process_time() - began, 'playwright' in sys.modules)"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    said, _ = await asyncio.wait_for(process.communicate(), 60)
    seconds, browser = said.decode().split()
    assert browser == "False"
    assert float(seconds) < 0.8
