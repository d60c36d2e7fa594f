"""The five verdicts on one step, each with the ground it stands on. A rate without a denominator is None."""

from __future__ import annotations

from dataclasses import dataclass


def rate(part: int, whole: int) -> float | None:
    """``part / whole``, or None when there is nothing to divide by."""
    return part / whole if whole else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Why a finding is as it is: the rule that decided, and where the text stands."""

    rule: str
    span: tuple[int, int] | None = None
    sha256: str | None = None
    url: str | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeVerdict:
    """How the step ended. ``status`` is ``answered``, ``declined``, ``failed``, ``timeout``, ``raised``,
    ``died``, ``invalid`` or ``not-asked``. For a refusal: the reason given or shown, and whether the wire
    bears it out."""

    status: str
    duration_s: float
    error_type: str | None = None
    refusal_reason: str | None = None
    refusal_proven: bool = False
    ground: Ground | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFinding:
    """``state`` is ``matched`` (said, and in a fetched representation), ``missing``, ``contradicted``,
    ``not-fetched`` (said, but in no representation of this run) or ``ambiguous``."""

    fact: str
    value: str
    state: str
    ground: Ground
    fetched: bool
    cited: bool = False
    supported: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentVerdict:
    """Facts found among those required."""

    facts: tuple[FactFinding, ...] = ()

    @property
    def required(self) -> int:
        return len(self.facts)

    @property
    def matched(self) -> int:
        return sum(finding.state == "matched" for finding in self.facts)

    @property
    def coverage(self) -> float | None:
        """``matched / required``."""
        return rate(self.matched, self.required)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationFinding:
    """One claim with one cited URL. ``support`` is ``full``, ``partial``, ``none``, ``contradicted`` or
    ``unknown``; ``provenance`` is ``allowed``, ``known-copy`` or ``not-allowed``. ``facts`` are ids of
    required facts that it carries."""

    claim: str
    url: str
    facts: tuple[str, ...]
    fetched: bool
    support: str
    provenance: str
    ground: Ground


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFinding:
    """One cited claim, whatever it says, and what the pages that it cites do to it by proof alone. ``support`` is that
    of CitationFinding; ``settled`` is a judge's word where that is ``unknown``, and never anywhere else. ``pages`` are
    the SHA-256 of all representations of them that were fetched, of which the ground names one."""

    claim: str
    urls: tuple[str, ...]
    support: str
    ground: Ground
    settled: str | None = None
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationVerdict:
    """Claims that carry a required fact are checked; other claims are counted beside them. ``claims`` are all that cite
    something, by what their words say."""

    findings: tuple[CitationFinding, ...] = ()
    matched_facts: int = 0
    facts_with_citation: int = 0
    checked: int = 0
    supported: int = 0
    unknown: int = 0
    sources: int = 0
    min_sources: int = 1
    extra_claims: int = 0
    extra_unsupported: int = 0
    uncited_claims: int = 0
    claims: tuple[ClaimFinding, ...] = ()

    @property
    def coverage(self) -> float | None:
        """``facts_with_citation / matched_facts``."""
        return rate(self.facts_with_citation, self.matched_facts)

    @property
    def support(self) -> float | None:
        """``supported / checked``."""
        return rate(self.supported, self.checked)


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshnessVerdict:
    """``state`` is ``fresh``, ``stale``, ``unknown`` or ``n/a``. ``age_s`` is RFC 9111's current age of
    the oldest representation that a required fact rests on, at the time of the answer. ``validated`` is
    None where none is due."""

    state: str
    age_s: float | None = None
    window_s: float | None = None
    validated: bool | None = None
    ground: Ground | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EfficiencyVerdict:
    """What the step consumed. ``over`` names the caps that were broken (judged over the whole run). Where it is not
    ``measured``, the counts say nothing but for time and money."""

    requests: int = 0
    retries: int = 0
    searches: int = 0
    fetches: int = 0
    escalations: int = 0
    depth: int = 0
    bytes: int = 0
    duration_s: float = 0.0
    cost_usd: float | None = None
    over: tuple[str, ...] = ()
    measured: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Funnel:
    """Documents served, fetched, cited and facts said: always countable from the wire."""

    served: int = 0
    fetched: int = 0
    cited: int = 0
    said: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """One step's five verdicts, never summed up in one figure."""

    outcome: OutcomeVerdict
    content: ContentVerdict
    citation: CitationVerdict
    freshness: FreshnessVerdict
    efficiency: EfficiencyVerdict
    funnel: Funnel
