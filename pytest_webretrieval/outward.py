"""How the world deals with what is not its own: the model that a system calls, and hosts that the gateway forwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MODEL_MODES = ("scripted", "replay", "live")
SKILLS = ("careful", "hasty", "gullible")
RECORD_MODES = ("none", "once", "new_episodes", "all", "rewrite")


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """The real web, in the live lane. ``allow`` are the hosts that a system may reach (``*.example.org`` stands for all
    below it; none named: every public one), ``deny`` those that it may not; ``user_agent`` is how the harness calls
    itself where it looks for itself; ``models`` are the hosts at which a model may be asked; ``prices`` are USD a
    request, by ``CHANNEL:PROVIDER`` for an API, else by ``CHANNEL``; ``max_requests`` caps what one run sends.
    """

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    user_agent: str = ""
    models: tuple[str, ...] = ()
    prices: Mapping[str, float] = field(default_factory=dict)
    max_requests: int | None = None

    def admits(self, host: str) -> bool:
        """Whether a system may reach a host."""
        if any(_stands_for(pattern, host) for pattern in self.deny):
            return False
        return not self.allow or any(_stands_for(pattern, host) for pattern in self.allow)


def _stands_for(pattern: str, host: str) -> bool:
    return host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class Outward:
    """``model`` is one of MODEL_MODES, ``skill`` (of the scripted model) one of SKILLS.

    ``gateway`` are ``HOST``, or ``HOST=URL`` where another server stands for the host: what the gateway forwards,
    records and replays. ``record`` is one of RECORD_MODES (pytest-recording's words), ``cassettes`` the folder of
    recordings. ``max_cost_usd`` caps what one run may spend on the model; ``purse`` is the file in which all processes
    of the run note it. ``toxiproxy`` says whose toxics a case's connections pass through: ``embedded``, ``auto`` (that
    on PATH, if there is one), or a server's URL or program. ``web`` is there in the live lane alone, where the gateway
    takes every host.
    """

    model: str = "scripted"
    skill: str = "careful"
    gateway: tuple[str, ...] = ()
    record: str = "none"
    cassettes: str = "cassettes"
    max_cost_usd: float | None = None
    purse: str = ""
    toxiproxy: str = "embedded"
    web: Web | None = None
