"""Sheets: what a page says, apart from the shape in which it says it. The seed chooses the shape (docs/sites.md)."""

from __future__ import annotations

from .shapes import shape_for
from .sheet import read_sheet

__all__ = ["SUFFIX", "drawn_up"]

SUFFIX = ".sheet"


def drawn_up(text: str, seed: int) -> str:
    """The HTML page of a sheet at a seed; ``text`` has its marks replaced. Raises ValueError for what is no sheet."""
    sheet = read_sheet(text)
    return shape_for(seed, sheet.shape)(sheet)
