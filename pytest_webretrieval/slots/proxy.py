"""The proxy carrier, for machines without namespaces: slots are processes that are told to use a proxy, and guarded.

Each slot has a keeper, a zygote and a loopback socket of its own, so that the stage is found by the door here too.
What cannot be done without a network of its own is listed in ``proxy_limits``.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_webretrieval.systems.contract import Task, Testimony
from pytest_webretrieval.wire.addresses import split_endpoint
from pytest_webretrieval.wire.doors import Door

from . import environment as environments
from .carrier import Carrier, NoCarrier, spawn_first, wait_for_end
from .channel import Gone, doors_of
from .plan import Plan
from .slot import RunEnd, Slot, SlotFailure
from .temporary import new_folder, remove
from .trust import write_bundle

FORK, SPAWN = "fork", "spawn"
_numbers = itertools.count(1)


class ProxySlot:
    """The interface of ``Slot``. It is ``ready`` when the system has been imported behind its own door."""

    def __init__(self, name: str, place: Carrier, terminal: tuple[int, ...]) -> None:
        self.name, self.doors = name, place.import_doors
        self._place, self._terminal = place, terminal
        self._slot: Slot | None = None
        self._closed = False

    @property
    def failure(self) -> str | None:
        if self._closed:
            return "it was closed"
        return None if self._slot is None else self._slot.failure

    async def ready(self) -> None:
        """Import the system, unless this was the first, whose door the import had, and start what lives as long as
        the slot. Raises SystemUnusable and SlotFailure."""
        await self._place.imported()
        self._slot = await self._place.open_slot(self.name, self._terminal)
        await self._slot.ready()

    async def ask(self, task: Task, deadline_s: float) -> Testimony:
        return await self._opened().ask(task, deadline_s)

    async def end(self) -> RunEnd:
        return await self._opened().end()

    async def browses(self) -> bool:
        return False

    async def execute(self, argv: list[str]) -> int:
        return await self._opened().execute(argv)

    async def close(self) -> None:
        self._closed = True
        self.doors = ()
        await self._place.close()

    def _opened(self) -> Slot:
        if self._slot is None:
            raise SlotFailure(f"slot {self.name}: it was not made ready")
        return self._slot


class ProxyCarrier:
    """The interface of ``Carrier``. After ``imported`` there are no ``import_doors`` any more: the door is that of the
    first slot from then on."""

    def __init__(self, maker: _Maker, first: Carrier) -> None:
        self.import_doors, self.notes = first.import_doors, first.notes
        self._maker, self._first = maker, first
        self._spare: list[Carrier] = []
        self._slots: list[ProxySlot] = []

    @property
    def capabilities(self) -> frozenset[str] | None:
        return self._first.capabilities

    async def imported(self, timeout_s: float = 120.0) -> None:
        """Import the system behind ``import_doors``, which must be served by now. Raises SystemUnusable."""
        await self._first.imported(timeout_s)
        self.import_doors = ()
        self._spare.append(self._first)

    async def open_slot(self, name: str, terminal: tuple[int, ...] = ()) -> ProxySlot:
        """A new slot, to be made ready when its door is served. Raises SlotFailure."""
        try:
            place = self._spare.pop() if self._spare else await self._maker.make()
        except NoCarrier as error:
            raise SlotFailure(f"slot {name}: {error}") from None
        slot = ProxySlot(name, place, terminal)
        self._slots.append(slot)
        return slot

    async def close(self) -> None:
        """End every slot; nothing is left of their processes and files."""
        await asyncio.gather(self._first.close(), *(slot.close() for slot in self._slots))
        self._slots.clear()
        self.import_doors = ()


class _Maker:
    """Makes places: a keeper with its door and zygote, each with a folder of its own."""

    def __init__(
        self,
        system: str | None,
        ca_pem: bytes,
        isolation: str,
        folder: Path,
        environment: Mapping[str, str],
        allowed: Sequence[str],
        starts: str,
    ) -> None:
        self._system, self._ca_pem, self._isolation, self._folder = system, ca_pem, isolation, folder
        self._environment, self._allowed, self._starts = environment, tuple(allowed), starts

    async def make(self) -> Carrier:
        own = new_folder(f"proxy-{next(_numbers)}")
        bundle = write_bundle(own, self._ca_pem)
        plan = Plan(
            system=self._system,
            folder=str(self._folder.absolute()),
            path=tuple(path or os.getcwd() for path in sys.path),
            overlays=(),
            binds=(),
            own=str(own),
        )
        inside = environments.inside(self._environment, bundle)
        keeper, control, orders = spawn_first("proxy_keeper", inside)
        try:
            control.send({"plan": plan.to_json(), "allowed": self._allowed, "starts": self._starts})
            message, descriptors = await control.first()
            await control.open()
        except BaseException as error:
            orders.close()
            control.close()
            await wait_for_end(keeper)
            remove(own)
            if isinstance(error, Gone):
                raise NoCarrier("no proxy slot can be made here: its first process ended at once") from None
            raise
        doors: tuple[Door, ...] = doors_of(message, descriptors)
        return Carrier(control, orders, keeper, plan, self._isolation, doors, ())


async def open_proxy_carrier(
    system: str | None,
    *,
    ca_pem: bytes,
    isolation: str,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    allow: Sequence[str] = (),
    starts: str | None = None,
) -> ProxyCarrier:
    """Make the first place for ``system`` (None: only commands), as ``open_carrier`` does with namespaces.

    ``allow`` names hosts, as HOST:PORT, that are reached directly. ``starts`` is ``fork`` or ``spawn`` (default:
    ``fork`` on Linux). Raises NoCarrier.
    """
    maker = _Maker(
        system,
        ca_pem,
        isolation,
        folder,
        environments.offline(os.environ) if environment is None else environment,
        [split_endpoint(target)[0] for target in allow],
        starts or (FORK if sys.platform.startswith("linux") else SPAWN),
    )
    return ProxyCarrier(maker, await maker.make())
