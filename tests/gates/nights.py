"""Nights of a made-up system, for what looks at many of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

from pytest_webretrieval.records.history import CaseNight, Night

FIRST = datetime(2026, 11, 1, 3, tzinfo=UTC)
CASES = tuple(f"{stratum}{number:02}" for stratum in "KSDAB" for number in range(1, 7))


def night_of(
    number: int,
    *,
    right: float = 0.99,
    borne_out: float = 0.99,
    slower: float = 1.0,
    dearer: float = 1.0,
    mood: float = 0.03,
    labels: Mapping[str, str] = {},
    quarantined: frozenset[str] = frozenset(),
    seed: int = 0,
) -> Night:
    """Night ``number`` of 30 cases: a case is right and a claim borne out at these rates, and ``mood`` is by how much
    (as a standard deviation of logarithms) all of a night is slower or faster than others. ``labels`` are as given."""
    chance = Random(f"{seed} {number}")
    tonight = chance.lognormvariate(0, mood) * slower
    cases = []
    for place, case in enumerate(CASES):
        label = labels.get(case, "success" if chance.random() < right else "no_answer")
        cases.append(
            CaseNight(
                case=case,
                stratum=case[0],
                expect="success",
                label=label,
                quarantined=case in quarantined,
                checked=2,
                supported=sum(chance.random() < borne_out for _ in range(2)),
                duration_s=(2 + place / 5) * tonight * chance.lognormvariate(0, 0.1),
                cost_usd=0.01 * dearer * chance.lognormvariate(0, 0.1),
            )
        )
    return Night(
        run=f"202611{number:02}-0300-{number:04x}",
        observed_at=FIRST + timedelta(days=number - 1),
        corpus="web-v1",
        identity="sha256:1",
        lane="live",
        region="eu-central",
        fingerprint="f1",
        system="own:System",
        accepted=True,
        why="no gate failed",
        cases=tuple(cases),
    )


def with_cases(night: Night, **changes: object) -> Night:
    """Every case of a night with these fields."""
    return replace(night, cases=tuple(replace(case, **changes) for case in night.cases))  # type: ignore[arg-type]
