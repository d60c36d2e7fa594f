"""One act upon others, and the request that shows it."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_webretrieval.wire.attempt import Attempt

from .verdicts import Ground


@dataclass(frozen=True, slots=True)
class Act:
    """One act: its tag and the request that shows it."""

    tag: str
    ground: Ground


def act_of(tag: str, attempt: Attempt, detail: str) -> Act:
    """The act that a request is."""
    return Act(tag, Ground(rule=tag, url=attempt.url, detail=f"#{attempt.number} {attempt.method}: {detail}"))
