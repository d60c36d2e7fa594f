"""What a summary says of a run on the real web alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pytest_webretrieval.records.row import Row

from .quarantine import printable

_SHOWN = 5


def live_lines(rows: Sequence[Row], cap_usd: float) -> Iterator[str]:
    """What was paid, probes that say nothing of the system, evidence that is not the wire's, and what robots.txt would
    have kept."""
    costs = [row.cost_usd for row in rows if row.cost_usd is not None]
    yield f"spent    {sum(costs):.3f} USD in {len(costs)} of {len(rows)} runs whose cost is known, cap {cap_usd:g} USD"
    for number, row in enumerate(row for row in rows if row.label == "probe_invalid"):
        yield f"{'' if number else 'invalid':<8} {row.case}  {printable(row.reason)}"
    witnesses = Counter(row.witness for row in rows)
    if set(witnesses) - {"wire"}:
        told = ", ".join(f"{count} {name}" for name, count in witnesses.most_common())
        yield f"evidence {told} of {len(rows)} runs: what is not seen on the wire has no figures of what it consumed"
    read = [(row.case, url) for row in rows for url in row.disallowed]
    for number, (case, url) in enumerate(read[:_SHOWN]):
        yield f"{'' if number else 'robots':<8} {case}  {printable(url)} was read, which robots.txt disallows"
    if len(read) > _SHOWN:
        yield f"{'':<8} … and {len(read) - _SHOWN} more"
