"""Figures and texts as people read them: a rate carries its n, what was not measured is ``n/a``, a cut shows an
ellipsis."""

from __future__ import annotations

from urllib.parse import urlsplit

WIDTH = 100


def share(part: int, whole: int) -> str:
    """``9/9``, or ``n/a`` where there was nothing to count."""
    return f"{part}/{whole}" if whole else "n/a"


def seconds(value: float) -> str:
    """``0.42 s``; below a hundred seconds with two decimals."""
    return f"{value:.2f} s" if value < 100 else f"{value:.0f} s"


def size(count: int) -> str:
    """``1.2 kB`` (thousands, not 1024)."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} kB" if count < 999_950 else f"{count / 1_000_000:.1f} MB"


def grouped(value: float) -> str:
    """Thousands set apart by a space: ``86 400``."""
    return f"{value:,.0f}".replace(",", " ")


def shortened(text: str, width: int) -> str:
    """``text`` on one line, cut with an ellipsis where it is longer than ``width``."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: max(0, width - 1)] + "…"


def address(url: str) -> str:
    """A URL without its scheme, as the wire's table shows it."""
    parts = urlsplit(url)
    return f"{parts.netloc}{parts.path}" + (f"?{parts.query}" if parts.query else "")


def median(values: list[float]) -> float:
    """The lower middle value of a list that is not empty (nearest rank)."""
    return sorted(values)[(len(values) - 1) // 2]
