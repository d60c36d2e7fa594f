"""How often an API may be asked: requests of one run, counted as its provider counts them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from time import monotonic

from fixture_server.stage import Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """So many requests in any window of so many seconds."""

    requests: int
    window_s: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What remains after a request, and the seconds until the first of the window no longer counts. ``over`` says that
    the request was one too many; it is not counted."""

    remaining: int
    reset_s: float
    over: bool


def spend(name: str, limit: Limit, stage: Stage) -> Left:
    """Count a request to the API called ``name``."""
    times = stage.memory.setdefault(f"throttle {name}", deque())
    assert isinstance(times, deque)
    now = monotonic()
    while times and now - times[0] >= limit.window_s:
        times.popleft()
    over = len(times) >= limit.requests
    if not over:
        times.append(now)
    return Left(
        remaining=limit.requests - len(times), reset_s=max(0.0, times[0] + limit.window_s - now), over=over
    )
