"""Spans of a text: half-open pairs of offsets in code points."""

from __future__ import annotations

import bisect
from collections.abc import Iterable

Span = tuple[int, int]


class Spans:
    """A set of spans that answers whether another one overlaps it."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(span for span in spans if span[0] < span[1]):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def overlap(self, start: int, end: int) -> bool:
        index = bisect.bisect_left(self._starts, end) - 1
        return index >= 0 and self._ends[index] > start

    def holds(self, position: int) -> bool:
        return self.overlap(position, position + 1)
