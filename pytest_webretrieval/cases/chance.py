"""Chance that is the same everywhere: numbers out of SHA-256, not out of a random generator."""

from __future__ import annotations

import hashlib
from collections.abc import Callable


def number(below: int, *what: object) -> int:
    """A number from 0 to ``below`` - 1 that depends on ``what`` alone, on every machine and Python."""
    text = "\x1f".join(str(part) for part in what)
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") % below


def picker(*what: object) -> Callable[..., int]:
    """``pick(below, *more)``: a number for ``what`` and ``more``."""

    def pick(below: int, *more: object) -> int:
        return number(below, *what, *more)

    return pick
