"""Ways from the front to the server: straight, or by a proxy with toxics, the embedded one or a real Toxiproxy."""

from __future__ import annotations

import asyncio
import itertools
import random
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pytest_webretrieval.cases.faults import Fault
from pytest_webretrieval.faults import toxiproxy
from pytest_webretrieval.faults.embedded import Proxies, split_address
from pytest_webretrieval.faults.toxics import Toxic

OPEN_S = 10.0


class Proxying(Protocol):
    """Makes a proxy to an address, and ends it."""

    async def open(self, name: str, upstream: str, toxics: Sequence[Toxic], seed: str) -> str: ...

    async def close(self, name: str) -> None: ...


class Embedded:
    """Proxies of this process."""

    def __init__(self) -> None:
        self._proxies = Proxies()

    async def open(self, name: str, upstream: str, toxics: Sequence[Toxic], seed: str) -> str:
        proxy = self._proxies.add(name, "127.0.0.1:0", upstream, chance=lambda _: random.Random(seed))
        for toxic in toxics:
            await proxy.add(toxic)
        return proxy.listen

    async def close(self, name: str) -> None:
        if (proxy := self._proxies.get(name)) is not None:
            await self._proxies.remove(proxy)


class Real:
    """Proxies of a real Toxiproxy; what its toxics draw, they draw by themselves. One call at a time: its client keeps
    what it knows in a class."""

    def __init__(self, server: toxiproxy.Toxiproxy) -> None:
        self._server, self._one = server, asyncio.Lock()

    async def open(self, name: str, upstream: str, toxics: Sequence[Toxic], seed: str) -> str:
        async with self._one:
            return await asyncio.to_thread(self._server.create, name, upstream, toxics)

    async def close(self, name: str) -> None:
        async with self._one:
            await asyncio.to_thread(self._server.remove, name)


def proxying(asked: str, before: Callable[[], None]) -> Proxying:
    """What ``--webretrieval-toxiproxy`` asks for; a program is started, with ``before`` called in its process. Raises
    ToxiproxyFailure."""
    choice = toxiproxy.choose(asked)
    if choice.program is not None:
        _, url = toxiproxy.start(choice.program, before)
        return Real(toxiproxy.Toxiproxy(url))
    return Embedded() if choice.url is None else Real(toxiproxy.Toxiproxy(choice.url))


@dataclass(frozen=True, slots=True)
class Way:
    """The two ends of a way: the front's, and the one that the server has to serve; ``proxy`` names what is between."""

    here: socket.socket
    there: socket.socket
    proxy: str | None = None


_numbers = itertools.count(1)


async def open_way(faults: Sequence[Fault], by: Proxying, name: str, seed: str) -> Way:
    """A way by these toxics, in order; straight without any. ``name`` is for people who look at the proxy. Raises
    OSError, TimeoutError or ToxiproxyFailure."""
    if not faults:
        here, there = socket.socketpair()
        for end in (here, there):
            end.setblocking(False)
        return Way(here, there)
    toxics = [
        Toxic(
            name=f"{number}_{fault.toxic}_{fault.stream}",
            kind=fault.toxic,
            stream=fault.stream,
            attributes=dict(fault.attributes),
        )
        for number, fault in enumerate(faults, 1)
    ]
    proxy = f"{name}-{next(_numbers)}"
    # A listener of its own for each: who comes by it is known without a word.
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        listen = await by.open(proxy, f"127.0.0.1:{listener.getsockname()[1]}", toxics, seed)
        loop, here = asyncio.get_running_loop(), socket.socket()
        here.setblocking(False)
        try:
            async with asyncio.timeout(OPEN_S):
                await loop.sock_connect(here, split_address(listen))
                there, _ = await loop.sock_accept(listener)
        except BaseException:
            here.close()
            await by.close(proxy)
            raise
    for end in (here, there):
        end.setblocking(False)
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Way(here, there, proxy)
