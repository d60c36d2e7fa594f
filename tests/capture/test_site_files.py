"""Exchanges as files: plain where a file says it, declared where not, and read by the world as they were written."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import yaml

from fixture_server.sites import load_pages
from pytest_webretrieval.capture.exchange import Exchange, moved
from pytest_webretrieval.capture.site_files import absent_hosts, servable, site_files

HOST = "https://docs.vendor.example"


def html(path: str, body: str = "<p>x</p>", **more: object) -> Exchange:
    told = {
        "method": "GET",
        "status": 200,
        "headers": (("content-type", "text/html; charset=utf-8"),),
        **more,
    }
    return Exchange(url=f"{HOST}{path}", body=body.encode(), **told)  # type: ignore[arg-type]


def written(*exchanges: Exchange, timings: bool = False) -> dict[str, str]:
    files = site_files(exchanges, timings)
    return {
        str(path.relative_to("pages/https/docs.vendor.example")): body.decode()
        for path, body in files.items()
    }


def declared(*exchanges: Exchange, timings: bool = False) -> dict[str, object]:
    (text,) = [
        body for name, body in written(*exchanges, timings=timings).items() if name.endswith(".serve.yaml")
    ]
    told: dict[str, object] = yaml.safe_load(text)
    return told


def addresses(folder: Path, *exchanges: Exchange) -> set[str]:
    """What the world serves of the files."""
    for path, body in site_files(exchanges).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(body)
    return {page.address.removeprefix("fixture://docs.vendor.example") for page in load_pages(folder)}


def test_a_plain_page_is_a_plain_file() -> None:
    assert written(html("/")) == {"index.html": "<p>x</p>"}
    assert written(html("/a/b.html")) == {"a/b.html": "<p>x</p>"}
    style = html(
        "/s.css", "p{}", headers=(("content-type", "text/css"), ("etag", '"1"'), ("set-cookie", "a=1"))
    )
    assert written(style) == {"s.css": "p{}"}


def test_what_a_file_cannot_say_is_declared() -> None:
    assert written(html("/releases"))["releases.html"] == "<p>x</p>"
    gone = html(
        "/gone", status=410, headers=(("content-type", "text/html"), ("etag", '"v1"'), ("date", "now"))
    )
    assert declared(gone) == {"status": 410, "headers": {"etag": '"v1"'}}
    old = html("/old", "", status=301, headers=(("location", "/new"), ("content-type", "text/html")))
    assert declared(old) == {"status": 301, "location": "/new"}
    latin = html("/l.html", headers=(("content-type", "text/html; charset=latin-1"),))
    assert declared(latin) == {"media_type": "text/html; charset=latin-1"}
    assert declared(html("/robots.txt", headers=(("content-type", "text/plain"),))) == {"search": False}
    assert declared(html("/a.html", time_s=0.2514), timings=True) == {"delay_s": 0.251}


def test_headers_of_one_moment_one_user_or_one_connection_are_not_kept() -> None:
    kept = (
        ("content-security-policy", "default-src 'self'; report-uri https://r.example/x"),
        ("access-control-allow-origin", "*"),
        ("vary", "accept"),
    )
    dropped = tuple(
        (name, "x") for name in ("alt-svc", "set-cookie", "date", "age", "nel", "content-encoding", "x-cache")
    )
    told = declared(html("/a.html", headers=(*kept, *dropped, ("content-type", "text/html"))))
    assert told == {
        "headers": {
            "content-security-policy": "default-src 'self';",
            "access-control-allow-origin": "*",
            "vary": "accept",
        }
    }


def test_repeats_are_a_sequence_and_mere_repetition_is_none() -> None:
    busy = html("/a.html", "busy", status=503)
    assert declared(busy, html("/a.html"), html("/a.html")) == {
        "sequence": [{"status": 503, "body": "a.html"}, {"body": "a.1.html"}]
    }


def test_queries_and_bodies_tell_requests_apart() -> None:
    json_type = (("content-type", "application/json"),)
    posts = [
        html("/q", f'"{name}"', method="POST", sent=f'{{"op": "{name}"}}'.encode(), headers=json_type)
        for name in "AB"
    ]
    asked = declared(*posts, html("/q?page=2", '"2"', headers=json_type))["asked"]
    assert asked == [
        {"method": "POST", "parameters": "", "sent": '{"op": "A"}', "body": "q.json"},
        {"method": "POST", "parameters": "", "sent": '{"op": "B"}', "body": "q.1.json"},
        {"method": "GET", "parameters": "page=2", "body": "q.2.json"},
    ]


def test_a_list_before_and_after_a_change_keeps_both_answers() -> None:
    one, two = (html("/list", text) for text in ("1", "2"))
    asked = declared(one, html("/list", "ok", method="POST", sent=b"add"), two)["asked"]
    assert isinstance(asked, list)
    assert [step["body"] for step in asked[0]["sequence"]] == ["list.html", "list.1.html"]


def test_every_path_is_served_as_it_was(tmp_path: Path) -> None:
    paths = {
        "/",
        "/docs",
        "/docs/",
        "/docs/intro",
        "/docs/index.html",
        "/a",
        "/a.html",
        "/v1.2",
        "/deep//x",
        "/ü/é b",
        "/.x",
    }
    long = "/" + "n" * 300
    pages = [html(path, path) for path in sorted(paths | {long})]
    assert addresses(tmp_path, *pages) == paths | {long}
    bodies = {
        page.address.removeprefix("fixture://docs.vendor.example"): page.bodies[
            page.variants[0]["initial"].body or ""
        ]
        for page in load_pages(tmp_path)
    }
    assert {path: "".join(map(str, body.pieces)) for path, body in bodies.items()} == {  # type: ignore[union-attr]
        path: path for path in bodies
    }


def test_what_looks_like_a_mark_stays_as_it_is() -> None:
    assert declared(html("/a.html", "<!--$--><!--/-->")) == {"marks": False}


def test_http_that_only_leads_to_https_is_the_worlds_own() -> None:
    up = Exchange(
        method="GET", url="http://docs.vendor.example/", status=301, headers=(("location", f"{HOST}/"),)
    )
    assert written(up, html("/")) == {"index.html": "<p>x</p>"}


def test_hosts_that_the_world_cannot_have_are_said() -> None:
    urls = (
        "https://docs.vendor.example:8443/",
        "https://10.0.0.1/",
        "https://intranet/",
        "https://api.openai.com/v1",
    )
    kept, lines = servable([html("/"), *(Exchange(method="GET", url=url, status=200) for url in urls)])
    assert [one.url for one in kept] == [f"{HOST}/"]
    assert [line.partition(": ")[0] for line in lines] == [
        *("docs.vendor.example:8443", "10.0.0.1", "intranet", "api.openai.com"),
    ]


def test_a_host_that_nobody_captured_is_there_and_has_nothing() -> None:
    (path,) = absent_hosts(["fonts.example"])
    assert path == PurePosixPath("pages/https/fonts.example/index.serve.yaml")


def test_another_origin_takes_every_address_with_it() -> None:
    page = Exchange(
        method="GET",
        url="http://127.0.0.1:8000/a",
        status=302,
        headers=(("location", "http://127.0.0.1:8000/b"), ("content-type", "text/html")),
        body=b'<a href="//127.0.0.1:8000/c">http:\\/\\/127.0.0.1:8000\\/d</a>',
    )
    (one,) = moved([page], "http://127.0.0.1:8000", HOST)
    assert (one.url, one.headers[0][1]) == (f"{HOST}/a", f"{HOST}/b")
    assert one.body == b'<a href="//docs.vendor.example/c">https:\\/\\/docs.vendor.example\\/d</a>'
