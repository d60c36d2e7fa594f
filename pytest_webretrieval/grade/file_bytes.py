"""The bytes of a PDF in a text that somebody was to read: what a file holds is not to be read there."""

from __future__ import annotations

import re

# A PDF from its mark to its end; an object of one whose mark was lost; what draws its words, whose object was cut. In
# JSON a line's end is written `\n`, so a letter may stand before each.
_PDF = re.compile(
    r"%PDF-\d.*?(?:%%EOF|\Z)"
    r"|(?<!\d)\d+ \d+ obj(?![a-zA-Z]).*?(?:endobj|\Z)"
    r"|(?<![A-Z0-9])BT(?![A-Za-z0-9])(?=[^()]{0,200}\()(?=.{0,2000}?[)\]]\s*T[jJ](?![A-Za-z]))"
    r".*?(?:(?<![A-Z0-9])ET(?![A-Za-z0-9])|\Z)",
    re.DOTALL,
)


def without_file_bytes(text: str) -> str:
    """The text but for what is a PDF's."""
    return _PDF.sub(" ", text)
