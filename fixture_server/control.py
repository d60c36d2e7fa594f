"""The messages between harness and world, on the world's side."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from typing import Any

from pytest_webretrieval.wire import frames
from pytest_webretrieval.wire.attempt import Halt
from pytest_webretrieval.wire.recording import Account

from .beginning import begin
from .connection import Slot
from .doors import close_slot
from .gateway.citing import archive_cited
from .gateway.looking import AGENT, look, plain_get, unasked
from .gateway.sampling import sample_of
from .hall import Hall, Refused
from .kept import MOST_KEPT
from .message import Asked, flat
from .model.purse import purse_of
from .opening import open_slot
from .telling import Reply, trace_to_wire

SETTLE_S = 0.25
OVERFLOW = f"a step was given more than the {MOST_KEPT >> 20} MiB that are archived"


async def obey(hall: Hall, message: dict[str, Any]) -> Reply:
    """Do what one message asks. Raises Refused."""
    match message["do"]:
        case "open":
            await open_slot(hall, message)
            return {}, ()
        case "close":
            await close_slot(hall.slot(message))
            del hall.slots[message["slot"]]
            return {}, ()
        case "begin":
            return await begin(hall, message), ()
        case "step":
            return _step(hall, message)
        case "drain":
            return await _drain(hall.slot(message))
        case "keep":
            return await _keep(hall, message)
        case "check":
            return await _check(hall, message)
    raise Refused(f"unknown message {message['do']!r}")


def _step(hall: Hall, message: dict[str, Any]) -> Reply:
    log = hall.slot(message).log
    if log.stage is None:
        raise Refused("a step needs a run; begin one first")
    state = message["state"]
    if state != "initial" and state not in log.stage.scene.states:
        known = ", ".join(("initial", *log.stage.scene.states))
        raise Refused(f"scene {log.stage.scene.name!r} has no state {state!r}; it has {known}")
    user = message["user"]
    if user is not None and user not in log.stage.scene.users:
        known = ", ".join(log.stage.scene.users) or "none"
        raise Refused(f"scene {log.stage.scene.name!r} has no user {user!r}; it has {known}")
    log.stage = replace(log.stage, step=message["number"], state=state, user=user)
    log.answered = False
    return {}, ()


async def _drain(slot: Slot) -> Reply:
    log = slot.log
    # What the kernel holds already is of this step: the event loop reads it before the log is taken.
    for _ in range(3):
        await asyncio.sleep(0)
    await log.settle(SETTLE_S)
    for passage in slot.passages:
        log.note_passage(passage)
    overflow = log.kept.is_full
    trace, archive = log.take()
    if log.model_run is not None:
        await asyncio.to_thread(log.model_run.keep)
        trace = log.model_run.told(trace)
    if log.gateway_run is not None and log.gateway_run.trouble is not None:
        trace = replace(trace, trouble=log.gateway_run.trouble)
    if overflow:
        trace = replace(trace, trouble=Halt(where="archive", why=OVERFLOW))
    log.answered = True
    trouble, log.trouble = log.trouble, []
    message, blobs = trace_to_wire(trace, archive)
    return {**message, "trouble": trouble}, blobs


async def _keep(hall: Hall, message: dict[str, Any]) -> Reply:
    """Write the run's recordings and say what became of them; with the requests that this took."""
    log, account = hall.slot(message).log, Account()
    run, log.gateway_run = log.gateway_run, None
    if run is not None:
        await run.settle()
        if hall.outward.web is None:
            await archive_cited(message["cited"], log, run, hall.gateway)
        account = await asyncio.to_thread(run.recording.keep)
    reply, blobs = trace_to_wire(*log.take())
    return {**reply, "account": asdict(account)}, blobs


async def _check(hall: Hall, message: dict[str, Any]) -> Reply:
    """Look at an address ourselves, or at an API that the run asked; what came."""
    log = hall.slot(message).log
    run = log.gateway_run
    if run is None or hall.outward.web is None:
        raise Refused("only a run on the real web can look at it")
    agent = hall.outward.web.user_agent or AGENT
    if message["provider"] is None:
        asked = plain_get(message["url"], agent)
    else:
        last = run.last.get(message["provider"])
        asked = None if last is None else sample_of(last, agent)
        if asked is None:
            return {"status": None, "error_type": "no_sample", "headers": {}, "url": ""}, ()
        if not _paid(hall, asked):
            return {"status": 429, "error_type": "over_budget", "headers": {}, "url": asked.url}, ()
    if asked is None:
        why = unasked(message["url"], log)
        return {"status": None, "error_type": why, "headers": {}, "url": message["url"]}, ()
    found = await look(asked, log, run, hall.gateway)
    if found.answer is None:
        return {"status": None, "error_type": found.error_type, "headers": {}, "url": asked.url}, ()
    headers = flat(found.answer.headers)
    told = {
        "status": found.answer.status,
        "error_type": found.error_type,
        "headers": headers,
        "url": asked.url,
    }
    return told, (found.answer.body,)


def _paid(hall: Hall, asked: Asked) -> bool:
    """Whether there was money for a request of our own; it is noted with what the run spends."""
    price, purse = hall.gateway.price(asked), purse_of(hall.outward)
    if not price or purse is None:
        return True
    if purse.is_empty:
        return False
    purse.spend(price, f"{asked.host}, asked by the harness")
    return True


async def converse(
    hall: Hall, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, crashes: list[str]
) -> None:
    """Obey messages until the harness is gone or says ``stop``. Crashes of the loop's callbacks come with the
    next drain, as trouble."""
    tasks: set[asyncio.Task[None]] = set()
    while (frame := await frames.read(reader)) is not None:
        message, _ = frame
        if message["do"] == "stop":
            break
        task = asyncio.create_task(_reply(hall, writer, message, crashes))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


async def _reply(
    hall: Hall, writer: asyncio.StreamWriter, message: dict[str, Any], crashes: list[str]
) -> None:
    try:
        reply, blobs = await obey(hall, message)
        if message["do"] == "drain" and crashes and "trouble" in reply:
            reply["trouble"] = [*reply["trouble"], *crashes]
            crashes.clear()
        await _send(writer, {"id": message["id"], **reply}, blobs)
    except ConnectionError:
        return  # the harness is gone
    except Exception as error:
        text = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
        await _send(writer, {"id": message["id"], "failure": text}, ())


async def _send(writer: asyncio.StreamWriter, reply: dict[str, Any], blobs: tuple[bytes, ...]) -> None:
    """Send a reply of any size, a frame at a time: others have their turn between two. Raises FrameError."""
    for frame in frames.pack_parts(reply, blobs):
        writer.write(frame)
        await writer.drain()
