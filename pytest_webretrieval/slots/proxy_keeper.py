"""The keeper of a slot that has a proxy only: it opens the door, and ends everything when its time has come.

    python -m pytest_webretrieval.slots.proxy_keeper CONTROL ORDERS HARNESS

It does for such a slot what the warden does for a carrier, with the same frames on the same two sockets, and runs no
user code. The harness ends it by the control socket; that the harness is gone is seen by its own parent's number.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from select import POLLIN, poll
from socket import AF_INET, SOCK_STREAM, send_fds, socket
from typing import NoReturn

from pytest_webretrieval.wire.frames import pack, receive

from . import proxy_zygote
from .fork import fork_here
from .handlers import Handlers, give_back, take_over
from .output import Bounded
from .plan import Plan, plan_from_json
from .processes import end_descendants, go_with_parent, inherit_orphans
from .proxy_variables import proxied
from .temporary import remove

_BACKLOG = 1024
_LOOK_S = 1.0  # how often the harness is looked for, where nothing tells of its end


def main(control_fd: int, orders_fd: int, harness: int) -> NoReturn:
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(
            number, signal.SIG_IGN
        )  # the terminal's keys are for the harness, which ends us in order
    inherit_orphans()
    control = socket(fileno=control_fd)
    message, _ = receive(control) or os._exit(0)
    plan = plan_from_json(message["plan"])
    with socket(AF_INET, SOCK_STREAM) as door:
        door.bind(("127.0.0.1", 0))
        door.listen(_BACKLOG)
        os.environ.update(proxied(door.getsockname()[1], message["allowed"], os.environ))
        send_fds(control, [pack({"doors": [["proxy", 4, ""]], "notes": []})], [door.fileno()])
    handlers, wake = take_over()
    output = _fork_zygote(plan, message["starts"], handlers, orders_fd, (control_fd, *wake))
    _watch(control, harness, output, wake[0])
    end_descendants()
    remove(Path(plan.own))
    os._exit(0)


def _fork_zygote(
    plan: Plan, starts: str, handlers: Handlers, orders_fd: int, not_for_it: tuple[int, ...]
) -> int:
    """The end of a pipe with what it prints."""
    printed = os.pipe()

    def body() -> NoReturn:
        go_with_parent()
        give_back(handlers)
        for number in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_IGN)
        for descriptor in (*not_for_it, printed[0]):
            os.close(descriptor)
        with open(os.devnull, "rb") as nothing:
            for source, target in ((nothing.fileno(), 0), (printed[1], 1), (printed[1], 2)):
                os.dup2(source, target)
        os.close(printed[1])
        proxy_zygote.run(socket(fileno=orders_fd), plan, starts)

    fork_here(body)
    os.close(printed[1])
    os.close(orders_fd)
    return printed[0]


def _watch(control: socket, harness: int, printed: int, wake: int) -> None:
    """Until the harness closes the control socket or is gone."""
    output = Bounded()
    poller = poll()
    for descriptor in (control.fileno(), printed, wake):
        poller.register(descriptor, POLLIN)
    while os.getppid() == harness:
        ready = [descriptor for descriptor, _ in poller.poll(_LOOK_S * 1000)]
        if printed in ready:
            data = os.read(printed, 1 << 16)
            output.add(data)
            if not data:
                poller.unregister(printed)
        if wake in ready:
            os.read(wake, 512)
            _reap()
        if control.fileno() in ready:
            try:
                if receive(control) is None:
                    return
                control.sendall(pack({"output": True}, (output.take(),)))
            except OSError:
                return


def _reap() -> None:
    """The zygote, and orphans that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
