"""What is drawn is drawn again by the same seed, and stubs lose nothing when a toxic is stopped."""

from __future__ import annotations

import asyncio
import random
import socket

import pytest

from pytest_webretrieval.faults.embedded import seeded
from pytest_webretrieval.faults.link import Link
from pytest_webretrieval.faults.toxics import Toxic, slices


@pytest.mark.parametrize(
    ("size", "average", "variation"), [(100_000, 1000, 100), (7, 1, 0), (1, 5, 9), (10, 0, 4)]
)
def test_slices_are_the_whole(size: int, average: int, variation: int) -> None:
    found = slices(size, average, variation, random.Random(1))
    assert sum(found) == size
    assert min(found) > 0
    assert found == slices(size, average, variation, random.Random(1))
    if variation and size > 1000:
        assert found != slices(size, average, variation, random.Random(2))


def test_connections_draw_by_their_number() -> None:
    assert seeded(3)(1).random() == seeded(3)(1).random()
    assert len({seeded(3)(1).random(), seeded(3)(2).random(), seeded(4)(1).random()}) == 3


@pytest.mark.asyncio
async def test_nothing_is_lost_while_toxics_come_and_go() -> None:
    """A stream of numbers, with toxics that hold it back changed at every moment."""
    (writer, source), (sink, reader) = socket.socketpair(), socket.socketpair()
    for end in (writer, source, sink, reader):
        end.setblocking(False)
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    link = Link(source, sink, [], random.Random(0), over.set)
    sent = b"".join(b"%06d" % number for number in range(20_000))
    toxics = [
        Toxic(name="a", kind="latency", attributes={"latency": 3, "jitter": 2}),
        Toxic(name="b", kind="slicer", attributes={"average_size": 700, "size_variation": 50, "delay": 10}),
        Toxic(name="c", kind="bandwidth", attributes={"rate": 2000}),
        Toxic(name="d", kind="slow_close", attributes={"delay": 1}),
    ]

    async def change() -> None:
        for _ in range(8):
            for toxic in toxics:
                await link.add(toxic)
                await asyncio.sleep(0.001)
                await link.update(toxic)
            for toxic in toxics:
                await asyncio.sleep(0.001)
                await link.remove(toxic)

    async def send() -> None:
        await loop.sock_sendall(writer, sent)
        writer.shutdown(socket.SHUT_WR)

    async def receive() -> bytes:
        got = b""
        while len(got) < len(sent):
            got += await loop.sock_recv(reader, 1 << 16)
        return got

    async with asyncio.timeout(60):
        _, _, got = await asyncio.gather(change(), send(), receive())
        assert got == sent
        await over.wait()
    await link.close()
    for end in (writer, source, sink, reader):
        end.close()
