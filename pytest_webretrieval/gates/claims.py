"""The gate on how many cited claims can be checked at all: a rate is worth no more than its coverage."""

from __future__ import annotations

from .gate import Finding, RunView
from .statistics import ALPHA, at_most


def claims_checked(view: RunView) -> Finding:
    """The share of cited claims that could be checked has not fallen below the accepted one: a system whose claims can
    no longer be checked must not pass for one whose claims are right. One-sided exact binomial test at 5 %."""
    accepted = {
        name: case.claims
        for name, case in view.accepted.items()
        if case.claims is not None and case.claims.cited
    }
    rows = [row for row in view.rows if row.name in accepted]
    cited = sum(row.claims for row in rows)
    checked = cited - sum(row.claims_unknown for row in rows)
    named = [accepted[name] for name in {row.name for row in rows}]
    before, unknown = sum(case.cited for case in named), sum(case.unknown for case in named)
    if not cited or not before:
        return Finding(figures="no cited claims to compare", judged=0)
    rate = (before - unknown) / before
    return Finding(
        figures=f"{checked} of {cited} cited claims could be checked, {before - unknown} of {before} when accepted",
        judged=cited,
        broken=checked / cited < rate and at_most(checked, cited, rate) <= ALPHA,
    )
