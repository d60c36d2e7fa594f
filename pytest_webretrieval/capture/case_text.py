"""A captured page as a case file. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a case file says. ``sources`` are left out where the pages' own text shows them."""

    id: str
    query: str
    start_url: str
    fact: str
    sources: Sequence[str]
    needs_browser: bool
    note: str


def case_text(told: Told) -> str:
    """The file."""
    lines = [
        f"# {told.note}",
        f"id: {told.id}",
        f"query: {quoted(told.query)}",
        f"start_urls: [{quoted(told.start_url)}]",
        *(["cheapest: browser  # a script writes the fact"] if told.needs_browser else []),
        f"facts: [{quoted(told.fact)}]",
        "wrong_values: []  # what a careless reader would say: an older version, a preview, another page's figure",
        *(
            ["allowed_sources:", *(f"  - {quoted(source)}" for source in told.sources)]
            if told.sources
            else []
        ),
    ]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """A text as YAML reads it back: JSON's quotes are YAML's."""
    return (
        json.dumps(text, ensure_ascii=False)
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
        .replace("\x85", "\\x85")
    )


def cloze(fact: str, line: str, title: str) -> str:
    """A question that the line answers: its text with a gap where the fact stands."""
    gap = re.sub(re.escape(fact), "…", line, flags=re.IGNORECASE)
    where = f"On the page “{title}”, what" if title else "What"
    return (
        f"{where} stands in the gap of: “{gap}”?"
        if gap != line
        else f"{where} does this line say exactly: “{line}”?"
    )


def case_id(url: str) -> str:
    """An id from an address: ``docs-vendor-example-releases``."""
    parts = urlsplit(url)
    words = re.findall(r"[a-z0-9]+", f"{parts.hostname or ''} {parts.path}".lower())
    return "-".join(words)[:60].rstrip("-") or "captured"
