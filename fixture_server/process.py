"""The world's process: ``python -m fixture_server.process CONTROL FDS``, started by
``fixture_server.client``.

The authority is made before anything heavy is imported, so that the harness can go on while the sites load.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

from pytest_webretrieval.wire import frames

from .certificates import make_authority
from .lifeline import die_with_the_harness

if TYPE_CHECKING:
    import trustme


def main() -> None:
    """Serve until the harness stops the world or is gone."""
    control, fds = (socket.socket(fileno=int(argument)) for argument in sys.argv[1:3])
    die_with_the_harness()
    # Ctrl-C is the harness's: it goes to the whole group, and the world must outlive it to give the last log.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    start = frames.receive(control)
    if start is None:
        return
    authority = make_authority()
    control.sendall(frames.pack({"ca": authority.cert_pem.bytes().decode()}))
    serve(control, fds, authority, start[0])


def serve(control: socket.socket, fds: socket.socket, authority: trustme.CA, start: dict[str, Any]) -> None:
    """Load what the start message names, then obey messages."""
    import asyncio
    import gc
    from pathlib import Path

    sys.path.extend(entry for entry in start["path"] if entry not in sys.path)
    from .dialects.registry import offers
    from .world import load

    try:
        told = offers()
        world = load([Path(path) for path in start["truths"]], [Path(path) for path in start["sites"]])
    except Exception as error:
        control.sendall(frames.pack({"failure": str(error) or type(error).__name__}))
        return
    control.sendall(frames.pack({"scenes": sorted(world.sites.scenes), "dialects": told}))
    gc.collect()
    gc.freeze()

    async def live() -> None:
        from .certificates import by_name
        from .connection import greeted
        from .control import converse
        from .hall import Hall, outward_of

        crashes: list[str] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: crashes.append(str(context.get("exception") or context["message"]))
        )
        control.setblocking(False)
        reader, writer = await asyncio.open_unix_connection(sock=control)
        hall = Hall(world=world, context=by_name(authority, greeted), fds=fds, outward=outward_of(start))
        await converse(hall, reader, writer, crashes)

    asyncio.run(live())


if __name__ == "__main__":
    main()
    os._exit(0)
