"""``url_citation`` annotations, flat or nested, with offsets in code points, in UTF-16 units, wrong, or
absent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .links import is_absolute
from .reading import Located, Reading


def add_url_citation(annotation: Mapping[str, Any], base: int, text: str, reading: Reading) -> None:
    """Put the annotation of ``text``, which stands at ``base`` in the answer, into the reading."""
    nested = annotation.get("url_citation")
    citation = nested if isinstance(nested, dict) else annotation
    url = citation.get("url")
    if not is_absolute(url):
        return
    start, end = citation.get("start_index"), citation.get("end_index")
    if type(start) is not int or type(end) is not int or start == end == 0:
        reading.unlocated.append(str(url))
        return
    span = _span(start, end, str(url), text)
    if span is None:
        reading.note("offset-invalid")
        reading.nearest.append((base + min(max(end, 0), len(text)), str(url)))
    else:
        reading.located.append(Located(base + span[0], base + span[1], str(url), is_claim=False))


def _span(start: int, end: int, url: str, text: str) -> tuple[int, int] | None:
    """The span in code points. Offsets are UTF-16 units where only then the URL stands in the span; None
    when they are out of range or fall inside a character."""
    in_points = (start, end) if 0 <= start <= end <= len(text) else None
    if in_points and url in text[start:end]:
        return in_points
    in_units = _from_utf16(start, end, text)
    if in_units and url in text[slice(*in_units)]:
        return in_units
    return in_points


def _from_utf16(start: int, end: int, text: str) -> tuple[int, int] | None:
    encoded = text.encode("utf-16-le", "surrogatepass")
    if not 0 <= start <= end <= len(encoded) // 2:
        return None
    try:
        before = encoded[: start * 2].decode("utf-16-le")
        within = encoded[start * 2 : end * 2].decode("utf-16-le")
    except UnicodeDecodeError:
        return None
    return len(before), len(before) + len(within)
