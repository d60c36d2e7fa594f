"""Recorded turns as a file: what is read is what was written, byte for byte."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from fixture_server.model.tape import Tape, Turn, read_tape, recorded_seeds, tape_path, write_tape
from pytest_webretrieval.wire.cassettes import RecordingError

BODIES = {
    "json": '{"a":"ä","b":[1,2.5,null]}',
    "spaced json": '{"a": "b", "c": [1, 2]}',
    "json in another order of space": '{ "a" : 1 }',
    "lines": "one\n  two\n\nthree \n",
    "a stream": 'data: {"a": "b"}\n\n',
    "carriage returns": "a\r\nb\r\n",
    "what YAML might take for something else": "yes",
    "a number": "12",
    "nothing": "",
    "bytes": b"\xff\xfe\x00".decode("utf-8", "surrogateescape"),
    "half a character's escape": '{"a":"\\ud800"}',
    "controls": "a\x00\x07\x1b[0m\u2028b\ufeff",
}


def tape(*chunks: tuple[float, str]) -> Tape:
    turn = Turn(
        method="POST",
        host="api.openai.com",
        target="/v1/chat/completions?x=1",
        upstream="https://api.openai.com",
        asked={"model": "m", "messages": [{"role": "user", "content": "two\nlines"}]},
        status=200,
        headers={"content-type": "text/event-stream"},
        chunks=chunks,
        cut="incomplete_body",
        began_s=0.125,
    )
    return Tape(
        case="any-v1::A",
        seed=3,
        trial=1,
        recorded_at=datetime(2026, 11, 30, 3, 20, tzinfo=UTC),
        versions={"pytest-webretrieval": "0.1.0"},
        places={"https://harbour.example/a": "fixture://harbour/a"},
        turns=(turn,),
    )


@pytest.mark.parametrize("kind", BODIES)
def test_a_body_comes_back_as_it_was(tmp_path: Path, kind: str) -> None:
    written = tape((0.5, BODIES[kind]))
    write_tape(tmp_path / "deep" / "a.yaml", written)
    assert read_tape(tmp_path / "deep" / "a.yaml") == written


def test_parts_stay_parts(tmp_path: Path) -> None:
    written = tape((0.0, 'data: {"a"'), (0.25, ': "b"}\n\n'), (1.5, "data: [DONE]\n\n"))
    write_tape(tmp_path / "a.yaml", written)
    assert read_tape(tmp_path / "a.yaml") == written
    shown = (tmp_path / "a.yaml").read_text(encoding="utf-8")
    assert [line.strip() for line in shown.splitlines()].index(
        "two"
    ) > 0  # a text of two lines stands in two lines


def test_where_they_are(tmp_path: Path) -> None:
    assert tape_path(tmp_path, "any-v1::A/1", 3, 0) == tmp_path / "models/any-v1/A%2F1/seed-3.yaml"
    for seed, trial in ((3, 0), (3, 1), (10, 0)):
        write_tape(tape_path(tmp_path, "any-v1::A", seed, trial), tape())
    assert recorded_seeds(tmp_path, "any-v1::A") == [3, 10]


@pytest.mark.parametrize("text", ["", "schema: other\n", "[1, 2]", "a: [", "schema: webretrieval.turns/1\n"])
def test_what_is_none_is_told_with_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RecordingError, match=r"a\.yaml is no recording of turns: .*; record it anew"):
        read_tape(tmp_path / "a.yaml")
