"""How reliable a system is and how small a drop a run could see, as the end of a run tells it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_webretrieval.gates.statistics import ALPHA, POWER
from pytest_webretrieval.gates.trials import Drop, Reliability


def reliability_lines(strata: Sequence[Reliability]) -> Iterator[str]:
    """One line a stratum."""
    wide = max((len(one.stratum) for one in strata), default=0)
    for number, one in enumerate(strata):
        yield (
            f"{'' if number else 'trials':<8} {one.stratum:<{wide}}  pass@1 {one.pass_1:.2f}  "
            f"pass@{one.k} {one.pass_at_k:.2f}  pass^{one.k} {one.pass_all_k:.2f}   "
            f"(n = {one.cases} cases, {one.trials} trials)"
        )


def drop_line(drop: Drop | None) -> Iterator[str]:
    """What the size of the run allows to be seen; nothing where no case was judged."""
    if drop is None:
        return
    n = f"n = {drop.cases} cases, one-sided {ALPHA:.0%}, power {POWER:.0%}"
    since = f"{drop.rate:.0%} as accepted" if drop.accepted else f"{drop.rate:.0%}"
    if drop.drop is None:
        yield f"{'drop':<8} no fall from {since} could have been seen ({n})"
    else:
        points = 100 * drop.drop
        yield f"{'drop':<8} the smallest fall from {since} that could be seen: {points:.0f} points ({n})"
