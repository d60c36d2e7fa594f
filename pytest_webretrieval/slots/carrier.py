"""The carrier: what slots are made by, one for a system. Here, Linux namespaces."""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from pytest_webretrieval.systems.ways import SystemUnusable
from pytest_webretrieval.wire.doors import Door

from . import environment as environments
from .browser import Browser
from .channel import Channel, Gone, doors_of
from .database import write_database
from .furniture import write_furniture
from .layer import NoLayer, plan_layer
from .life import life_of
from .namespace import Ids, all_ids, own_ids, write_maps
from .plan import Layer, Plan
from .policy import write_policy
from .refusal import explain
from .relays import relays_to
from .shim import write_shim
from .slot import Slot, SlotFailure
from .temporary import new_folder, remove
from .trust import bundles_to_hide, environments_of, write_trust

_END_S = 10.0
_OUTPUT_SHOWN = 2000
_numbers = itertools.count(1)


class NoCarrier(Exception):
    """This machine makes no slots; the message says what is missing and how to mend it."""


class Carrier:
    """Made by ``open_carrier``. ``import_doors`` are those that the system meets while it is imported;
    ``notes`` name what the place had to go without; ``capabilities`` are those that the system declares
    itself, after ``imported`` (None: none declared)."""

    def __init__(
        self,
        control: Channel,
        orders: Channel,
        warden: subprocess.Popen[bytes],
        plan: Plan,
        isolation: str,
        doors: tuple[Door, ...],
        notes: tuple[str, ...],
    ) -> None:
        self.import_doors, self.notes = doors, notes
        self.capabilities: frozenset[str] | None = None
        self._control, self._orders, self._warden, self._plan = control, orders, warden, plan
        self._isolation = isolation
        self._imported = False
        self._slots: list[Slot] = []

    async def imported(self, timeout_s: float = 120.0) -> None:
        """Import the system behind ``import_doors``, which must be served by now; once.

        Raises SystemUnusable when it cannot be imported, with the end of what it printed.
        """
        if self._imported:
            return
        said = f"system `{self._plan.system}`"
        try:
            self._orders.send({"do": "import"})
            async with asyncio.timeout(timeout_s):
                answer, _ = await self._orders.first()
        except TimeoutError:
            message = f"{said}: importing it took more than {timeout_s:g} s"
            raise SystemUnusable(message + await self._printed()) from None
        except Gone:
            raise SystemUnusable(
                f"{said}: the process ended while importing it{await self._printed()}"
            ) from None
        if "unusable" in answer:
            raise SystemUnusable(answer["unusable"] + await self._printed())
        if answer["capabilities"] is not None:
            self.capabilities = frozenset(answer["capabilities"])
        self._imported = True

    async def open_slot(self, name: str, terminal: tuple[int, ...] = ()) -> Slot:
        """A new slot. ``terminal`` are the descriptors on which ``run_command`` runs commands. Raises
        SlotFailure."""
        ours, theirs = socket.socketpair()
        channel = Channel(ours)
        try:
            with theirs:
                self._orders.send({"do": "slot"}, fds=(theirs.fileno(), *terminal))
            message, descriptors = await channel.first()
        except Gone:
            channel.close()
            raise SlotFailure(f"slot {name}: it ended before it was ready") from None
        except BaseException:
            channel.close()
            raise
        if "refused" in message:
            channel.close()
            raise SlotFailure(f"slot {name}: {explain(message['refused'], message['errno'])}")
        self.notes = tuple(dict.fromkeys((*self.notes, *message["notes"])))
        doors = doors_of(message, descriptors)
        await channel.open()
        folder = Path(self._plan.own) / "slots" / name
        slot = Slot(name, doors, channel, folder, life_of(self._plan.system, self._isolation))
        self._slots.append(slot)
        return slot

    async def close(self) -> None:
        """End every slot and the zygote; nothing is left of them, their namespaces or their files."""
        await asyncio.gather(*(slot.close() for slot in self._slots))
        self._slots.clear()
        self._orders.close()
        self._control.close()
        for door in self.import_doors:
            os.close(door.fd)
        self.import_doors = ()
        await wait_for_end(self._warden)
        remove(Path(self._plan.own))

    async def _printed(self) -> str:
        """The end of what the zygote printed, to go below a message."""
        try:
            self._control.send({"output": True})
            async with asyncio.timeout(_END_S):
                while True:
                    message, blobs = await self._control.receive()
                    if "output" in message:
                        break
        except (Gone, TimeoutError):
            return ""
        text = blobs[0].decode("utf-8", "replace").strip()
        return f"\nit printed:\n{text[-_OUTPUT_SHOWN:]}" if text else ""


