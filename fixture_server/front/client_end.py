"""The client's end of a connection: what it says in plain bytes, whether or not it came by TLS, and every way to end
it."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import socket
import ssl
import struct
import termios
from collections.abc import Callable

from pytest_webretrieval.faults.link import reset_when_closed

_PIECE = 32 * 1024
SENT_S = 2.0
_LOOK_AGAIN_S = 0.002


class Refused(Exception):
    """The connection was not to be answered."""


class ClientEnd:
    """A connection that was accepted; with TLS when a context is given. Errors are OSError, as is
    ``ssl.SSLError``."""

    def __init__(self, connection: socket.socket, context: ssl.SSLContext | None) -> None:
        self._socket = connection
        self._sending = asyncio.Lock()
        self._heard, self._said = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls: ssl.SSLObject | None = None
        if context is not None:
            self._tls = context.wrap_bio(self._heard, self._said, server_side=True)
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    async def greet(self, refuses: Callable[[], bool]) -> None:
        """Shake hands; ``refuses`` is asked before anything is said. Raises Refused, OSError.

        Nobody is refused before the first word: a reset that comes while the client still connects would send it to the
        host's next address, or not, as chance has it.
        """
        if self._tls is None:
            if refuses():
                await asyncio.get_running_loop().sock_recv(self._socket, 1)
                raise Refused
            return
        has_spoken = False
        while True:
            try:
                self._tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                if has_spoken and refuses():
                    raise Refused from None
                await self._flush()
                await self._hear()
                has_spoken = True
            except ssl.SSLError:
                await self._flush()
                raise
        await self._flush()

    async def read(self) -> bytes:
        """What comes next; empty at the end."""
        if self._tls is None:
            return await asyncio.get_running_loop().sock_recv(self._socket, _PIECE)
        while True:
            try:
                return self._tls.read(_PIECE)
            except ssl.SSLWantReadError:
                await self._flush()
                await self._hear()
            except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                return b""

    async def write(self, data: bytes) -> None:
        """Send; it is with the kernel afterwards."""
        if self._tls is not None:
            self._tls.write(data)
            await self._flush()
        else:
            async with self._sending:
                await asyncio.get_running_loop().sock_sendall(self._socket, data)

    async def close(self) -> None:
        """End as a server does that has said all."""
        if self._tls is not None:
            # It wants the client's goodbye too, and writes its own all the same.
            with contextlib.suppress(OSError):
                self._tls.unwrap()
            with contextlib.suppress(OSError):
                await self._flush()
        self._socket.close()

    def cut(self) -> None:
        """End as a line does that is cut by somebody who does not speak TLS."""
        self._socket.close()

    async def reset(self) -> None:
        """End by a reset, once the client's machine has what was sent before."""
        for _ in range(int(SENT_S / _LOOK_AGAIN_S)):
            if not self._unsent():
                break
            await asyncio.sleep(_LOOK_AGAIN_S)
        reset_when_closed(self._socket)
        self._socket.close()

    def _unsent(self) -> int:
        """Bytes that the other machine has not acknowledged."""
        try:
            told = fcntl.ioctl(self._socket, termios.TIOCOUTQ, struct.pack("i", 0))
        except OSError:
            return 0
        return int(struct.unpack("i", told)[0])

    async def _hear(self) -> None:
        data = await asyncio.get_running_loop().sock_recv(self._socket, _PIECE)
        if data:
            self._heard.write(data)
        else:
            self._heard.write_eof()

    async def _flush(self) -> None:
        async with self._sending:
            if data := self._said.read():
                await asyncio.get_running_loop().sock_sendall(self._socket, data)
