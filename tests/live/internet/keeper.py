"""A network and a view of the mounts with nothing outside, held until the other end of a socket is closed.

    python keeper.py FD FOLDER

Every address is local here. The sockets that serve it are opened here and handed out: a socket stays in the network
where it was made, so that who serves it need not be inside. One message goes out, with the sockets: ``[[kind, family],
...]``, or ``{"refused": WHY}`` where no such place can be made. FOLDER takes the files that are shown in the place of
the machine's own.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

from pytest_webretrieval.slots import netlink
from pytest_webretrieval.slots.furniture import NAMESERVER, write_furniture
from pytest_webretrieval.slots.namespace import (
    NEWNET,
    NEWNS,
    NEWUSER,
    PRIVATE,
    RECURSIVE,
    bind,
    mount,
    own_ids,
    unshare,
    write_maps,
)
from pytest_webretrieval.slots.refusal import explain


def main(control_fd: int, folder: Path) -> None:
    with socket.socket(fileno=control_fd) as control:
        try:
            families = _enter(folder)
        except OSError as error:
            control.sendall(json.dumps({"refused": explain("unshare", error.errno)}).encode())
            return
        with ExitStack() as stack:
            opened = _open(families, stack)
            told = [[kind, int(door.family)] for kind, door in opened]
            socket.send_fds(control, [json.dumps(told).encode()], [door.fileno() for _, door in opened])
        control.recv(1)


def _enter(folder: Path) -> list[int]:
    if os.geteuid() == 0:
        unshare(NEWNET | NEWNS)
    else:
        ids = own_ids()
        unshare(NEWUSER | NEWNET | NEWNS)
        write_maps("self", ids.outer, ids.setgroups)
    mount("none", "/", "", RECURSIVE | PRIVATE)
    for shown, hidden in write_furniture(folder, os.environ):
        bind(shown, hidden)
    return netlink.bring_up()


def _open(families: list[int], stack: ExitStack) -> list[tuple[str, socket.socket]]:
    opened = [(kind, _listener(kind, family, stack)) for family in families for kind in ("https", "http")]
    asked = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    # By its address: a reply from another one is no reply.
    asked.bind((NAMESERVER, 53))
    asked_long = stack.enter_context(socket.create_server((NAMESERVER, 53)))
    return [*opened, ("dns-udp", asked), ("dns-tcp", asked_long)]


def _listener(kind: str, family: int, stack: ExitStack) -> socket.socket:
    every, number = ("0.0.0.0", socket.AF_INET) if family == 4 else ("::", socket.AF_INET6)
    port = {"https": 443, "http": 80}[kind]
    return stack.enter_context(socket.create_server((every, port), family=number, backlog=256))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
