"""A link: one direction of one proxied connection, a chain of stubs between two sockets."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from collections.abc import Callable, Sequence
from itertools import pairwise
from time import monotonic

from .stub import Chunk, Stub, new_pipe
from .toxics import NOOP, Toxic, run

_PIECE = 32 * 1024
# Delayed chunks wait in front of their toxic; nothing else shall wait for them.
_ROOM = {"latency": 1024}
_FIRST = Toxic(name="", kind=NOOP)


class Link:
    """Bytes from ``source`` by the toxics to ``sink``. The first stub has no toxic: toxics come and go behind it."""

    def __init__(
        self,
        source: socket.socket,
        sink: socket.socket,
        toxics: Sequence[Toxic],
        chance: random.Random,
        over: Callable[[], None],
    ) -> None:
        self._source, self._sink, self._chance, self._over = source, sink, chance, over
        self._toxics = [_FIRST, *toxics]
        pipes = [new_pipe(_ROOM.get(toxic.kind, 1)) for toxic in self._toxics] + [new_pipe()]
        self._stubs = [Stub(before, after, self._reset) for before, after in pairwise(pipes)]
        loop = asyncio.get_running_loop()
        self._runs = [self._run(place) for place in range(len(self._stubs))]
        self._ends = [loop.create_task(self._read()), loop.create_task(self._write())]

    async def add(self, toxic: Toxic) -> None:
        """Put a toxic at the chain's end."""
        last = len(self._stubs) - 1
        await self._stop(last)
        between = new_pipe(_ROOM.get(toxic.kind, 1))
        self._stubs.append(Stub(between, self._stubs[last].sink, self._reset))
        self._stubs[last].sink = between
        self._toxics.append(toxic)
        if self._stubs[last].closed:
            self._stubs[last].closed = False  # it says so again, to the new one
        self._runs[last] = self._run(last)
        self._runs.append(self._run(last + 1))

    async def update(self, toxic: Toxic) -> None:
        """The toxic has changed: whether it meets this link is drawn anew."""
        place = self._toxics.index(toxic)
        await self._stop(place)
        self._runs[place] = self._run(place)

    async def remove(self, toxic: Toxic) -> None:
        """Take a toxic out; what it held back goes on. One that drops what comes takes the connection with it."""
        place = self._toxics.index(toxic)
        before, gone = self._stubs[place - 1], self._stubs[place]
        for one in (place - 1, place):
            await self._stop(one)
        if toxic.kind == "timeout":
            await gone.close()
        while not gone.source.empty():
            gone.before.append(gone.source.get_nowait())
        before.before.extendleft(reversed(gone.before))
        if gone.ended:
            before.before.append(None)
        before.sink, before.closed, before.ended = gone.sink, gone.closed, False
        del self._toxics[place], self._stubs[place], self._runs[place]
        self._runs[place - 1] = self._run(place - 1)

    async def close(self) -> None:
        """Stop. The sockets are whoever's made the link."""
        tasks = [*self._ends, *self._runs]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _run(self, place: int) -> asyncio.Task[None]:
        stub, toxic = self._stubs[place], self._toxics[place]
        return asyncio.get_running_loop().create_task(_through(stub, toxic, self._chance))

    async def _stop(self, place: int) -> None:
        self._runs[place].cancel()
        await asyncio.gather(self._runs[place], return_exceptions=True)
        self._stubs[place].put_back()

    async def _read(self) -> None:
        loop, pipe = asyncio.get_running_loop(), self._stubs[0].source
        try:
            while data := await loop.sock_recv(self._source, _PIECE):
                await pipe.put(Chunk(data, monotonic()))
        except OSError:
            pass
        await pipe.put(None)

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            # Toxics come and go before it.
            pipe = self._stubs[-1].sink
            while (chunk := await pipe.get()) is not None:
                await loop.sock_sendall(self._sink, chunk.data)
        except OSError:
            pass
        self._over()

    def _reset(self) -> None:
        for end in (self._source, self._sink):
            reset_when_closed(end)


async def _through(stub: Stub, toxic: Toxic, chance: random.Random) -> None:
    if not stub.closed:
        await run(stub, toxic, chance)


def reset_when_closed(end: socket.socket) -> None:
    """Have a connection end by a reset, and what was not sent dropped."""
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
