"""The messages between harness and world, on the world's side, and how a trace crosses as JSON."""

from __future__ import annotations

import asyncio
import errno
import socket
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.faults import LOSS, Fault
from pytest_webretrieval.faults.netfilter import Loss, lose
from pytest_webretrieval.faults.toxiproxy import ToxiproxyFailure
from pytest_webretrieval.outward import Outward
from pytest_webretrieval.wire import frames
from pytest_webretrieval.wire.addresses import address4, address6, split_endpoint
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Trace
from pytest_webretrieval.wire.cassettes import RecordingError
from pytest_webretrieval.wire.recording import Account, open_recording

from .connection import Slot
from .doors import close_slot, open_door
from .front.plan import Plan, place
from .front.ways import Proxying, proxying
from .gateway.citing import archive_cited
from .gateway.hosts import Gateway
from .gateway.run import GatewayRun
from .log import Log
from .model.run import ModelRun, open_run
from .names import Resolver, serve_tcp, serve_udp
from .outside import has_address, is_background, is_outside
from .packets import Watch, serve_packets
from .process import die_with_the_harness
from .proxy import open_proxy_door
from .relay import serve_relay
from .route import fixed, knows
from .stage import Edition, Stage, now
from .world import World

SETTLE_S = 0.25
_DNS = 53
Reply = tuple[dict[str, Any], tuple[bytes, ...]]


class Refused(Exception):
    """A message that cannot be obeyed; the harness sees it as a WorldFailure."""


@dataclass(slots=True, kw_only=True)
class Hall:
    """What the process holds: the world, the authority's context, the channel for doors, the slots."""

    world: World
    context: Any
    fds: socket.socket
    slots: dict[str, Slot] = field(default_factory=dict)
    outward: Outward = field(default_factory=Outward)
    gateway: Gateway = field(init=False)
    _proxying: Proxying | None = None

    def proxying(self) -> Proxying:
        """What makes the toxics, from the first run that needs them. Raises Refused."""
        if self._proxying is None:
            try:
                self._proxying = proxying(self.outward.toxiproxy, before=die_with_the_harness)
            except ToxiproxyFailure as error:
                raise Refused(str(error)) from None
        return self._proxying

    def __post_init__(self) -> None:
        self.gateway = Gateway(self.outward)

    def slot(self, message: dict[str, Any]) -> Slot:
        """The slot that a message names. Raises Refused."""
        try:
            return self.slots[message["slot"]]
        except KeyError:
            raise Refused(f"no slot {message.get('slot')!r} is open") from None


def outward_of(start: dict[str, Any]) -> Outward:
    """What the start message says of the model and the gateway."""
    said = start["outward"]
    return Outward(**{**said, "gateway": tuple(said["gateway"])})


async def obey(hall: Hall, message: dict[str, Any]) -> Reply:
    """Do what one message asks. Raises Refused."""
    match message["do"]:
        case "open":
            return await _open(hall, message)
        case "close":
            await close_slot(hall.slot(message))
            del hall.slots[message["slot"]]
            return {}, ()
        case "begin":
            return await _begin(hall, message)
        case "step":
            return _step(hall, message)
        case "drain":
            return await _drain(hall.slot(message))
        case "keep":
            return await _keep(hall, message)
    raise Refused(f"unknown message {message['do']!r}")


async def _open(hall: Hall, message: dict[str, Any]) -> Reply:
    name, kinds = message["slot"], message["doors"]
    doors = [socket.socket(fileno=fd) for fd in _receive_fds(hall.fds, name, len(kinds))]
    if name in hall.slots:
        for door in doors:
            door.close()
        raise Refused(f"slot {name!r} is open already")
    slot = hall.slots[name] = Slot(name, Log(stage=None, listed=hall.gateway.hosts), hall.gateway)
    slot.has_v6 = any(kind == "https" and family == 6 for kind, family, _ in kinds)
    slot.ports = {
        ("udp" if kind == "dns-udp" else "tcp", door.getsockname()[1])
        for (kind, _, _), door in zip(kinds, doors, strict=True)
        if kind not in ("packets", "relay", "netfilter")
    }
    slot.relays = {
        door.getsockname()[:2] for (kind, _, _), door in zip(kinds, doors, strict=True) if kind == "relay"
    }
    slot.allowed = frozenset(split_endpoint(target)[0] for _, _, target in kinds if target)
    resolver = _resolver(slot)
    for (kind, _, target), door in zip(kinds, doors, strict=True):
        match kind:
            case "https" | "http":
                open_door(slot, kind, door, hall.context if kind == "https" else None)
            case "dns-udp":
                slot.closers.append(serve_udp(door, resolver))
            case "dns-tcp":
                slot.closers.append(await serve_tcp(door, resolver))
            case "packets":
                watch = Watch(
                    slot.ports,
                    slot.relays,
                    has_address=lambda address: has_address(address, slot.log.stage, slot.log.listed),
                    is_background=is_background,
                )
                slot.closers.append(serve_packets(door, watch, lambda *left: slot.log.leave(*left)))
            case "netfilter":
                slot.netfilter = door
                slot.closers.append(door.close)
            case "proxy":
                open_proxy_door(slot, door, hall.context, resolver)
            case "relay":
                slot.closers.append(serve_relay(slot, door, target))
    return {}, ()


