"""The few figures of a record that gates and summaries count: small, so that ten thousand fit in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .why import why_slow


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One run. Counts are over all steps; ``fresh`` is None where freshness was not measured. ``excused``: its failure
    counts for nothing, because it was not confirmed or is known; ``tolerated`` are caps that it may be over. ``turns``
    are those of a model that is live or replayed, of which ``unmetered`` have no cost. Where the ``witness`` is not the
    wire, nothing is known of requests, retries and bytes. ``terms`` as in the record."""

    node: str
    case: str
    stratum: str
    trial: int
    expect: str
    label: str
    tags: tuple[str, ...]
    reason: str
    required: int
    matched: int
    cited_facts: int
    checked: int
    supported: int
    unknown: int
    extra_unsupported: int
    max_extra_claims: int
    fresh: bool | None
    duration_s: float
    requests: int
    browser: int
    over: tuple[str, ...]
    served: int
    fetched: int
    cited: int
    said: int
    why: str = ""
    corpus: str = ""
    retries: int = 0
    bytes: int = 0
    cost_usd: float | None = None
    excused: bool = False
    tolerated: tuple[str, ...] = ()
    turns: int = 0
    unmetered: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    model_usd: float | None = None
    claims: int = 0
    claims_full: int = 0
    claims_refuted: int = 0
    claims_unknown: int = 0
    witness: str = "wire"
    disallowed: tuple[str, ...] = ()
    terms: str = ""

    @property
    def name(self) -> str:
        return f"{self.corpus}::{self.case}"

    @property
    def as_expected(self) -> bool:
        return self.label == self.expect


def row_of(record: Mapping[str, Any], node: str, attempts: Sequence[Mapping[str, Any]] = ()) -> Row:
    """A record, as results.jsonl has it, cut down to what is counted; ``attempts`` tell where its time went."""
    verdicts = record["verdicts"]

    def total(verdict: str, field: str) -> int:
        return sum(int(step[verdict][field]) for step in verdicts)

    facts = [finding for step in verdicts for finding in step["content"]["facts"]]
    states = {step["freshness"]["state"] for step in verdicts} - {"n/a", "unknown"}
    return Row(
        node=node,
        case=record["case"],
        stratum=record["stratum"],
        trial=record["key"]["trial"],
        expect=record["expect"],
        label=record["label"],
        tags=tuple(record["tags"]),
        reason=record["reason"],
        required=len(facts),
        matched=sum(finding["state"] == "matched" for finding in facts),
        cited_facts=total("citation", "facts_with_citation"),
        checked=total("citation", "checked"),
        supported=total("citation", "supported"),
        unknown=total("citation", "unknown"),
        extra_unsupported=total("citation", "extra_unsupported"),
        max_extra_claims=record["max_extra_claims"],
        fresh=states == {"fresh"} if states else None,
        duration_s=record["duration_s"],
        requests=record["efficiency"]["requests"],
        browser=record["efficiency"]["escalations"],
        over=tuple(record["efficiency"]["over"]),
        served=total("funnel", "served"),
        fetched=total("funnel", "fetched"),
        cited=total("funnel", "cited"),
        said=total("funnel", "said"),
        why=why_slow(record["duration_s"], attempts) if attempts else "",
        corpus=record["corpus"],
        retries=record["efficiency"]["retries"],
        bytes=record["efficiency"]["bytes"],
        cost_usd=record["efficiency"]["cost_usd"],
        witness=record.get("witness", "wire"),
        disallowed=tuple(record.get("disallowed", ())),
        terms=record.get("terms", ""),
        **_of_the_model(attempts),
        **_of_the_claims(verdicts),
    )


def _of_the_claims(verdicts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What became of the cited claims; a judge's word counts where proof is silent."""
    said = [
        claim.get("settled") or claim["support"]
        for step in verdicts
        for claim in step["citation"].get("claims", ())
    ]
    return {
        "claims": len(said),
        "claims_full": said.count("full"),
        "claims_refuted": said.count("contradicted"),
        "claims_unknown": said.count("unknown"),
    }


def _of_the_model(attempts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What turns with a model took; empty where it was scripted, or not asked."""
    turns = [attempt for attempt in attempts if "gen_ai.request.model" in attempt]
    costs = [attempt["webretrieval.cost_usd"] for attempt in turns if "webretrieval.cost_usd" in attempt]
    return {
        "turns": len(turns),
        "unmetered": len(turns) - len(costs),
        "input_tokens": sum(attempt.get("gen_ai.usage.input_tokens", 0) for attempt in turns),
        "output_tokens": sum(attempt.get("gen_ai.usage.output_tokens", 0) for attempt in turns),
        "model_usd": sum(costs) if costs else None,
    }
