"""The simulated internet and what runs in it.

    with Rig(tmp_path) as rig:                      # raises NoInternet where no namespace can be made
        rig.show(scenario)
        rig.run(["curl", "https://www.town.example/hours"])
        rig.show(scenario, night=2)
        ...
        rig.log.requests

The hosts are served from this process; what runs inside is its child.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_webretrieval.slots.environment import inside

from ...plugin.warm import Warm
from .hosts import Hosts
from .log import Log
from .scenario import Scenario

_HERE = Path(__file__).parent
_MOST_DOORS = 16


class NoInternet(Exception):
    """No namespace can be made here; the message says why and how to mend it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A command that has ended: its exit code (negative: the signal) and both of its streams."""

    code: int
    out: str


class Rig:
    """One simulated internet; scenarios are shown and commands run in turn. ``folder`` must not exist yet."""

    def __init__(self, folder: Path) -> None:
        furniture = folder / "etc"
        furniture.mkdir(parents=True)
        ours, theirs = socket.socketpair()
        with theirs:
            self._keeper = subprocess.Popen(
                [sys.executable, "-P", str(_HERE / "keeper.py"), str(theirs.fileno()), str(furniture)],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self._control = ours
        self._warm: Warm | None = None
        self._hosts = Hosts(self._doors(), folder)
        self.authority = folder / "authority.pem"
        self._hosts.authority.cert_pem.write_to_path(str(self.authority))

    def __enter__(self) -> Rig:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def wrapper(self) -> tuple[str, ...]:
        """What stands before a command to run it inside."""
        return (sys.executable, "-I", "-S", str(_HERE / "enter.py"), str(self._keeper.pid))

    @property
    def log(self) -> Log:
        """What was served since a scenario was shown last."""
        return self._hosts.log

    def show(self, scenario: Scenario, night: int = 1) -> None:
        """Have the hosts be these; requests are counted and logged anew."""
        self._hosts.show(scenario, night)

    def environment(self, given: Mapping[str, str]) -> dict[str, str]:
        """``given`` for a command inside: it trusts the hosts, and nobody else."""
        return inside(given, str(self.authority))

    def warm(self) -> Warm:
        """A process inside that has the modules of a run already, and forks for each call."""
        if self._warm is None:
            self._warm = Warm(self.wrapper)
        return self._warm

    def start(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start a command inside, in a process group of its own; both of its streams are its ``stdout``. Without
        ``environment`` it has this process's."""
        return subprocess.Popen(
            [*self.wrapper, *command],
            cwd=folder,
            env=self.environment(os.environ if environment is None else environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def run(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        timeout: float = 180,
    ) -> Done:
        """Run a command inside to its end. Raises subprocess.TimeoutExpired, and ends its group then."""
        with self.start(command, folder, environment) as process:
            try:
                said, _ = process.communicate(timeout=timeout)
            except BaseException:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                raise
        return Done(code=process.returncode, out=said.decode("utf-8", "replace"))

    def close(self) -> None:
        """End the hosts and the network. Raises AssertionError where a scenario's own function failed."""
        if self._warm is not None:
            self._warm.close()
        self._hosts.close()
        self._control.close()
        self._keeper.wait()
        assert self._hosts.trouble == [], self._hosts.trouble

    def _doors(self) -> list[tuple[str, socket.socket]]:
        told, descriptors, _, _ = socket.recv_fds(self._control, 65536, _MOST_DOORS)
        message = json.loads(told or b'{"refused": "the process that tried it ended at once"}')
        if isinstance(message, Mapping):
            self._control.close()
            self._keeper.wait()
            raise NoInternet(message["refused"])
        return [
            (kind, socket.socket(fileno=descriptor))
            for (kind, _), descriptor in zip(message, descriptors, strict=True)
        ]
