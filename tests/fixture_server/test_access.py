"""Users of a scene: drawn credentials, who asks, and what only some of them are given."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from fixture_server.client import WorldFailure
from fixture_server.message import Asked
from fixture_server.replies import SceneView
from fixture_server.sites import load_sites
from fixture_server.users import Credential, drawn, headers_of, who_asks
from fixture_server.yaml_keys import SiteError
from pytest_webretrieval.cases.draw import address

SCENE = """\
start_urls: [fixture://club/desk/tray]
cheapest: direct-fetch
users:
  alice: {credentials: [{kind: cookie, name: sid, url: fixture://club/}]}
  bob: {credentials: [{kind: bearer, url: fixture://club/}]}
  carol: {credentials: [{kind: basic, name: carol.m, value: "p4ss:word", url: fixture://club/}]}
  dave: {credentials: []}
pages: [fixture://club/desk/tray, fixture://club/desk/close]
"""
PAGES = {
    "club/desk/tray.html": "<title>Tray</title><p>The tray of whoever is signed in.</p>",
    "club/desk/tray-bob.html": "<title>Tray</title><p>The tray of Bob.</p>",
    "club/desk/tray.serve.yaml": (
        "etag: content\nusers:\n  anonymous: {status: 302, location: fixture://club/sign-in}\n"
        "  bob: {body: tray-bob.html}\n"
    ),
    "club/desk/closed.html": "<title>Closed</title><p>It is closed.</p>",
    "club/desk/close.html": "<title>Close</title><p>A form.</p>",
    "club/desk/close.serve.yaml": (
        "search: false\npost: {act: true, body: closed.html}\nquery:\n"
        "  confirm=1: {act: true, body: closed.html}\nusers:\n  anonymous: {status: 403, body: closed.html}\n"
    ),
    "club/sign-in.html": "<title>Sign in</title><form method=post><input type=password></form>",
    "club/sign-in.serve.yaml": "search: false\npost: {}\n",
}
COOKIE = Credential(kind="cookie", name="sid", url="https://club.example/", value="0f1e2d3c")
BEARER = Credential(kind="bearer", name="", url="https://club.example/", value="b34r3r")
BASIC = Credential(kind="basic", name="carol", url="https://club.example/", value="p:w")
USERS = {"alice": (COOKIE,), "bob": (BEARER,), "carol": (BASIC,)}


def shows(credential: Mapping[str, str]) -> dict[str, str]:
    """The header that a client makes of a credential, written here a second time."""
    if credential["kind"] == "cookie":
        return {"cookie": f"theme=dark; {credential['name']}={credential['value']}"}
    if credential["kind"] == "bearer":
        return {"authorization": f"Bearer {credential['value']}"}
    pair = base64.b64encode(f"{credential['name']}:{credential['value']}".encode()).decode()
    return {"authorization": f"Basic {pair}"}


@pytest.fixture
def site(empty_site: Any) -> Any:
    """A club whose desk knows four users."""
    for name, text in PAGES.items():
        empty_site.page(name, text)
    empty_site.scene("auth/desk.yaml", SCENE)
    return empty_site


async def begin(slot: Any, seed: int = 0) -> SceneView:
    view: SceneView = await slot.world.begin("a", seed=seed, scene="auth/desk")
    return view


@pytest.mark.asyncio
async def test_each_kind_of_credential_makes_a_request_its_user_s(slot: Any) -> None:
    view = await begin(slot)
    url = view.start_urls[0]
    given = {}
    async with slot.client() as client:
        given[None] = await client.get(url)
        for user in ("alice", "bob", "carol"):
            given[user] = await client.get(url, headers=shows(view.users[user][0]))
        given["stranger"] = await client.get(url, headers={"cookie": "sid=0123456789abcdef"})
    texts = {user: answer.text for user, answer in given.items()}
    assert [answer.status_code for answer in given.values()] == [302, 200, 200, 200, 302]
    assert (texts[None], texts["stranger"]) == ("", "")
    assert "whoever" in texts["alice"]
    assert texts["carol"] == texts["alice"]
    assert "Bob" in texts["bob"]
    assert [attempt.user for attempt in await slot.attempts()] == [None, "alice", "bob", "carol", None]


@pytest.mark.asyncio
async def test_an_attempt_is_whose_credential_it_carries_whoever_the_step_is_for(slot: Any) -> None:
    view = await begin(slot)
    async with slot.client() as client:
        for number, user in enumerate(("alice", "bob", "dave"), start=1):
            await slot.world.step("a", number, user=user)
            await client.get(view.start_urls[0], headers=shows(view.users["alice"][0]))
    attempts = await slot.attempts()
    assert [(attempt.step, attempt.user) for attempt in attempts] == [
        (1, "alice"),
        (2, "alice"),
        (3, "alice"),
    ]


@pytest.mark.asyncio
async def test_a_validator_of_one_user_confirms_no_other_s_page(slot: Any) -> None:
    view = await begin(slot)
    url = view.start_urls[0]
    alice, bob = shows(view.users["alice"][0]), shows(view.users["bob"][0])
    async with slot.client() as client:
        tag = {"if-none-match": (await client.get(url, headers=alice)).headers["etag"]}
        assert (await client.get(url, headers=alice | tag)).status_code == 304
        assert (await client.get(url, headers=bob | tag)).status_code == 200


@pytest.mark.asyncio
async def test_credentials_are_drawn_by_seed_and_tell_nothing(slot: Any) -> None:
    views = [await begin(slot, seed) for seed in (0, 1)]
    again = await begin(slot, 0)
    assert again.users == views[0].users
    first, other = (view.users["alice"][0] for view in views)
    for one in (first, other):
        assert set(one) == {"kind", "name", "url", "value"}
        assert re.fullmatch("[0-9a-f]{32}", one["value"])
        assert one["url"].startswith("https://")
    assert first["value"] != other["value"]
    assert first["url"] != other["url"]
    assert [view.users["carol"][0]["value"] for view in views] == ["p4ss:word", "p4ss:word"]
    assert views[0].users["dave"] == ()


@pytest.mark.asyncio
async def test_a_step_for_a_user_that_the_scene_has_not_is_refused(slot: Any) -> None:
    await begin(slot)
    with pytest.raises(WorldFailure, match="no user 'erin'; it has alice, bob, carol, dave"):
        await slot.world.step("a", 1, user="erin")


@pytest.mark.asyncio
async def test_acts_are_marked_on_the_wire(slot: Any) -> None:
    view = await begin(slot)
    alice, close = shows(view.users["alice"][0]), address(0, "fixture://club/desk/close")
    asks = (
        ("GET", "", alice, 200),
        ("GET", "?confirm=1&now=", alice, 200),
        ("HEAD", "?confirm=1", alice, 200),
        ("POST", "", alice, 200),
        ("PUT", "", alice, 405),
        ("POST", "", {}, 403),
        ("GET", "?confirm=1", {}, 403),
        ("GET", "?confirm=2", alice, 200),
    )
    async with slot.client() as client:
        for method, query, headers, status in asks:
            answer: httpx.Response = await client.request(method, close + query, headers=headers)
            assert answer.status_code == status, (method, query)
    acted = [attempt.acted for attempt in await slot.attempts()]
    assert acted == [False, True, False, True, False, False, False, False]


@pytest.mark.asyncio
async def test_a_page_without_post_takes_none_and_a_sign_in_form_comes_again(slot: Any) -> None:
    view = await begin(slot)
    async with slot.client() as client:
        refused = await client.post(view.start_urls[0], headers=shows(view.users["alice"][0]))
        again = await client.post(address(0, "fixture://club/sign-in"), data={"word": "x"})
    assert refused.status_code == 405
    assert (again.status_code, "password" in again.text) == (200, True)
    assert [attempt.acted for attempt in await slot.attempts()] == [False, False]


@pytest.mark.asyncio
async def test_what_only_users_see_is_not_in_the_index(slot: Any) -> None:
    await begin(slot)
    async with slot.client() as client:
        found = (await client.get("https://websearch.example/search", params={"q": "tray"})).json()
    assert found["results"] == []


@pytest.mark.parametrize(
    ("headers", "user"),
    [
        (headers_of((COOKIE,), "https://club.example/a"), "alice"),
        (headers_of((BEARER,), "https://club.example/a"), "bob"),
        (headers_of((BASIC,), "https://club.example/a"), "carol"),
        (headers_of((COOKIE, BASIC), "https://club.example/a"), "carol"),
        ({"cookie": "a=b;sid=0f1e2d3c ;c=d"}, "alice"),
        ({"authorization": "BEARER  b34r3r"}, "bob"),
        ({"cookie": "sid=0f1e2d3c0"}, None),
        ({"cookie": "SID=0f1e2d3c"}, None),
        ({"cookie": "0f1e2d3c"}, None),
        ({"authorization": "Basic b34r3r"}, None),
        ({"authorization": "0f1e2d3c", "cookie": ""}, None),
        ({}, None),
    ],
)
def test_who_asks(headers: dict[str, str], user: str | None) -> None:
    asked = Asked(method="GET", scheme="https", host="club.example", target="/a", headers=headers)
    assert who_asks(asked, USERS) == user
    assert who_asks(replace(asked, host="www.club.example"), USERS) is None
    assert who_asks(asked, {}) is None


def test_credentials_are_shown_to_their_own_origin_only() -> None:
    for url in ("https://evil.example/", "http://club.example/", "https://shop.club.example/"):
        assert headers_of((COOKIE, BASIC), url) == {}


def test_two_users_of_one_scene_hold_different_values() -> None:
    users = {name: (replace(COOKIE, value=None, url="fixture://club/"),) for name in ("alice", "bob")}
    values = {
        held[0].value
        for seed in range(50)
        for scene in ("auth/desk", "auth/shelf")
        for held in drawn(users, seed, scene, lambda url: url).values()
    }
    assert len(values) == 200


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kind: cookie", "kind: token", "`kind` must be one of cookie, bearer, basic, not 'token'"),
        ("kind: cookie, name: sid, url", "kind: cookie, name: sid, at", "a credential of `alice` must be"),
        ("name: sid, url: fixture://club/", "name: sid, url: /", "must be a fixture:// address"),
        ("alice: {credentials", "anonymous: {credentials", "`anonymous` is whoever shows no credential"),
        ("dave: {credentials: []}", "dave: {}", "user `dave` must hold `credentials` and nothing else"),
        ("dave: {credentials: []}", "dave: {credentials: 1}", "user `dave` must hold a list"),
        ("  bob: {credentials: [{kind: bearer, url: fixture://club/}]}\n", "", "has 'bob' in its `users`"),
    ],
)
def test_errors_name_file_and_line(site: Any, old: str, new: str, message: str) -> None:
    assert old in SCENE
    site.scene("auth/desk.yaml", SCENE.replace(old, new))
    with pytest.raises(SiteError, match=rf"\.yaml:\d+: .*{re.escape(message)}"):
        load_sites([site.folder])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("users: {bob: {sequence: []}}", "unknown key `sequence`"),
        ("post: {status: 99}", "`status` must be 200 to 599"),
        ("post: [1]", "`post` must hold a mapping"),
        ("query: {confirm=1: {acts: true}}", "did you mean `act`?"),
        ("users: {anonymous: {body: nowhere.html}}", "`body: nowhere.html` is not a file"),
    ],
)
def test_a_wrong_answer_within_an_answer_is_named(site: Any, text: str, message: str) -> None:
    path: Path = site.page("club/desk/tray.serve.yaml", f"{text}\n")
    with pytest.raises(SiteError, match=rf"{re.escape(str(path))}:1: .*{re.escape(message)}"):
        load_sites([site.folder])
