"""Declarations (``NAME.serve.yaml``) and scenes (``NAME.yaml``): YAML into frozen objects, errors with file
and line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import yaml

from pytest_webretrieval.cases.case import CHANNELS, Location

from .marks import MarkError, Template, read_offset, read_template
from .yaml_keys import Keys, check_keys, children_of, over, read_keys

FAULTS = ("reset", "cut")


@dataclass(frozen=True, slots=True)
class Published:
    """When a page says that it was published: seconds relative to now, or a moment."""

    offset_s: float | None = None
    moment: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """How the index shows a page."""

    published: Published | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Serve:
    """How a page answers in one state. ``body`` names a file of the page's folder, None for the page's own
    file.

    ``sequence`` holds the answers to the first, second, ... request of a run; the last one stays.
    """

    where: Location
    status: int = 200
    location: Template | None = None
    headers: tuple[tuple[str, Template], ...] = ()
    media_type: str | None = None
    etag: str | None = None
    last_modified: float | None = None
    body: str | None = None
    make: str | None = None
    behave: str | None = None
    delay_s: float = 0.0
    fault: str | None = None
    sequence: tuple[Serve, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """All that one file declares: per variant, an answer per state (``initial`` is always there)."""

    where: Location
    variants: tuple[Mapping[str, Serve], ...]
    listing: Listing | None = field(default_factory=Listing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What one case meets. Addresses are by role; ``cheapest`` is the cheapest channel that suffices."""

    name: str
    where: Location
    start_urls: tuple[str, ...]
    cheapest: str
    states: tuple[str, ...]
    pages: tuple[str, ...]


_SERVE_KEYS = [
    "status",
    "location",
    "headers",
    "media_type",
    "etag",
    "last_modified",
    "body",
    "make",
    "behave",
    "delay_s",
    "fault",
    "sequence",
]


def _template(keys: Keys, key: str, text: str) -> Template:
    try:
        return read_template(text)
    except MarkError as error:
        raise keys.fail(key, str(error)) from error


def _offset(keys: Keys, key: str, value: Any) -> float:
    try:
        return read_offset(str(value))
    except ValueError as error:
        raise keys.fail(key, f"`{key}`: {error}") from error


def _serve(keys: Keys) -> Serve:
    status = keys.get("status", int, "a number", 200)
    if not 200 <= status <= 599:
        raise keys.fail("status", f"`status` must be 200 to 599, not {status}")
    headers: list[tuple[str, Template]] = []
    for name, value in keys.get("headers", dict, "a mapping of names to values", {}).items():
        for text in value if isinstance(value, list) else [value]:
            headers.append((str(name).lower(), _template(keys, "headers", str(text))))
    location = keys.get("location", str, "an address")
    fault = keys.get("fault", str, "a word")
    if fault is not None and fault not in FAULTS:
        raise keys.fail("fault", f"unknown fault {fault!r}; known are {', '.join(FAULTS)}")
    function = keys.get("make", str, "`module:function`") or keys.get("behave", str, "`module:function`")
    if function is not None and function.count(":") != 1:
        raise keys.fail("make", f"{function!r} is not of the form `module:function`")
    modified = keys.get("last_modified", (str, int), "an offset such as -2d")
    return Serve(
        where=Location(keys.path, keys.line),
        status=status,
        location=None if location is None else _template(keys, "location", location),
        headers=tuple(headers),
        media_type=keys.get("media_type", str, "a media type"),
        etag=keys.get("etag", str, "`content` or a quoted tag"),
        last_modified=None if modified is None else _offset(keys, "last_modified", modified),
        body=keys.get("body", str, "a file name"),
        make=keys.get("make", str, "`module:function`"),
        behave=keys.get("behave", str, "`module:function`"),
        delay_s=float(keys.get("delay_s", (int, float), "seconds", 0.0)),
        fault=fault,
    )


def _answers(keys: Keys) -> Serve:
    from dataclasses import replace

    serve = _serve(keys)
    known = [key for key in _SERVE_KEYS if key != "sequence"]
    steps = children_of(keys, "sequence", known, yaml.SequenceNode, "a list of answers")
    return replace(serve, sequence=tuple(_serve(over(keys, step)) for _, step in steps))


def read_declaration(path: Path) -> Declaration:
    """Raises SiteError."""
    keys = read_keys(path)
    check_keys(keys, [*_SERVE_KEYS, "search", "states", "variants"])
    states = children_of(keys, "states", _SERVE_KEYS, yaml.MappingNode, "a mapping of states to keys")
    variants = children_of(keys, "variants", _SERVE_KEYS, yaml.SequenceNode, "a list of keys")
    grounds = [over(keys, variant) for _, variant in variants] or [keys]
    return Declaration(
        where=Location(path, keys.line),
        variants=tuple(
            {"initial": _answers(ground)} | {name: _answers(over(ground, state)) for name, state in states}
            for ground in grounds
        ),
        listing=_listing(keys),
    )


def _listing(keys: Keys) -> Listing | None:
    given = keys.get("search", (bool, dict), "false, or {published, language}", {})
    if given is False:
        return None
    if given is True:
        given = {}
    unknown = set(given) - {"published", "language"}
    if unknown:
        raise keys.fail("search", f"unknown key `{min(unknown)}` in `search`; known are published, language")
    language = given.get("language")
    return Listing(
        published=_published(keys, given.get("published")),
        language=None if language is None else str(language),
    )


def _published(keys: Keys, given: Any) -> Published | None:
    if given is None:
        return None
    if isinstance(given, datetime):
        return Published(moment=given if given.tzinfo else given.replace(tzinfo=UTC))
    if isinstance(given, date):
        return Published(moment=datetime(given.year, given.month, given.day, tzinfo=UTC))
    return Published(offset_s=_offset(keys, "search", given))


def read_scene(path: Path, name: str) -> Scene:
    """Raises SiteError."""
    keys = read_keys(path, nested=())
    check_keys(keys, ["start_urls", "cheapest", "states", "pages"])
    cheapest = keys.get("cheapest", str, "a channel")
    if cheapest not in CHANNELS:
        raise keys.fail("cheapest", f"`cheapest` must be one of {', '.join(CHANNELS)}, not {cheapest!r}")
    return Scene(
        name=name,
        where=Location(path, keys.line),
        start_urls=_strings(keys, "start_urls", _is_address),
        cheapest=cheapest,
        states=_strings(keys, "states", lambda text: bool(text)),
        pages=_strings(keys, "pages", _is_address),
    )


def _is_address(text: str) -> bool:
    return text.startswith("fixture://")


def _strings(keys: Keys, key: str, right: Callable[[str], bool]) -> tuple[str, ...]:
    given = keys.get(key, list, "a list", [])
    for text in given:
        if not isinstance(text, str) or not right(text):
            raise keys.fail(key, f"{text!r} in `{key}` is not what belongs there")
    return tuple(given)
