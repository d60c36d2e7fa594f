"""What the rolling gates say of made-up systems whose truth is known, by the gates that the live lane uses.

    python benchmarks/rolling.py [--nights 100] [--cases 30] [--seed 0]

A night is judged against 5, or 20, accepted nights of the same system, in which four cases in six always succeed, one
does at 0.9 and one at 0.6. ``mood`` is by how much all of a night is slower or faster than others (standard deviation
of logarithms). Printed for a system as it was, and for one that is worse (right 0.75 times as often, claims borne out
at 0.75 in place of 0.95, 1.5 times as slow, 1.4 times as dear): how often each gate fails and cannot tell, with
Wilson's interval at 95 %. Exit code 1 where a system as it was fails a gate in more than 5 % of nights.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from pytest_webretrieval.configuration import Threshold
from pytest_webretrieval.gates.rolling import rolling_gates
from pytest_webretrieval.gates.statistics import wilson
from pytest_webretrieval.records.history import CaseNight, Night

FIRST = datetime(2026, 1, 1, tzinfo=UTC)
RATES = (1.0, 1.0, 1.0, 1.0, 0.9, 0.6)
MOST_FALSE = 0.05
GATES = ("success", "citation_support", "latency", "cost")


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How good a system is: factors, and the rate at which a claim is borne out."""

    right: float = 1.0
    borne_out: float = 0.95
    slower: float = 1.0
    dearer: float = 1.0


AS_IT_WAS, WORSE = Level(), Level(right=0.75, borne_out=0.75, slower=1.5, dearer=1.4)


def night(number: int, cases: int, level: Level, mood: float, chance: Random) -> Night:
    tonight = chance.lognormvariate(0, mood) * level.slower
    runs = [
        CaseNight(
            case=f"C{place:02}",
            stratum="known-url",
            expect="success",
            label="success" if chance.random() < RATES[place % len(RATES)] * level.right else "no_answer",
            checked=2,
            supported=sum(chance.random() < level.borne_out for _ in range(2)),
            duration_s=(1 + place % 6) * tonight * chance.lognormvariate(0, 0.3),
            cost_usd=0.01 * level.dearer * chance.lognormvariate(0, 0.2),
        )
        for place in range(cases)
    ]
    return Night(
        run=f"run-{number}",
        observed_at=FIRST + timedelta(days=number),
        corpus="made-up-v1",
        identity="",
        lane="live",
        region="",
        fingerprint="",
        system="",
        accepted=True,
        why="",
        cases=tuple(runs),
    )


def verdicts(tonight: Night, nights: Sequence[Night]) -> Iterator[tuple[str, str]]:
    for gate in rolling_gates(
        tonight,
        nights,
        success=Threshold(change=0.05, example=True),
        citation_support=Threshold(change=0.05, example=True),
        latency=Threshold(change=0.20, example=True),
        cost=Threshold(change=0.15, example=True),
    ):
        yield gate.name, gate.verdict


def main() -> int:
    parser = argparse.ArgumentParser(description="False and true alarms of the rolling gates.")
    parser.add_argument("--nights", type=int, default=100)
    parser.add_argument("--cases", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(f"{arguments.nights} nights of {arguments.cases} cases each; fails, and cannot tell")
    kept = True
    for before in (5, 20):
        for mood in (0.05, 0.2):
            for name, level in (("as it was", AS_IT_WAS), ("worse", WORSE)):
                said: Counter[tuple[str, str]] = Counter()
                for repeat in range(arguments.nights):
                    chance = Random(f"{arguments.seed} {before} {mood} {repeat}")
                    past = [night(n, arguments.cases, AS_IT_WAS, mood, chance) for n in range(before)]
                    said.update(verdicts(night(before, arguments.cases, level, mood, chance), past))
                for gate in GATES:
                    failed, open_ = said[gate, "fail"], said[gate, "inconclusive"]
                    print(
                        f"{before:>2} before, mood {mood:<4}  {name:<9}  {gate:<16}  "
                        f"{_share(failed, arguments.nights)}  {open_ / arguments.nights:>4.0%}",
                        flush=True,
                    )
                    kept &= level is not AS_IT_WAS or failed <= MOST_FALSE * arguments.nights
    return 0 if kept else 1


def _share(count: int, n: int) -> str:
    low, high = wilson(count, n)
    return f"{count / n:>4.0%} ({low:.1%} to {high:.1%})"


if __name__ == "__main__":
    sys.exit(main())
