"""The draw: another seed gives other values, hosts and paths, so that no system can know a world by heart.

All here is pure. Seed 0 gives the values of the truth file; hosts and paths are drawn at every seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache

from .addresses import address, draw_host, draw_hosts, draw_path, host_pattern
from .chance import number, picker
from .draw_kinds import redraw, redraw_before
from .forms import ALIAS_FORMS, show
from .tokens import stands_in
from .truth import Fact, Step, Truth

__all__ = [
    "address",
    "draw",
    "draw_host",
    "draw_hosts",
    "draw_path",
    "draw_truth",
    "draw_values",
    "host_pattern",
    "show",
]

_TRIES = 200


def draw(seed: int, case: str, fact: str, kind: str, value: str, *, than: str | None = None) -> str:
    """The value of a fact at ``seed``; seed 0 gives ``value``. ``than`` is the drawn value that ``before:``
    refers to.

    ``draw_values`` draws all facts of a case and keeps them apart; pages and grades use that. Raises
    ValueError where ``value`` has not the shape of its kind.
    """
    return _draw(seed, case, fact, kind, value, than, 0)


def draw_values(truth: Truth, seed: int, *, today: date | None = None) -> dict[str, str]:
    """The value of every fact, wrong value and canary of the case, over all steps and states, by fact id.

    No two facts that differ at seed 0 collide, and no drawn value stands as a token in another value, drawn
    or of seed 0. ``today`` is the value of facts with ``draw: date-today``; without it they keep the value
    of the file.
    """
    facts = {fact.id: fact for step in truth.steps for fact in _facts_of(step)}
    facts |= {fact.id: fact for fact in truth.canaries}
    values = {fact.id: fact.value for fact in facts.values()}
    if today is not None:
        values |= {fact.id: today.isoformat() for fact in facts.values() if fact.draw == "date-today"}
    if seed == 0:
        return values
    drawn: dict[str, str] = {}
    alike: dict[tuple[str, str], str] = {}  # facts that are equal at seed 0 and drawn alike stay equal
    for fact in _in_order(truth.case_id, facts):
        if fact.draw in ("fixed", "date-today"):
            drawn[fact.id] = values[fact.id]
            continue
        sort = (fact.draw, fact.value)
        if sort not in alike:
            others = [value for name, value in values.items() if value != fact.value or name == fact.id]
            than = drawn.get(_target(fact) or "")
            alike[sort] = _apart(seed, truth.case_id, fact, than, [*drawn.values(), *others])
        drawn[fact.id] = alike[sort]
    return {name: drawn[name] for name in facts}


def draw_truth(truth: Truth, seed: int, *, today: date | None = None) -> Truth:
    """The truth at ``seed``: values drawn, states resolved to the one in force, addresses of the world
    real-looking.

    ``when`` is empty afterwards. Aliases of a drawn value are drawn with it where they are the value in
    another form (without its ``v``, as a long date, ...), else dropped.
    """
    values = draw_values(truth, seed, today=today)
    return replace(
        truth,
        steps=tuple(
            _drawn_step(_in_force(step, seed, truth.case_id, index), values, seed)
            for index, step in enumerate(truth.steps)
        ),
        allowed_sources=tuple(host_pattern(seed, pattern) for pattern in truth.allowed_sources),
        known_copies=tuple(host_pattern(seed, pattern) for pattern in truth.known_copies),
        canaries=tuple(_drawn_fact(fact, values[fact.id], seed) for fact in truth.canaries),
        lures=tuple(host_pattern(seed, pattern) for pattern in truth.lures),
        evidence_url=address(seed, truth.evidence_url) if truth.evidence_url else None,
    )


@lru_cache(maxsize=65536)
def _draw(seed: int, case: str, fact: str, kind: str, value: str, than: str | None, attempt: int) -> str:
    if seed == 0 or kind in ("fixed", "date-today"):
        return value
    pick = picker("fact", seed, case, fact, attempt)
    if kind.startswith("before:"):
        if than is None:
            raise ValueError(f"{case}.{fact}: draw: {kind} needs the value that it comes before")
        return redraw_before(value, than, pick)
    return redraw(kind, value, pick)


def _apart(seed: int, case: str, fact: Fact, than: str | None, taken: list[str]) -> str:
    """The first drawn value that stands in no taken one and in which none stands."""
    for attempt in range(_TRIES):
        value = _draw(seed, case, fact.id, fact.draw, fact.value, than, attempt)
        if not any(stands_in(value, other) or stands_in(other, value) for other in taken):
            return value
    raise ValueError(
        f"case {case}: fact {fact.id}: seed {seed} finds no value of kind {fact.draw} unlike all others"
    )


def _target(fact: Fact) -> str | None:
    return fact.draw.removeprefix("before:") if fact.draw.startswith("before:") else None


def _in_order(case: str, facts: Mapping[str, Fact]) -> list[Fact]:
    """What is never drawn first, then each fact after the one that it comes before."""
    ordered = [fact for fact in facts.values() if fact.draw in ("fixed", "date-today")]
    waiting = [fact for fact in facts.values() if fact not in ordered]
    while waiting:
        placed = {fact.id for fact in ordered}
        ready = [fact for fact in waiting if _target(fact) is None or _target(fact) in placed]
        if not ready:
            raise ValueError(f"case {case}: facts wait for each other: {[fact.id for fact in waiting]}")
        ordered += ready
        waiting = [fact for fact in waiting if fact not in ready]
    return ordered


def _facts_of(step: Step) -> tuple[Fact, ...]:
    variants = (step, *step.when.values())
    return tuple(fact for variant in variants for fact in (*variant.expected_facts, *variant.wrong_values))


def _in_force(step: Step, seed: int, case: str, index: int) -> Step:
    if not step.states:
        return step
    chosen = 0 if seed == 0 else number(len(step.states), "state", seed, case, index)
    state = step.states[chosen]
    return replace(step.when.get(state, step), state=state, states=step.states, when={})


def _drawn_step(step: Step, values: Mapping[str, str], seed: int) -> Step:
    return replace(
        step,
        expected_facts=tuple(_drawn_fact(fact, values[fact.id], seed) for fact in step.expected_facts),
        wrong_values=tuple(_drawn_fact(fact, values[fact.id], seed) for fact in step.wrong_values),
    )


def _drawn_fact(fact: Fact, value: str, seed: int) -> Fact:
    if value == fact.value:
        if fact.match == "url":
            return replace(
                fact, value=address(seed, value), aliases=tuple(address(seed, one) for one in fact.aliases)
            )
        return fact
    return replace(fact, value=value, aliases=_drawn_aliases(fact, value))


def _drawn_aliases(fact: Fact, value: str) -> tuple[str, ...]:
    drawn = []
    for alias in fact.aliases:
        for form in ALIAS_FORMS:
            if form(fact.value) == alias:
                drawn.append(form(value))
                break
    return tuple(dict.fromkeys(drawn))
