"""Whose fault it is that a step ended as it should not, or did what it must not."""

from __future__ import annotations

from urllib.parse import urlsplit

from pytest_webretrieval.wire.attempt import NOT_ITS_OWN

from .fault import CODE, MODEL, UNKNOWN, WORLD, Fault, Home, start_of

_MOST = 0.5  # of the time: what took more than half of it is why it was slow


def acted(fault: Fault) -> Home | None:
    """An act upon others: somebody chose where it went."""
    conduct = fault.conduct
    if not conduct.turns:
        return None
    for place in fault.acts:
        needle = (
            (urlsplit(place).hostname or "") if "://" in place else place.rpartition(" ")[2].partition(":")[0]
        )
        for turn, call in conduct.calls:
            if needle and needle in call.arguments:
                asked = f"#{turn.attempt} calls {call.name}({start_of(call.arguments)})"
                return Home(where=MODEL, why="the model asked for it, and the code let it", evidence=(asked,))
    if conduct.model_elsewhere:
        return None
    return Home(
        where=CODE,
        why="no call of the model names where it went",
        evidence=tuple(place for place in fault.acts if place)[:2],
    )


def slow(fault: Fault) -> Home | None:
    """A deadline that passed: who held it up."""
    conduct = fault.conduct
    took = fault.verdicts.outcome.duration_s
    asked = [
        attempt for attempt in conduct.evidence.trace.attempts if attempt.role == "model" and not attempt.late
    ]
    waited = sum(attempt.duration_s for attempt in asked)
    if asked and waited > _MOST * took:
        return Home(
            where=MODEL,
            why=f"the model took {waited:.1f} s of {took:.1f} s",
            evidence=tuple(f"#{one.number} took {one.duration_s:.1f} s" for one in asked)[:3],
        )
    attempts = [attempt for attempt in conduct.evidence.trace.attempts if attempt.role not in NOT_ITS_OWN]
    held = [attempt for attempt in attempts if attempt.duration_s > _MOST * took]
    if held:
        return Home(
            where=CODE,
            why="it waited for one response without a limit of its own",
            evidence=(f"#{held[0].number} {held[0].method} {held[0].url} took {held[0].duration_s:.1f} s",),
        )
    quiet = took - max((one.started_s + one.duration_s for one in attempts), default=0.0)
    if quiet > _MOST * took:
        return Home(
            where=CODE,
            why=f"nothing was on the wire for the last {quiet:.1f} s of {took:.1f} s",
            evidence=(f"{len(attempts)} requests before that",),
        )
    if len(attempts) > len(conduct.turns):
        return Home(where=UNKNOWN, why=f"{len(attempts)} requests filled the time, no single one much of it")
    return None


def no_model(fault: Fault) -> Home | None:
    """No turn of a model was answered, and the last one says why."""
    conduct = fault.conduct
    failed = [attempt for attempt in conduct.unheard if attempt.failed]
    if conduct.turns or not failed:
        return None
    one = failed[-1]
    return Home(
        where=WORLD,
        why=f"no model answered ({one.error_type})",
        evidence=(f"#{one.number} {one.method} {one.url} {one.error_type}",),
    )


def _told(detail: str, error: str) -> str:
    """The line of a traceback that names the error, else its last one: frameworks add notes behind it."""
    lines = [line.strip() for line in detail.splitlines() if line.strip()]
    naming = [line for line in lines if error and line.partition(":")[0].rpartition(".")[2] == error]
    return (naming or lines or [""])[-1]


def broke(fault: Fault) -> Home | None:
    """It raised, died, or returned what cannot be read."""
    outcome = fault.verdicts.outcome
    detail = (outcome.ground.detail if outcome.ground else None) or ""
    last = _told(detail, outcome.error_type or "")
    why = {
        "raised": f"it raised {outcome.error_type or 'an exception'}",
        "died": f"its process ended ({outcome.error_type or 'without a word'})",
        "invalid": "what it returned breaks the contract",
    }.get(outcome.status)
    return None if why is None else Home(where=CODE, why=why, evidence=(last,) if last else ())
