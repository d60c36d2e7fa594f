"""Every mode, with and without a cassette; which runs write, and that nothing is ever half written."""

from __future__ import annotations

import itertools
import json
import os
import signal
from typing import Any

import pytest

from pytest_webretrieval.wire.cassettes import read_vcr
from pytest_webretrieval.wire.sidecar import meta_path

from .conftest import HOST, Gate
from .origin import Origin

pytestmark = pytest.mark.asyncio(loop_scope="module")

URL = f"https://{HOST}"
LIVE, OLD, MISS = "live", "old", "miss"


async def _get(gate: Gate, *paths: str) -> list[tuple[int, str]]:
    async with gate.client(timeout=20) as client:
        answers = [await client.get(f"{URL}{path}") for path in paths]
    return [(answer.status_code, answer.text) for answer in answers]


def _held(gate: Gate) -> list[tuple[str, bytes]]:
    """Path and body of each recording."""
    if not gate.cassette.exists():
        return []
    return [(one.sent.url.removeprefix(URL), one.body) for one in read_vcr(gate.cassette)]


@pytest.fixture
def two_pages(origin: Origin) -> Origin:
    """Each answer is another."""
    for path in ("/a", "/b"):
        count = itertools.count(1)
        origin.on(path, lambda heard, out, count=count: out.reply("200 OK", b"%d" % next(count)))  # type: ignore[misc]
    return origin


@pytest.mark.parametrize(
    ("mode", "known", "unknown", "left"),
    [
        ("none", OLD, MISS, [("/a", b"1"), ("/c", b"c")]),
        ("once", OLD, MISS, [("/a", b"1"), ("/c", b"c")]),
        ("new_episodes", OLD, LIVE, [("/a", b"1"), ("/c", b"c"), ("/b", b"1")]),
        ("all", LIVE, LIVE, [("/c", b"c"), ("/a", b"2"), ("/b", b"1")]),
        ("rewrite", LIVE, LIVE, [("/a", b"2"), ("/b", b"1")]),
    ],
)
async def test_where_there_is_a_cassette(
    open_gate: Any, two_pages: Origin, mode: str, known: str, unknown: str, left: list[tuple[str, bytes]]
) -> None:
    two_pages.says("/c", b"c")
    gate = await open_gate("rewrite")
    await _get(gate, "/a", "/c")
    await gate.keep()
    two_pages.heard.clear()
    gate = await open_gate(mode)
    first, second = await _get(gate, "/a", "/b")
    assert first == ((200, "1") if known == OLD else (200, "2"))
    assert second[0] == (200 if unknown == LIVE else 502)
    assert len(two_pages.heard) == (known == LIVE) + (unknown == LIVE)
    account = await gate.keep()
    assert bool(account.missed) == (unknown == MISS)
    assert account.recorded == len(two_pages.heard)
    replays = mode in ("none", "once", "new_episodes")
    assert [name.rpartition(" ")[2] for name in account.unplayed] == ([f"{URL}/c"] if replays else [])
    assert _held(gate) == left


@pytest.mark.parametrize("mode", ["none", "once", "new_episodes", "all", "rewrite"])
async def test_where_there_is_none(open_gate: Any, two_pages: Origin, mode: str) -> None:
    gate = await open_gate(mode)
    answers = await _get(gate, "/a", "/a")
    account = await gate.keep()
    if mode == "none":
        assert [status for status, _ in answers] == [502, 502]
        assert answers[0][1] == (
            f"no recording of GET {URL}/a: cassettes/own-v1/{gate.cassette.name} is not there; "
            "record it with --webretrieval-record=new_episodes\n"
        )
        assert (two_pages.heard, _held(gate), len(account.missed)) == ([], [], 2)
    else:
        assert answers == [(200, "1"), (200, "2")]
        assert _held(gate) == [("/a", b"1"), ("/a", b"2")]


@pytest.mark.parametrize("mode", ["once", "new_episodes", "all", "rewrite"])
async def test_only_the_first_trial_writes(open_gate: Any, two_pages: Origin, mode: str) -> None:
    gate = await open_gate(mode)
    await gate.begin(trial=1)
    assert await _get(gate, "/a") == [(200, "1")]
    assert (await gate.keep()).recorded == 0
    assert _held(gate) == []


async def test_every_trial_replays(open_gate: Any, two_pages: Origin) -> None:
    gate = await open_gate("once")
    await _get(gate, "/a")
    await gate.keep()
    two_pages.stop()
    gate = await open_gate("none")
    for trial in range(3):
        await gate.begin(trial=trial)
        assert await _get(gate, "/a") == [(200, "1")]
        assert (await gate.keep()).unplayed == ()


async def test_another_seed_has_a_cassette_of_its_own(open_gate: Any, two_pages: Origin) -> None:
    gate = await open_gate("once")
    for seed in (0, 7):
        await gate.begin(seed=seed)
        await _get(gate, "/a")
        await gate.keep()
    names = sorted(path.name for path in gate.cassette.parent.glob(f"{gate.cassette.stem}*.yaml"))
    assert names == [f"{gate.cassette.stem}.seed-7.yaml", gate.cassette.name]


