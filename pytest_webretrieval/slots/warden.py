"""The warden of a carrier: it makes the namespace that a system is imported in, and ends everything when its
time has come.

    python -m pytest_webretrieval.slots.warden CONTROL ORDERS HARNESS

CONTROL is a socket to the harness, ORDERS one that the zygote will use, HARNESS the harness's process number.
The warden keeps the power over the first namespace and runs no user code. It watches the harness itself, not
only the socket: a forked copy of the harness may hold the socket open. It mounts, and removes nothing: that is done by
the process that started it, which sees the machine as it is and waits for its end.

On CONTROL: ``unshared`` or ``refused``; then, once the harness has mapped the ids, the frame with the
doors or ``refused``; ``output`` is answered with what the zygote printed; ``ended`` says that the zygote
is gone.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from select import POLLIN, poll
from socket import socket
from typing import Any, NoReturn

from pytest_webretrieval.wire.frames import pack, receive

from . import netlink
from .fork import fork_here, fork_into
from .layer import lay
from .namespace import (
    NEWNET,
    NEWNS,
    NEWPID,
    NEWUSER,
    PRIVATE,
    READ_ONLY,
    RECURSIVE,
    Ids,
    bind,
    die_with_parent,
    mount,
    mount_proc,
    unshare,
)
from .openings import hand_out
from .output import Bounded
from .plan import Plan, ids_from_json, plan_from_json
from .temporary import remove


def main(control_fd: int, orders_fd: int, harness: int) -> NoReturn:
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(
            number, signal.SIG_IGN
        )  # the terminal's keys are for the harness, which ends us in order
    control = socket(fileno=control_fd)
    harness_fd = os.pidfd_open(harness)
    message, _ = receive(control) or os._exit(0)
    plan = plan_from_json(message["plan"])
    # A process with threads (a sitecustomize may start some) cannot unshare; a forked one has none.
    warden = fork_here(lambda: _guard(control, harness_fd, orders_fd, plan))
    control.close()
    os.close(orders_fd)
    code = os.waitstatus_to_exitcode(os.waitpid(warden, 0)[1])
    remove(Path(plan.own))
    os._exit(max(0, code))


def _guard(control: socket, harness_fd: int, orders_fd: int, plan: Plan) -> NoReturn:
    try:
        ids = _enter(control)
        die_with_parent()
        plan, notes = _furnish(plan)
        families = _network()
        output, zygote = _fork_zygote(plan, ids, orders_fd, (control.fileno(), harness_fd))
        hand_out(control, families, notes, plan.relays)
    except _Refused as refused:
        _say(control, {"refused": refused.step, "errno": refused.errno})
        os._exit(1)
    _watch(control, harness_fd, zygote, output)
    os._exit(0)


class _Refused(Exception):
    """The kernel refused a step that no slot can do without."""

    def __init__(self, step: str, error: OSError) -> None:
        super().__init__(f"{step}: {error}")
        self.step, self.errno = step, error.errno


def _enter(control: socket) -> Ids:
    try:
        unshare(NEWUSER | NEWNET | NEWNS)
    except OSError as error:
        raise _Refused("unshare", error) from error
    _say(control, {"unshared": os.getpid()})
    message, _ = receive(control) or os._exit(0)
    return ids_from_json(message["ids"])


def _furnish(plan: Plan) -> tuple[Plan, list[str]]:
    """Mount what the plan says; returns the plan for the slots, and what could not be had, one note each."""
    notes = list(plan.notes)
    try:
        mount("none", "/", "", RECURSIVE | PRIVATE)
    except OSError as error:
        raise _Refused("mount", error) from error
    layer = plan.layer
    if layer is not None:
        try:
            lay(layer)
        except OSError as error:
            notes.append(f"HOME stays as it is: {os.strerror(error.errno or 0)}")
            layer = None
    for added, target in plan.overlays:
        try:
            mount("overlay", target, "overlay", READ_ONLY, f"lowerdir={added}:{target}")
        except OSError as error:
            notes.append(f"overlay {target}: {os.strerror(error.errno or 0)}")
    for source, target in plan.binds:
        try:
            bind(source, target)
        except OSError as error:
            notes.append(f"bind {target}: {os.strerror(error.errno or 0)}")
    return replace(plan, layer=layer), notes


def _network() -> list[int]:
    try:
        return netlink.bring_up()
    except OSError as error:
        raise _Refused("network", error) from error


def _fork_zygote(plan: Plan, ids: Ids, orders_fd: int, not_for_it: tuple[int, ...]) -> tuple[int, int]:
    """The end of a pipe with what it prints, and its number."""
    from . import zygote

    printed = os.pipe()

    def own_view() -> None:
        unshare(NEWNS)
        with suppress(OSError):
            mount_proc()

    def body() -> NoReturn:
        for descriptor in (*not_for_it, printed[0]):
            os.close(descriptor)
        with open(os.devnull, "rb") as nothing:
            for source, target in ((nothing.fileno(), 0), (printed[1], 1), (printed[1], 2)):
                os.dup2(source, target)
        os.close(printed[1])
        zygote.run(socket(fileno=orders_fd), plan, ids)

    try:
        unshare(NEWPID)
        number = fork_into(NEWUSER, ids.inner, ids.setgroups, body, before=own_view)
    except OSError as error:
        raise _Refused("processes", error) from error
    os.close(printed[1])
    os.close(orders_fd)
    return printed[0], number


def _watch(control: socket, harness_fd: int, zygote: int, printed: int) -> None:
    """Until the harness closes the control socket or is gone; then the zygote, and with it everything, is
    ended."""
    output, zygote_fd, lives = Bounded(), os.pidfd_open(zygote), True
    poller = poll()
    for descriptor in (control.fileno(), harness_fd, zygote_fd, printed):
        poller.register(descriptor, POLLIN)
    while True:
        ready = [descriptor for descriptor, _ in poller.poll()]
        if printed in ready:
            data = os.read(printed, 1 << 16)
            output.add(data)
            if not data:
                poller.unregister(printed)
        if zygote_fd in ready and lives:
            lives = False
            poller.unregister(zygote_fd)
            status = os.waitstatus_to_exitcode(os.waitpid(zygote, 0)[1])
            _say(control, {"ended": status})
        if harness_fd in ready:
            break
        if control.fileno() in ready:
            try:
                if receive(control) is None:
                    break
            except OSError:
                break
            _say(control, {"output": True}, (output.take(),))
    if lives:
        os.kill(zygote, signal.SIGKILL)
        os.waitpid(zygote, 0)  # returns when everything in its PID namespace is gone


def _say(control: socket, message: dict[str, Any], blobs: tuple[bytes, ...] = ()) -> None:
    with suppress(OSError):
        control.sendall(pack(message, blobs))


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
