"""A system that ends as the question tells it to."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from pytest_webretrieval.systems.contract import Task

print("imported")


class Odd(BaseException):
    """Neither an Exception nor one of the interpreter's own."""


class Unprintable(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


class System:
    def __init__(self) -> None:
        self.asked = 0

    def start(self) -> None:
        self.pid = os.getpid()

    def retrieve(self, task: Task) -> object:
        self.asked += 1
        way, _, rest = task.prompt.partition(" ")
        print(f"asked: {way}")
        print(f"complained: {way}", file=sys.stderr)
        return getattr(self, way)(*rest.split())

    def close(self) -> None:
        print("closed")

    def count(self) -> int:
        return self.asked

    def number(self) -> int:
        return self.pid

    def exit(self, code: str) -> None:
        os._exit(int(code))

    def leave(self) -> None:
        sys.exit("enough")

    def kill_itself(self, number: str) -> None:
        os.kill(os.getpid(), int(number))
        time.sleep(60)

    def abort(self) -> None:
        os.abort()

    def raise_value(self) -> None:
        raise ValueError("so it goes")

    def raise_odd(self) -> None:
        raise Odd("odd")

    def raise_unprintable(self) -> None:
        raise Unprintable

    def interrupt(self) -> None:
        raise KeyboardInterrupt

    def hang(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(600)

    def call_and_hang(self) -> None:
        socket.getaddrinfo("hanging.example", 443)
        self.hang()

    def stop(self) -> None:
        os.kill(os.getpid(), signal.SIGSTOP)

    def spin(self) -> None:
        while True:
            pass

    def shout(self, megabytes: str) -> str:
        line = "x" * 999_999 + "\n"
        sys.stdout.write("first\n")
        for _ in range(int(megabytes)):
            sys.stdout.write(line)
        sys.stdout.write("last\n")
        return "shouted"

    def shout_and_hang(self) -> None:
        while True:
            sys.stdout.write("x" * 9999 + "\n")

    def leave_daemon(self, seconds: str) -> str:
        """Double fork and setsid: no kill of a process group reaches it."""
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(float(seconds))
            os._exit(0)
        return "left"

    def leave_command(self) -> str:
        subprocess.Popen(["sleep", "600"], start_new_session=True)
        return "left"

    def fork_and_come_back(self) -> str:
        """The child returns through the frames that answer."""
        return "child" if os.fork() == 0 else "parent"

    def fork_hang_and_exit(self) -> None:
        if os.fork() == 0:
            time.sleep(600)
        os._exit(5)

    def close_everything(self) -> str:
        os.closerange(3, 256)
        return "closed all"

    def write_garbage(self) -> str:
        for descriptor in range(3, 64):
            try:
                if os.readlink(f"/proc/self/fd/{descriptor}").startswith("pipe:"):
                    os.write(descriptor, b"\xff" * 64)
            except OSError:
                pass
        return "wrote"

    def huge(self, megabytes: str) -> str:
        return "x" * (int(megabytes) << 20)

    def not_text(self) -> object:
        return {"odd": "\ud800"}

    def remember(self, word: str) -> str:
        Path(os.environ["WEBRETRIEVAL_STATE_DIR"], "word").write_text(word, encoding="utf-8")
        return "noted"

    def recall(self) -> str:
        noted = Path(os.environ["WEBRETRIEVAL_STATE_DIR"], "word")
        return noted.read_text(encoding="utf-8") if noted.exists() else "nothing"

    def environment(self, name: str) -> str:
        return os.environ.get(name, "(not set)")

    async def slowly(self, seconds: str) -> str:
        await asyncio.sleep(float(seconds))
        return "at last"


class NeverStarts(System):
    def start(self) -> None:
        raise RuntimeError("no key")


class HangsInStart(System):
    def start(self) -> None:
        time.sleep(600)


class ClosesBadly(System):
    def close(self) -> None:
        raise RuntimeError("still busy")


class NeverCloses(System):
    def close(self) -> None:
        time.sleep(600)
