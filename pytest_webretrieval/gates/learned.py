"""Caps learned from an accepted run: what a case may take, beside the budget that its truth states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from statistics import median_low

from pytest_webretrieval.records.row import Row

from .baseline import Accepted, Costs
from .gate import Finding, RunView

MARGIN = 1.5
# What may always come on top of the most that was accepted, so that a small figure is no trap.
AT_LEAST = Costs(requests=1, retries=1, escalations=1, bytes=10_000, cost_usd=0.001, duration_s=1.0)
# A new run is slower than the slowest of n by chance alone once in n + 1: below this n a time is no limit.
DURATION_FROM = 20


def limits(accepted: Accepted) -> dict[str, float]:
    """By name of the cost: one and a half times the most that was accepted, and at least AT_LEAST more. What was not
    measured, and the duration of fewer than DURATION_FROM trials, has no limit."""
    most = accepted.most
    found: dict[str, float] = {
        "requests": max(ceil(MARGIN * most.requests), most.requests + AT_LEAST.requests),
        "retries": max(ceil(MARGIN * most.retries), most.retries + AT_LEAST.retries),
        "escalations": max(ceil(MARGIN * most.escalations), most.escalations + AT_LEAST.escalations),
        "bytes": max(ceil(MARGIN * most.bytes), most.bytes + AT_LEAST.bytes),
    }
    if most.cost_usd is not None:
        found["cost_usd"] = max(MARGIN * most.cost_usd, most.cost_usd + (AT_LEAST.cost_usd or 0))
    if accepted.trials >= DURATION_FROM:
        found["duration_s"] = max(MARGIN * most.duration_s, most.duration_s + AT_LEAST.duration_s)
    return found


def learned_caps(view: RunView) -> Finding:
    """No case's median trial takes more than its accepted run did, with a margin. One trial of many may be long: the
    budget of truth binds each, this binds what is usual."""
    by_case: dict[str, list[Row]] = {}
    for row in view.rows:
        if row.name in view.accepted:
            by_case.setdefault(row.name, []).append(row)
    over = {name: tuple(_over(rows, limits(view.accepted[name]))) for name, rows in by_case.items()}
    cases = tuple(f"{by_case[name][0].case} ({', '.join(what)})" for name, what in over.items() if what)
    within = len(by_case) - len(cases)
    return Finding(
        figures=f"{within} of {len(by_case)} within what was accepted, times {MARGIN:g}",
        judged=len(by_case),
        cases=cases,
        broken=bool(cases),
    )


def _over(rows: list[Row], most: Mapping[str, float]) -> Iterator[str]:
    for name, limit in most.items():
        taken = [value for row in rows if (value := _taken(row)[name]) is not None]
        if taken and (usual := median_low(taken)) > limit:
            yield f"{name} {usual:.4g} of {limit:.4g}"


def _taken(row: Row) -> dict[str, float | None]:
    return {
        "requests": row.requests,
        "retries": row.retries,
        "escalations": row.browser,
        "bytes": row.bytes,
        "cost_usd": row.cost_usd,
        "duration_s": row.duration_s,
    }
