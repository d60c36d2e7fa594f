"""A stub: the place of one toxic in the chain of a link, and what passes there."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Chunk:
    """Bytes, and when they came (monotonic seconds)."""

    data: bytes
    came: float


Pipe = asyncio.Queue[Chunk | None]


def new_pipe(room: int = 1) -> Pipe:
    """A pipe of so many chunks; a writer waits while it is full, as a socket's peer does."""
    return asyncio.Queue(room)


@dataclass(slots=True)
class Stub:
    """What a toxic takes from and gives to. A toxic can be stopped at any wait: what it has taken and not given is
    ``held``, and goes out before anything else."""

    source: Pipe
    sink: Pipe
    resets: Callable[[], None]
    passed: int = 0
    ended: bool = False
    closed: bool = False
    held: Chunk | None = None
    before: deque[Chunk | None] = field(default_factory=deque)

    async def take(self) -> Chunk | None:
        """The next chunk; None when there are no more, and from then on."""
        if self.ended:
            return None
        chunk = self.before.popleft() if self.before else await self.source.get()
        self.held, self.ended = chunk, chunk is None
        return chunk

    async def give(self, chunk: Chunk) -> None:
        """Pass a chunk on."""
        await self.sink.put(chunk)
        self.held = None

    def keep(self, rest: Chunk) -> Chunk:
        """What is left of a chunk of which a part was passed on."""
        self.held = rest
        return rest

    def drop(self) -> None:
        """Let go of what was taken."""
        self.held = None

    async def close(self) -> None:
        """Nothing more goes through here."""
        self.ended = True
        await self.sink.put(None)
        self.closed = True

    def put_back(self) -> None:
        """Of a toxic that was stopped: what it holds goes out by the next one."""
        if self.held is not None:
            self.before.appendleft(self.held)
            self.held = None
