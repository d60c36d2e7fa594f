"""How the live lane meets the real web, as it was configured; reading the file is ``configuration``'s."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

FILE = "webretrieval.toml"
NEEDED_CHANNELS = ("direct-fetch", "search-api", "browser")
MIN_RUNS, WINDOW, QUARANTINE_DAYS = 5, 20, 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A way to the web that is there: ``direct-fetch``, ``search-api``, ``browser``, ``extract-api`` or ``model``.
    ``key_env`` names the variable that holds the provider's key."""

    id: str
    provider: str | None = None
    key_env: str | None = None
    usd_per_request: float | None = None
    usd_per_case: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A test account: ``kind`` is ``cookie``, ``bearer`` or ``basic``, ``credential_name`` that of the cookie or the
    user, ``value_env`` the variable that holds its value, ``url`` where it is valid."""

    name: str
    kind: str
    credential_name: str
    value_env: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """How much worse a gate lets a figure get: points of a rate, or a share of what it was. ``example``: nobody set
    it."""

    change: float
    example: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveConfiguration:
    """``path`` is the file that was read. ``allow`` and ``deny`` are host patterns (``*.example.org``); an empty
    ``allow`` lets every public host through. ``targets`` leads from a corpus' name to the file of its targets,
    ``judged`` from what a judge is asked about to the least rate of it that must be right."""

    path: Path
    region: str
    user_agent: str
    channels: tuple[Channel, ...]
    accounts: tuple[Account, ...]
    allow: tuple[str, ...]
    deny: tuple[str, ...]
    targets: Mapping[str, Path]
    max_cost_usd: float
    max_requests: int | None
    history: Path
    success: Threshold
    citation_support: Threshold
    latency: Threshold
    cost: Threshold
    min_runs: int = MIN_RUNS
    window: int = WINDOW
    quarantine_days: int = QUARANTINE_DAYS
    schedule: str | None = None
    judged: Mapping[str, float] = field(default_factory=dict)

    def channel(self, id: str) -> Channel | None:
        """The channel of that name; None where it is not configured."""
        return next((channel for channel in self.channels if channel.id == id), None)

    def account(self, name: str) -> Account | None:
        """The account of that name; None where it is not configured."""
        return next((account for account in self.accounts if account.name == name), None)

    def pinned(self) -> dict[str, Any]:
        """What runs must have in common to be compared, as JSON-able data: names of variables, never their values."""
        return {
            "region": self.region,
            "user_agent": self.user_agent,
            "channels": [asdict(channel) for channel in self.channels],
            "accounts": [asdict(account) for account in self.accounts],
            "allow": list(self.allow),
            "deny": list(self.deny),
            "max_requests": self.max_requests,
        }

    def variables(self) -> tuple[str, ...]:
        """The variables that hold secrets: keys of channels, credentials of accounts."""
        keys = (channel.key_env for channel in self.channels)
        return tuple(filter(None, (*keys, *(account.value_env for account in self.accounts))))

    def missing(self, environ: Mapping[str, str]) -> tuple[str, ...]:
        """What the lane needs and does not have, a line each: channels, and variables that are not set or empty."""
        file = self.path.name
        lines = [
            f"{file}: channel {id} is not configured; add [{self._prefix}live.channels.{id}]"
            for id in NEEDED_CHANNELS
            if self.channel(id) is None
        ]
        wanted = [(channel.key_env, f"the key of channel {channel.id}") for channel in self.channels]
        wanted += [
            (account.value_env, f"the credential of account {account.name}") for account in self.accounts
        ]
        return (
            *lines,
            *(
                f"{name} is not set: {what} ({file})"
                for name, what in wanted
                if name and not environ.get(name)
            ),
        )

    @property
    def _prefix(self) -> str:
        return "" if self.path.name == FILE else "tool.webretrieval."
