"""A real Chromium on the small web: when it is used, what it waits for, what it never does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from aiohttp import web

from pytest_webretrieval.systems.contract import Credential, User

pytestmark = pytest.mark.asyncio
Opener = Callable[[], AbstractAsyncContextManager[Any]]
SHELL = (
    "<title>Tides | Pier</title><div id=app></div><noscript>Please enable JavaScript.</noscript>"
    "<script>fetch('/data').then(a => a.text()).then(t => document.getElementById('app').innerHTML = t)</script>"
)
ANSWERS = (("yes", "Accept"), ("no", "Reject"))


def text(body: str, media: str = "text/html") -> Callable[[web.Request], Any]:
    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(text=body, content_type=media)

    return answer


def agents(small: Any, address: str) -> list[bool]:
    """For each request of an address whether a browser sent it."""
    return ["Chrome" in headers["User-Agent"] for _, url, headers in small.seen if url.endswith(address)]


async def test_a_shell_is_read_once_its_scripts_have_run(small_web: Opener) -> None:
    async with small_web() as small:
        small.html("pier.test/tides", SHELL)
        small.pages["pier.test/data"] = text("<h1>Tides</h1><p>High water is at 14:37 on the bar.</p>")
        result = await small.ask(
            "Read this page", "http://pier.test/tides", browser=small.browser(), deadline_s=40
        )
        assert "14:37" in result.answer
        assert result.sources[0].channel == "browser"
        assert result.claims[0].citations[0].url == "http://pier.test/tides"
        assert agents(small, "/tides") == [False, True]
        assert [note["status"] for note in result.attempts or ()] == [200, 200, 200]


async def test_what_comes_late_is_waited_for(small_web: Opener) -> None:
    asked = 0

    async def answer(_: web.Request) -> web.StreamResponse:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0.3)
        return web.json_response({"level": "3.42 m" if asked > 2 else None})

    page = (
        "<h1>Gauge at the lock</h1><p>The gauge is read by a boy in a boat, morning and evening.</p>"
        "<p>Level: <span id=v>—</span></p><script>const ask = async () => {"
        "const {level} = await (await fetch('/level')).json();"
        "if (level) document.getElementById('v').textContent = level; else setTimeout(ask, 600)}; ask()</script>"
    )
    async with small_web() as small:
        small.html("lock.test/gauge", page)
        small.pages["lock.test/level"] = answer
        result = await small.ask(
            "What is the level?", "http://lock.test/gauge", browser=small.browser(), deadline_s=40
        )
        assert "Level: 3.42 m" in result.answer


async def test_a_list_is_scrolled_to_its_end(small_web: Opener) -> None:
    async def part(request: web.Request) -> web.StreamResponse:
        first = int(request.query["from"])
        return web.json_response([f"Boat {at} of the yard" for at in range(first, min(first + 3, 8))])

    page = (
        "<h1>Boats</h1><p>8 items, more as you scroll.</p><ul id=l></ul>"
        "<div id=end style='height:900px'>.</div><script>"
        "let n = 0, busy = false; const l = document.getElementById('l'); const more = async () => {"
        "if (busy || n >= 8) return; busy = true;"
        "for (const name of await (await fetch('/part?from=' + n)).json()) {"
        "const i = document.createElement('li'); i.style.height = '400px'; i.textContent = name; l.append(i); n++;"
        "if (l.children.length > 4) l.firstElementChild.remove()} busy = false};"
        "new IntersectionObserver(seen => seen.some(e => e.isIntersecting) && more())"
        ".observe(document.getElementById('end'))</script>"
    )
    async with small_web() as small:
        small.html("yard.test/boats", page)
        small.pages["yard.test/part"] = part
        result = await small.ask(
            "Collect all 8 items of the list",
            "http://yard.test/boats",
            browser=small.browser(),
            deadline_s=40,
        )
        assert all(f"Boat {at} of the yard" in result.answer for at in range(8))


async def test_more_is_asked_for_by_its_button_and_no_form_is_sent(small_web: Opener) -> None:
    page = (
        "<h1>Finds</h1><ul id=l><li>Amber bead</li></ul><button id=m>Load more</button>"
        "<form method=post action=/sold><button>Show more</button></form><script>"
        "document.getElementById('m').onclick = e => { document.getElementById('l').innerHTML += '<li>Bone comb</li>';"
        "e.target.remove() }</script>"
    )
    async with small_web() as small:
        small.html("dig.test/finds", page)
        result = await small.ask(
            "List every item on the page", "http://dig.test/finds", browser=small.browser(), deadline_s=40
        )
        assert "Amber bead; Bone comb" in result.answer
        assert {method for method, url, _ in small.seen if "dig.test" in url} == {"GET"}


@pytest.mark.parametrize(
    "wall",
    [
        "<div class=sheet><p>We would like to set cookies.</p><p>{buttons}</p></div>",
        "<div role=dialog aria-modal=true><h2>Before you read</h2><p>Say yes or no.</p>{buttons}</div>",
    ],
)
async def test_a_wall_of_consent_is_answered_with_no(small_web: Opener, wall: str) -> None:
    yes, no = ("<button onclick=\"answer('{}')\">{} all</button>".format(*said) for said in ANSWERS)
    page = (
        f"<title>Weir</title><main id=m></main>{wall.format(buttons=yes + no)}<script>const answer = async said => {{"
        "document.getElementById('m').innerHTML = await (await fetch('/story?said=' + said)).text();"
        "document.querySelector('main ~ div').remove()}</script>"
    )
    async with small_web() as small:
        small.html("paper.test/weir", page)
        small.pages["paper.test/story"] = text(
            "<h1>Weir</h1><p>The weir keeper counted 41 goats before breakfast.</p>"
        )
        result = await small.ask(
            "Read the article", "http://paper.test/weir", browser=small.browser(), deadline_s=40
        )
        assert "41 goats" in result.answer
        assert [url for url in small.urls() if "story" in url] == ["http://paper.test/story?said=no"]


async def test_shadow_roots_and_frames_are_read(small_web: Opener) -> None:
    page = (
        "<h1>Fares</h1><p>Loading…</p><fare-box></fare-box>"
        "<iframe srcdoc='<p>Dogs travel free on Mondays.</p>'></iframe>"
        "<script>customElements.define('fare-box', class extends HTMLElement { connectedCallback() {"
        "this.attachShadow({mode: 'open'}).innerHTML = '<p>A crossing costs 4.35 EUR a head.</p>';"
        "document.querySelector('p').remove() }})</script>"
    )
    async with small_web() as small:
        small.html("ferry.test/fares", page)
        result = await small.ask(
            "Read this page", "http://ferry.test/fares", browser=small.browser(), deadline_s=40
        )
        assert "4.35 EUR" in result.answer
        assert "Dogs travel free on Mondays." in result.answer


def user(name: str) -> User:
    return User(
        name=name,
        credentials=(
            Credential(kind="cookie", name="sid", value=f"cookie-{name}", url="http://pier.test/desk/"),
            Credential(kind="bearer", name="", value=f"token-{name}", url="http://pier.test/"),
        ),
    )


async def test_credentials_stay_with_their_user_and_their_origin(small_web: Opener) -> None:
    async def data(request: web.Request) -> web.StreamResponse:
        if request.host == "pier.test":
            raise web.HTTPFound("http://quay.test/data")
        return web.Response(
            text="<p>The berth of the member is number 17.</p>",
            content_type="text/html",
            headers={"access-control-allow-origin": "*"},
        )

    async with small_web() as small, small.system() as system:
        small.html("pier.test/account", SHELL)
        small.pages["pier.test/data"] = small.pages["quay.test/data"] = data
        browser = small.browser()
        for name in ("ada", "bob"):
            question = small.task(
                "Read the account", "http://pier.test/account", user=user(name), browser=browser
            )
            assert "number 17" in (await system.retrieve(question)).answer
            seen, small.seen = small.seen, []
            own = [
                headers
                for _, url, headers in seen
                if url.startswith("http://pier.test/") and "favicon" not in url
            ]
            assert len(own) == 3
            assert all(headers["Cookie"] == f"sid=cookie-{name}" for headers in own)
            assert all(headers["Authorization"] == f"Bearer token-{name}" for headers in own)
            others = [headers for _, url, headers in seen if not url.startswith("http://pier.test/")]
            assert others
            assert "cookie-" not in str(others)
            assert "token-" not in str(others)


@pytest.mark.parametrize(
    ("markup", "status", "reason"),
    [
        (
            "<h1>Sign in</h1><form><input name=u><input type=password></form><script src=/a.js></script>",
            200,
            "login_required",
        ),
        ("<title>Just a moment...</title><script src=/c.js></script>", 403, "challenge"),
        (
            "<h1>No page here</h1><p>The page is not available.</p><script src=/a.js></script>",
            200,
            "soft_404",
        ),
        ("<p>Automated access is against our policy.</p><script src=/a.js></script>", 403, "policy_denied"),
        ("<p>Withheld.</p><script src=/a.js></script>", 451, "legal_restriction"),
    ],
)
async def test_a_denial_is_not_looked_at_again_in_a_browser(
    small_web: Opener, markup: str, status: int, reason: str
) -> None:
    async with small_web() as small:
        small.html("pier.test/x", markup, status=status)
        result = await small.ask(
            "Read the page after its JavaScript has run", "http://pier.test/x", browser=small.browser()
        )
        assert result.refusal is not None
        assert result.refusal.reason == reason
        assert small.urls() == ["http://pier.test/x"]


async def test_a_page_that_says_enough_needs_no_browser(small_web: Opener) -> None:
    async with small_web() as small:
        small.html("shop.test/lamp", "<h1>Lamp</h1><p>Price: 31.20 EUR</p><script src=/count.js></script>")
        result = await small.ask("What does the lamp cost?", "http://shop.test/lamp", browser=small.browser())
        assert "31.20 EUR" in result.answer
        assert len(small.seen) == 1


async def test_without_a_browser_an_empty_shell_is_no_answer(small_web: Opener) -> None:
    async with small_web() as small:
        small.html("pier.test/tides", SHELL)
        result = await small.ask("Read this page", "http://pier.test/tides")
        assert result.status == "declined"
        assert result.refusal is not None
        assert result.refusal.reason is None
        assert "no browser is offered" in (result.refusal.detail or "")


async def test_a_browser_that_does_not_start_is_told(small_web: Opener) -> None:
    pytest.importorskip("playwright")
    async with small_web() as small:
        small.html("pier.test/tides", SHELL)
        offer: dict[str, Any] = {
            "executable_path": "/nonexistent/chromium",
            "launch_args": [],
            "cdp_url": None,
        }
        result = await small.ask("Read this page", "http://pier.test/tides", browser=offer)
        assert result.status == "declined"
        assert "did not start" in (result.refusal.detail or "" if result.refusal else "")


async def test_one_browser_serves_a_run_and_is_gone_after_it(small_web: Opener) -> None:
    async with small_web() as small:
        small.html("pier.test/tides", SHELL)
        small.pages["pier.test/data"] = text("<p>High water is at 14:37 on the bar.</p>")
        browser = small.browser()
        async with small.system() as system:
            for _ in range(2):
                question = small.task("Read this page", "http://pier.test/tides", browser=browser)
                assert "14:37" in (await system.retrieve(question)).answer
            chromium = system._browser._chromium
            assert chromium is not None
            assert chromium.is_connected()
        assert not chromium.is_connected()
