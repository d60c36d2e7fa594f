"""A run as a program of its own, which imports the system before it serves.

    python -m pytest_webretrieval.slots.proxy_run QUESTIONS REPLIES PLAN

PLAN is the plan as JSON. Without questions (-1) it says what ``import`` is answered with, and ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, NoReturn

from pytest_webretrieval.systems.contract import Task
from pytest_webretrieval.systems.system import System
from pytest_webretrieval.systems.ways import SystemUnusable
from pytest_webretrieval.wire.frames import pack

from . import guard
from .child import Child
from .frames import split
from .host import serve
from .plan import Plan, plan_from_json

_NO_QUESTIONS = -1


def start(plan: Plan) -> Child:
    """Begin a run. Raises OSError."""
    questions, replies, out, err = os.pipe(), os.pipe(), os.pipe(), os.pipe()
    try:
        process = _begin(plan, questions[0], replies[1], out[1], err[1])
    except OSError:
        for descriptor in (questions[1], replies[0], out[0], err[0]):
            os.close(descriptor)
        raise
    finally:
        for descriptor in (questions[0], replies[1], out[1], err[1]):
            os.close(descriptor)
    process.returncode = 0  # the slot's parent waits for all that is below it
    return Child(process.pid, questions[1], replies[0], out[0], err[0])


def declared(plan: Plan) -> dict[str, Any]:
    """Import the system in a process that ends at once; what ``import`` is answered with."""
    reading, writing = os.pipe()
    try:
        process = _begin(plan, _NO_QUESTIONS, writing, 1, 2)
    finally:
        os.close(writing)
    buffer = bytearray()
    while data := os.read(reading, 1 << 16):
        buffer += data
    os.close(reading)
    process.wait()
    frame = split(buffer)
    if frame is None:
        return {"unusable": f"system `{plan.system}`: the process ended while importing it"}
    return frame.message()


def _begin(plan: Plan, questions: int, replies: int, out: int, err: int) -> subprocess.Popen[bytes]:
    module = "pytest_webretrieval.slots.proxy_run"
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, str(questions), str(replies), json.dumps(plan.to_json())],
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=err,
        pass_fds=[descriptor for descriptor in (questions, replies) if descriptor >= 0],
        start_new_session=True,
    )


class _Unusable:
    """Stands for a system that could not be imported in this run: starting it says so."""

    capabilities: frozenset[str] | None = None

    def __init__(self, why: str) -> None:
        self._why = why

    def start(self) -> None:
        raise SystemUnusable(self._why)

    def ask(self, task: Task) -> Any:
        raise SystemUnusable(self._why)

    def close(self) -> None:
        """Nothing was started."""


def main(questions: int, replies: int, plan: Plan) -> NoReturn:
    from .importing import import_system

    guard.wake_by_environment()
    system, answer = import_system(plan)
    if questions == _NO_QUESTIONS:
        os.write(replies, pack(answer))
        os._exit(0)
    ours: System = system or _Unusable(answer.get("unusable", "no system was named"))
    serve(questions, replies, ours)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), plan_from_json(json.loads(sys.argv[3])))
