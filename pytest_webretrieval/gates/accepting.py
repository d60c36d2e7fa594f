"""From a finished run to a baseline, and from a baseline to the text that people review."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .baseline import SCHEMA, Accepted, Baseline, Checked, Costs, Tolerated
from .confirm import trial_of
from .outcome import outcome_of

_HEAD = "# What was accepted as it is, by `webretrieval baseline accept RUN`. docs/gates.md says how it is read.\n"


def accepted_cases(records: Iterable[Mapping[str, Any]], run: str, today: str) -> dict[str, Accepted]:
    """Each case of a run by CORPUS::ID, with nothing tolerated. ``records`` are lines of results.jsonl."""
    by_case: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        by_case.setdefault(f"{record['corpus']}::{record['case']}", []).append(record)
    return {
        name: Accepted(
            accepted=today,
            run=run,
            labels=dict(Counter(record["label"] for record in trials).most_common()),
            tags=tuple(sorted({tag for record in trials for tag in record["tags"]})),
            over=tuple(sorted({cap for record in trials for cap in record["efficiency"]["over"]})),
            most=_most([record["efficiency"] | {"duration_s": record["duration_s"]} for record in trials]),
            claims=_checked(trials),
        )
        for name, trials in by_case.items()
    }


def unacceptable(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Cases with a trial that broke an invariant, which nobody can accept: ``CORPUS::ID (label, tags)`` each."""
    found = {
        f"{record['corpus']}::{record['case']}": ", ".join((record["label"], *record["tags"]))
        for record in records
        if trial_of(record).absolute
    }
    return [f"{name} ({what})" for name, what in sorted(found.items())]


def failed_cases(records: Iterable[Mapping[str, Any]], first: int) -> frozenset[str]:
    """The cases that may only be accepted with a reason, as CORPUS::ID: they failed, or a trial was over its budget.
    Trials from number ``first`` on were run to confirm."""
    by_case: dict[str, list[Mapping[str, Any]]] = {}
    for record in sorted(records, key=lambda record: int(record["key"]["trial"])):
        by_case.setdefault(f"{record['corpus']}::{record['case']}", []).append(record)
    return frozenset(
        name
        for name, trials in by_case.items()
        if any(record["efficiency"]["over"] for record in trials)
        or not outcome_of(trials, first, None, "").green
    )


def same_failure(before: Accepted | None, now: Accepted, expect: str) -> Tolerated | None:
    """The reason that was given before for no less than what ``now`` shows; None where a new one is due."""
    if before is None or before.tolerated is None:
        return None
    worse = set(now.labels) - {expect} - set(before.labels) or set(now.over) - set(before.over)
    return None if worse else before.tolerated


def to_yaml(baseline: Baseline) -> str:
    """The file as people read and review it: cases in order, one block each."""
    lines = [
        f"schema: {SCHEMA}",
        f"lane: {baseline.lane}",
        "corpora:",
        *(f"  {_text(name)}: {identity}" for name, identity in sorted(baseline.corpora.items())),
        f"system: {_text(baseline.system)}",
        f"fingerprint: {_text(baseline.fingerprint)}",
        "cases:" if baseline.cases else "cases: {}",
    ]
    for name in sorted(baseline.cases):
        lines.extend(_case(name, baseline.cases[name]))
    return _HEAD + "\n".join(lines) + "\n"


def _case(name: str, accepted: Accepted) -> Iterator[str]:
    yield f"  {_text(name)}:"
    yield f"    accepted: {accepted.accepted}"
    yield f"    run: {_text(accepted.run)}"
    yield f"    labels: {_flow(accepted.labels)}"
    for key, words in (("tags", accepted.tags), ("over", accepted.over)):
        if words:
            yield f"    {key}: [{', '.join(words)}]"
    most = {key: value for key, value in asdict(accepted.most).items() if value is not None}
    yield f"    most: {_flow(most)}"
    if accepted.claims is not None:
        yield f"    claims: {_flow(asdict(accepted.claims))}"
    if accepted.tolerated is not None:
        yield "    known:"
        yield f"      reason: {_text(accepted.tolerated.reason)}"
        yield f"      owner: {_text(accepted.tolerated.owner)}"
        yield f"      since: {accepted.tolerated.since}"
        yield f"      expires: {accepted.tolerated.expires}"


def _flow(values: Mapping[str, int | float]) -> str:
    return "{" + ", ".join(f"{name}: {_number(value)}" for name, value in values.items()) + "}"


def _number(value: int | float) -> str:
    """In plain digits, to a millionth: the baseline's reader takes no exponents."""
    return str(value) if isinstance(value, int) else f"{value:.6f}".rstrip("0").rstrip(".")


def _text(value: str) -> str:
    """A double-quoted text, as YAML and JSON both write it."""
    return json.dumps(value, ensure_ascii=False)


def _checked(trials: Sequence[Mapping[str, Any]]) -> Checked | None:
    said = [
        claim["settled"] or claim["support"]
        for record in trials
        for step in record.get("verdicts", ())
        for claim in step["citation"].get("claims", ())
    ]
    return Checked(cited=len(said), unknown=said.count("unknown")) if said else None


def _most(spent: Sequence[Mapping[str, Any]]) -> Costs:
    costs = [one["cost_usd"] for one in spent if one["cost_usd"] is not None]
    return Costs(
        requests=max(one["requests"] for one in spent),
        retries=max(one["retries"] for one in spent),
        escalations=max(one["escalations"] for one in spent),
        bytes=max(one["bytes"] for one in spent),
        cost_usd=round(max(costs), 6) if costs else None,
        duration_s=round(max(one["duration_s"] for one in spent), 3),
    )
