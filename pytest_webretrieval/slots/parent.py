"""The slot's parent: first process of the slot, keeper of its network and of one run at a time.

It never runs user code, waits in one place for everything, and believes nothing that comes out of a run. Whatever
a run leaves behind is its child, and its keeping ends all of it. The end of its control socket is its own end.

Orders are frames on the control socket, each with an ``id`` that its answer repeats:

``start`` ``start_s``: start the system before it is asked. Answer: as of ``ask``.
``ask``   ``deadline_s``, ``start_s``, ``places``; blobs: the question as a frame for the run. Answer: ``ending``,
          ``duration_s``, ``status``; blobs: the run's reply, standard output and error of the step.
``end``   ``keep``: a living run is left for the next one, after ``grace_s``. Answer: ``survivors``, ``error``; blobs:
          output and error.
``kill``  end the run at once. No answer of its own; a waiting ``ask`` is answered as ``cancelled``.
``look``  answered at once. Answer: ``browser``, whether one lives in the slot.
``exec``  ``argv``: run a command on the descriptors that the slot was opened with. Answer: ``status``.
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass
from os import read
from select import POLLIN, POLLOUT, poll
from socket import socket
from time import monotonic
from typing import Any, NoReturn

from pytest_webretrieval.wire.frames import FrameError, pack

from .child import Child
from .frames import Frame, split
from .handlers import take_over
from .keeping import Keeping

CLOSE_S = 5.0  # for a system's close()
LINGER_S = 0.25  # for what a run left behind


@dataclass(slots=True)
class _Waiting:
    """The order that is being worked on. ``phase``: starting, asking, closing, resting, lingering or running."""

    id: int
    phase: str
    began: float
    allowed_s: float
    deadline: float | None
    question: bytes = b""
    error: str | None = None


class Parent:
    """The state of the one loop in ``run``."""

    def __init__(self, control: socket, keeping: Keeping, terminal: tuple[int, ...]) -> None:
        self._control, self._keeping, self._terminal = control, keeping, terminal
        self._unread = bytearray()
        self._orders: deque[tuple[dict[str, Any], Frame]] = deque()
        self._child: Child | None = None
        self._command: int | None = None
        self._waiting: _Waiting | None = None
        self._died_at = 0.0
        self._handlers, self._wake = take_over()

    def run(self) -> NoReturn:
        """Work until the control socket ends."""
        while True:
            for descriptor in self._ready():
                self._attend(descriptor)
            waiting = self._waiting
            if waiting is not None and waiting.deadline is not None and monotonic() >= waiting.deadline:
                self._overdue(waiting)
            while self._waiting is None and self._orders:
                self._obey(*self._orders.popleft())

    def _ready(self) -> list[int]:
        poller = poll()
        poller.register(self._control.fileno(), POLLIN)
        poller.register(self._wake[0], POLLIN)
        child = self._child
        if child is not None:
            for descriptor in child.streams:
                poller.register(descriptor, POLLIN)
            if child.status is None and not child.mute:
                poller.register(child.replies, POLLIN)
            if child.unsent:
                poller.register(child.questions, POLLOUT)
        timeout = None
        if self._waiting is not None and self._waiting.deadline is not None:
            timeout = max(0.0, self._waiting.deadline - monotonic()) * 1000 + 1
        return [descriptor for descriptor, _ in poller.poll(timeout)]

    def _attend(self, descriptor: int) -> None:
        child = self._child
        if descriptor == self._control.fileno():
            self._listen()
        elif descriptor == self._wake[0]:
            self._reap()
        elif child is not None and descriptor in child.streams:
            child.pump(descriptor)
        elif child is not None and descriptor == child.replies:
            self._hear(child)
        elif child is not None and descriptor == child.questions:
            child.push()

    # --- orders ---

    def _listen(self) -> None:
        data = self._control.recv(1 << 18)
        if not data:
            self._leave()
        self._unread += data
        while (frame := split(self._unread)) is not None:
            order = frame.message()
            if order["do"] == "kill":
                self._cancel()
            elif order["do"] == "look":
                self._tell({"id": order["id"], "browser": self._keeping.browser_lives()})
            else:
                self._orders.append((order, frame))

    def _obey(self, order: dict[str, Any], frame: Frame) -> None:
        match order["do"]:
            case "start" | "ask":
                self._ask(order, frame)
            case "end":
                self._end(order)
            case "exec":
                self._exec(order)

    def _ask(self, order: dict[str, Any], frame: Frame) -> None:
        now, allowed = monotonic(), float(order.get("deadline_s", 0.0))
        self._waiting = waiting = _Waiting(order["id"], "asking", now, allowed, now + allowed)
        if self._child is None:
            try:
                own = (self._control.fileno(), *self._wake, *self._terminal)
                self._child = self._keeping.start(self._handlers, own)
            except OSError as error:
                self._waiting = None
                self._tell({"id": order["id"], "broken": f"no process for the run: {error}"})
                return
        if self._child.status is not None:
            self._answer(waiting, self._child, "died")
            return
        if self._child.started:
            self._put(waiting, self._child, b"".join(frame.blobs))
        else:
            waiting.phase, waiting.question = "starting", b"".join(frame.blobs)
            waiting.deadline = now + float(order["start_s"])
            self._child.send(pack({"do": "start", "places": order["places"]}))

    def _put(self, waiting: _Waiting, child: Child, question: bytes) -> None:
        """The question to a system that has started; without one, that it has is the answer."""
        if question:
            child.send(question)
        else:
            self._answer(waiting, child, "started")

    def _end(self, order: dict[str, Any]) -> None:
        child, now = self._child, monotonic()
        if child is None:
            self._tell({"id": order["id"], "survivors": 0, "error": None}, (b"", b""))
            return
        self._waiting = waiting = _Waiting(order["id"], "lingering", now, LINGER_S, self._died_at + LINGER_S)
        if child.status is not None:
            self._linger(waiting)
        elif order["keep"]:
            waiting.phase, waiting.deadline = "resting", now + order["grace_s"]
            if not order["grace_s"]:
                self._rested(waiting, child)
        else:
            waiting.phase, waiting.deadline = "closing", now + CLOSE_S
            child.send(pack({"do": "close"}))

    def _cancel(self) -> None:
        waiting, child = self._waiting, self._child
        self._orders = deque(held for held in self._orders if held[0]["do"] != "ask")
        if child is None or child.status is not None:
            return
        self._kill_all()
        if waiting is not None and waiting.phase in ("starting", "asking"):
            self._answer(waiting, child, "cancelled")

    def _exec(self, order: dict[str, Any]) -> None:
        now = monotonic()
        self._waiting = _Waiting(order["id"], "running", now, 0.0, None)
        own = (self._control.fileno(), *self._wake)
        try:
            self._command = self._keeping.execute(order["argv"], self._handlers, own, self._terminal)
        except OSError as error:
            self._waiting = None
            self._tell({"id": order["id"], "broken": f"no process for the command: {error}"})

    # --- what a run says and does ---

    def _hear(self, child: Child) -> None:
        try:
            while (reply := child.next_reply()) is not None:
                self._said(child, reply)
        except FrameError:
            self._kill_all()
            if self._waiting is not None and self._waiting.phase in ("starting", "asking"):
                self._answer(self._waiting, child, "garbled")

    def _said(self, child: Child, reply: Frame) -> None:
        waiting = self._waiting
        if waiting is None or child is not self._child:
            return
        if waiting.phase == "starting":
            if "started" in reply.message():
                child.started = True
                waiting.phase, waiting.began = "asking", monotonic()
                waiting.deadline = waiting.began + waiting.allowed_s
                self._put(waiting, child, waiting.question)
            else:
                self._answer(waiting, child, "unstarted", reply.text)
        elif waiting.phase == "asking":
            self._answer(waiting, child, "replied", reply.text)
        elif waiting.phase == "closing":
            closed = reply.message().get("closed")
            if isinstance(closed, dict):
                waiting.error = f"close() raised: {closed.get('text')}"

    def _overdue(self, waiting: _Waiting) -> None:
        child = self._child
        assert child is not None
        if waiting.phase == "resting":
            self._rested(waiting, child)
            return
        if waiting.phase == "lingering":
            self._finish(waiting, self._kill_all())
            return
        survivors = self._kill_all()
        if waiting.phase == "closing":
            waiting.error = f"close() did not return within {CLOSE_S:g} s"
            self._finish(waiting, max(0, survivors - 1))
        else:
            self._answer(waiting, child, "start-timeout" if waiting.phase == "starting" else "timeout")

    def _reap(self) -> None:
        read(self._wake[0], 512)
        for number, status in self._keeping.dead():
            self._gone(number, status)
        if self._waiting is not None and self._waiting.phase == "lingering":
            self._linger(self._waiting)

    def _gone(self, number: int, status: int) -> None:
        if number == self._command:
            self._command = None
            waiting, self._waiting = self._waiting, None
            if waiting is not None:
                self._tell({"id": waiting.id, "status": status})
        child = self._child
        if child is None or number != child.number:
            return
        self._hear(child)  # what it said before it went
        child.status, self._died_at = status, monotonic()
        waiting = self._waiting
        if waiting is None:
            return
        if waiting.phase in ("closing", "resting"):
            waiting.phase, waiting.deadline = "lingering", self._died_at + LINGER_S
        elif waiting.phase in ("starting", "asking"):
            self._answer(waiting, child, "died")

    # --- ends ---

    def _linger(self, waiting: _Waiting) -> None:
        if not self._keeping.anybody_left():
            self._finish(waiting, 0)

    def _rested(self, waiting: _Waiting, child: Child) -> None:
        """The run is over, and its process goes on."""
        self._waiting = None
        self._tell({"id": waiting.id, "survivors": 0, "error": None}, child.printed_in_run())

    def _finish(self, waiting: _Waiting, survivors: int) -> None:
        child = self._child
        assert child is not None
        self._waiting, self._child = None, None
        self._tell({"id": waiting.id, "survivors": survivors, "error": waiting.error}, child.printed_in_run())
        child.close()

    def _kill_all(self) -> int:
        """End every other process of the slot; returns how many there were."""
        ended = self._keeping.end_everybody()
        if self._child is not None and self._child.number in ended:
            self._child.status, self._died_at = ended[self._child.number], monotonic()
        return len(ended)

    def _leave(self) -> NoReturn:
        self._kill_all()
        os._exit(0)

    # --- answers ---

    def _answer(self, waiting: _Waiting, child: Child, ending: str, reply: bytes = b"") -> None:
        self._waiting = None
        answer = {
            "id": waiting.id,
            "ending": ending,
            "duration_s": monotonic() - waiting.began,
            "status": child.status,
        }
        self._tell(answer, (reply, *child.printed_in_step()))

    def _tell(self, message: dict[str, Any], blobs: tuple[bytes, ...] = ()) -> None:
        try:
            self._control.sendall(pack(message, blobs))
        except OSError:
            self._leave()
