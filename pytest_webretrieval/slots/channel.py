"""The harness's ends of the sockets to the processes of a carrier."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from pytest_webretrieval.wire.doors import Door
from pytest_webretrieval.wire.frames import FrameError, pack, read

from .frames import split

_MOST_FDS = 253  # SCM_MAX_FD: as many as the kernel passes at once


class Gone(Exception):
    """The far end closed its socket."""


class Channel:
    """Messages to and from one process. Until ``open`` it can receive descriptors, afterwards messages of
    any size."""

    def __init__(self, own: socket.socket) -> None:
        self._socket = own
        self._socket.setblocking(False)
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def first(self) -> tuple[dict[str, Any], list[int]]:
        """One message with the descriptors that came along. Raises Gone."""
        buffer, descriptors = bytearray(), list[int]()
        try:
            while (frame := split(buffer)) is None:
                await _readable(self._socket)
                with suppress(BlockingIOError):
                    data, more, _, _ = socket.recv_fds(self._socket, 1 << 16, _MOST_FDS)
                    descriptors += more
                    buffer += data
                    if not data:
                        raise Gone
        except BaseException as error:
            for descriptor in descriptors:
                os.close(descriptor)
            if isinstance(error, ConnectionError):
                raise Gone from error
            raise
        return frame.message(), descriptors

    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection(sock=self._socket)

    async def receive(self) -> tuple[dict[str, Any], tuple[bytes, ...]]:
        """Raises Gone."""
        assert self._reader is not None
        try:
            got = await read(self._reader)
        except FrameError as error:
            raise Gone from error
        if got is None:
            raise Gone
        return got

    def send(self, message: dict[str, Any], blobs: tuple[bytes, ...] = (), fds: Iterable[int] = ()) -> None:
        """Without ``open``, the message must be a small one. Raises Gone."""
        try:
            if self._writer is not None:
                self._writer.write(pack(message, blobs))
            else:
                socket.send_fds(self._socket, [pack(message, blobs)], list(fds))
        except OSError as error:
            raise Gone from error

    def finish(self) -> None:
        """Tell the far end that nothing more will come, even if a forked copy of this process holds the
        socket."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.finish()
        if self._writer is not None:
            self._writer.close()
        else:
            self._socket.close()


def doors_of(message: dict[str, Any], descriptors: list[int]) -> tuple[Door, ...]:
    """The doors that a message names, with the descriptors that came with it."""
    return tuple(
        Door(kind, family, descriptor, target)
        for (kind, family, target), descriptor in zip(message["doors"], descriptors, strict=True)
    )


async def _readable(waiting: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    ready = loop.create_future()
    loop.add_reader(waiting, lambda: None if ready.done() else ready.set_result(None))
    try:
        await ready
    finally:
        loop.remove_reader(waiting)
