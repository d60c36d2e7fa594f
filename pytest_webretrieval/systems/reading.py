"""What a provider's response says, before claims are made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Located:
    """A citation with a place in the answer, in code points. ``is_claim``: the span is the claim itself;
    else it is the mark that closes one."""

    start: int
    end: int
    url: str
    is_claim: bool


@dataclass(slots=True)
class Reading:
    """``listed`` is what ``[n]`` counts in, from 1. ``unlocated`` are citations without a place,
    ``nearest`` those whose place is wrong (with the offset that was given), ``sources`` pages consulted."""

    answer: str = ""
    located: list[Located] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    unlocated: list[str] = field(default_factory=list)
    nearest: list[tuple[int, str]] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    status: str | None = None
    detail: str | None = None
    usage: dict[str, Any] | None = None

    def append(self, text: str, separator: str = "") -> int:
        """Add text behind the answer and return where it begins."""
        if self.answer and text and not self.answer[-1].isspace():
            self.answer += separator
        start = len(self.answer)
        self.answer += text
        return start

    def note(self, tag: str) -> None:
        if tag not in self.notes:
            self.notes.append(tag)
