"""A run begins in a slot: its stage, its faults, its recordings and its model."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.case import Location
from pytest_webretrieval.cases.faults import LOSS, Fault
from pytest_webretrieval.faults.netfilter import Loss, lose
from pytest_webretrieval.wire.addresses import address4, address6
from pytest_webretrieval.wire.cassettes import RecordingError
from pytest_webretrieval.wire.recording import Unrecorded, open_recording

from .connection import Slot
from .declarations import Scene
from .dialects.registry import search_hosts
from .front.plan import Plan, place
from .gateway.run import GatewayRun
from .hall import Hall, Refused
from .log import Log
from .model.run import ModelRun, open_run
from .route import fixed
from .stage import Edition, Stage, now
from .telling import row
from .users import Credential


async def begin(hall: Hall, message: dict[str, Any]) -> dict[str, Any]:
    """Begin the run that a message describes; what its task needs to know. Raises Refused."""
    slot = hall.slot(message)
    scene = _scene(hall, message["scene"]) if message["target"] is None else _on_the_web(message)
    started = now()
    edition = hall.world.editions(message["seed"], started.date())
    stage = Stage(
        edition=edition,
        scene=scene,
        started=started,
        outward=hall.outward,
        case=message["case"],
        trial=message["trial"],
        faults=_plan(message, edition),
    )
    _lose(slot, stage.faults)
    if stage.faults:
        slot.proxying = hall.proxying()
        # One that is open already would go round them.
        for tap in list(slot.connections):
            if tap.current is None and tap.transport is not None:
                tap.transport.close()
    gateway_run, model_run = await _recorded(hall, message), await _with_model(stage)
    slot.log = Log(stage=stage, reach=hall.gateway.reach, gateway_run=gateway_run, model_run=model_run)
    for passage in slot.passages:
        passage.news, passage.received = False, 0
    return {
        "start_urls": [edition.url(address) for address in scene.start_urls],
        "cheapest": scene.cheapest,
        "states": list(scene.states),
        "users": {name: [row(one) for one in held] for name, held in stage.users.items()},
    }


def _scene(hall: Hall, name: str) -> Scene:
    """The scene of this name. Raises Refused."""
    scene = hall.world.sites.scenes.get(name)
    if scene is None:
        from difflib import get_close_matches

        near = get_close_matches(name, hall.world.sites.scenes, 1)
        known = ", ".join(sorted(hall.world.sites.scenes))
        raise Refused(
            f"unknown scene {name!r}; " + (f"did you mean {near[0]!r}?" if near else f"known are {known}")
        )
    return scene


def _on_the_web(message: dict[str, Any]) -> Scene:
    """What stands for a scene where the web is the real one. Whether something cheaper than a browser would have done
    is not known there, so that no browser is one too many."""
    target = message["target"]
    return Scene(
        name=message["scene"],
        where=Location(Path(message["case"]), 0),
        start_urls=tuple(target["start_urls"]),
        cheapest="browser",
        states=(),
        pages=(),
        users={name: tuple(Credential(**one) for one in held) for name, held in target["users"].items()},
    )


def _plan(message: dict[str, Any], edition: Edition) -> Plan:
    """The faults of a run's connections, at the hosts in force. Raises Refused where nobody has a host's name."""
    faults = [Fault(**told) for told in message["faults"]]
    placed = tuple(one for fault in faults for one in place(fault, edition.url, search_hosts()))
    for one in placed:
        if one.host not in edition.hosts | fixed():
            raise Refused(f"{message['case']}: fault `{one.fault.toxic}`: nobody is {one.fault.host} here")
    return Plan(
        placed=tuple(one for one in placed if one.fault.toxic != LOSS),
        lost=tuple(one for one in placed if one.fault.toxic == LOSS),
        seed=message["seed"],
        case=message["case"],
    )


def _lose(slot: Slot, plan: Plan) -> None:
    """Lose the packets that the plan says, and no others. Raises Refused."""
    if not plan.lost and not slot.loses:
        return
    losses = [
        Loss(of(one.host), one.fault.attributes["percent"])
        for one in plan.lost
        for of in (address4, address6)
    ]
    try:
        if slot.netfilter is None:
            raise OSError(errno.EOPNOTSUPP, "the slot has no network of its own")
        lose(slot.netfilter, losses)
    except OSError as error:
        raise Refused(f"fault `loss`: packets cannot be lost here: {error.strerror or error}") from None
    slot.loses = bool(losses)


async def _recorded(hall: Hall, message: dict[str, Any]) -> GatewayRun | None:
    """The run's cassette; None where nothing is passed on that is kept in one."""
    if hall.outward.web is not None:
        return GatewayRun(recording=Unrecorded(), spliced=frozenset(message["target"]["splice"]))
    if not hall.gateway.keeps:
        return None
    try:
        recording = await asyncio.to_thread(
            open_recording,
            Path(hall.outward.cassettes),
            message["case"],
            seed=message["seed"],
            trial=message["trial"],
            mode=hall.outward.record,
        )
    except RecordingError as error:
        raise Refused(str(error)) from None
    return GatewayRun(recording=recording)


async def _with_model(stage: Stage) -> ModelRun | None:
    """The run's turns with a model; None where it is scripted."""
    if stage.outward.model == "scripted":
        return None
    try:
        return await asyncio.to_thread(open_run, stage)
    except RecordingError as error:
        raise Refused(str(error)) from None
