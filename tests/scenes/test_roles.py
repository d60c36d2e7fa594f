"""What a real Chromium sends, and what the world takes it for."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="module")

START, TORN, INNER, GAUGE = range(4)


async def loaded(scenes: Any, tab: Any, at: int) -> tuple[str, dict[str, Any]]:
    """The URL of a start page, and the attempts until nothing is left to load, by the last part of their path."""
    view = await scenes.begin_scene("lab/start")
    await tab.goto(view.start_urls[at], wait_until="networkidle")
    return view.start_urls[at], {one.url: one for one in await scenes.attempts()}


async def test_a_page_and_its_parts(scenes: Any, tab: Any) -> None:
    start, sent = await loaded(scenes, tab, START)
    assert sent[start].role == "document"
    assert sent[start].referrer is None
    assert {one.channel for one in sent.values()} == {"browser"}
    roles = {one.request_headers["sec-fetch-dest"]: one.role for one in sent.values()}
    assert roles["document"] == "document"
    assert roles["iframe"] == roles["object"] == roles["script"] == "subresource"
    assert roles["serviceworker"] == "subresource"
    documents = [one for one in sent.values() if one.role == "document"]
    assert [one.url for one in documents] == [start]


async def test_what_a_script_fetches_leads_to_its_page(scenes: Any, tab: Any) -> None:
    start, sent = await loaded(scenes, tab, START)
    fetched = {
        one.url.rpartition("/")[2]: one
        for one in sent.values()
        if one.url.endswith(".json") and one.role == "api"
    }
    frames = {one.url for one in sent.values() if one.request_headers["sec-fetch-dest"] == "iframe"}
    assert len(fetched) == 3
    assert sorted({one.referrer for one in fetched.values()}) == sorted({start, *frames})
    crossed = [one for one in fetched.values() if one.request_headers["sec-fetch-site"] == "cross-site"]
    assert [one.referrer for one in crossed] == [start], "only the origin was sent"


async def test_a_preflight_is_one(scenes: Any, tab: Any) -> None:
    view = await scenes.begin_scene("lab/start")
    await tab.goto(view.start_urls[START], wait_until="networkidle")
    asked = [one for one in await scenes.attempts() if one.method == "OPTIONS"]
    assert [(one.role, one.status) for one in asked] == [("preflight", 204)]


async def test_what_is_fetched_ahead_is_no_part_of_the_page(scenes: Any, tab: Any) -> None:
    _, sent = await loaded(scenes, tab, START)
    ahead = [one for one in sent.values() if "sec-purpose" in one.request_headers]
    assert [(one.role, one.referrer) for one in ahead] == [("subresource", None)]


async def test_an_icon_is_one(scenes: Any, tab: Any) -> None:
    _, sent = await loaded(scenes, tab, INNER)
    assert [one.role for one in sent.values() if one.url.endswith("/favicon.ico")] in (["favicon"], [])


async def test_a_connection_that_had_served_is_tried_again_by_the_browser(scenes: Any, tab: Any) -> None:
    view = await scenes.begin_scene("lab/start")
    await tab.goto(view.start_urls[INNER], wait_until="networkidle")
    await scenes.drain()
    answer = await tab.goto(view.start_urls[TORN])
    assert answer.status == 200
    tried = [one for one in await scenes.attempts() if one.role == "document"]
    assert [(one.error_type, one.resend_by) for one in tried] == [
        ("connection_reset", None),
        (None, "browser"),
    ]


async def test_a_page_that_showed_an_error_is_loaded_again_by_the_browser(scenes: Any, chromium: Any) -> None:
    """Debian's Chromium does so a second later, other builds leave it: then the system would have to ask."""
    view = await scenes.begin_scene("lab/start", seed=5)
    context = await chromium.new_context()
    page = await context.new_page()
    try:
        with pytest.raises(Exception, match="ERR_CONNECTION_RESET"):
            await page.goto(view.start_urls[TORN])
        try:
            await page.wait_for_function("document.title === 'Torn'", timeout=5000)
        except Exception as error:
            pytest.skip(f"this browser does not load an error page again: {type(error).__name__}")
        tried = [one for one in await scenes.attempts() if one.role == "document"]
        assert [(one.error_type, one.resend_by) for one in tried] == [
            ("connection_reset", None),
            (None, "browser"),
        ]
    finally:
        await context.close()


async def test_what_the_system_asks_again_is_its_own(scenes: Any, chromium: Any) -> None:
    view = await scenes.begin_scene("lab/start", seed=6)
    context = await chromium.new_context()
    page = await context.new_page()
    try:
        with pytest.raises(Exception, match="ERR_CONNECTION_RESET"):
            await page.goto(view.start_urls[TORN])
        await page.close()
        page = await context.new_page()
        answer = await page.goto(view.start_urls[TORN])
        assert answer.status == 200
        tried = [one for one in await scenes.attempts() if one.role == "document"]
        assert [one.resend_by for one in tried] == [None, None]
    finally:
        await context.close()


async def test_a_websocket_is_what_its_page_heard(scenes: Any, tab: Any) -> None:
    view = await scenes.begin_scene("lab/start")
    await tab.goto(view.start_urls[GAUGE])
    await tab.wait_for_function("document.getElementById('said').textContent.includes('cat')")
    trace, archive = await scenes.drain()
    (wire,) = [one for one in trace.attempts if one.status == 101]
    assert (wire.role, wire.channel, wire.referrer) == ("api", "browser", view.start_urls[GAUGE])
    heard = archive.bodies[wire.body].decode().splitlines()
    assert len(heard) == 3
    assert heard[-1] == "The float stands at the sill, and a cat looks at it."
    assert wire.body in {one.sha256 for one in archive.representations if one.url == wire.url}
