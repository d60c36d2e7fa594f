"""The reference system: a plain extractive router over fetch and search, used when no other system is
named."""

from .system import System

__all__ = ["System"]
