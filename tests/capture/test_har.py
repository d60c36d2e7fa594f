"""HAR files as browsers and Playwright write them: what becomes an exchange, and what is left out, with the reason."""

from __future__ import annotations

import base64
import gzip
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from pytest_webretrieval.capture.exchange import CaptureError
from pytest_webretrieval.capture.har import Recording, read_har

PAGE = "https://docs.vendor.example/releases"


def entry(url: str = PAGE, method: str = "GET", at: int = 0, **more: Any) -> dict[str, Any]:
    """An entry with an HTML answer; ``request``, ``response`` and ``content`` replace keys of these."""
    content = {"size": 12, "mimeType": "text/html", "text": "<p>v3.2</p>", **more.pop("content", {})}
    response = {"status": 200, "headers": [], "content": content, **more.pop("response", {})}
    request = {"method": method, "url": url, "headers": [], **more.pop("request", {})}
    return {
        "startedDateTime": f"2026-11-28T10:00:{at:02}Z",
        "time": 250,
        "request": request,
        "response": response,
        **more,
    }


def headers(**named: str) -> list[dict[str, str]]:
    return [{"name": name.replace("_", "-").title(), "value": value} for name, value in named.items()]


def read(folder: Path, *entries: dict[str, Any]) -> Recording:
    path = folder / "x.har"
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": list(entries)}}), encoding="utf-8")
    return read_har(path)


def left_out(folder: Path, odd: dict[str, Any]) -> str:
    """Why an entry is left out; a good one beside it is kept."""
    recording = read(folder, entry(at=1), odd)
    assert [one.url for one in recording.exchanges] == [PAGE]
    (line,) = recording.left_out
    return line


def body(folder: Path, **more: Any) -> tuple[bytes, str]:
    (one,) = read(folder, entry(**more)).exchanges
    return one.body, one.media_type


def test_entries_come_in_order_of_their_start(tmp_path: Path) -> None:
    recording = read(tmp_path, entry(f"{PAGE}/2#part", at=2), entry(at=1))
    assert [one.url for one in recording.exchanges] == [PAGE, f"{PAGE}/2"]
    assert recording.exchanges[0].time_s == 0.25


def test_a_text_is_utf8_from_now_on_whatever_it_was(tmp_path: Path) -> None:
    page = {"text": "<p>é</p>", "mimeType": "text/html"}
    assert body(tmp_path, content=page) == ("<p>é</p>".encode(), "text/html; charset=utf-8")
    told = {"headers": headers(content_type="text/html; charset=big5")}
    assert body(tmp_path, content=page, response=told)[1] == "text/html; charset=utf-8"


def test_bodies_are_what_a_client_reads(tmp_path: Path) -> None:
    for coding, packed in (
        ("gzip", gzip.compress(b"\xffx")),
        ("deflate", zlib.compress(b"\xffx")),
        ("gzip", b"\xffx"),
    ):
        saved = {"text": base64.b64encode(packed).decode(), "encoding": "base64", "mimeType": "image/png"}
        assert (
            body(tmp_path, content=saved, response={"headers": headers(content_encoding=coding)})[0]
            == b"\xffx"
        )


def test_playwright_keeps_bodies_beside_or_in_a_zip(tmp_path: Path) -> None:
    (tmp_path / "a1b2.html").write_bytes(b"<p>beside</p>")
    attached = {"text": None, "_file": "a1b2.html"}
    assert body(tmp_path, content=attached)[0] == b"<p>beside</p>"
    har = json.dumps({"log": {"entries": [entry(content=attached)]}})
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("har.har", har)
        archive.writestr("a1b2.html", "<p>zipped</p>")
    assert read_har(tmp_path / "x.zip").exchanges[0].body == b"<p>zipped</p>"


