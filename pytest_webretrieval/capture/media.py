"""Which file holds a body, and whether its name alone tells the media type. Pure."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from fixture_server.sites import MEDIA_TYPES

from .exchange import Exchange


def suffix_of(one: Exchange) -> str:
    """The suffix of a file with this body: the address' own where it fits the type, else the type's."""
    own = PurePosixPath(unquote(urlsplit(one.url).path)).suffix.lower()
    if own in MEDIA_TYPES and (not one.kind or MEDIA_TYPES[own].partition(";")[0] == one.kind):
        return own
    for suffix, media_type in MEDIA_TYPES.items():
        if media_type.partition(";")[0] == one.kind:
            return suffix
    if "json" in one.kind:
        return ".json"
    if one.kind in ("application/javascript", "application/x-javascript"):
        return ".js"
    return ".txt" if one.kind.startswith("text/") else ".html" if not one.kind and one.text else ".bin"


def is_default(one: Exchange) -> bool:
    """Whether the world gives this type by the suffix alone; a charset that goes without saying may be said."""
    default = MEDIA_TYPES.get(suffix_of(one), "")
    said = one.media_type.replace(" ", "").lower()
    return said in (default.replace(" ", ""), default.partition(";")[0]) and (not one.body or _is_utf8(one))


def _is_utf8(one: Exchange) -> bool:
    if not MEDIA_TYPES.get(suffix_of(one), "").endswith("utf-8"):
        return True
    try:
        one.body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
