"""A slot as the harness sees it: doors, and one run at a time."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_webretrieval.systems.codec import task_to_json
from pytest_webretrieval.systems.contract import Task, Testimony
from pytest_webretrieval.systems.ways import SystemUnusable
from pytest_webretrieval.wire.doors import Door
from pytest_webretrieval.wire.frames import pack

from .channel import Channel, Gone
from .life import Life
from .removal import MountedBelow, remove_tree

_PATIENCE_S = 10.0  # beyond what the slot's parent was allowed; when that is over, the slot is broken


# A browser puts a socket below its temporary folder, of whose path the kernel takes 107 bytes.
_LONGEST_TEMPORARY = 107 - len("/.org.chromium.Chromium.XXXXXX/SingletonSocket")
_numbers = itertools.count(1)


class SlotFailure(Exception):
    """The slot itself failed: what happened says nothing about the system. The slot is of no more use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """How a run ended. ``stdout`` and ``stderr`` are those of the whole run, the first and the last of
    each; ``survivors`` counts processes that were still there after the grace and were killed; ``error``
    says that the system's ``close()`` raised or hung."""

    stdout: str = ""
    stderr: str = ""
    survivors: int = 0
    error: str | None = None


_NOT_ASKED = Testimony(ending="not-asked", duration_s=0.0)


class Slot:
    """Made by ``Carrier.open_slot``. ``doors`` belong to the slot: whoever serves them takes copies."""

    def __init__(
        self, name: str, doors: tuple[Door, ...], channel: Channel, folder: Path, life: Life
    ) -> None:
        self.name, self.doors = name, doors
        self.failure: str | None = None
        self._channel, self._folder, self._life = channel, folder, life
        self._answers: dict[int, asyncio.Future[tuple[dict[str, Any], tuple[bytes, ...]]]] = {}
        self._orders = 0
        self._runs = 0
        self._folders: dict[str, Path] = {}  # of the open run
        self._spare: dict[str, Path] = {}  # empty ones, of runs that are over
        self._over = False  # an earlier step ended the system
        self._listener = asyncio.create_task(self._listen(), name=f"slot {name}")

    async def ready(self) -> None:
        """Once the doors are served: start what lives as long as the slot. The zygote has imported the system.

        Raises SystemUnusable when it does not start, and SlotFailure."""
        start_s = self._life.start_s
        if start_s is None:
            return
        answer, blobs = await self._order(
            {"do": "start", "start_s": start_s, "places": {}}, (), start_s + _PATIENCE_S
        )
        if answer["ending"] != "started":
            error = _testimony(answer, blobs, 0.0, start_s).error
            await self._end(keep=False)
            raise SystemUnusable(str(error))

    async def ask(self, task: Task, deadline_s: float) -> Testimony:
        """Put a task to the system; the first one starts the run, for which the system has ``deadline_s``
        too, unless its life says otherwise.

        After a step in which the system ended, the rest of the run is ``not-asked``. Raises SlotFailure.
        """
        if self._over:
            return _NOT_ASKED
        places = self._begin()
        question = pack({"do": "ask", "task": task_to_json(task), "places": places})
        start_s = deadline_s if self._life.start_s is None else self._life.start_s
        try:
            answer, blobs = await self._order(
                {"do": "ask", "deadline_s": deadline_s, "start_s": start_s, "places": places},
                (question,),
                start_s + deadline_s + _PATIENCE_S,
            )
        except asyncio.CancelledError:
            self._over = True
            self._send({"do": "kill", "id": 0})
            raise
        testimony = _testimony(answer, blobs, deadline_s, start_s)
        self._over = answer["ending"] != "replied" or testimony.ending == "died"
        return testimony

    async def end(self) -> RunEnd:
        """End the run and all that it started; without one, nothing. Raises SlotFailure."""
        keep = self._life.keep and not self._over
        try:
            return await self._end(keep)
        finally:
            self._over = False
            self._clear_folders()

    async def browses(self) -> bool:
        """Whether a browser lives in the slot now. Raises SlotFailure."""
        answer, _ = await self._order({"do": "look"}, (), _PATIENCE_S)
        return bool(answer["browser"])

    async def close(self) -> None:
        """End the run that may be open, and the slot with its namespaces."""
        with suppress(SlotFailure):
            if self._runs and self.failure is None:
                await self._end(keep=False)
        self._fail("it was closed")
        self._channel.finish()
        await asyncio.wait([self._listener], timeout=_PATIENCE_S)  # it ends when the slot's parent has
        self._listener.cancel()
        await asyncio.wait([self._listener])
        self._channel.close()
        for door in self.doors:
            os.close(door.fd)
        self.doors = ()
        for folder in (*self._spare.values(), self._folder):
            remove_tree(folder)

    async def execute(self, argv: list[str]) -> int:
        """Run a command on the terminal that the slot was opened with; its exit code, or minus the signal.

        Raises SlotFailure."""
        answer, _ = await self._order({"do": "exec", "argv": argv}, (), None)
        return int(answer["status"])

    def _begin(self) -> dict[str, str]:
        """The folders of the open run, by the variable that names each to the system. What keeps its process has
        no folder of temporary files for each run: the process may hold some in it."""
        if not self._folders:
            self._runs += 1
            self._folders = {"WEBRETRIEVAL_STATE_DIR": self._folder / f"run-{self._runs}"}
            temporary = self._folder.parent.parent / f"t{next(_numbers)}"
            if not self._life.keep and len(os.fsencode(temporary)) <= _LONGEST_TEMPORARY:
                self._folders["TMPDIR"] = temporary
            for variable, folder in self._folders.items():
                if variable in self._spare:
                    self._folders[variable] = self._spare.pop(variable)
                else:
                    folder.mkdir(mode=0o700, parents=True)
        return {variable: str(folder) for variable, folder in self._folders.items()}

    def _clear_folders(self) -> None:
        """What a run left empty serves the next one: to make and remove a folder costs more than all the rest."""
        for variable, folder in self._folders.items():
            with suppress(MountedBelow, OSError):
                if os.listdir(folder) or self.failure is not None:
                    remove_tree(folder)
                else:
                    self._spare[variable] = folder
        self._folders = {}

    async def _end(self, keep: bool) -> RunEnd:
        order = {"do": "end", "keep": keep, "grace_s": self._life.grace_s}
        answer, (out, err) = await self._order(order, (), _PATIENCE_S)
        return RunEnd(
            stdout=_text(out), stderr=_text(err), survivors=answer["survivors"], error=answer["error"]
        )

    async def _order(
        self, order: dict[str, Any], blobs: tuple[bytes, ...], patience_s: float | None
    ) -> tuple[dict[str, Any], tuple[bytes, ...]]:
        if self.failure is not None:
            raise SlotFailure(f"slot {self.name}: {self.failure}")
        self._orders += 1
        number = self._orders
        self._answers[number] = answered = asyncio.get_running_loop().create_future()
        try:
            self._send(order | {"id": number}, blobs)
            async with asyncio.timeout(patience_s):
                answer, blobs = await answered
        except TimeoutError:
            self._channel.close()  # the end of its socket is the end of a parent that can still hear
            self._fail(f"no answer to `{order['do']}` within {patience_s:g} s")
            raise SlotFailure(f"slot {self.name}: {self.failure}") from None
        finally:
            self._answers.pop(number, None)
        if "broken" in answer:
            raise SlotFailure(f"slot {self.name}: {answer['broken']}")
        return answer, blobs

    def _send(self, order: dict[str, Any], blobs: tuple[bytes, ...] = ()) -> None:
        try:
            self._channel.send(order, blobs)
        except Gone:
            self._fail("its parent process is gone")

    async def _listen(self) -> None:
        try:
            while True:
                answer, blobs = await self._channel.receive()
                waiting = self._answers.get(answer["id"])
                if waiting is not None and not waiting.done():
                    waiting.set_result((answer, blobs))
        except Gone:
            self._fail("its parent process is gone")

    def _fail(self, why: str) -> None:
        self.failure = self.failure or why
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(SlotFailure(f"slot {self.name}: {self.failure}"))


