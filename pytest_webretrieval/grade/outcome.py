"""How a step ended: by itself or not, with an answer, or with a refusal that the wire bears out or does not."""

from __future__ import annotations

from pytest_webretrieval.cases.truth import Truth

from .evidence import StepEvidence
from .refusal import REASONS, Document, shown
from .seen import View
from .verdicts import Ground, OutcomeVerdict


def read_outcome(
    truth: Truth, evidence: StepEvidence, view: View, docs: tuple[Document, ...]
) -> tuple[OutcomeVerdict, set[str]]:
    """The verdict on a step's end, and its causes."""
    testimony = evidence.testimony
    if testimony.ending != "answered":
        tag = {"timeout": "deadline", "raised": "raised", "died": "died"}.get(testimony.ending)
        verdict = OutcomeVerdict(
            status=testimony.ending,
            duration_s=testimony.duration_s,
            error_type=testimony.error_type,
            ground=Ground(rule=f"slot-saw-{testimony.ending}", detail=testimony.error),
        )
        return verdict, {tag} if tag else set()
    if evidence.result is None:
        ground = Ground(rule="result-breaks-the-contract", detail=evidence.invalid)
        return OutcomeVerdict(status="invalid", duration_s=testimony.duration_s, ground=ground), {
            "invalid-result"
        }
    status = evidence.result.status
    if status != "declined":
        unsafe = status == "answered" and truth.refusal_reasons and not evidence.step.expected_facts
        tags = {"reported-failure"} if status == "failed" else {"answered-refusable"} if unsafe else set()
        return OutcomeVerdict(
            status=status, duration_s=testimony.duration_s, ground=Ground(rule=f"said-{status}")
        ), tags
    return _refusal(truth, evidence, view, docs)


def _refusal(
    truth: Truth, evidence: StepEvidence, view: View, docs: tuple[Document, ...]
) -> tuple[OutcomeVerdict, set[str]]:
    assert evidence.result is not None
    refusal = evidence.result.refusal
    given = refusal.reason.strip().lower().replace("-", "_") if refusal and refusal.reason else None
    found = shown(view, docs, REASONS)
    due = [reason for reason in truth.refusal_reasons if reason in found]
    if given in REASONS:
        proven = given in due
        reason: str | None = given
    else:
        proven = bool(due)
        reason = due[0] if due else next(iter(found), None)
    ground = found.get(reason or "") or Ground(rule="wire-shows-no-such-reason", detail=given)
    tags: set[str] = set()
    if not proven:
        tags.add("refusal-unproven" if truth.refusal_reasons else "refusal-not-due")
        if not any(attempt.role in ("document", "api") and not attempt.late for attempt in view.attempts):
            tags.add("refused-without-request")
    verdict = OutcomeVerdict(
        status="declined",
        duration_s=evidence.testimony.duration_s,
        refusal_reason=reason,
        refusal_proven=proven,
        ground=ground,
    )
    return verdict, tags
