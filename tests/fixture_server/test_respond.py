"""Validators, ranges and methods of a page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from fixture_server.message import Answer, Asked
from fixture_server.respond import not_modified, respond
from fixture_server.stage import Stage
from fixture_server.world import load

NOW = datetime(2026, 11, 30, 12, 0, 0, 500, tzinfo=UTC)
PAGE = "fixture://vendor/notes/current"


@pytest.fixture
def stage(site: Any) -> Stage:
    """A run of the site's one scene."""
    world = load([site.truth], [site.folder])
    scene = world.sites.scenes["known/notes"]
    return Stage(edition=world.editions(0, NOW.date()), scene=scene, started=NOW)


def _ask(stage: Stage, method: str = "GET", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    asked = Asked(method=method, scheme="https", host="a.example", target="/", headers=named)
    return respond(asked, stage.edition.sites.pages[PAGE], stage)


@pytest.mark.parametrize("tag", ['"a"', 'W/"a"'])
@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        ('"a"', True),
        ('W/"a"', True),
        ('"x", W/"a"', True),
        ('"x","a"', True),
        ("*", True),
        (" * ", True),
        ('"b"', False),
        ('"a', False),
        ("a", False),
        ("", False),
        ('"A"', False),
        ('"x, \\"a\\""', False),
    ],
)
def test_if_none_match_is_by_weak_comparison(tag: str, wanted: str, holds: bool) -> None:
    answer = Answer(headers=(("etag", tag), ("last-modified", "Sat, 28 Nov 2026 12:00:00 GMT")))
    headers = {"if-none-match": wanted, "if-modified-since": "Sun, 29 Nov 2026 12:00:00 GMT"}
    assert not_modified(headers, answer) is holds


@pytest.mark.parametrize(
    ("since", "holds"),
    [
        ("Sat, 28 Nov 2026 12:00:00 GMT", True),
        ("Sun, 29 Nov 2026 12:00:00 GMT", True),
        ("Sat, 28 Nov 2026 11:59:59 GMT", False),
        ("yesterday", False),
        ("", False),
    ],
)
def test_if_modified_since(stage: Stage, since: str, holds: bool) -> None:
    assert (_ask(stage, if_modified_since=since).status == 304) is holds


def test_a_304_repeats_the_validators_and_has_no_content(stage: Stage) -> None:
    full = _ask(stage)
    assert full.header("last-modified") == "Sat, 28 Nov 2026 12:00:00 GMT"
    short = _ask(stage, if_none_match=full.header("etag") or "")
    assert (short.status, short.body) == (304, b"")
    for name in ("etag", "last-modified", "cache-control"):
        assert short.header(name) == full.header(name)
    assert short.header("content-type") is None


def test_the_tag_is_of_the_bytes(stage: Stage) -> None:
    from dataclasses import replace

    changed = replace(stage, state="changed")
    assert _ask(stage).header("etag") == _ask(stage).header("etag") != _ask(changed).header("etag")


@pytest.mark.parametrize(
    ("wanted", "status", "first", "last"),
    [
        ("bytes=0-3", 206, 0, 4),
        ("bytes=5-", 206, 5, None),
        ("bytes=-4", 206, -4, None),
        ("bytes=0-9999999", 206, 0, None),
    ],
)
def test_one_range(stage: Stage, wanted: str, status: int, first: int, last: int | None) -> None:
    full, part = _ask(stage), _ask(stage, range=wanted)
    assert (part.status, part.body) == (status, full.body[first:last])
    assert (part.header("content-range") or "").endswith(f"/{len(full.body)}")


def test_ranges_that_do_not_hold(stage: Stage) -> None:
    assert _ask(stage, range="bytes=9999999-").status == 416
    for wanted in ("bytes=0-1,3-4", "items=0-1", "bytes=-", "bytes=a-b"):
        assert _ask(stage, range=wanted).status == 200
    assert _ask(stage, range="bytes=0-1", if_range='"old"').status == 200
    assert _ask(stage, range="bytes=0-1", if_range=_ask(stage).header("etag") or "").status == 206


def test_methods(stage: Stage) -> None:
    assert _ask(stage, "POST").status == 405
    assert _ask(stage, "OPTIONS").status == 204
    assert _ask(stage, "HEAD").body == _ask(stage).body
