"""From what was said to settings: the command line, else the ini file, else the defaults."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from pytest_webretrieval.options import OPTIONS
from pytest_webretrieval.settings import CAPABILITIES, DEFAULT_CORPUS, FIXTURE, LIVE, Settings

# Ports that the world answers in a slot, whatever address is asked; they cannot be opened to the real machine.
DOORS = (443, 80, 53)
MOST_ALLOWED = 64
_ALL_DIGITS = re.compile(r"[\d.]+|0x[\da-f.x]+", re.ASCII | re.IGNORECASE)
_NAME = re.compile(r"(?=.{1,253}\.?$)[a-z0-9_]([a-z0-9_-]{0,62}\.?)+", re.ASCII | re.IGNORECASE)


class SettingsError(Exception):
    """An option, ini key or variable with a value that cannot be used; the message names it and what was expected."""


def read_settings(lane: str, option: Callable[[str], Any], ini: Callable[[str], Any]) -> Settings:
    """Settings from the command line, else the ini file, else the defaults.

    ``option`` and ``ini`` give the value of a dest, or None or empty where nothing was said. Raises SettingsError.
    """
    said: dict[str, Any] = {one.dest: option(one.dest) or ini(one.dest) or None for one in OPTIONS}
    values = {name.removeprefix("webretrieval_"): value for name, value in said.items() if value is not None}
    read: dict[str, Any] = {"lane": lane} | _OF_LANE.get(lane, {})
    for name, value in values.items():
        target, convert = _CONVERSIONS[name]
        read[target] = convert(value)
    settings = Settings(**read)
    if settings.model == "live" and not settings.gateway and lane == FIXTURE:
        raise SettingsError(
            "--webretrieval-model=live: no host is listed that may be asked; "
            "list each with --webretrieval-gateway HOST, as in api.openai.com"
        )
    return settings


# On the real web nobody plays the model, and requests go out one at a time unless somebody says otherwise.
_OF_LANE: dict[str, dict[str, Any]] = {LIVE: {"model": "live", "slots": 1}}


def with_live(settings: Settings, root: Path, option: Callable[[str], Any]) -> Settings:
    """The settings with the configuration of the live lane, where that is the lane: its cap on costs holds unless the
    command line says another. Raises CaseError."""
    if settings.lane != LIVE:
        return settings
    from pytest_webretrieval.configuration import read_live

    live = read_live(root)
    cap = settings.max_cost_usd if option("webretrieval_max_cost_usd") else live.max_cost_usd
    return replace(settings, live=live, max_cost_usd=cap)


def _number(name: str, least: int) -> Callable[[str], int]:
    def convert(value: str) -> int:
        try:
            number = int(value)
        except ValueError:
            number = least - 1
        if number < least:
            raise SettingsError(f"--webretrieval-{name}: {value!r} is not a whole number from {least}")
        return number

    return convert


def _one_of(name: str) -> Callable[[str], str]:
    choices = next(option.choices for option in OPTIONS if option.name == name) or ()

    def convert(value: str) -> str:
        if value not in choices:
            raise SettingsError(f"--webretrieval-{name}: {value!r} is none of {', '.join(choices)}")
        return value

    return convert


def _yes(value: bool | str) -> bool:
    if value is True:
        return True
    raise SettingsError("--webretrieval-approve-cost: is said on the command line alone, for one run")


def _dollars(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 < number < float("inf"):
        raise SettingsError(f"--webretrieval-max-cost-usd: {value!r} is not a number of dollars above 0")
    return number


def gateway_hosts(values: list[str]) -> tuple[str, ...]:
    """``HOST`` or ``HOST=URL`` each, hosts in lower case, each once. Raises SettingsError."""
    found: dict[str, str] = {}
    for value in values:
        host, equals, url = value.strip().partition("=")
        host = host.lower().rstrip(".")
        if _ALL_DIGITS.fullmatch(host) or not _NAME.fullmatch(host):
            raise SettingsError(
                f"--webretrieval-gateway: {value!r} is not HOST or HOST=URL, as in api.openai.com"
            )
        if equals and not re.match(r"https?://[^/?#@\s]+(/[^?#\s]*)?$", url):
            raise SettingsError(f"--webretrieval-gateway: {value!r}: {url!r} is not an http or https address")
        found[host] = f"{host}={url.rstrip('/')}" if equals else host
    return tuple(found.values())


def _capabilities(value: str) -> frozenset[str]:
    words = frozenset(word.strip() for word in value.split(",") if word.strip())
    for word in sorted(words.difference(CAPABILITIES)):
        raise SettingsError(f"--webretrieval-capabilities: {word!r} is none of {', '.join(CAPABILITIES)}")
    return words


def _case_names(values: list[str]) -> tuple[str, ...]:
    for value in values:
        if value.count("::") != 1:
            raise SettingsError(
                f"--webretrieval-case: {value!r} is not CORPUS::ID, as in {DEFAULT_CORPUS}::S06"
            )
    return tuple(values)


def allowed_endpoints(values: list[str]) -> tuple[str, ...]:
    """HOST:PORT each, hosts in lower case and without a final dot, each once. Raises SettingsError."""
    found: dict[str, None] = {}
    for value in values:
        problem = _problem_of(value)
        if problem:
            raise SettingsError(f"--webretrieval-allow: {value!r} {problem}")
        host, _, port = value.strip().lower().rpartition(":")
        found[f"{host.rstrip('.')}:{int(port)}"] = None
    if len(found) > MOST_ALLOWED:
        raise SettingsError(f"--webretrieval-allow: {len(found)} ports; at most {MOST_ALLOWED} can be opened")
    return tuple(found)


def _problem_of(endpoint: str) -> str:
    """What is wrong with a HOST:PORT; empty when nothing is."""
    host, _, port = endpoint.strip().rpartition(":")
    if not host or not (port.isascii() and port.isdecimal()) or not 0 < int(port) < 65536:
        return "is not HOST:PORT, as in localhost:6379"
    if int(port) in DOORS:
        return f"cannot be opened: {', '.join(map(str, DOORS))} are the world's own ports at every address"
    if host.startswith("[") or ":" in host or _ALL_DIGITS.fullmatch(host):
        try:
            address = ip_address(host.removeprefix("[").removesuffix("]"))
        except ValueError:
            return "has no address that can be read; IPv6 goes in brackets, as in [::1]:6379"
        if address.version == 6 and not (host.startswith("[") and host.endswith("]")):
            return "is not HOST:PORT; IPv6 goes in brackets, as in [::1]:6379"
        if address.is_unspecified or address.is_multicast:
            return "names nobody: an address that is one machine's is needed"
        return ""
    return "" if _NAME.fullmatch(host) else "has no host name that can be read"


_CONVERSIONS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "corpus": ("corpora", tuple),
    "case": ("cases", _case_names),
    "system": ("system", str),
    "capabilities": ("capabilities", _capabilities),
    "fixture_seed": ("fixture_seed", _number("fixture-seed", 0)),
    "slots": ("slots", _number("slots", 1)),
    "isolation": ("isolation", _one_of("isolation")),
    "carrier": ("carrier", _one_of("carrier")),
    "allow": ("allow", allowed_endpoints),
    "browser": ("browser", str),
    "output": ("output", Path),
    "resume": ("resume", str),
    "model": ("model", _one_of("model")),
    "model_skill": ("model_skill", _one_of("model-skill")),
    "gateway": ("gateway", gateway_hosts),
    "record": ("record", _one_of("record")),
    "cassettes": ("cassettes", Path),
    "max_cost_usd": ("max_cost_usd", _dollars),
    "trials": ("trials", _number("trials", 1)),
    "confirm": ("confirm", _number("confirm", 0)),
    "baseline": ("baseline", Path),
    "toxiproxy": ("toxiproxy", str),
    "approve_cost": ("approve_cost", _yes),
}
