"""Pages as recordings make them: requests told apart by query and body, each with a sequence of its own."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from fixture_server.declarations import read_declaration
from fixture_server.message import Asked
from fixture_server.recorded import Recorded, same_body, same_query, without_boundary
from fixture_server.sites import load_pages, load_sites
from fixture_server.yaml_keys import SiteError

HOST = "https://api.vendor.example"
GRAPH = """\
media_type: application/json
headers: {access-control-allow-origin: "*"}
asked:
  - {method: POST, parameters: "", sent: '{"operationName": "A"}', body: graphql.a.json}
  - {method: POST, parameters: "", sent: '{"operationName": "B"}', body: graphql.b.json}
"""
LIST = """\
asked:
  - method: GET
    sequence:
      - {status: 202, body: list.0.json}
      - {body: list.1.json}
  - {method: GET, parameters: page=2&of=x, body: list.2.json}
  - {method: POST, parameters: "", sent: add=1, status: 201, body: list.1.json}
"""


@pytest.fixture
def recorded(site: Any) -> Any:
    for name, text in {
        "graphql.serve.yaml": GRAPH,
        "graphql.a.json": "1",
        "graphql.b.json": "2",
        "list.serve.yaml": LIST,
        "list.0.json": '"pending"',
        "list.1.json": '"done"',
        "list.2.json": '"second"',
        "page.html": "<title>As it is</title>",
        "plain": "<title>Without a suffix</title>",
        "at-1.serve.yaml": "path: /odd path/ü\nbody: at-1.html\n",
        "at-1.html": "<p>odd</p>",
        "solid.html": "<!--$--><!--/--><p>{{now:tomorrow}}</p>",
        "solid.html.serve.yaml": "marks: false\n",
    }.items():
        site.page(f"api.vendor.example/{name}", text)
    return site


@pytest.mark.asyncio
async def test_posts_are_told_apart_by_what_they_send(recorded: Any, slot: Any) -> None:
    await slot.begin()
    async with slot.client() as client:
        got = [(await client.post(f"{HOST}/graphql", json={"operationName": name})).text for name in "ABAB"]
        unknown = await client.post(f"{HOST}/graphql", json={"operationName": "C"})
        read = await client.get(f"{HOST}/graphql")
    assert got == ["1", "2", "1", "2"]
    assert (unknown.status_code, read.status_code) == (404, 405)


@pytest.mark.asyncio
async def test_each_request_goes_through_its_own_answers(recorded: Any, slot: Any) -> None:
    await slot.begin()
    async with slot.client() as client:
        first = await client.get(f"{HOST}/list")
        second = await client.get(f"{HOST}/list?of=x&page=2")
        added = await client.post(f"{HOST}/list", data={"add": "1"})
        again = [(await client.get(f"{HOST}/list")).text for _ in range(2)]
    assert (first.status_code, first.text, second.text) == (202, '"pending"', '"second"')
    assert added.status_code == 201
    assert again == ['"done"', '"done"']


@pytest.mark.asyncio
async def test_a_browser_that_asks_ahead_may_do_what_was_recorded(recorded: Any, slot: Any) -> None:
    await slot.begin()
    asked = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    async with slot.client() as client:
        told = await client.options(f"{HOST}/graphql", headers={"origin": "https://a.example", **asked})
    assert told.headers["access-control-allow-origin"] == "*"
    assert told.headers["access-control-allow-headers"] == "content-type"
    assert told.headers["access-control-allow-methods"] == "POST"


@pytest.mark.asyncio
async def test_files_of_a_real_host_are_served_under_their_names(recorded: Any, slot: Any) -> None:
    await slot.begin()
    async with slot.client() as client:
        page, plain, odd, solid = [
            await client.get(f"{HOST}/{path}")
            for path in ("page.html", "plain", "odd%20path/%C3%BC", "solid.html")
        ]
        missing = await client.get(f"{HOST}/page")
    assert (page.status_code, plain.status_code, odd.text, missing.status_code) == (
        200,
        200,
        "<p>odd</p>",
        404,
    )
    assert plain.headers["content-type"] == "text/html; charset=utf-8"
    assert solid.text == "<!--$--><!--/--><p>{{now:tomorrow}}</p>"


def request(body: bytes, kind: str = "") -> Asked:
    return Asked(
        method="POST", scheme="https", host="a", target="/", headers={"content-type": kind}, body=body
    )


@pytest.mark.parametrize(
    ("sent", "body", "kind", "same"),
    [
        ('{"a": 1, "b": [2]}', b'{"b":[2],"a":1}', "application/json", True),
        ('{"a": 1}', b'{"a": 2}', "application/json", False),
        ("a=1&b=2", b"b=2&a=1", "application/x-www-form-urlencoded", True),
        ("a=1&b=2", b"b=2&a=1", "text/plain", False),
        (
            "--BOUNDARY\r\nx\r\n--BOUNDARY--",
            b"--xyz\r\nx\r\n--xyz--",
            "multipart/form-data; boundary=xyz",
            True,
        ),
        ("\u00e9", b"\xe9", "text/plain", False),
        ("", b"", "", True),
    ],
)
def test_bodies_are_compared_by_what_they_mean(sent: str, body: bytes, kind: str, same: bool) -> None:
    assert same_body(Recorded(method="POST", sent=sent), request(body, kind)) == same


def test_a_body_that_is_no_text_is_known_by_its_hash() -> None:
    recorded = Recorded(method="POST", sha256=hashlib.sha256(b"\xff").hexdigest())
    assert same_body(recorded, request(b"\xff"))
    assert not same_body(recorded, request(b"\xfe"))
    assert same_body(Recorded(method="POST"), request(b"\xff"))


def test_queries_are_the_same_in_any_order_and_boundaries_are_no_difference() -> None:
    assert same_query("a=1&b=2&b=3", "b=2&a=1&b=3")
    assert not same_query("a=1", "a=1&a=1")
    assert without_boundary("--x", "text/plain; boundary=x") == "--x"


def test_recorded_requests_are_read_with_their_lines(site: Any) -> None:
    path = site.page("api.vendor.example/list.serve.yaml", "asked:\n  - {methd: GET}\n")
    with pytest.raises(SiteError, match=r"list\.serve\.yaml:2: unknown key `methd`; did you mean `method`\?"):
        read_declaration(path)
    path = site.page("api.vendor.example/x.serve.yaml", "path: x\n")
    with pytest.raises(SiteError, match="`path` must begin with a slash"):
        read_declaration(path)


def test_one_host_has_one_folder(site: Any, tmp_path: Any) -> None:
    other = tmp_path / "other" / "pages" / "https" / "vendor"
    other.mkdir(parents=True)
    (other / "mine.html").write_text("<p>", encoding="utf-8")
    with pytest.raises(SiteError) as error:
        load_sites([site.folder, tmp_path / "other"])
    assert str(other / "mine.html") in str(error.value)
    assert f"the host vendor is already served by {site.folder}/pages/https/vendor" in str(error.value)
    assert {page.address for page in load_pages(tmp_path / "other")} == {"fixture://vendor/mine"}


@pytest.mark.asyncio
async def test_a_host_that_the_world_answers_cannot_have_pages(site: Any, tmp_path: Any) -> None:
    from fixture_server.world import load

    site.page("api.openai.com/index.html", "<p>")
    with pytest.raises(SiteError, match=r"api\.openai\.com is a host that the world itself answers"):
        load([site.truth], [site.folder])
