"""Scenes (``NAME.yaml``): YAML into frozen objects, errors with file and line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pytest_webretrieval.cases.case import CHANNELS, Location

from .declarations import Scene
from .users import read_users
from .yaml_keys import Keys, check_keys, read_keys


def read_scene(path: Path, name: str) -> Scene:
    """Raises SiteError."""
    keys = read_keys(path, nested=())
    check_keys(keys, ["start_urls", "cheapest", "states", "users", "pages"])
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
        users=read_users(keys),
    )


def _is_address(text: str) -> bool:
    return text.startswith("fixture://")


def _strings(keys: Keys, key: str, right: Callable[[str], bool]) -> tuple[str, ...]:
    given = keys.get(key, list, "a list", [])
    for text in given:
        if not isinstance(text, str) or not right(text):
            raise keys.fail(key, f"{text!r} in `{key}` is not what belongs there")
    return tuple(given)