def _resolver(slot: Slot) -> Resolver:
    """DNS of a slot: the world's names and those that a relay leads to; a question for a name outside is a try to
    leave."""

    def asked(name: str, kind: str, known: bool) -> None:
        slot.log.look_up(name, kind, known)
        if not known and is_outside(name, slot.log.stage, slot.log.listed):
            slot.log.leave("dns", name, _DNS)

    return Resolver(
        known=lambda name: name in slot.allowed | slot.log.listed or knows(name, slot.log.stage),
        asked=asked,
        has_v6=lambda: slot.has_v6,
    )


def _receive_fds(channel: socket.socket, name: str, count: int) -> list[int]:
    text, fds, _, _ = socket.recv_fds(channel, 4096, count)
    if text.decode() != name or len(fds) != count:
        raise Refused(
            f"{len(fds)} doors came for slot {text.decode()!r}, {count} were announced for {name!r}"
        )
    return fds


async def _begin(hall: Hall, message: dict[str, Any]) -> Reply:
    slot, name = hall.slot(message), message["scene"]
    scene = hall.world.sites.scenes.get(name)
    if scene is None:
        from difflib import get_close_matches

        near = get_close_matches(name, hall.world.sites.scenes, 1)
        hint = (
            f"did you mean {near[0]!r}?"
            if near
            else f"known are {', '.join(sorted(hall.world.sites.scenes))}"
        )
        raise Refused(f"unknown scene {name!r}; {hint}")
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
    slot.log = Log(stage=stage, listed=hall.gateway.hosts, gateway_run=gateway_run, model_run=model_run)
    for passage in slot.passages:
        passage.news, passage.received = False, 0
    return {
        "start_urls": [edition.url(address) for address in scene.start_urls],
        "cheapest": scene.cheapest,
        "states": list(scene.states),
        "users": {name: [_row(one) for one in held] for name, held in stage.users.items()},
    }, ()


def _plan(message: dict[str, Any], edition: Edition) -> Plan:
    """The faults of a run's connections, at the hosts in force. Raises Refused where nobody has a host's name."""
    faults = [Fault(**told) for told in message["faults"]]
    placed = tuple(place(fault, edition.url) for fault in faults)
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
    trace, archive = log.take()
    if log.model_run is not None:
        await asyncio.to_thread(log.model_run.keep)
        trace = log.model_run.told(trace)
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
        await archive_cited(message["cited"], log, run, hall.gateway)
        account = await asyncio.to_thread(run.recording.keep)
    reply, blobs = trace_to_wire(*log.take())
    return {**reply, "account": asdict(account)}, blobs


def trace_to_wire(trace: Trace, archive: Archive) -> Reply:
    """A trace and an archive as one message; bytes go as blobs, each named by its place among them."""
    blobs: list[bytes] = []

    def place(data: bytes) -> int:
        blobs.append(data)
        return len(blobs) - 1

    attempts = []
    for attempt in trace.attempts:
        row = _row(attempt)
        row["request_body"] = place(attempt.request_body) if attempt.request_body else None
        attempts.append(row)
    return {
        "attempts": attempts,
        "lookups": [_row(lookup) for lookup in trace.lookups],
        "egress": [_row(left) for left in trace.egress],
        "spans": [asdict(span) for span in trace.spans],
        "diverged": [_row(one) for one in trace.diverged],
        "trouble_with_model": trace.trouble,
        "representations": [_row(given) for given in archive.representations],
        "bodies": {sha256: place(body) for sha256, body in archive.bodies.items()},
    }, tuple(blobs)


def _row(thing: Any) -> dict[str, Any]:
    return {part.name: getattr(thing, part.name) for part in fields(thing)}


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
    except Exception as error:
        text = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
        reply, blobs = {"failure": text}, ()
    if message["do"] == "drain" and crashes and "trouble" in reply:
        reply["trouble"] = [*reply["trouble"], *crashes]
        crashes.clear()
    writer.write(frames.pack({"id": message["id"], **reply}, blobs))