def _testimony(
    answer: dict[str, Any], blobs: tuple[bytes, ...], deadline_s: float, start_s: float
) -> Testimony:
    reply, out, err = blobs
    ending, error, kind, payload = "died", None, None, None
    match answer["ending"]:
        case "replied" | "unstarted":
            ending, payload, error, kind = _read(reply)
        case "timeout":
            ending, error, kind = "timeout", f"no answer within {deadline_s:g} s", "timeout"
        case "start-timeout":
            ending, error, kind = "timeout", f"start() did not return within {start_s:g} s", "timeout"
        case "garbled":
            error, kind = "what came from the process is no reply", "garbled"
        case _:
            error, kind = _death(answer["status"])
    return Testimony(
        ending=ending,
        duration_s=answer["duration_s"],
        payload=payload,
        error=error,
        error_type=kind,
        stdout=_text(out),
        stderr=_text(err),
    )


def _read(reply: bytes) -> tuple[str, Any, str | None, str | None]:
    """Ending, payload, error and its type. The reply was written where user code may write too."""
    try:
        said = json.loads(reply.decode("utf-8", "surrogatepass"))
        if "payload" in said:
            return "answered", said["payload"], None, None
        if "died" in said:
            return "died", None, str(said["died"]["text"]), str(said["died"]["type"])
        raised = said["raised"] if "raised" in said else said["failed"]
        return "raised", None, str(raised["text"]), str(raised["type"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return "died", None, "what came from the process is no reply", "garbled"


def _death(status: int | None) -> tuple[str, str]:
    if status is None:
        return "the run was ended", "cancelled"
    if status < 0:
        return f"the process was ended by signal {-status} before it answered", f"signal:{-status}"
    return f"the process exited with {status} before it answered", f"exit:{status}"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