@pytest.mark.parametrize("mode", ["all", "rewrite", "new_episodes"])
async def test_a_world_that_is_killed_leaves_what_was_there(
    open_gate: Any, two_pages: Origin, mode: str
) -> None:
    gate = await open_gate("once")
    await _get(gate, "/a")
    await gate.keep()
    before = {path.name: path.read_bytes() for path in gate.cassette.parent.iterdir()}
    gate = await open_gate(mode, new=True)
    await _get(gate, "/b", "/a")
    os.kill(gate.world._process.pid, signal.SIGKILL)
    gate.world._process.wait()
    assert {path.name: path.read_bytes() for path in gate.cassette.parent.iterdir()} == before


async def test_rewriting_with_nothing_asked_takes_the_old_away(open_gate: Any, two_pages: Origin) -> None:
    gate = await open_gate("once")
    await _get(gate, "/a")
    await gate.keep()
    gate = await open_gate("rewrite")
    assert (await gate.keep()).failure is None
    assert not gate.cassette.exists()
    assert not meta_path(gate.cassette).exists()


async def test_what_nobody_reached_is_not_recorded(open_gate: Any) -> None:
    gate = await open_gate("all", f"{HOST}=http://127.0.0.1:9")
    assert [status for status, _ in await _get(gate, "/a")] == [502]
    assert (await gate.keep()).recorded == 0


async def test_a_folder_that_cannot_be_written_is_told(open_gate: Any, two_pages: Origin) -> None:
    gate = await open_gate("once")
    await _get(gate, "/a")
    gate.cassette.mkdir(parents=True)
    account = await gate.keep()
    assert account.recorded == 0
    assert account.trouble is not None
    assert account.trouble.startswith(f"cannot write the recording {gate.cassette}: ")
    gate.cassette.rmdir()


@pytest.mark.parametrize(
    "text", ["", "nothing", "interactions: 3\n", "!!python/object:os.system {}", "a: [b\n"]
)
async def test_a_cassette_that_cannot_be_read_is_told(open_gate: Any, text: str) -> None:
    from fixture_server.client import WorldFailure

    gate = await open_gate("once")
    gate.cassette.parent.mkdir(parents=True, exist_ok=True)
    gate.cassette.write_text(text)
    with pytest.raises(WorldFailure, match=r"is no recording in vcrpy's format .+; record it anew"):
        await gate.begin()


async def test_old_recordings_are_played_and_named(open_gate: Any, two_pages: Origin) -> None:
    gate = await open_gate("once")
    await _get(gate, "/a", "/b")
    await gate.keep()
    path = meta_path(gate.cassette)
    meta = json.loads(path.read_text())
    assert meta["expires_after_days"] == 90
    assert {line["source"] for line in meta["recordings"]} == {"emulator"}
    assert {line["from"] for line in meta["recordings"]} == {two_pages.url}
    meta["recordings"][0]["recorded_at"] = "2026-01-02T03:04:05+00:00"
    path.write_text(json.dumps(meta))
    gate = await open_gate("none")
    assert await _get(gate, "/a", "/b") == [(200, "1"), (200, "1")]
    name = f"cassettes/own-v1/{gate.cassette.name} #1 GET {URL}/a, recorded on 2026-01-02"
    assert (await gate.keep()).expired == (name,)
    meta["expires_after_days"] = 36500
    path.write_text(json.dumps(meta))
    gate = await open_gate("none")
    assert (await gate.keep()).expired == ()


async def test_a_cassette_of_another_recorder_is_played(open_gate: Any, origin: Origin) -> None:
    origin.stop()
    gate = await open_gate("none")
    gate.cassette.parent.mkdir(parents=True, exist_ok=True)
    gate.cassette.write_text(
        "version: 1\ninteractions:\n- request:\n    method: GET\n    uri: https://api.acme.test/a?b=1&a=2\n"
        "    body: null\n    headers: {Accept: ['*/*']}\n  response:\n    status: {code: 200, message: OK}\n"
        "    headers: {content-encoding: [gzip], content-length: ['20'], Content-Type: text/plain}\n"
        "    body: {string: decoded by the recorder}\n"
    )
    await gate.begin()
    assert await _get(gate, "/a?a=2&b=1") == [(200, "decoded by the recorder")]
    account = await gate.keep()
    assert (account.unplayed, account.expired) == ((), ())


async def test_rewriting_what_a_model_said_leaves_other_recordings(open_gate: Any, two_pages: Origin) -> None:
    gate = await open_gate("once")
    await _get(gate, "/a")
    await gate.keep()
    gate = await open_gate("rewrite", f"api.openai.com={two_pages.url}")
    assert (await gate.keep()).trouble is None
    assert _held(gate) == [("/a", b"1")]
