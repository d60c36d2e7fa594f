"""From a run whose target is not what truth says to what is put before a person."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

from pytest_webretrieval.cases.truth import Fact, Truth
from pytest_webretrieval.grade.page import read_page
from pytest_webretrieval.grade.probing import CHANGED, Look, Suspicion
from pytest_webretrieval.records.codec import to_json
from pytest_webretrieval.records.probe_proposal import FactSeen, ProbeProposal, Seen
from pytest_webretrieval.records.record import Record

_EXCERPT = 600


def proposal_of(record: Record, truth: Truth, suspicion: Suspicion) -> ProbeProposal:
    """What was seen, beside what truth says; where the page says something else, with a draft of a new version that
    lacks what only a person can say."""
    return ProbeProposal(
        case=record.case,
        corpus=record.corpus,
        target=record.target or "",
        observed_at=datetime.fromisoformat(record.observed_at),
        why=suspicion.line,
        seen=_seen(suspicion.look, record.target or ""),
        truth=tuple(FactSeen(id=one.fact, value=one.value, stands=one.stands) for one in suspicion.standing),
        version=_draft(truth) if suspicion.kind == CHANGED and suspicion.standing else None,
    )


def _seen(look: Look | None, target: str) -> Seen:
    if look is None:
        return Seen(url=target)
    page = read_page(look.body, look.content_type)
    return Seen(
        url=look.url,
        status=look.status,
        sha256=hashlib.sha256(look.body).hexdigest() if look.body else None,
        title=page.title or None,
        excerpt=" ".join(page.text.split())[:_EXCERPT] or None,
    )


def _draft(truth: Truth) -> dict[str, Any] | None:
    """The version in force as it was written, as of now; its reason, and who decided, are left for the person."""
    if len(truth.steps) != 1:
        return None
    step = truth.steps[0]
    budget = {name: value for name, value in to_json(truth.max_budget).items() if value is not None}
    draft: dict[str, Any] = {
        "valid_at": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "expected_facts": [_fact(fact) for fact in step.expected_facts],
        "wrong_values": [_fact(fact) for fact in step.wrong_values],
        "allowed_sources": list(truth.allowed_sources),
        "known_copies": list(truth.known_copies),
        "min_sources": truth.min_sources,
        "forbidden_actions": list(truth.forbidden_actions),
        "freshness_window_s": truth.freshness_window_s,
        "must_validate": step.must_validate,
        "max_budget": budget,
        "answer_max_chars": truth.answer_max_chars,
        "max_extra_claims": truth.max_extra_claims,
        "deadline_s": step.deadline_s,
        "evidence_url": truth.evidence_url,
    }
    return {name: value for name, value in draft.items() if value not in (None, [], ())}


def _fact(fact: Fact) -> dict[str, Any]:
    told = to_json(fact)
    return {name: value for name, value in told.items() if value not in (None, [], ())}
