"""The child's side: a process that runs a system, for one run or, by session isolation, as long as its slot.

It reads questions from one pipe and writes replies to another, each a frame without blobs. Nothing here is
trusted by those who read the replies: user code may write there too.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import tempfile
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from pytest_webretrieval.systems.codec import task_from_json
from pytest_webretrieval.systems.ends import SystemDied
from pytest_webretrieval.systems.system import System
from pytest_webretrieval.wire.frames import pack

from . import telemetry
from .frames import split

MAX_REPLY = 64 * 1024 * 1024
_ERROR_TAIL = 8 * 1024
_LAST_WORDS = {"failed", "died", "closed"}
_WAYS_IN = frozenset(f"pytest_webretrieval.systems.{name}" for name in ("ways", "command", "server", "ends"))
_OURS = str(Path(__file__).parent.parent)


def serve(questions: int, replies: int, system: System) -> NoReturn:
    """Answer until told to close or the pipe ends; then leave without running what the import left for
    exit, because that belongs to the process that imported."""
    with suppress(Exception):
        if not faulthandler.is_enabled():
            faulthandler.enable()
    me = os.getpid()
    buffer = bytearray()
    while (question := _next(questions, buffer)) is not None:
        reply = _obeyed(question, system)
        if os.getpid() != me:
            os._exit(0)  # a child that the system forked and that came back through our frames
        _write(replies, reply)
        if reply.keys() & _LAST_WORDS:
            break
    with suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(0)


def _obeyed(question: dict[str, Any], system: System) -> dict[str, Any]:
    if places := question.get("places"):
        os.environ.update(places)
        if "TMPDIR" in places:
            tempfile.tempdir = None  # what the import may have found out
    match question["do"]:
        case "start":
            return _started(system)
        case "ask":
            return _asked(system, question["task"])
        case _:
            return _closed(system)


def _started(system: System) -> dict[str, Any]:
    try:
        system.start()
    except BaseException as error:
        return {"failed": describe(error)}
    return {"started": True}


def _asked(system: System, task: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"payload": system.ask(task_from_json(task))}
    except SystemDied as error:
        return {"died": describe(error)}
    except BaseException as error:
        return {"raised": describe(error)}
    finally:
        telemetry.flush()


def _closed(system: System) -> dict[str, Any]:
    try:
        system.close()
    except BaseException as error:
        return {"closed": describe(error)}
    finally:
        telemetry.flush()
    return {"closed": None}


def describe(error: BaseException) -> dict[str, str]:
    """``type`` (low-cardinality) and ``text`` (the end of the traceback, without our own frames; what our ways in
    raise is told by its message alone)."""
    kind = getattr(error, "error_type", None)
    named = kind if isinstance(kind, str) else type(error).__qualname__
    if type(error).__module__ in _WAYS_IN:
        return {"type": named, "text": str(error)[-_ERROR_TAIL:]}
    try:
        frames = [
            frame for frame in traceback.extract_tb(error.__traceback__) if not _is_ours(frame.filename)
        ]
        text = "".join((*traceback.format_list(frames), *traceback.format_exception_only(error))).strip()
    except Exception as broken:
        text = f"{named} (its text cannot be had: {type(broken).__name__})"
    return {"type": named, "text": text[-_ERROR_TAIL:]}


def _is_ours(filename: str) -> bool:
    return filename.startswith(_OURS) and "/systems/reference/" not in filename


def _next(questions: int, buffer: bytearray) -> dict[str, Any] | None:
    while (frame := split(buffer)) is None:
        data = os.read(questions, 1 << 16)
        if not data:
            return None
        buffer += data
    return frame.message()


def _write(replies: int, reply: dict[str, Any]) -> None:
    """Raises OSError when nobody reads any more: the run ends with it, as it should."""
    with suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    try:
        data = pack(reply)
        if len(data) > MAX_REPLY:
            raise ValueError(f"the answer is {len(data)} bytes long; at most {MAX_REPLY} can be carried")
    except Exception as error:
        data = pack({"raised": describe(error)})
    view = memoryview(data)
    while view:
        view = view[os.write(replies, view) :]
