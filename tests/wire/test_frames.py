"""Messages of any size as frames, and what is none."""

from __future__ import annotations

import asyncio

import pytest

from pytest_webretrieval.wire import frames


async def _read(*sent: bytes) -> list[tuple[dict[str, object], tuple[bytes, ...]]]:
    reader = asyncio.StreamReader()
    for frame in sent:
        reader.feed_data(frame)
    reader.feed_eof()
    found = []
    while (frame := await frames.read(reader)) is not None:
        found.append(frame)
    return found


@pytest.mark.asyncio
async def test_much_goes_ahead_of_its_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "PART", 100)
    monkeypatch.setattr(frames, "LIMIT", 300)
    blobs = tuple(bytes([number]) * 40 for number in range(20))
    parts = await _read(*frames.pack_parts({"id": 7, "bodies": 20}, blobs))
    assert [message for message, _ in parts] == [{"id": 7, "ahead": True}] * 9 + [{"id": 7, "bodies": 20}]
    assert tuple(blob for _, some in parts for blob in some) == blobs


@pytest.mark.asyncio
async def test_little_is_one_frame() -> None:
    assert await _read(*frames.pack_parts({"id": 1}, (b"a", b""))) == [({"id": 1}, (b"a", b""))]


def test_what_could_not_be_read_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "LIMIT", 100)
    with pytest.raises(frames.FrameError, match="and 100 is the limit"):
        list(frames.pack_parts({"id": 1, "rows": "x" * 100}, ()))
