"""How the world deals with what is not its own: the model that a system calls, and hosts that the gateway forwards."""

from __future__ import annotations

from dataclasses import dataclass

MODEL_MODES = ("scripted", "replay", "live")
SKILLS = ("careful", "hasty", "gullible")
RECORD_MODES = ("none", "once", "new_episodes", "all", "rewrite")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outward:
    """``model`` is one of MODEL_MODES, ``skill`` (of the scripted model) one of SKILLS.

    ``gateway`` are ``HOST``, or ``HOST=URL`` where another server stands for the host: what the gateway forwards,
    records and replays. ``record`` is one of RECORD_MODES (pytest-recording's words), ``cassettes`` the folder of
    recordings. ``max_cost_usd`` caps what one run may spend on the model; ``purse`` is the file in which all processes
    of the run note it. ``toxiproxy`` says whose toxics a case's connections pass through: ``embedded``, ``auto`` (that
    on PATH, if there is one), or a server's URL or program.
    """

    model: str = "scripted"
    skill: str = "careful"
    gateway: tuple[str, ...] = ()
    record: str = "none"
    cassettes: str = "cassettes"
    max_cost_usd: float | None = None
    purse: str = ""
    toxiproxy: str = "embedded"
