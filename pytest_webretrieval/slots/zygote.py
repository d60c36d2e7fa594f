"""The zygote: it imports the system once, powerless and behind doors of its own, and forks the slots.

Orders come on a socket of its own. ``import`` is answered with ``imported`` (``capabilities`` that the
system declares itself, or null) or ``unusable`` (why). ``slot`` comes with a socket for the slot's parent
and perhaps three descriptors of a terminal; its answer comes from the slot's parent, on that socket.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from os import close, fork, waitpid
from socket import recv_fds, socket
from typing import NoReturn

from pytest_webretrieval.systems.system import System
from pytest_webretrieval.wire.frames import pack

from . import netlink
from .fork import FAILED, fork_into
from .frames import split
from .importing import import_system
from .keeping import Namespaced
from .layer import RunLayer
from .namespace import NEWNET, NEWNS, NEWPID, NEWUSER, Ids, die_with_parent, mount_proc, shut_kernel_settings
from .openings import hand_out
from .parent import Parent
from .plan import Plan

_MOST_FDS = 4


def run(orders: socket, plan: Plan, ids: Ids) -> NoReturn:
    """Obey until the socket ends."""
    die_with_parent()
    system: System | None = None
    buffer = bytearray()
    while True:
        data, descriptors, _, _ = recv_fds(orders, 1 << 16, _MOST_FDS)
        if not data:
            os._exit(0)
        buffer += data
        while (frame := split(buffer)) is not None:
            order = frame.message()
            if order["do"] == "import":
                system, answer = import_system(plan)
                orders.sendall(pack(answer))
                gc.collect()
                gc.freeze()  # what the import made stays shared with every child
            else:
                _fork_slot(descriptors, system, plan, ids, orders.fileno())


def _fork_slot(descriptors: list[int], system: System | None, plan: Plan, ids: Ids, orders_fd: int) -> None:
    """In two forks: the first makes the namespaces, the second is first in the new PID namespace."""
    control_fd, *terminal = descriptors
    with suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()

    def body() -> NoReturn:
        close(orders_fd)
        if fork() == 0:
            _be_parent(control_fd, tuple(terminal), system, plan, ids)
        os._exit(0)

    flags = NEWUSER | NEWNET | NEWNS | NEWPID
    try:
        waitpid(fork_into(flags, ids.outer, ids.setgroups, body), 0)
    except OSError as error:
        _refuse(socket(fileno=os.dup(control_fd)), "namespaces", error)
    finally:
        for descriptor in descriptors:
            close(descriptor)


def _be_parent(
    control_fd: int, terminal: tuple[int, ...], system: System | None, plan: Plan, ids: Ids
) -> NoReturn:
    control = socket(fileno=control_fd)
    try:
        notes = []
        try:
            mount_proc()
        except OSError as error:
            notes.append(f"mount /proc: {error.strerror}")
        if os.getuid() == 0 and ids.setgroups == "allow":
            _shut_kernel_settings(notes)
        layer = _lay(plan, notes)
        hand_out(control, netlink.bring_up(), notes, plan.relays)
    except OSError as error:
        _refuse(control, "network", error)
        os._exit(FAILED)
    Parent(control, Namespaced(system, ids, layer), terminal).run()


def _shut_kernel_settings(notes: list[str]) -> None:
    try:
        shut_kernel_settings()
    except OSError as error:
        notes.append(f"/proc/sys is open to root: {error.strerror}")


def _lay(plan: Plan, notes: list[str]) -> RunLayer | None:
    """A layer for the first run's HOME; None where there is none, or all share the import's."""
    if plan.layer is None:
        return None
    layer = RunLayer(plan.layer, [target for _, target in (*plan.overlays, *plan.binds)])
    try:
        layer.renew()
    except OSError as error:
        notes.append(f"HOME is one for all runs: {error.strerror}")
        return None
    return layer


def _refuse(control: socket, step: str, error: OSError) -> None:
    with suppress(OSError), control:
        control.sendall(pack({"refused": step, "errno": error.errno}))
