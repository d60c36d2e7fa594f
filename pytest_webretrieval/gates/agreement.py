"""How well verdicts agree with people's: precision, recall, specificity and Cohen's kappa, each with its interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from .statistics import wilson

_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Counts of a two-by-two table: accepts and rejects are the grader's verdicts, true and false whether
    people agree."""

    true_accepts: int
    false_accepts: int
    true_rejects: int
    false_rejects: int

    @property
    def n(self) -> int:
        return self.true_accepts + self.false_accepts + self.true_rejects + self.false_rejects

    @property
    def accepted(self) -> int:
        return self.true_accepts + self.false_accepts

    @property
    def precision(self) -> float:
        """The share of accepted rows that people accept; 0 where none was accepted."""
        return self.true_accepts / self.accepted if self.accepted else 0.0

    @property
    def precision_interval(self) -> tuple[float, float]:
        return wilson(self.true_accepts, self.accepted) if self.accepted else (0.0, 1.0)

    @property
    def recall(self) -> float:
        """The share of rows that people accept which were accepted (sensitivity); 0 where there is none."""
        positives = self.true_accepts + self.false_rejects
        return self.true_accepts / positives if positives else 0.0

    @property
    def specificity(self) -> float:
        """The share of rows that people reject which were rejected; 0 where there is none."""
        negatives = self.true_rejects + self.false_accepts
        return self.true_rejects / negatives if negatives else 0.0

    @property
    def kappa(self) -> float:
        """Cohen's kappa; 0 where chance alone explains all agreement."""
        observed, expected = self._shares()
        return (observed - expected) / (1 - expected) if expected < 1 else 0.0

    @property
    def kappa_interval(self) -> tuple[float, float]:
        """95 %, by the large-sample variance of Fleiss, Cohen and Everitt (Psychological Bulletin 72, 1969)."""
        n, kappa = self.n, self.kappa
        _, expected = self._shares()
        if expected >= 1:
            return -1.0, 1.0
        row, column = self.accepted / n, (self.true_accepts + self.false_rejects) / n
        rows, columns = (row, 1 - row), (column, 1 - column)
        table = (
            (self.true_accepts / n, self.false_accepts / n),
            (self.false_rejects / n, self.true_rejects / n),
        )
        same = sum(table[i][i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in (0, 1))
        apart = (1 - kappa) ** 2 * sum(table[i][1 - i] * (columns[i] + rows[1 - i]) ** 2 for i in (0, 1))
        variance = (same + apart - (kappa - expected * (1 - kappa)) ** 2) / (n * (1 - expected) ** 2)
        half = _Z95 * sqrt(max(0.0, variance))
        return max(-1.0, kappa - half), min(1.0, kappa + half)

    def _shares(self) -> tuple[float, float]:
        """The share of rows in agreement, and the share that chance would bring about."""
        n = self.n
        right = self.true_accepts + self.false_rejects
        agreed = (self.true_accepts + self.true_rejects) / n
        by_chance = (self.accepted * right + (n - self.accepted) * (n - right)) / n**2
        return agreed, by_chance


def agreement(pairs: Iterable[tuple[bool, bool]]) -> Agreement:
    """The table of (grader's verdict, people's verdict) pairs, of which there is at least one."""
    counts = {(said, meant): 0 for said in (True, False) for meant in (True, False)}
    for pair in pairs:
        counts[pair] += 1
    return Agreement(
        true_accepts=counts[True, True],
        false_accepts=counts[True, False],
        true_rejects=counts[False, False],
        false_rejects=counts[False, True],
    )
