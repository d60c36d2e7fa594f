"""One frozen account of what was asked for."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from pytest_webretrieval.configured import LiveConfiguration

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