async def open_carrier(
    system: str | None,
    *,
    ca_pem: bytes,
    isolation: str,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    browser: Browser | None = None,
    allow: Sequence[str] = (),
) -> Carrier:
    """Make the place in which ``system`` (None: only commands) will be imported and its slots forked.

    ``ca_pem`` is the authority that signs for every host; ``isolation`` is ``run`` or ``session``;
    ``folder`` is where the user's modules are looked for. ``environment`` is that of the systems, before
    proxies are taken out and trust is put in; without it, this process's with harmless keys. ``browser``
    is what clients that look for one shall find. ``allow`` names who on the real machine's side can be
    reached, each as HOST:PORT. Raises NoCarrier.
    """
    if not sys.platform.startswith("linux"):
        raise NoCarrier(f"slots need Linux namespaces; this is {sys.platform}")
    plan, inside = _plan(system, ca_pem, folder, environment, browser)
    plan = replace(plan, relays=relays_to(allow))
    warden, control, orders = spawn_first("warden", inside)
    try:
        control.send({"plan": plan.to_json()})
        message, _ = await control.first()
        if "unshared" in message:
            control.send({"ids": asdict(_map(message["unshared"]))})
            message, descriptors = await control.first()
        if "refused" in message:
            raise NoCarrier(explain(message["refused"], message["errno"]))
        doors = doors_of(message, descriptors)
        await control.open()
    except BaseException as error:
        orders.close()
        control.close()
        await wait_for_end(warden)
        remove(Path(plan.own))
        if isinstance(error, Gone):
            raise NoCarrier("no slot can be made here: the first process ended at once") from None
        if isinstance(error, OSError):
            raise NoCarrier(explain("ids", error.errno)) from error
        raise
    return Carrier(control, orders, warden, plan, isolation, doors, tuple(message["notes"]))


def _plan(
    system: str | None,
    ca_pem: bytes,
    folder: Path,
    environment: Mapping[str, str] | None,
    browser: Browser | None,
) -> tuple[Plan, dict[str, str]]:
    """What the warden is told, and the environment of everything inside."""
    given = environments.offline(os.environ) if environment is None else environment
    own = new_folder(f"carrier-{next(_numbers)}")
    bundle, overlays = write_trust(own, ca_pem)
    hidden = [(bundle, place) for place in bundles_to_hide(system, folder)]
    packages = tuple(environments_of(system, folder))
    layer, notes = _layer(given, folder, own, packages)
    found = {} if browser is None else write_shim(own, browser, (folder, *packages), given)
    plan = Plan(
        system=system,
        folder=str(folder.absolute()),
        path=tuple(path or os.getcwd() for path in sys.path),
        overlays=write_policy(own, ca_pem, browser, overlays),
        binds=(*hidden, *write_furniture(own, os.environ), *write_database(own, ca_pem, given, browser)),
        own=str(own),
        layer=layer,
        notes=notes,
    )
    return plan, environments.inside(given, bundle, found)


def _layer(
    environment: Mapping[str, str], folder: Path, own: Path, packages: Iterable[Path]
) -> tuple[Layer | None, tuple[str, ...]]:
    """What is laid over HOME, or why nothing is."""
    python = (sys.prefix, sys.base_prefix, *(path for path in sys.path if path))
    kept = (*python, *map(str, packages), tempfile.gettempdir())
    try:
        return plan_layer(environment, folder, own, kept), ()
    except NoLayer as error:
        return None, (f"HOME stays as it is: {error}",)


def spawn_first(module: str, environment: dict[str, str]) -> tuple[subprocess.Popen[bytes], Channel, Channel]:
    """The first process of a place, with its control socket and the one for the orders to the zygote."""
    control, their_control = socket.socketpair()
    orders, their_orders = socket.socketpair()
    with their_control, their_orders:
        numbers = (their_control.fileno(), their_orders.fileno())
        warden = subprocess.Popen(
            [
                sys.executable,
                "-m",
                f"pytest_webretrieval.slots.{module}",
                *(str(number) for number in (*numbers, os.getpid())),
            ],
            pass_fds=numbers,
            env=environment,
            stdin=subprocess.DEVNULL,
        )
    return warden, Channel(control), Channel(orders)


def _map(number: int) -> Ids:
    """Map the ids of a process that has unshared: all of them where we may, else our own. Raises OSError."""
    if os.geteuid() == 0:
        with suppress(PermissionError):
            ids = all_ids()
            write_maps(str(number), ids.outer, ids.setgroups)
            return ids
    ids = own_ids()
    write_maps(str(number), ids.outer, ids.setgroups)
    return ids


async def wait_for_end(process: subprocess.Popen[bytes]) -> None:
    """Wait for a process that is about to end, and end it when it does not."""
    if process.returncode is not None:
        return
    try:
        await asyncio.to_thread(process.wait, _END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
