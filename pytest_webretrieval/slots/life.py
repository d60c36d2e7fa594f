"""How long the process of a system lives."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_webretrieval.systems.server import START_S
from pytest_webretrieval.systems.ways import lives_on

SERVER_GRACE_S = 0.25
_MORE_S = 5.0  # than a server's own limit, which tells what it printed


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """``keep``: it goes on to the next run. ``grace_s`` is for what it still sends after a run's last answer.
    ``start_s`` is its time to start, before its slot's first run too; None: it starts with its first step, within the
    step's deadline."""

    keep: bool = False
    grace_s: float = 0.0
    start_s: float | None = None


RUN = Life()
SESSION = Life(keep=True)
SERVER = Life(keep=True, grace_s=SERVER_GRACE_S, start_s=START_S + _MORE_S)


def life_of(system: str | None, isolation: str) -> Life:
    """Of a system under ``--webretrieval-isolation``. Raises SystemUnusable."""
    if lives_on(system):
        return SERVER
    return SESSION if isolation == "session" else RUN