def test_what_a_post_sent_is_kept(tmp_path: Path) -> None:
    def sent(**posted: Any) -> bytes:
        return read(tmp_path, entry(method="POST", request={"postData": posted})).exchanges[0].sent

    assert sent(mimeType="application/json", text='{"operationName": "A"}') == b'{"operationName": "A"}'
    assert (
        sent(mimeType="application/x-www-form-urlencoded", params=[{"name": "a", "value": "1 2"}]) == b"a=1+2"
    )
    assert read(tmp_path, entry(method="POST", request={"bodySize": 0})).exchanges[0].sent == b""


@pytest.mark.parametrize(
    "told",
    [
        {"bodySize": 31},
        {"headers": headers(content_length="31", content_type="application/json")},
        {"headers": headers(content_type="application/json"), "bodySize": -1},
    ],
)
def test_a_post_whose_body_was_not_saved_is_left_out(tmp_path: Path, told: dict[str, Any]) -> None:
    line = left_out(tmp_path, entry("https://api.vendor.example/graphql", method="POST", request=told))
    assert line.startswith("POST https://api.vendor.example/graphql: what it sent was not saved")


ODD = [
    (
        entry("https://a.example/data", response={"_fetchedViaServiceWorker": True}),
        "a service worker answered",
    ),
    (entry("https://a.example/data", response={"status": 304}), "304 says only that a copy was still good"),
    (entry("https://a.example/v.mp4", response={"status": 206}), "206 is a part of the body"),
    (entry("https://a.example/", response={"status": 0, "_error": "net::ERR_BLOCKED"}), "(net::ERR_BLOCKED)"),
    (entry("wss://a.example/live"), "WebSockets are not captured"),
    (entry("blob:https://a.example/1"), "blob: is nothing that a server answers"),
    (
        entry("https://a.example/", content={"text": None, "size": 9}),
        "its body was not saved; save the HAR with content",
    ),
    (
        entry("https://a.example/", content={"text": "%%", "encoding": "base64"}),
        "not base64 as the entry says",
    ),
    (entry("https://a.example/", content={"text": "x", "encoding": "rot13"}), "has the encoding 'rot13'"),
    (
        entry(
            "https://a.example/",
            content={"text": base64.b64encode(b"\x8b\xff\xfe").decode(), "encoding": "base64"},
            response={"headers": headers(content_encoding="br", content_type="text/html")},
        ),
        "saved as compressed bytes",
    ),
]


@pytest.mark.parametrize(("odd", "why"), ODD, ids=[why for _, why in ODD])
def test_what_cannot_be_served_is_left_out_with_a_reason(
    tmp_path: Path, odd: dict[str, Any], why: str
) -> None:
    assert why in left_out(tmp_path, odd)


def test_redirects_and_empty_answers_need_no_body(tmp_path: Path) -> None:
    empty = {"text": None, "size": 0}
    moved = {"status": 301, "headers": headers(location="/new")}
    one, two = read(
        tmp_path, entry(content={"size": 5, "text": None}, response=moved), entry(at=1, content=empty)
    ).exchanges
    assert one.redirects
    assert two.body == b""


def test_credentials_that_were_seen_are_known(tmp_path: Path) -> None:
    signed = {"headers": headers(cookie="sid=abcdefgh12; a=1", authorization="Bearer token-of-alice")}
    set_one = {"headers": headers(set_cookie="csrf=zyxwvuts98; Path=/")}
    secrets = read(tmp_path, entry(request=signed, response=set_one)).secrets
    assert set(secrets) == {"abcdefgh12", "Bearer token-of-alice", "token-of-alice", "zyxwvuts98"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "is no HAR file: expected JSON with log.entries"),
        ("not json", "is no HAR file"),
        (
            '{"log": {"entries": [{"request": {"method": "GET", "url": "https://a.example/"}}]}}',
            "is not HAR 1.2",
        ),
        ('{"log": {"entries": []}}', "holds no answer that can be served"),
    ],
)
def test_a_file_that_is_none_is_one_error(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "x.har").write_text(text, encoding="utf-8")
    with pytest.raises(CaptureError) as error:
        read_har(tmp_path / "x.har")
    assert says in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match=r"none\.har: cannot be read: No such file"):
        read_har(tmp_path / "none.har")
