"""The files: vcrpy reads and plays them, nothing is lost on the way, nothing is half written."""

from __future__ import annotations

import gzip
import json
import urllib.request
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests
import vcr
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vcr.persisters.filesystem import FilesystemPersister
from vcr.serializers import yamlserializer

from pytest_webretrieval.wire.cassettes import (
    Interaction,
    RecordingError,
    Sent,
    read_vcr,
    replace_file,
    vcr_text,
)
from pytest_webretrieval.wire.sidecar import (
    Cassette,
    meta_path,
    order_matters,
    read_cassette,
    remove_cassette,
    write_cassette,
)

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)

_TOKENS = st.text(alphabet="abcXYZ-_0129", min_size=1, max_size=12)
_VALUES = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\n\x00"), max_size=40)
_BODIES = st.one_of(
    st.binary(max_size=200), st.text(st.characters(blacklist_categories=["Cs"])).map(str.encode)
)


@st.composite
def _interactions(draw: st.DrawFn) -> Interaction:
    body = draw(_BODIES)
    cuts = sorted(draw(st.lists(st.integers(0, len(body)), max_size=4)))
    ends = [*cuts, len(body)]
    sizes = [end - start for start, end in zip([0, *cuts], ends, strict=True)]
    times = sorted(draw(st.lists(st.floats(0, 60), min_size=len(sizes), max_size=len(sizes))))
    names = draw(st.lists(_TOKENS, max_size=4, unique_by=str.lower))
    return Interaction(
        sent=Sent(
            method=draw(st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH"])),
            url=f"https://{draw(st.sampled_from(['a.test', 'b.test']))}/{draw(_TOKENS)}?q={draw(_TOKENS)}",
            headers={name.lower(): draw(_VALUES) for name in draw(st.lists(_TOKENS, max_size=3))},
            body=draw(_BODIES),
        ),
        status=draw(st.integers(200, 599)),
        reason=draw(_VALUES),
        headers=tuple(
            (name, draw(_VALUES)) for name in sorted(names) for _ in range(draw(st.integers(1, 3)))
        ),
        body=body,
        chunks=tuple((round(at_s, 6), size) for at_s, size in zip(times, sizes, strict=True)),
        error_type=draw(st.sampled_from([None, "incomplete_body"])),
        recorded_at=NOW,
        source=draw(st.sampled_from(["live", "emulator"])),
        upstream="https://a.test",
        started_s=0.5,
        ended_s=draw(st.sampled_from([0.5, 1.25])),
        cited=draw(st.booleans()),
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(st.lists(_interactions(), min_size=1, max_size=4))
def test_nothing_is_lost_on_the_way(tmp_path: Path, interactions: list[Interaction]) -> None:
    path = tmp_path / "x.yaml"
    write_cassette(path, Cassette(interactions=tuple(interactions), expires_after_days=7))
    assert read_cassette(path) == Cassette(interactions=tuple(interactions), expires_after_days=7)
    requests_, responses, *_ = FilesystemPersister.load_cassette(path, yamlserializer)
    for one, request, response in zip(interactions, requests_, responses, strict=True):
        assert (request.method, request.uri) == (one.sent.method, one.sent.url)
        assert (request.body or b"") == one.sent.body
        assert response["body"]["string"] == one.body
        assert response["status"] == {"code": one.status, "message": one.reason}


def _page(path: str, body: bytes, *headers: tuple[str, str], status: int = 200) -> Interaction:
    sent = Sent(method="GET", url=f"https://api.acme.test{path}")
    return Interaction(sent=sent, status=status, reason="OK", headers=headers, body=body)


PLAYED = (
    _page("/plain", "Zoë".encode(), ("Content-Type", "text/plain; charset=utf-8")),
    _page("/packed", gzip.compress(b"<p>19.90 EUR", mtime=1), ("Content-Encoding", "gzip")),
    _page("/binary", bytes(range(256)), ("Content-Type", "application/octet-stream")),
    _page("/again", b"1"),
    _page("/again", b"2"),
)
READ = {
    "/plain": "Zoë".encode(),
    "/packed": b"<p>19.90 EUR",
    "/binary": bytes(range(256)),
}


def _by_requests(url: str) -> bytes:
    return requests.get(url).content


def _by_httpx(url: str) -> bytes:
    return httpx.get(url).content


def _by_urllib(url: str) -> bytes:
    with urllib.request.urlopen(url) as response:
        body: bytes = response.read()
        return gzip.decompress(body) if response.headers["Content-Encoding"] == "gzip" else body


@pytest.mark.parametrize(
    ("get", "decode"), [(_by_requests, True), (_by_httpx, False), (_by_httpx, True), (_by_urllib, False)]
)
def test_vcrpy_itself_plays_them(tmp_path: Path, get: Any, decode: bool) -> None:
    """Bodies are as they were sent, and the header says how; requests wants them decoded, and vcrpy can do that."""
    path = tmp_path / "x.yaml"
    write_cassette(path, Cassette(interactions=PLAYED))
    tape = vcr.VCR(record_mode="none", decode_compressed_response=decode)
    with tape.use_cassette(str(path)) as cassette:
        for name, body in READ.items():
            assert get(f"https://api.acme.test{name}") == body
        assert [get("https://api.acme.test/again") for _ in range(2)] == [b"1", b"2"]
        assert cassette.all_played


def test_what_vcrpy_recorded_is_read(tmp_path: Path) -> None:
    """Bodies of forms that other recorders write: files, iterators, dictionaries of a string."""
    path = tmp_path / "x.yaml"
    path.write_text(
        "interactions:\n"
        "- request: {method: POST, uri: 'https://a.test/', body: {string: 'ü'}, headers: {A: b}}\n"
        "  response: {status: {code: 200, message: null}, headers: {X: [1, 2]}, body: {string: !!binary '/wA='}}\n"
    )
    (one,) = read_vcr(path)
    assert (one.sent.body, one.sent.headers, one.headers) == (
        "ü".encode(),
        {"a": "b"},
        (("X", "1"), ("X", "2")),
    )
    assert (one.body, one.reason) == (b"\xff\x00", "")


def test_a_body_that_was_edited_loses_its_parts_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    write_cassette(
        path,
        Cassette(
            interactions=(replace(_page("/", b"abcdef"), chunks=((0.1, 3), (0.2, 3)), recorded_at=NOW),)
        ),
    )
    path.write_text(path.read_text().replace("abcdef", "abcdefg"))
    cassette = read_cassette(path)
    assert cassette is not None
    (one,) = cassette.interactions
    assert (one.body, one.chunks, one.recorded_at) == (b"abcdefg", (), NOW)


def test_a_cassette_without_its_sidecar_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    write_cassette(path, Cassette(interactions=PLAYED))
    meta_path(path).unlink()
    cassette = read_cassette(path)
    assert cassette is not None
    assert cassette.interactions == PLAYED
    assert cassette.expired(NOW) == ()


def test_the_sidecar_says_what_vcrpys_format_does_not(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    one = replace(
        PLAYED[1],
        chunks=((0.25, 10), (0.5, len(PLAYED[1].body) - 10)),
        recorded_at=NOW,
        upstream="https://api.acme.test",
    )
    write_cassette(path, Cassette(interactions=(one, PLAYED[0])))
    meta = json.loads(meta_path(path).read_text())
    assert meta["schema"] == "webretrieval.recording/1"
    assert set(meta["versions"]) == {"pytest-webretrieval", "vcrpy"}
    assert meta["expires_after_days"] == 90
    first, second = meta["recordings"]
    assert (first["request"], first["from"], first["source"]) == (
        "GET https://api.acme.test/packed",
        "https://api.acme.test",
        "live",
    )
    assert (first["recorded_at"], first["encoding"], second["encoding"]) == (
        "2026-11-29T12:00:00+00:00",
        "gzip",
        "identity",
    )
    assert first["chunks"] == [[0.25, 10], [0.5, len(one.body) - 10]]
    assert len(meta_path(path).read_text().splitlines()) == 12, "a line each"


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        '{"schema": "other"}',
        '{"schema": "webretrieval.recording/1", "recordings": [{}]}',
        '{"schema": "webretrieval.recording/1", "expires_after_days": "90"}',
    ],
)
def test_a_sidecar_that_cannot_be_read_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.yaml"
    write_cassette(path, Cassette(interactions=PLAYED[:1]))
    meta_path(path).write_text(text)
    with pytest.raises(RecordingError, match=str(meta_path(path))):
        read_cassette(path)


def test_what_is_too_old(tmp_path: Path) -> None:
    ages = (1, 89, 91)
    held = tuple(replace(PLAYED[0], recorded_at=NOW - timedelta(days=age)) for age in ages)
    assert Cassette(interactions=held).expired(NOW) == (2,)
    assert Cassette(interactions=held, expires_after_days=0.5).expired(NOW) == (0, 1, 2)


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.yaml"
    replace_file(path, "old")

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(RecordingError, match="No space left on device"):
        replace_file(path, "new")
    assert [file.name for file in tmp_path.iterdir()] == ["x.yaml"]
    assert path.read_bytes() == b"old"


def test_what_is_not_there_is_none_and_can_be_removed(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    assert read_cassette(path) is None
    remove_cassette(path)


def test_writing_without_vcrpy_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [name for name in sys.modules if name.partition(".")[0] == "vcr"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(RecordingError, match=r"pip install 'pytest-webretrieval\[record\]'"):
        vcr_text(PLAYED)


def _timed(body: bytes, started_s: float, ended_s: float, path: str = "/s") -> Interaction:
    return replace(_page(path, body), started_s=started_s, ended_s=ended_s)


@pytest.mark.parametrize(
    ("held", "places"),
    [
        ((_timed(b"1", 0, 2), _timed(b"2", 1, 3)), (0, 1)),
        ((_timed(b"1", 0, 2), _timed(b"1", 1, 3)), ()),
        ((_timed(b"1", 0, 1), _timed(b"2", 1, 3)), ()),
        ((_timed(b"1", 0, 2), _timed(b"2", 1, 3, "/other")), ()),
        ((_timed(b"1", 0, 0), _timed(b"2", 0, 0)), ()),
    ],
)
def test_where_chance_decides(held: tuple[Interaction, ...], places: tuple[int, ...]) -> None:
    assert order_matters(held) == tuple(held[place] for place in places)
