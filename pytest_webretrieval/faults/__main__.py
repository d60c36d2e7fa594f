"""``python -m pytest_webretrieval.faults [--host H] [--port P]``: the embedded proxies with Toxiproxy's API, for
toxiproxy-python and other clients of it."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence

from aiohttp import web

from .api import application
from .embedded import Proxies

PORT = 8474


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m pytest_webretrieval.faults", description="Toxiproxy's API without Toxiproxy."
    )
    parser.add_argument("--host", default="127.0.0.1", help="address of the API (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=PORT, help=f"port of the API (default: {PORT}; 0: any)")
    parser.add_argument("--seed", type=int, default=0, help="seed of what is drawn (default: 0)")
    given = parser.parse_args(arguments)
    try:
        asyncio.run(_serve(given.host, given.port, given.seed))
    except KeyboardInterrupt:
        return


async def _serve(host: str, port: int, seed: int) -> None:
    proxies = Proxies(seed)
    runner = web.AppRunner(application(proxies), access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        sys.stdout.write(f"http://{host}:{runner.addresses[0][1]}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()
        await proxies.close()


if __name__ == "__main__":
    main()
