"""The reference system: a plain extractive router over fetch and search, used when no other system is
named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .system import System

__all__ = ["System"]


def __getattr__(name: str) -> Any:
    """The system itself, at first use: it needs the extra ``reference``, and how it reads text does not."""
    if name != "System":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .system import System

    return System
