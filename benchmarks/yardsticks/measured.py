"""What a yardstick says: a value, of how many rows, its interval, the bar, and whether it holds."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_webretrieval.gates.agreement import Agreement
from pytest_webretrieval.gates.statistics import wilson

# From so many rows on, the lower bound of the interval must reach the bar; below, the value must.
ENOUGH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One figure. ``bar`` is None for a figure that is only printed; ``note`` is what to print beside it, such as the
    rows that came out wrong or what others reach. ``is_shown`` is False where the value reaches its bar and chance may
    have done it."""

    name: str
    value: float
    n: int
    low: float
    high: float
    bar: float | None = None
    note: str = ""
    is_shown: bool = True

    @property
    def verdict(self) -> str:
        """``holds``, ``BELOW``, ``not shown``; empty without a bar."""
        if self.bar is None:
            return ""
        return "BELOW" if not self.holds else "holds" if self.is_shown else "not shown"

    @property
    def holds(self) -> bool:
        """A bar of 1 is for every row; any other holds for the lower bound where there are ENOUGH rows."""
        if self.bar is None:
            return True
        return (self.low if self.n >= ENOUGH and self.bar < 1 else self.value) >= self.bar


def share(name: str, right: int, n: int, bar: float | None = None, note: str = "") -> Measured:
    """A proportion with Wilson's interval."""
    low, high = wilson(right, n)
    return Measured(name=name, value=right / n, n=n, low=low, high=high, bar=bar, note=note)


def missing(name: str, bar: float, note: str) -> Measured:
    """Nothing to measure where there must be something: below any bar."""
    return Measured(name=name, value=0.0, n=0, low=0.0, high=1.0, bar=bar, note=note)


def every(name: str, n: int, wrong: Sequence[str], note: str = "") -> Measured:
    """A table of which every row must come out right."""
    listed = f"wrong: {', '.join(wrong[:8])}" if wrong else note
    return share(name, n - len(wrong), n, 1.0, listed)


def precision_of(name: str, table: Agreement, bar: float | None, note: str = "") -> Measured:
    low, high = table.precision_interval
    return Measured(
        name=name, value=table.precision, n=table.accepted, low=low, high=high, bar=bar, note=note
    )


def kappa_of(name: str, table: Agreement, bar: float | None, note: str = "") -> Measured:
    low, high = table.kappa_interval
    return Measured(name=name, value=table.kappa, n=table.n, low=low, high=high, bar=bar, note=note)


def is_held_out(key: str) -> bool:
    """Whether rows of this group (a question, a page) are of the half that no rule was tuned on: by a hash."""
    return bool(hashlib.sha256(key.encode("utf-8")).digest()[0] & 1)
