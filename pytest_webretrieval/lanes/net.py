"""One command in one slot against the world, for a look at what a client does."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from fixture_server.client import World, WorldFailure
from pytest_webretrieval.slots.carrier import open_carrier
from pytest_webretrieval.slots.command import run_command
from pytest_webretrieval.slots.proxy import open_proxy_carrier
from pytest_webretrieval.slots.temporary import new_folder, remove
from pytest_webretrieval.wire.attempt import Trace

from .camp import LaneFailure
from .carriers import AUTO, NAMESPACE, AnyCarrier, choose
from .grounds import sites_for

TERMINAL = (0, 1, 2)
DEFAULT_SCENE = "known/static"


async def run_in_world(
    command: Sequence[str],
    seed: int,
    scene: str | None,
    root: Path,
    truths: Sequence[Path],
    allow: Sequence[str] = (),
) -> tuple[int, Trace]:
    """The command's exit code (128 + n after signal n), and what the wire saw. ``allow`` names who on the real
    machine's side can be reached, each as HOST:PORT.

    Raises NoCarrier where no slot can be made, LaneFailure where the world does not start or knows no such scene.
    """
    scratch = new_folder(f"world-{secrets.token_hex(4)}")
    world: World | None = None
    carrier: AnyCarrier | None = None
    try:
        world = await World.start(scratch, truths=truths, sites=sites_for(truths))
        open_it = open_carrier if choose(AUTO).name == NAMESPACE else open_proxy_carrier
        carrier = await open_it(None, ca_pem=world.ca_pem, isolation="run", folder=root, allow=allow)
        await carrier.imported()
        slot = await carrier.open_slot("net", terminal=TERMINAL)
        await world.open_slot("net", slot.doors)
        await slot.ready()
        await world.begin("net", seed=seed, scene=scene or DEFAULT_SCENE)
        await world.step("net", 1)
        code = await run_command(slot, list(command))
        trace, _ = await world.drain("net")
        return code, trace
    except WorldFailure as error:
        raise LaneFailure(str(error)) from error
    finally:
        if carrier is not None:
            await carrier.close()
        if world is not None:
            await world.close()
        remove(scratch)
