"""One run as its slot's parent sees it: a forked process, its pipes, its output, its end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from os import close, dup2, pipe, read, set_blocking, setsid, write
from typing import NoReturn

from pytest_webretrieval.systems.system import System

from .frames import Frame, split
from .handlers import Handlers, give_back
from .host import MAX_REPLY, serve
from .output import Bounded

Fork = Callable[[Callable[[], NoReturn]], int]  # a process that runs what it is given; its number

_CHUNK = 1 << 18
_DRAINED = 1 << 22  # more than a pipe holds, so that a drain ends even when somebody prints without end


class Child:
    """A run's process. ``status`` is None while it lives, then its exit code, or minus the signal."""

    def __init__(self, number: int, questions: int, replies: int, out: int, err: int) -> None:
        self.number = number
        self.questions, self.replies = questions, replies
        self.status: int | None = None
        self.started = False
        self.mute = False  # it closed its end of the replies, and may live on
        self.unsent = bytearray()
        self.streams = {out: 0, err: 1}
        self._unread = bytearray()
        self._step = (Bounded(), Bounded())
        self._run = (Bounded(), Bounded())
        for descriptor in (questions, replies, out, err):
            set_blocking(descriptor, False)

    def send(self, data: bytes) -> None:
        self.unsent += data
        self.push()

    def push(self) -> None:
        """Write what the pipe takes."""
        try:
            while self.unsent:
                del self.unsent[: write(self.questions, self.unsent)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self.unsent.clear()

    def next_reply(self) -> Frame | None:
        """The next whole reply. Raises FrameError when what came is none."""
        while (frame := split(self._unread, MAX_REPLY)) is None:
            try:
                data = read(self.replies, _CHUNK)
            except BlockingIOError:
                return None
            if not data:
                self.mute = True
                return None
            self._unread += data
        return frame

    def pump(self, descriptor: int) -> int:
        """Take in one chunk of what was printed; returns its size."""
        try:
            data = read(descriptor, _CHUNK)
        except BlockingIOError:
            return 0
        if not data:
            del self.streams[descriptor]
            close(descriptor)
            return 0
        which = self.streams[descriptor]
        self._step[which].add(data)
        self._run[which].add(data)
        return len(data)

    def drain(self) -> None:
        """Take in what was printed until now."""
        for descriptor in list(self.streams):
            taken = 0
            while taken < _DRAINED and (size := self.pump(descriptor)):
                taken += size

    def printed_in_step(self) -> tuple[bytes, bytes]:
        self.drain()
        return self._step[0].take(), self._step[1].take()

    def printed_in_run(self) -> tuple[bytes, bytes]:
        self.drain()
        self._step[0].take()
        self._step[1].take()
        return self._run[0].take(), self._run[1].take()

    def close(self) -> None:
        for descriptor in (self.questions, self.replies, *self.streams):
            close(descriptor)
        self.streams = {}


def start(system: System, fork: Fork, handlers: Handlers, not_for_it: Iterable[int]) -> Child:
    """Fork a run by ``fork``; ``not_for_it`` are the parent's own descriptors. Raises OSError."""
    questions, replies, out, err = pipe(), pipe(), pipe(), pipe()

    def body() -> NoReturn:
        for descriptor in (*not_for_it, questions[1], replies[0], out[0], err[0]):
            close(descriptor)
        setsid()
        with open(os.devnull, "rb") as nothing:
            for source, target in ((nothing.fileno(), 0), (out[1], 1), (err[1], 2)):
                dup2(source, target)
        close(out[1])
        close(err[1])
        give_back(handlers)
        _be_the_first_to_go()
        serve(questions[0], replies[1], system)

    try:
        number = fork(body)
    except OSError:
        for descriptor in (questions[1], replies[0], out[0], err[0]):
            close(descriptor)
        raise
    finally:
        for descriptor in (questions[0], replies[1], out[1], err[1]):
            close(descriptor)
    return Child(number, questions[1], replies[0], out[0], err[0])


def _be_the_first_to_go() -> None:
    """When memory runs out, the run goes, not what watches it."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii", newline="\n") as file:
        file.write("500")
