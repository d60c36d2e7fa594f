"""What confirming a red case does to a build, simulated through the decision that items and gates follow.

    python benchmarks/confirm.py [--builds 1000] [--cases 30] [--confirm 4] [--seed 0]

A build is red when one of its cases is. For agents that pass each case at 0.90, 0.95 or 0.99: red builds without and
with confirmation (n, Wilson's interval at 95 %), the runs that a build costs beside one of each case, and how often a
single build shows that one of its cases has fallen to 0.2. Exit code 1 where an agent of 0.95 sees 1 % red builds or
more, or the fallen case is seen in fewer than 60 % of builds.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass

from pytest_webretrieval.gates.confirm import GREEN, Trial, decide, wants_confirmation
from pytest_webretrieval.gates.statistics import wilson

RATES = (0.90, 0.95, 0.99)
FALLEN = 0.2
GOAL, MOST_RED, LEAST_SEEN = 0.95, 0.01, 0.6
_RIGHT, _WRONG = Trial("success", as_expected=True), Trial("no_answer", as_expected=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """``red`` and ``seen`` are counts of builds: all cases at the rate; one of them fallen, and it is red. ``cost`` is
    runs per case of a build with all cases at the rate."""

    rate: float
    builds: int
    red: int
    seen: int
    cost: float


def simulate(rate: float, *, builds: int, cases: int, confirm: int, seed: int) -> Simulated:
    """Builds of an agent that passes each case at ``rate``, each trial on its own."""
    chance = random.Random(f"{seed} {rate} {confirm}")
    red = seen = runs = 0
    for _ in range(builds):
        outcomes = [_case(rate, confirm, chance) for _ in range(cases)]
        red += not all(green for green, _ in outcomes)
        runs += sum(trials for _, trials in outcomes)
        seen += not _case(FALLEN, confirm, chance)[0]
    return Simulated(rate=rate, builds=builds, red=red, seen=seen, cost=runs / (builds * cases))


def _case(rate: float, confirm: int, chance: random.Random) -> tuple[bool, int]:
    """Whether a case is green, and how many runs that took."""
    first = [_trial(rate, chance)]
    further = [_trial(rate, chance) for _ in range(confirm if wants_confirmation(first, None) else 0)]
    return decide(first, further) in GREEN, len(first) + len(further)


def _trial(rate: float, chance: random.Random) -> Trial:
    return _RIGHT if chance.random() < rate else _WRONG


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Red builds of imperfect agents, with confirmation and without."
    )
    parser.add_argument("--builds", type=int, default=1000)
    parser.add_argument("--cases", type=int, default=30)
    parser.add_argument("--confirm", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(
        f"{arguments.builds} builds of {arguments.cases} cases; a red case is run {arguments.confirm} times more"
    )
    print(f"{'a case':>6}  {'red without':>22}  {'red with':>22}  {'cost':>5}  {'fallen to 0.2 is seen':>22}")
    kept = True
    for rate in RATES:
        plain, confirmed = (
            simulate(
                rate, builds=arguments.builds, cases=arguments.cases, confirm=confirm, seed=arguments.seed
            )
            for confirm in (0, arguments.confirm)
        )
        print(
            f"{rate:>6.2f}  {_share(plain.red, plain.builds):>22}  {_share(confirmed.red, plain.builds):>22}  "
            f"{confirmed.cost:>5.2f}  {_share(confirmed.seen, plain.builds):>22}"
        )
        if rate == GOAL:
            kept = confirmed.red < MOST_RED * plain.builds and confirmed.seen >= LEAST_SEEN * plain.builds
    return 0 if kept else 1


def _share(count: int, n: int) -> str:
    low, high = wilson(count, n)
    return f"{count / n:.1%} ({low:.1%} to {high:.1%})"


if __name__ == "__main__":
    sys.exit(main())
