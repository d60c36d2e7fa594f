"""Proxies with toxics, in this process and on its event loop: what Toxiproxy has in a server of its own."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any

from .link import Link
from .toxics import Toxic

CONNECT_S = 10.0
Chance = Callable[[int], random.Random]


class NoSuchToxic(LookupError):
    """A proxy has no toxic of this name."""


def seeded(seed: object) -> Chance:
    """A generator a connection, the same for the same seed and number."""
    return lambda number: random.Random(f"{seed}:{number}")


@dataclass(slots=True, eq=False)
class _Connection:
    client: socket.socket
    server: socket.socket
    links: dict[str, Link] = field(default_factory=dict)

    async def close(self) -> None:
        for link in self.links.values():
            await link.close()
        self.client.close()
        self.server.close()


class Proxy:
    """A listening address whose connections go on to another, by toxics. ``listen`` and ``upstream`` are HOST:PORT;
    port 0 is a free one, which ``listen`` then says. ``chance`` draws for each connection, by its number from 1."""

    def __init__(self, name: str, listen: str, upstream: str, chance: Chance) -> None:
        self.name, self.listen, self.upstream = name, listen, upstream
        self.toxics: list[Toxic] = []
        self.accepted = 0
        self._chance = chance
        self._listener: socket.socket | None = None
        self._connections: set[_Connection] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def enabled(self) -> bool:
        """Whether it listens."""
        return self._listener is not None

    def enable(self) -> None:
        """Listen, if it does not. Raises OSError."""
        if self._listener is not None:
            return
        listener = _listening(self.listen)
        host, port = listener.getsockname()[:2]
        self.listen = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._listener = listener
        asyncio.get_running_loop().add_reader(listener.fileno(), self._accept)

    async def disable(self) -> None:
        """Listen no more, and end every connection."""
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener.fileno())
            self._listener.close()
            self._listener = None
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for connection in list(self._connections):
            await connection.close()
        self._connections.clear()

    async def move(self, listen: str, upstream: str) -> None:
        """Take another address on either side. Raises OSError."""
        enabled = self.enabled
        await self.disable()
        self.listen, self.upstream = listen, upstream
        if enabled:
            self.enable()

    def toxic(self, name: str) -> Toxic:
        """Raises NoSuchToxic."""
        for toxic in self.toxics:
            if toxic.name == name:
                return toxic
        raise NoSuchToxic(name)

    async def add(self, toxic: Toxic) -> None:
        """Put a toxic at the end of its stream's chain, of open connections too."""
        self.toxics.append(toxic)
        for link in self._links(toxic.stream):
            await link.add(toxic)

    async def update(self, toxic: Toxic) -> None:
        """Tell open connections that the toxic has changed."""
        for link in self._links(toxic.stream):
            await link.update(toxic)

    async def remove(self, toxic: Toxic) -> None:
        """Take a toxic away, from open connections too."""
        self.toxics.remove(toxic)
        for link in self._links(toxic.stream):
            await link.remove(toxic)

    def chain(self, stream: str) -> list[Toxic]:
        """The toxics of one stream, in order."""
        return [toxic for toxic in self.toxics if toxic.stream == stream]

    def _links(self, stream: str) -> list[Link]:
        return [connection.links[stream] for connection in self._connections]

    def _accept(self) -> None:
        assert self._listener is not None
        try:
            client, _ = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        client.setblocking(False)
        self._begin(self._connect(client))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, client: socket.socket) -> None:
        self.accepted += 1
        chance = self._chance(self.accepted)
        try:
            async with asyncio.timeout(CONNECT_S):
                server = await _connected(self.upstream)
        except (OSError, TimeoutError):
            client.close()
            return
        except asyncio.CancelledError:
            client.close()
            raise
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = _Connection(client, server)
        for stream, source, sink in (("upstream", client, server), ("downstream", server, client)):
            own = random.Random(chance.random())
            connection.links[stream] = Link(
                source, sink, self.chain(stream), own, lambda: self._end(connection)
            )
        self._connections.add(connection)

    def _end(self, connection: _Connection) -> None:
        """One direction is over, and with it the other."""
        if connection in self._connections:
            self._connections.discard(connection)
            self._begin(connection.close())


class Proxies:
    """All proxies of a server, by name. ``seed`` is that of what is drawn."""

    def __init__(self, seed: object = 0) -> None:
        self._seed = seed
        self._proxies: dict[str, Proxy] = {}

    def __iter__(self) -> Iterator[Proxy]:
        return iter(list(self._proxies.values()))

    def get(self, name: str) -> Proxy | None:
        """The proxy of this name."""
        return self._proxies.get(name)

    def add(
        self, name: str, listen: str, upstream: str, *, enabled: bool = True, chance: Chance | None = None
    ) -> Proxy:
        """Make a proxy; the name is free. ``chance`` draws instead of the seed. Raises OSError where it cannot
        listen."""
        proxy = Proxy(name, listen, upstream, chance or seeded(f"{self._seed}:{name}"))
        if enabled:
            proxy.enable()
        self._proxies[name] = proxy
        return proxy

    async def remove(self, proxy: Proxy) -> None:
        """End a proxy and its connections."""
        del self._proxies[proxy.name]
        await proxy.disable()

    async def reset(self) -> None:
        """Every proxy listens, none has a toxic. Raises OSError."""
        for proxy in self:
            proxy.enable()
            for toxic in list(proxy.toxics):
                await proxy.remove(toxic)

    async def close(self) -> None:
        """End all."""
        for proxy in self:
            await self.remove(proxy)


def split_address(address: str) -> tuple[str, int]:
    """HOST:PORT, or :PORT, as Toxiproxy writes addresses. Raises OSError."""
    host, colon, port = address.rpartition(":")
    if address and not (colon and port.isdecimal()):
        raise OSError(f"address {address}: not HOST:PORT")
    return host.removeprefix("[").removesuffix("]"), int(port or 0)


def _listening(address: str) -> socket.socket:
    host, port = split_address(address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


async def _connected(address: str) -> socket.socket:
    host, port = split_address(address)
    loop = asyncio.get_running_loop()
    problem: OSError = OSError(f"no address for {address}")
    for family, kind, _, _, there in await loop.getaddrinfo(host or None, port, type=socket.SOCK_STREAM):
        server = socket.socket(family, kind)
        server.setblocking(False)
        try:
            await loop.sock_connect(server, there)
        except OSError as error:
            problem = error
            server.close()
        except BaseException:
            server.close()
            raise
        else:
            return server
    raise problem
