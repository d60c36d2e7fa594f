"""Toxics: what is done to the bytes of one direction of one connection. Their names, attributes and ways are
Toxiproxy's."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic

from pytest_webretrieval.cases.faults import ATTRIBUTES

from .stub import Chunk, Stub

STREAMS = ("upstream", "downstream")
NOOP = "noop"
KINDS: Mapping[str, tuple[str, ...]] = {NOOP: (), **ATTRIBUTES}
_MS, _US = 1e-3, 1e-6
# A piece of what is sent at a limited rate goes out this often.
_TICK_S = 0.1


@dataclass(slots=True, kw_only=True)
class Toxic:
    """One toxic of a proxy. ``toxicity`` is the share of connections that it meets; attributes that are not said are
    0."""

    name: str
    kind: str
    stream: str = "downstream"
    toxicity: float = 1.0
    attributes: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, attribute: str) -> int:
        return self.attributes.get(attribute, 0)


async def run(stub: Stub, toxic: Toxic, chance: random.Random) -> None:
    """Pass on what comes to ``stub`` as the toxic has it, until the stub is closed or the task cancelled."""
    meets = chance.random() < toxic.toxicity
    await _PIPES[toxic.kind if meets else NOOP](stub, toxic, chance)


async def _noop(stub: Stub, _: Toxic, __: random.Random) -> None:
    while (chunk := await stub.take()) is not None:
        await stub.give(chunk)
    await stub.close()


async def _latency(stub: Stub, toxic: Toxic, chance: random.Random) -> None:
    while (chunk := await stub.take()) is not None:
        delay_ms = toxic["latency"]
        if toxic["jitter"] > 0:
            delay_ms += chance.randrange(2 * toxic["jitter"]) - toxic["jitter"]
        wait_s = chunk.came + delay_ms * _MS - monotonic()
        await asyncio.sleep(max(0.0, wait_s))
        # Later toxics of the chain add to this one.
        await stub.give(Chunk(chunk.data, chunk.came + max(0.0, wait_s)))
    await stub.close()


async def _bandwidth(stub: Stub, toxic: Toxic, _: random.Random) -> None:
    rate = toxic["rate"] * 1000
    owed_s = 0.0
    while (chunk := await stub.take()) is not None:
        if rate <= 0:
            await asyncio.Event().wait()  # for good, or until the toxic is changed
        owed_s += len(chunk.data) / rate
        piece = max(1, int(rate * _TICK_S))
        while len(chunk.data) > piece:
            await asyncio.sleep(_TICK_S)
            await stub.give(Chunk(chunk.data[:piece], chunk.came))
            chunk = stub.keep(Chunk(chunk.data[piece:], chunk.came))
            owed_s -= _TICK_S
        began = monotonic()
        await asyncio.sleep(max(0.0, owed_s))
        owed_s -= monotonic() - began
        await stub.give(chunk)
    await stub.close()


async def _slow_close(stub: Stub, toxic: Toxic, _: random.Random) -> None:
    while (chunk := await stub.take()) is not None:
        await stub.give(chunk)
    await asyncio.sleep(toxic["delay"] * _MS)
    await stub.close()


async def _timeout(stub: Stub, toxic: Toxic, _: random.Random) -> None:
    """The time begins anew with whatever comes; 0 is for good. What came is dropped."""
    patience = toxic["timeout"] * _MS or None
    try:
        while True:
            async with asyncio.timeout(patience):
                if await stub.take() is None:
                    break
                stub.drop()
    except TimeoutError:
        pass
    await stub.close()


async def _reset_peer(stub: Stub, toxic: Toxic, _: random.Random) -> None:
    """Whatever comes first brings the reset, the end of the stream too."""
    await stub.take()
    stub.drop()
    await asyncio.sleep(toxic["timeout"] * _MS)
    stub.resets()
    await stub.close()


async def _slicer(stub: Stub, toxic: Toxic, chance: random.Random) -> None:
    average, variation = toxic["average_size"], toxic["size_variation"]
    while (chunk := await stub.take()) is not None:
        sizes = slices(len(chunk.data), average, variation, chance)
        for size in sizes:
            await stub.give(Chunk(chunk.data[:size], chunk.came))
            chunk = stub.keep(Chunk(chunk.data[size:], chunk.came))
            await asyncio.sleep(toxic["delay"] * _US)
        stub.drop()
    await stub.close()


def slices(size: int, average: int, variation: int, chance: random.Random) -> list[int]:
    """The sizes of the slices of so many bytes: halved, a little off the middle, until each is about the average."""
    if size - average <= variation or size < 2:
        return [size]
    middle = size // 2
    if variation > 0:
        middle = min(size - 1, max(1, middle + chance.randrange(2 * variation) - variation))
    return [
        *slices(middle, average, variation, chance),
        *slices(size - middle, average, variation, chance),
    ]


async def _limit_data(stub: Stub, toxic: Toxic, _: random.Random) -> None:
    while (chunk := await stub.take()) is not None:
        left = max(0, toxic["bytes"] - stub.passed)
        part = stub.keep(Chunk(chunk.data[:left], chunk.came))
        if left:
            await stub.give(part)
            stub.passed += len(part.data)
        if stub.passed >= toxic["bytes"]:
            break
    await stub.close()


_PIPES: Mapping[str, Callable[[Stub, Toxic, random.Random], Awaitable[None]]] = {
    NOOP: _noop,
    "latency": _latency,
    "bandwidth": _bandwidth,
    "slow_close": _slow_close,
    "timeout": _timeout,
    "reset_peer": _reset_peer,
    "slicer": _slicer,
    "limit_data": _limit_data,
}
