"""Declarations (``NAME.serve.yaml``): YAML into frozen objects, errors with file and line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import yaml

from pytest_webretrieval.cases.case import Location

from .marks import MarkError, Template, read_offset, read_template
from .packing import PACKINGS
from .recorded import REQUEST_KEYS, Recorded, read_recorded
from .users import NOBODY, Users
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

    ``sequence`` holds the answers to the first, second, ... request of a run; the last one stays. One with ``hold_s``
    is given again to whoever comes back sooner, and the time begins anew. ``live`` sends the body over a WebSocket, a
    line a message. ``flow`` makes the body while it is sent. ``packed`` says what is made of the body's bytes.
    ``users`` holds the answers to who is named there, ``post`` the one to a POST, ``query`` those to a GET with that
    parameter. ``asked`` holds recorded requests with their answers, and then nothing else is answered. ``act`` marks
    an answer that comes of an act: something was changed for good.
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
    flow: str | None = None
    behave: str | None = None
    delay_s: float = 0.0
    hold_s: float = 0.0
    live: bool = False
    packed: str | None = None
    fault: str | None = None
    act: bool = False
    sequence: tuple[Serve, ...] = ()
    users: Mapping[str, Serve] = field(default_factory=dict)
    post: Serve | None = None
    query: Mapping[str, Serve] = field(default_factory=dict)
    asked: tuple[tuple[Recorded, Serve], ...] = ()

    @property
    def parts(self) -> Iterator[Serve]:
        """Itself and every answer within it."""
        yield from (self, *self.sequence, *self.users.values(), *self.query.values())
        for _, answer in self.asked:
            yield from answer.parts
        if self.post is not None:
            yield self.post

    @property
    def public(self) -> Serve:
        """What it comes to for whoever shows no credential, asks for nothing special, and asks often enough."""
        serve = self.users.get(NOBODY, self)
        plain = [one for request, one in self.asked if request.method == "GET" and not request.query]
        serve = plain[0] if plain else serve
        return serve.sequence[-1] if serve.sequence else serve


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """All that one file declares: per variant, an answer per state (``initial`` is always there). ``path`` is the
    address' path where no file name can hold it; without ``marks`` what looks like one in a file is none."""

    where: Location
    variants: tuple[Mapping[str, Serve], ...]
    listing: Listing | None = field(default_factory=Listing)
    path: str | None = None
    marks: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What one case meets. Addresses are by role; ``cheapest`` is the cheapest channel that suffices."""

    name: str
    where: Location
    start_urls: tuple[str, ...]
    cheapest: str
    states: tuple[str, ...]
    pages: tuple[str, ...]
    users: Users = field(default_factory=dict)


# Answers within an answer; these hold none themselves, but for the sequences of recorded requests.
_WITHIN = ("sequence", "users", "post", "query", "asked")
_SERVE_KEYS = [
    "status",
    "location",
    "headers",
    "media_type",
    "etag",
    "last_modified",
    "body",
    "make",
    "flow",
    "behave",
    "delay_s",
    "hold_s",
    "live",
    "packed",
    "fault",
    "act",
    *_WITHIN,
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
    packed = keys.get("packed", str, "a word")
    if packed is not None and packed not in PACKINGS:
        raise keys.fail("packed", f"unknown packing {packed!r}; known are {', '.join(PACKINGS)}")
    fault = keys.get("fault", str, "a word")
    if fault is not None and fault not in FAULTS:
        raise keys.fail("fault", f"unknown fault {fault!r}; known are {', '.join(FAULTS)}")
    for key in ("make", "flow", "behave"):
        function = keys.get(key, str, "`module:function`")
        if function is not None and function.count(":") != 1:
            raise keys.fail(key, f"{function!r} is not of the form `module:function`")
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
        flow=keys.get("flow", str, "`module:function`"),
        behave=keys.get("behave", str, "`module:function`"),
        delay_s=float(keys.get("delay_s", (int, float), "seconds", 0.0)),
        hold_s=float(keys.get("hold_s", (int, float), "seconds", 0.0)),
        live=keys.get("live", bool, "true or false", False),
        packed=packed,
        fault=fault,
        act=keys.get("act", bool, "true or false", False),
    )


def _answers(keys: Keys) -> Serve:
    from dataclasses import replace

    serve = _serve(keys)
    known = [key for key in _SERVE_KEYS if key not in _WITHIN]
    steps = children_of(keys, "sequence", known, yaml.SequenceNode, "a list of answers")
    users = children_of(keys, "users", known, yaml.MappingNode, "a mapping of users to answers")
    query = children_of(
        keys, "query", known, yaml.MappingNode, "a mapping of parameters (name=value) to answers"
    )
    return replace(
        serve,
        sequence=tuple(_serve(over(keys, step)) for _, step in steps),
        users={name: _serve(over(keys, answer)) for name, answer in users},
        post=_post(keys, known),
        query={name: _serve(over(keys, answer)) for name, answer in query},
        asked=tuple(_recorded(keys, entry) for entry in _asked(keys, known)),
    )


def _asked(keys: Keys, known: list[str]) -> list[Keys]:
    wanted = "a list of requests with their answers"
    known = [*known, *REQUEST_KEYS, "sequence"]
    return [entry for _, entry in children_of(keys, "asked", known, yaml.SequenceNode, wanted)]


def _recorded(keys: Keys, entry: Keys) -> tuple[Recorded, Serve]:
    from dataclasses import replace

    known = [key for key in _SERVE_KEYS if key not in _WITHIN]
    request = read_recorded(entry)
    answer = over(keys, entry)
    if "sequence" not in entry.values:
        return request, _serve(answer)
    steps = children_of(entry, "sequence", known, yaml.SequenceNode, "a list of answers")
    return request, replace(_serve(answer), sequence=tuple(_serve(over(answer, step)) for _, step in steps))


def _post(keys: Keys, known: list[str]) -> Serve | None:
    if "post" not in keys.values:
        return None
    post = keys.nested("post", keys.values["post"][0])
    check_keys(post, known)
    return _serve(over(keys, post))


def read_declaration(path: Path) -> Declaration:
    """Raises SiteError."""
    keys = read_keys(path)
    check_keys(keys, [*_SERVE_KEYS, "search", "states", "variants", "path", "marks"])
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
        path=_path(keys),
        marks=keys.get("marks", bool, "true or false", True),
    )


def _path(keys: Keys) -> str | None:
    path: str | None = keys.get("path", str, "a path")
    if path is not None and not path.startswith("/"):
        raise keys.fail("path", f"`path` must begin with a slash, not {path!r}")
    return path


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
