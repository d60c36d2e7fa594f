"""One frozen account of what was asked for."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from pytest_webretrieval.cases.providers import API_CHANNELS, MODEL_HOSTS
from pytest_webretrieval.configured import Channel, LiveConfiguration
from pytest_webretrieval.outward import Outward, Web

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
CAPABILITIES = ("fetch", "search", "browser", "extract-api", "auth")

# The one text that a system without the full contract gets. {start} and {user} are whole lines or empty.
PROMPT = "{query}\n{start}{user}"
PROMPT_START = "Start from: {urls}\n"
PROMPT_USER = "You act for the signed-in user {name}.\n"


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


def web_of(live: LiveConfiguration) -> Web:
    """What the world is told of the real web."""
    prices = {
        _priced_as(channel): channel.usd_per_request
        for channel in live.channels
        if channel.usd_per_request is not None
    }
    return Web(
        allow=live.allow,
        deny=live.deny,
        user_agent=live.user_agent,
        models=_model_hosts(live.channel("model")),
        prices=prices,
        max_requests=live.max_requests,
    )


def _priced_as(channel: Channel) -> str:
    """A channel as prices name it: who is asked tells an API, for the rest nobody in particular is."""
    return f"{channel.id}:{channel.provider}" if channel.id in API_CHANNELS else channel.id


def _model_hosts(channel: Channel | None) -> tuple[str, ...]:
    """Where the configured model answers: its provider's hosts, and without a provider everybody's."""
    if channel is None:
        return ()
    if channel.provider is not None:
        return MODEL_HOSTS[channel.provider]
    return tuple(host for hosts in MODEL_HOSTS.values() for host in hosts)
