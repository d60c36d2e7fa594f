"""The harness's side of the world: start it, open slots, begin runs, take their logs. Imports nothing
heavy."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.faults import Fault
from pytest_webretrieval.outward import Outward
from pytest_webretrieval.wire import frames
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Trace
from pytest_webretrieval.wire.doors import Door
from pytest_webretrieval.wire.recording import Account

from .places import BUILT_IN
from .replies import Checked, SceneView, account_of, trace_from_wire

LOG = "world.log"
STOP_S = 2.0


class WorldFailure(Exception):
    """The world could not be loaded, refused what was asked, failed within, or died. Never the system's
    fault."""


class World:
    """A running world. Every call is one round trip; calls for different slots may overlap."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        fds: socket.socket,
        log: Path,
        ca_pem: bytes,
    ) -> None:
        self.ca_pem = ca_pem
        self.model, self.listed, self.is_open = "scripted", frozenset[str](), False
        self._process, self._reader, self._writer, self._fds, self._log = process, reader, writer, fds, log
        self._scenes: tuple[str, ...] = ()
        self._dialects: Mapping[str, Mapping[str, Mapping[str, str]]] = {}
        self._waiting: dict[int, asyncio.Future[tuple[dict[str, Any], tuple[bytes, ...]]]] = {}
        self._ahead: dict[int, list[bytes]] = {}
        self.is_lost, self._why_gone = False, "the world is gone"
        self._count = 0
        self._loaded = asyncio.get_running_loop().create_future()
        self._listener = asyncio.create_task(self._listen())

    @staticmethod
    async def start(
        folder: Path,
        *,
        truths: Sequence[Path],
        sites: Sequence[Path] = (BUILT_IN,),
        outward: Outward | None = None,
    ) -> World:
        """Start the process and return as soon as its authority exists; ``ready`` waits for the rest.

        ``folder`` holds the process's log. Call it from a thread that lives as long as the world shall: the
        process ends with the thread that started it. Raises WorldFailure.
        """
        process, control, fds = _spawn(folder)
        reader, writer = await asyncio.open_unix_connection(sock=control)
        writer.write(frames.pack(_start_message(truths, sites, outward or Outward())))
        first = await frames.read(reader)
        if first is None:
            writer.close()
            fds.close()
            process.wait()
            raise WorldFailure(f"the world did not start; {_last_words(folder / LOG)}")
        world = World(process, reader, writer, fds, folder / LOG, first[0]["ca"].encode())
        world.model = (outward or Outward()).model
        world.is_open = outward is not None and outward.web is not None
        world.listed = frozenset(host.partition("=")[0] for host in (outward.gateway if outward else ()))
        return world

    async def ready(self) -> None:
        """Wait until the sites are loaded. Raises WorldFailure with the loader's message (file and line)."""
        await asyncio.shield(self._loaded)

    def scenes(self) -> tuple[str, ...]:
        """The scenes that can be begun, in order; empty until ready."""
        return self._scenes

    def dialects(self) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """What a system is told of the dialects: channel -> name -> facts; empty until ready."""
        return self._dialects

    async def open_slot(self, name: str, doors: Sequence[Door]) -> None:
        """Serve a slot's doors. The world gets its own descriptors; those given can be closed afterwards."""
        await self.ready()
        socket.send_fds(self._fds, [name.encode()], [door.fd for door in doors])
        await self._call("open", slot=name, doors=[[door.kind, door.family, door.target] for door in doors])

    async def close_slot(self, name: str) -> None:
        """Close a slot's doors and all its connections."""
        await self._call("close", slot=name)

    async def begin(
        self,
        slot: str,
        *,
        seed: int,
        scene: str,
        case: str = "",
        trial: int = 0,
        faults: Sequence[Fault] = (),
        target: Mapping[str, Any] | None = None,
    ) -> SceneView:
        """Begin a run: counters, log, archive and times start anew, at step 1. What was not drained is
        dropped. ``case`` (``CORPUS::ID``) and ``trial`` name recordings; nothing that answers a system reads them.
        ``faults`` go wrong with the run's connections. In the live lane ``target`` stands in the place of a scene's
        declaration: ``start_urls``, ``users`` with their credentials, and the hosts to ``splice``."""
        reply, _ = await self._call(
            "begin",
            slot=slot,
            seed=seed,
            scene=scene,
            case=case,
            trial=trial,
            faults=[asdict(fault) for fault in faults],
            target=target,
        )
        return SceneView(
            start_urls=tuple(reply["start_urls"]),
            cheapest=reply["cheapest"],
            states=tuple(reply["states"]),
            users={name: tuple(held) for name, held in reply["users"].items()},
        )

    async def step(self, slot: str, number: int, state: str = "initial", user: str | None = None) -> None:
        """Begin a step of the run: what comes from now on is its."""
        await self._call("step", slot=slot, number=number, state=state, user=user)

    async def drain(self, slot: str) -> tuple[Trace, Archive]:
        """All since the last drain, or since the run began. Waits 0.25 s at most for requests under way.

        What comes between a drain and the next step is late, and given by the next drain. Before the first
        run of a slot it gives what came at step 0. Raises WorldFailure when the world failed within.
        """
        reply, blobs = await self._call("drain", slot=slot)
        if reply["trouble"]:
            raise WorldFailure("; ".join(reply["trouble"]))
        return trace_from_wire(reply, blobs)

    async def keep(self, slot: str, cited: Sequence[str]) -> tuple[Account, Trace, Archive]:
        """End a run's recordings: what it recorded is written, pages that it cited and did not fetch are archived. Of
        a world that passes nothing on there is nothing to keep. Called once, when nothing of the run lives."""
        if not self.listed and not self.is_open:
            return Account(), Trace(), Archive()
        reply, blobs = await self._call("keep", slot=slot, cited=list(cited))
        return account_of(reply["account"]), *trace_from_wire(reply, blobs)

    async def check(self, slot: str, url: str = "", *, provider: str | None = None) -> Checked:
        """Look at an address of the real web ourselves, in the slot's run; or ask the API at the host
        ``provider``, which the run asked, what it answers everybody (``no_sample`` where nobody wrote that). It is in
        the log as ``check``, and the body in the archive."""
        reply, blobs = await self._call("check", slot=slot, url=url, provider=provider)
        return Checked(
            url=reply["url"],
            status=reply["status"],
            error_type=reply["error_type"],
            headers=reply["headers"],
            body=blobs[0] if blobs else b"",
        )

    async def close(self) -> None:
        """Stop the process; kills it when it does not stop by itself."""
        if not self._writer.is_closing():
            self._writer.write(frames.pack({"do": "stop"}))
        try:
            async with asyncio.timeout(STOP_S):
                await self._listener
        except TimeoutError:
            self._process.kill()
        self._writer.close()
        self._fds.close()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    async def _call(self, what: str, **values: Any) -> tuple[dict[str, Any], tuple[bytes, ...]]:
        if self._listener.done():
            raise WorldFailure(self._why_gone)
        self._count += 1
        number = self._count
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            self._writer.write(frames.pack({"do": what, "id": number, **values}))
            reply, blobs = await future
        finally:
            self._waiting.pop(number, None)
            self._ahead.pop(number, None)
        if "failure" in reply:
            raise WorldFailure(reply["failure"])
        return reply, blobs

    async def _listen(self) -> None:
        """Hear the world to its end, and find out why it is gone."""
        broken = ""
        try:
            while (frame := await frames.read(self._reader)) is not None:
                self._hear(*frame)
        except frames.FrameError as error:
            broken = str(error)
        self.is_lost = True
        why = await self._ending()
        self._why_gone = "; ".join(filter(None, (self._why_gone, broken, why, _last_words(self._log))))
        for future in (self._loaded, *self._waiting.values()):
            if not future.done():
                future.set_exception(WorldFailure(self._why_gone))
        # Nobody may ever have waited for it.
        self._loaded.exception()

    async def _ending(self) -> str:
        """How the process ended. One that cannot be heard any more is of no use, so it is ended."""
        try:
            status = await asyncio.to_thread(self._process.wait, STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return "it could not be heard any more, and was ended"
        if status == -signal.SIGKILL:
            return "its process was killed, as a machine does that is short of memory"
        return f"its process was ended by signal {-status}" if status < 0 else ""

    def _hear(self, message: dict[str, Any], blobs: tuple[bytes, ...]) -> None:
        if "ahead" in message:
            if message["id"] in self._waiting:
                self._ahead.setdefault(message["id"], []).extend(blobs)
        elif "id" in message:
            blobs = (*self._ahead.pop(message["id"], ()), *blobs)
            future = self._waiting.get(message["id"])
            if future is not None and not future.done():
                future.set_result((message, blobs))
        elif "failure" in message:
            self._loaded.set_exception(WorldFailure(message["failure"]))
        else:
            self._scenes, self._dialects = tuple(message["scenes"]), message["dialects"]
            self._loaded.set_result(None)


def _spawn(folder: Path) -> tuple[subprocess.Popen[bytes], socket.socket, socket.socket]:
    """The process, its control socket, and the channel on which doors go to it."""
    folder.mkdir(parents=True, exist_ok=True)
    control, their_control = socket.socketpair()
    fds, their_fds = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    passed = (their_control.fileno(), their_fds.fileno())
    with (folder / LOG).open("wb") as log, their_control, their_fds:
        process = subprocess.Popen(
            # -P: a folder of the same name where the harness runs must not stand in for the package.
            [sys.executable, "-P", "-m", "fixture_server.process", *map(str, passed)],
            pass_fds=passed,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    control.setblocking(False)
    return process, control, fds


def _start_message(truths: Sequence[Path], sites: Sequence[Path], outward: Outward) -> dict[str, Any]:
    """What to load, and where the harness imports from: makers and behaviours may be the user's own."""
    return {
        "truths": [str(path.absolute()) for path in truths],
        "sites": [str(path.absolute()) for path in sites],
        "path": [str(Path(entry).absolute()) for entry in sys.path if entry],
        "outward": asdict(outward),
    }


def _last_words(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return f"its last words: {lines[-1]}" if lines else f"it left no word in {log}"
