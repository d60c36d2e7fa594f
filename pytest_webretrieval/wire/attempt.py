"""One request as the wire saw it, and all of them as a trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .tracing import Span

ROLES = (
    *("document", "api", "subresource", "favicon", "robots", "preflight", "model"),
    # What browsers and frameworks send by themselves, what the user opened, what the harness looked at itself.
    *("background", "allowed", "check"),
)
# Roles of requests that are none of the system's.
NOT_ITS_OWN = frozenset(("background", "check"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One request. Times are seconds since the run began; header names are lower-case; ``url`` is what the client
    asked for, absolute and with the public-looking host.

    ``error_type`` follows OpenTelemetry: unset on success, the status as a string for 4xx and 5xx, else a
    low-cardinality word (``connection_reset``, ``incomplete_body``, ``tls``). ``body`` is the SHA-256 of the decoded
    body in the run's archive. ``resend_by`` is ``browser`` when a browser itself sent the request again.
    ``redirected_from`` and ``referrer`` are URLs. ``late`` marks what came after the run's last answer. ``user`` is
    whose credential the request carried, whoever the step was for; ``acted`` says that it changed something for good.
    ``redacted`` says that a secret was taken out of it. ``fault`` names the toxics that its connection met, each with
    its stream (``reset_peer upstream``); where these kept it from the origin, it is not ``reached``.

    Of a turn of a model that is live or replayed: ``model`` as the response names it, tokens in and out (those read
    from a cache are among ``input_tokens``), what it costs; None is not known.
    """

    number: int
    step: int
    started_s: float
    duration_s: float
    method: str
    url: str
    role: str
    channel: str
    status: int | None = None
    error_type: str | None = None
    request_headers: Mapping[str, str] = field(default_factory=dict)
    response_headers: Mapping[str, str] = field(default_factory=dict)
    request_body: bytes = b""
    body: str | None = None
    bytes_received: int = 0
    referrer: str | None = None
    redirected_from: str | None = None
    resend_by: str | None = None
    user: str | None = None
    late: bool = False
    acted: bool = False
    redacted: bool = False
    fault: str | None = None
    reached: bool = True
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None

    @property
    def failed(self) -> bool:
        """An error, a status that asks for another try (408, 425, 429, 5xx), or a body that was cut."""
        if self.role == "allowed":
            return self.error_type is not None
        if self.status is None or self.error_type in ("connection_reset", "incomplete_body", "tls"):
            return True
        return self.status in (408, 425, 429) or self.status >= 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """A name that was asked for, and whether the world knows it."""

    step: int
    started_s: float
    name: str
    kind: str
    known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Egress:
    """One try to reach what is outside the world, however it was made.

    ``protocol`` is ``tcp`` or ``udp`` (a first packet, or a connection, to an address that is nobody's here), ``dns``
    (a question for a name outside; ``address`` is that name) or ``https`` or ``http`` (a request, or a TLS hello, at
    a door of the world for a host outside it; ``address`` is that host).
    """

    step: int
    started_s: float
    protocol: str
    address: str
    port: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """A request to a replayed model for which no turn was recorded. ``turn`` counts from 1; ``kind`` is what differs
    first (``prompt``, ``tools``, ``model``, ``host``, ``seed``, ...), ``detail`` says how."""

    turn: int
    kind: str
    detail: str

    @property
    def line(self) -> str:
        return f"turn {self.turn}: {self.kind}: {self.detail}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Halt:
    """What kept a run from the real world: ``where`` it lies (``model``, or the name of the cap that is reached), and
    ``why``."""

    where: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """All that the wire saw of one step, in the order of arrival. Where a replayed model ``diverged``, nothing says
    anything of the system; nor does anything where there is ``trouble`` with what is not the world's own.
    """

    attempts: tuple[Attempt, ...] = ()
    lookups: tuple[Lookup, ...] = ()
    egress: tuple[Egress, ...] = ()
    spans: tuple[Span, ...] = ()
    diverged: tuple[Divergence, ...] = ()
    trouble: Halt | None = None
