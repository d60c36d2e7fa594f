"""The end of a run: strata with their figures, then the gates. No line ranks systems by one number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_webretrieval.gates.gate import GateResult
from pytest_webretrieval.records.row import Row

from .figures import median, seconds, share

_COLUMNS = (
    "cases",
    "as expected",
    "facts",
    "cited",
    "supported",
    "fresh",
    "p50",
    "max",
    "requests",
    "browser",
)
# Below this many runs a p95 has no distribution-free upper bound, so none is printed.
P95_FROM = 59
# Where the slowest run took less than this many seconds, nobody asks why.
SLOW_S = 1.0


def summary(
    rows: Sequence[Row],
    gates: Sequence[GateResult],
    about: Sequence[tuple[str, str]],
    outcomes: Iterable[str] = (),
) -> Iterator[str]:
    """The lines below the heading; ``about`` names system, corpus and run, ``outcomes`` are lines about its cases."""
    for name, text in about:
        yield f"{name:<8} {text}"
    if rows:
        yield ""
        yield from _strata(rows)
        yield ""
        yield _funnel(rows)
        yield from _claims(rows)
        yield from _tags(rows)
        yield from _slowest(rows)
    yield from outcomes
    if gates:
        yield ""
        wide = max(17, *(len(gate.name) for gate in gates))
        width = max(len("skipped"), *(len(gate.verdict) for gate in gates))
        for number, gate in enumerate(gates):
            said = "FAIL" if gate.verdict == "fail" else gate.verdict
            yield f"{'' if number else 'gates':<8} {gate.name:<{wide}} {said:<{width}}  {gate.line}"


def _strata(rows: Sequence[Row]) -> Iterator[str]:
    names = list(dict.fromkeys(row.stratum for row in rows))
    table = [
        ("stratum", *_COLUMNS),
        *(_line(name, [row for row in rows if row.stratum == name]) for name in names),
    ]
    if len(rows) >= P95_FROM:
        table = [(*line, extra) for line, extra in zip(table, ("p95", *_p95(rows, names)), strict=True)]
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    for line in table:
        first, *rest = (
            text.ljust(width) if not number else text.rjust(width)
            for number, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        yield "  ".join((first, *rest)).rstrip()


def _line(name: str, rows: list[Row]) -> tuple[str, ...]:
    fresh = [row.fresh for row in rows if row.fresh is not None]
    times = [row.duration_s for row in rows]
    matched = sum(row.matched for row in rows)
    cases = {(row.node, row.case) for row in rows}
    right = sum(row.as_expected for row in rows)
    return (
        name,
        str(len(cases)),
        share(right, len(rows)) if len(cases) < len(rows) else str(right),
        share(matched, sum(row.required for row in rows)),
        share(sum(row.cited_facts for row in rows), matched),
        share(sum(row.supported for row in rows), sum(row.checked for row in rows)),
        share(sum(fresh), len(fresh)),
        seconds(median(times)),
        seconds(max(times)),
        _counted([row.requests for row in rows if row.witness == "wire"]),
        _counted([row.browser for row in rows if row.witness == "wire"]),
    )


def _counted(counts: Sequence[int]) -> str:
    return str(sum(counts)) if counts else "n/a"


def _p95(rows: Sequence[Row], names: Sequence[str]) -> Iterator[str]:
    for name in names:
        times = sorted(row.duration_s for row in rows if row.stratum == name)
        yield seconds(times[-(-95 * len(times) // 100) - 1]) if len(times) >= P95_FROM else "n/a"


def _funnel(rows: Sequence[Row]) -> str:
    served, fetched = sum(row.served for row in rows), sum(row.fetched for row in rows)
    cited, said = sum(row.cited for row in rows), sum(row.said for row in rows)
    return f"funnel   served {served}, fetched {fetched}, cited {cited}, said {said}   (n = {len(rows)} runs)"


def _claims(rows: Sequence[Row]) -> Iterator[str]:
    """What the pages do to the cited claims. What nobody could check stays in sight: the rate that counts is the lower
    bound, in which it is not supported."""
    checked = sum(row.claims for row in rows)
    if not checked:
        return
    full, unknown = sum(row.claims_full for row in rows), sum(row.claims_unknown for row in rows)
    refuted = sum(row.claims_refuted for row in rows)
    rest = checked - full - refuted - unknown
    yield (
        f"claims   {checked} cited: {full} borne out, {refuted} refuted, {rest} not borne out, {unknown} unknown; "
        f"borne out at least {full / checked:.2f}, at most {(full + unknown) / checked:.2f}, "
        f"checked {(checked - unknown) / checked:.2f}"
    )


def _slowest(rows: Sequence[Row]) -> Iterator[str]:
    """The five that took longest, where one took long enough to matter."""
    slow = sorted(rows, key=lambda row: row.duration_s, reverse=True)[:5]
    if slow[0].duration_s < SLOW_S:
        return
    for number, row in enumerate(slow):
        why = f"  {row.why}" if row.why else ""
        yield f"{'' if number else 'slowest':<8} {row.case}  {seconds(row.duration_s)}{why}"


def _tags(rows: Sequence[Row]) -> Iterator[str]:
    counts: dict[str, list[str]] = {}
    for row in rows:
        for tag in row.tags:
            counts.setdefault(tag, []).append(row.case)
    for number, (tag, cases) in enumerate(
        sorted(counts.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    ):
        shown = ", ".join(dict.fromkeys(cases[:8])) + (", …" if len(cases) > 8 else "")
        yield f"{'' if number else 'tags':<8} {tag} {len(cases)}: {shown}"
