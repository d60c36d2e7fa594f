"""The text of a PDF and the title that a reader sees on it."""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass
from typing import Any

import pypdf

LARGEST_PAGES = 40

# pypdf reports every oddity of a file; what cannot be read is told by PdfUnreadable instead.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)


class PdfUnreadable(Exception):
    """Damaged, encrypted, or no PDF."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pdf:
    """``title`` is the largest type on page one, or the file's own title where the page has no text."""

    title: str
    text: str


def read_pdf(body: bytes) -> Pdf:
    """Raises PdfUnreadable."""
    try:
        reader = pypdf.PdfReader(io.BytesIO(body))
        pages = list(reader.pages[:LARGEST_PAGES])
        title = _largest(pages[0]) if pages else ""
        text = "\n\n".join(page.extract_text() for page in pages)
        named = str(reader.metadata.title or "") if reader.metadata else ""
    except Exception as error:  # pypdf raises whatever a damaged file leads it into
        raise PdfUnreadable(type(error).__name__) from error
    return Pdf(title=title or " ".join(named.split()), text=text)


def _largest(page: Any) -> str:
    """The run of lines set in the largest type that holds letters; blanks and page numbers do not count."""
    pieces: list[tuple[float, float, float, str]] = []

    def visit(text: str, current: list[float], matrix: list[float], font: Any, size: float) -> None:
        if text.strip():
            height = (
                abs(size)
                * (abs(matrix[3]) or abs(matrix[1]) or 1.0)
                * (abs(current[3]) or abs(current[1]) or 1.0)
            )
            at = matrix[5] * (current[3] or 1.0) + current[5]
            pieces.append((round(height, 1), at, matrix[4], text))

    page.extract_text(visitor_text=visit)
    lettered = [piece for piece in pieces if sum(char.isalpha() for char in piece[3]) >= 2]
    if not lettered:
        return ""
    largest = max(piece[0] for piece in lettered)
    first = next(index for index, piece in enumerate(pieces) if piece[0] == largest and piece in lettered)
    parts = []
    for height, _, _, text in pieces[first:]:
        if height != largest:
            break
        parts.append(text)
    return " ".join(" ".join(parts).split())
