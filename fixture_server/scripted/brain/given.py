"""One thing that a tool gave."""

from __future__ import annotations

import re
from dataclasses import dataclass

LABEL = re.compile(
    r"[\s>*_#-]*(?P<key>(?:final |page |source |canonical |resolved |requested )?(?:url|link|uri|address|href|source)"
    r"|title|(?:http )?status(?: code)?|content[- ]type|media[- ]type|http)[*_]*\s*[:=]\s*[*_]*(?P<value>\S.*?)\s*$",
    re.I,
)
HTTP = re.compile(r"\bHTTP(?:/\d(?:\.\d)?)?[ :]+(?:error )?([1-5]\d\d)\b", re.I)
_STATUS = re.compile(
    r"(?:\b(?:status|code|error|returned|answered|responded|said|says|gave|http(?:statuserror)?|response|failed)\b\W{0,4}"
    r"(?:\w+ ){0,4}?\W{0,3}|^\W{0,3})\b([345]\d\d)\b(?![\d.,]*\d)",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One thing that a tool gave. ``url`` is empty where it named none; ``status`` is the HTTP status that it told;
    ``failure`` is what it said in place of a content."""

    url: str = ""
    title: str = ""
    text: str = ""
    published: str = ""
    status: int | None = None
    failure: str = ""


def status_in(text: str) -> int | None:
    """The HTTP status that a text tells."""
    match = HTTP.search(text) or _STATUS.search(text)
    return int(match[1]) if match else None
