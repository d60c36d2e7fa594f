"""What the gateway keeps of one run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fixture_server.message import Asked
from pytest_webretrieval.wire.attempt import Halt
from pytest_webretrieval.wire.recording import Recording, Unrecorded

SETTLE_S = 2.0


@dataclass(slots=True, kw_only=True, eq=False)
class GatewayRun:
    """``fetched`` are the URLs that gave the system something; ``under_way`` are done when their response is. ``last``
    is the last request to an API, by its host: it shows the system's key. Connections to hosts in ``spliced`` are
    passed on unopened. ``sent`` counts requests, ``trouble`` says why no more are passed on."""

    recording: Recording | Unrecorded
    fetched: set[str] = field(default_factory=set)
    under_way: set[asyncio.Future[None]] = field(default_factory=set)
    last: dict[str, Asked] = field(default_factory=dict)
    spliced: frozenset[str] = frozenset()
    sent: int = 0
    trouble: Halt | None = None

    @contextmanager
    def passing(self) -> Iterator[None]:
        """While a response is passed on."""
        done = asyncio.get_running_loop().create_future()
        self.under_way.add(done)
        try:
            yield
        finally:
            self.under_way.discard(done)
            done.set_result(None)

    async def settle(self) -> None:
        """Wait for the responses under way: their clients are gone, so they end at once."""
        if self.under_way:
            await asyncio.wait(self.under_way, timeout=SETTLE_S)
