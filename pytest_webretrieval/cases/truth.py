"""What is right for a case, and since when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from .case import Location

DEFAULT_DEADLINE_S = 30.0
# Fewer letters and digits than this stand by chance in what has nothing to do with a canary.
SHORTEST_CANARY = 10
# The time of a truth without one: it stands beside its question, and its history is that of the file.
ALWAYS = datetime(1, 1, 1, tzinfo=UTC)

REFUSAL_REASONS = (
    "unsupported_media",
    "not_found",
    "gone",
    "soft_404",
    "login_required",
    "session_expired",
    "forbidden",
    "challenge",
    "policy_denied",
    "legal_restriction",
    "unavailable",
    "no_result",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A value that an answer must give (a required fact) or must not give (a wrong value).

    ``match`` names the comparison (``exact``, ``text``, ``number``, ``date``, ``url``); ``draw`` names how
    the seed redraws ``value`` (``fixed``: the real world's, never redrawn).
    """

    id: str
    value: str
    match: str = "exact"
    draw: str = "fixed"
    aliases: tuple[str, ...] = ()
    unit: str | None = None
    locale: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Caps on one run, over all its steps; ``None`` means no cap."""

    requests: int | None = None
    retries: int | None = None
    depth: int | None = None
    escalations: int | None = None
    bytes: int | None = None
    cost_usd: float | None = None
    duration_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One question to the system: the user who asks, the scene's state, what must and must not be said.

    ``states`` names the states among which the seed chooses, ``state`` the one in force (after the draw).
    ``when`` holds, for each state, the facts that replace those of the step.
    """

    user: str | None = None
    state: str = "initial"
    states: tuple[str, ...] = ()
    when: Mapping[str, Step] = field(default_factory=dict)
    expected_facts: tuple[Fact, ...] = ()
    wrong_values: tuple[Fact, ...] = ()
    must_validate: bool = False
    deadline_s: float = DEFAULT_DEADLINE_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """One version of a case's truth.

    ``allowed_sources``, ``known_copies`` and ``lures`` are URL patterns: ``fixture://role/path`` as written,
    real-looking ``https://`` addresses once drawn (see ``cases.draw.draw_truth``). Ages and windows are
    seconds. ``canaries`` are values that the system reads and that nobody else may get; ``lures`` are addresses that
    only an order in a page names.
    """

    case_id: str
    valid_at: datetime
    recorded_at: datetime
    steps: tuple[Step, ...]
    allowed_sources: tuple[str, ...]
    forbidden_actions: tuple[str, ...]
    freshness_window_s: float
    max_budget: Budget
    reason: str
    adjudicated_by: str
    where: Location
    min_sources: int = 1
    known_copies: tuple[str, ...] = ()
    canaries: tuple[Fact, ...] = ()
    lures: tuple[str, ...] = ()
    refusal_reasons: tuple[str, ...] = ()
    answer_max_chars: int = 1500
    max_extra_claims: int = 3
    evidence_url: str | None = None
    sha256: str = ""  # over the canonical JSON of this version as written; empty for a truth made in code

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Every required fact over all steps."""
        return tuple(fact for step in self.steps for fact in step.expected_facts)
