"""A fault and its home, as the rules that look for it speak of them."""

from __future__ import annotations

from dataclasses import dataclass

from .conduct import Conduct
from .verdicts import Verdicts

CODE, MODEL, WORLD, GRADER, UNKNOWN = "your code", "model", "world", "grader", "cannot tell"
_SHOWN = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """``where`` is CODE, MODEL, WORLD, GRADER or UNKNOWN; ``why`` is a clause, ``evidence`` are lines."""

    where: str
    why: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What went wrong in the step that gave the run its label, and how it came to that. ``acts`` say where each act
    upon others went."""

    label: str
    tags: tuple[str, ...]
    verdicts: Verdicts
    conduct: Conduct
    acts: tuple[str, ...]


def quoted(text: str) -> str:
    """As evidence quotes."""
    return f"“{text}”"


def start_of(text: str) -> str:
    """The first words, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
