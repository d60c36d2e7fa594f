"""One frozen account of what was asked for: options, ini and environment, read once by the plugin or the command."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from pytest_webretrieval.configured import LiveConfiguration
from pytest_webretrieval.outward import MODEL_MODES, RECORD_MODES, SKILLS, Outward, Web

DEFAULT_OUTPUT = Path(".webretrieval")
DEFAULT_CASSETTES = Path("cassettes")
DEFAULT_MAX_COST_USD = 1.0
DEFAULT_BASELINE = Path("webretrieval-baseline.yaml")
# A red case is confirmed by this many further trials where that is asked for without a number.
DEFAULT_CONFIRM = 4
DEFAULT_CORPUS = "web-retrieval-v1"
REFERENCE_SYSTEM = "pytest_webretrieval.systems.reference:System"
USER_AGENT = "pytest-webretrieval/0.1"
FIXTURE, LIVE = "fixture", "live"
LANES = (FIXTURE, LIVE)
# Ports that the world answers in a slot, whatever address is asked; they cannot be opened to the real machine.
DOORS = (443, 80, 53)
MOST_ALLOWED = 64
_ALL_DIGITS = re.compile(r"[\d.]+|0x[\da-f.x]+", re.ASCII | re.IGNORECASE)
_NAME = re.compile(r"(?=.{1,253}\.?$)[a-z0-9_]([a-z0-9_-]{0,62}\.?)+", re.ASCII | re.IGNORECASE)
CAPABILITIES = ("fetch", "search", "browser", "extract-api", "auth")

# The one text that a system without the full contract gets. {start} and {user} are whole lines or empty.
PROMPT = "{query}\n{start}{user}"
PROMPT_START = "Start from: {urls}\n"
PROMPT_USER = "You act for the signed-in user {name}.\n"


class SettingsError(Exception):
    """An option, ini key or variable with a value that cannot be used; the message names it and what was expected."""


def default_slots() -> int:
    """As many slots as cores, shared out among xdist's workers."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    return max(1, (os.cpu_count() or 1) // workers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a run does. ``corpora`` are names or paths, ``cases`` are ``CORPUS::ID``; ``purse`` is where the run notes
    what it spends, ``live`` how the live lane meets the web."""

    lane: str
    corpora: tuple[str, ...] = (DEFAULT_CORPUS,)
    cases: tuple[str, ...] = ()
    system: str = REFERENCE_SYSTEM
    capabilities: frozenset[str] | None = None
    fixture_seed: int = 0
    slots: int = field(default_factory=default_slots)
    isolation: str = "run"
    carrier: str = "auto"
    allow: tuple[str, ...] = ()
    browser: str | None = None
    output: Path = DEFAULT_OUTPUT
    resume: str | None = None
    model: str = "scripted"
    model_skill: str = "careful"
    gateway: tuple[str, ...] = ()
    record: str = "none"
    cassettes: Path = DEFAULT_CASSETTES
    max_cost_usd: float = DEFAULT_MAX_COST_USD
    purse: Path | None = None
    trials: int = 1
    confirm: int | None = None
    baseline: Path | None = None
    toxiproxy: str = "embedded"
    live: LiveConfiguration | None = None
    approve_cost: bool = False

    @property
    def confirming(self) -> int:
        """How many further trials confirm a red case; a live model is asked again unless 0 was said."""
        if self.confirm is not None:
            return self.confirm
        return DEFAULT_CONFIRM if self.model == "live" and self.lane == FIXTURE else 0

    def outward(self, root: Path) -> Outward:
        """What the world is told of the model and the gateway; ``root`` is where relative folders begin."""
        return Outward(
            model=self.model,
            skill=self.model_skill,
            gateway=self.gateway,
            record=self.record,
            cassettes=str(root / self.cassettes),
            max_cost_usd=self.max_cost_usd,
            purse="" if self.purse is None else str(self.purse),
            toxiproxy=self.toxiproxy,
            web=None if self.live is None else web_of(self.live),
        )

    def fingerprint(self) -> str:
        """Twelve hexadecimal digits over what decides how the system runs; part of every record's key."""
        parts = (
            self.lane,
            self.system,
            self.isolation,
            *sorted(self.capabilities or ()),
            *sorted(self.allow),
            self.model,
            self.model_skill,
            *sorted(self.gateway),
            self.toxiproxy,
            *(() if self.live is None else (json.dumps(self.live.pinned(), sort_keys=True),)),
        )
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option of the command line, ``--webretrieval-NAME``, and of the ini file, ``webretrieval_NAME``."""

    name: str
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    repeatable: bool = False
    is_switch: bool = False
    optional_value: str | None = None

    @property
    def flag(self) -> str:
        return f"--webretrieval-{self.name}"

    @property
    def dest(self) -> str:
        return f"webretrieval_{self.name.replace('-', '_')}"


OPTIONS = (
    Option(
        name="corpus", metavar="NAME|PATH", repeatable=True, help=f"corpus to run (default: {DEFAULT_CORPUS})"
    ),
    Option(name="case", metavar="CORPUS::ID", repeatable=True, help="run only this case"),
    Option(
        name="system",
        metavar="SPEC",
        help="system under test: module:attribute, cmd: COMMAND {prompt}, or serve: COMMAND @ URL",
    ),
    Option(name="capabilities", metavar="A,B", help="what the system can do; cases beyond it do not apply"),
    Option(name="fixture-seed", metavar="N", help="seed of hosts, paths and facts (default: 0)"),
    Option(name="slots", metavar="N", help="how many cases run at once (default: cores, shared by workers)"),
    Option(name="isolation", choices=("run", "session"), help="one process a run (default), or one a slot"),
    Option(
        name="carrier",
        choices=("auto", "namespace", "proxy"),
        help="how slots are made: namespaces (Linux), or a proxy and a guard (default: auto, what can be had)",
    ),
    Option(
        name="allow",
        metavar="HOST:PORT",
        repeatable=True,
        help="let slots reach this port of the real machine or its network, as localhost:6379",
    ),
    Option(
        name="browser",
        metavar="PATH",
        help="browser for systems (default: a system Chromium, else Playwright's)",
    ),
    Option(name="output", metavar="DIR", help=f"where run folders go (default: {DEFAULT_OUTPUT})"),
    Option(
        name="model",
        choices=MODEL_MODES,
        help="who answers model providers' hosts: scripted (no key), replay (recorded turns), live (metered)",
    ),
    Option(name="model-skill", choices=SKILLS, help="how the scripted model works (default: careful)"),
    Option(
        name="gateway",
        metavar="HOST[=URL]",
        repeatable=True,
        help="host that is forwarded, recorded and replayed; URL: the server that stands for it",
    ),
    Option(name="record", choices=RECORD_MODES, help="how the gateway records (default: none, replay only)"),
    Option(name="cassettes", metavar="DIR", help=f"where recordings are (default: {DEFAULT_CASSETTES})"),
    Option(
        name="max-cost-usd",
        metavar="USD",
        help=f"most that a run may spend on a live model (default: {DEFAULT_MAX_COST_USD:g})",
    ),
    Option(name="trials", metavar="N", help="runs of each case; each must be as expected (default: 1)"),
    Option(
        name="confirm",
        metavar="N",
        optional_value=str(DEFAULT_CONFIRM),
        help=f"run a red case N more times (default: {DEFAULT_CONFIRM}); it is red if 3 in 4 of them fail too",
    ),
    Option(
        name="baseline",
        metavar="FILE",
        help=f"what was accepted as it is (default: {DEFAULT_BASELINE} in the root folder, if it is there)",
    ),
    Option(
        name="toxiproxy",
        metavar="embedded|auto|URL|PATH",
        help="whose toxics faults are made of: embedded (default), or a real Toxiproxy: by address, program, or PATH",
    ),
    Option(
        name="approve-cost",
        is_switch=True,
        help="begin a live run although it may cost more than max_cost_usd of webretrieval.toml",
    ),
    Option(name="resume", metavar="RUN", optional_value="latest", help="go on with a run that was stopped"),
)


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


def web_of(live: LiveConfiguration) -> Web:
    """What the world is told of the real web."""
    prices = {
        channel.id
        if channel.provider is None
        else f"{channel.id}:{channel.provider}": channel.usd_per_request
        for channel in live.channels
        if channel.usd_per_request is not None
    }
    return Web(
        allow=live.allow,
        deny=live.deny,
        user_agent=live.user_agent,
        prices=prices,
        max_requests=live.max_requests,
    )


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
