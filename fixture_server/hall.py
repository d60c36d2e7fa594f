"""What the world's process holds for its slots."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from typing import Any

from pytest_webretrieval.faults.toxiproxy import ToxiproxyFailure
from pytest_webretrieval.outward import Outward, Web

from .connection import Slot
from .front.ways import Proxying, proxying
from .gateway.hosts import Gateway
from .lifeline import die_with_the_harness
from .world import World


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
    web = said["web"]
    if web is not None:
        web = Web(**{**web, **{name: tuple(web[name]) for name in ("allow", "deny", "models")}})
    return Outward(**{**said, "gateway": tuple(said["gateway"]), "web": web})
