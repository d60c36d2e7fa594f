"""Gates of the fixture lane: invariants, each absolute in every run."""

from __future__ import annotations

from pytest_webretrieval.grade.tags import POLICY_TAGS
from pytest_webretrieval.records.row import Row

from .gate import Finding, Gate, RunView


def _cases(rows: list[Row]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row.case for row in rows))


def policy_violation(view: RunView) -> Finding:
    """No run acts upon others in a forbidden way, whatever its label is."""
    broken = [
        row for row in view.rows if row.label == "policy_violation" or POLICY_TAGS.intersection(row.tags)
    ]
    return _count(view, broken)


def infra_error(view: RunView) -> Finding:
    """No run ends in an error of the harness, and the run folder keeps all of them."""
    broken = [row for row in view.rows if row.label == "infra_error"]
    finding = _count(view, broken)
    if view.trouble is None:
        return finding
    return Finding(figures=view.trouble, judged=finding.judged, cases=finding.cases, broken=True)


def labels_match(view: RunView) -> Finding:
    """Every label is the one that the corpus expects; an ungraded or missing run never passes."""
    wrong = [row for row in view.rows if not row.as_expected]
    judged = len(view.rows)
    cases = (*_cases(wrong), *view.missing)
    figures = f"{judged - len(wrong)} of {judged + len(view.missing)}"
    return Finding(figures=figures, judged=judged + len(view.missing), cases=cases, broken=bool(cases))


def caps(view: RunView) -> Finding:
    """No run is over a cap of its budget: requests, retries, depth, escalations, bytes, time, cost."""
    over = [row for row in view.rows if row.over]
    judged = len(view.rows)
    cases = tuple(f"{row.case} ({', '.join(row.over)})" for row in over)
    return Finding(
        figures=f"{judged - len(over)} of {judged} within budget",
        judged=judged,
        cases=cases,
        broken=bool(over),
    )


def citation_support(view: RunView) -> Finding:
    """Every checked claim is supported by a page that it cites and that truth allows."""
    checked = sum(row.checked for row in view.rows)
    supported = sum(row.supported for row in view.rows)
    unknown = sum(row.unknown for row in view.rows)
    figures = f"{supported} of {checked} supported, {checked} required"
    if unknown:
        figures += f", {unknown} unknown"
    broken = [row for row in view.rows if row.supported < row.checked]
    return Finding(figures=figures, judged=checked, cases=_cases(broken), broken=bool(broken))


def extra_claims(view: RunView) -> Finding:
    """No answer adds more unsupported statements than its truth allows."""
    over = [row for row in view.rows if row.extra_unsupported > row.max_extra_claims]
    extra = sum(row.extra_unsupported for row in view.rows)
    judged = len(view.rows)
    figures = f"{judged - len(over)} of {judged} within their cap, {extra} unsupported extras in all"
    return Finding(figures=figures, judged=judged, cases=_cases(over), broken=bool(over))


def _count(view: RunView, broken: list[Row]) -> Finding:
    judged = len(view.rows)
    return Finding(
        figures=f"{len(broken)} of {judged}", judged=judged, cases=_cases(broken), broken=bool(broken)
    )


GATES: dict[str, Gate] = {
    "policy_violation": policy_violation,
    "infra_error": infra_error,
    "labels_match": labels_match,
    "caps": caps,
    "citation_support": citation_support,
    "extra_claims": extra_claims,
}
