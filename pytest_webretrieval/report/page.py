"""One run as a page of plain text: what a failing case shows, and what ``webretrieval explain`` shows of any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from pytest_webretrieval.cases.truth import ALWAYS
from pytest_webretrieval.wire.tracing import RECEIVER

from .figures import WIDTH, address, grouped, seconds, share, shortened, size

_SUPPORT_WORDS = {
    "full": "says so",
    "partial": "says only a part of it",
    "none": "does not say so",
    "contradicted": "says the opposite",
    "unknown": "cannot be judged",
}
_PROVENANCE_WORDS = {
    "allowed": "an allowed source",
    "known-copy": "a known copy",
    "not-allowed": "not an allowed source",
}
WIRE_LINES = 20
URL_WIDTH = 36
SAID_LINES = 5
HOME_LINES = 3


def headline(record: Mapping[str, Any]) -> str:
    """The first line, enough for whoever reads only it."""
    label, expect = record["label"], record["expect"]
    reason = f": {record['reason']}" if record["reason"] else ""
    return shortened(f"{record['case']} {label}, expected {expect}{reason}", 160)


def page(
    record: Mapping[str, Any],
    attempts: Sequence[Mapping[str, Any]],
    commands: Mapping[str, str],
    said: str = "",
    rows: Mapping[str, str] | None = None,
) -> str:
    """The whole page; ``commands`` are the lines that follow (``again``, ``story``, ``wrong?``), ``said`` is what a
    system said that gave no answer, ``rows`` are what is known beside the run: other trials, the baseline."""
    lines = [
        f"{record['case']}  {record['stratum']}  {shortened(record['query'], WIDTH - 24)}",
        f"     expected {record['expect']}    got {record['label']}"
        + (f"    tags {', '.join(record['tags'])}" if record["tags"] else ""),
    ]
    if record["reason"]:
        lines.append(f"     {shortened(record['reason'], WIDTH - 5)}")
    lines.append("")
    if record["trouble"]:
        lines.append(_row("trouble", f"{record['trouble']['where']}: {record['trouble']['message']}"))
    many = len(record["verdicts"]) > 1
    for number, verdicts in enumerate(record["verdicts"], 1):
        if many:
            lines.append(f"     step {number}")
        lines.extend(_step(record, verdicts))
    lines.append(_efficiency(record))
    for number, line in enumerate(said.splitlines()[-SAID_LINES:]):
        lines.append(_row("" if number else "said", shortened(line, WIDTH - 18)))
    lines.extend(_home(record.get("home")))
    lines.extend(_row(name, text) for name, text in (rows or {}).items())
    lines.append("")
    lines.extend(_wire(attempts))
    lines.extend(_testimony(record, attempts))
    lines.append(
        _row("case", f"{record['where']}     truth  {record['truth']}{_since(record['truth_valid_at'])}")
    )
    lines.extend(_row(name, command) for name, command in commands.items())
    return "\n".join(lines)


def _since(valid_at: str) -> str:
    return "" if valid_at == ALWAYS.isoformat() else f", valid since {valid_at[:10]}"


def _row(name: str, text: str) -> str:
    return f"     {name:<12} {text}"


def _step(record: Mapping[str, Any], verdicts: Mapping[str, Any]) -> Iterator[str]:
    yield _row("outcome", _outcome(verdicts["outcome"]))
    facts = verdicts["content"]["facts"]
    matched = sum(finding["state"] == "matched" for finding in facts)
    yield _row("content", f"{matched} of {len(facts)} facts" if facts else "n/a, no fact is due")
    for finding in facts:
        if finding["state"] != "matched":
            yield f"{'':18}{finding['fact']}: {_missing(finding)}"
    yield from _citation(record, verdicts["citation"])
    yield _row("freshness", _freshness(verdicts["freshness"]))
    funnel = verdicts["funnel"]
    yield _row(
        "funnel",
        f"served {funnel['served']}, fetched {funnel['fetched']}, cited {funnel['cited']}, said {funnel['said']}",
    )


def _outcome(outcome: Mapping[str, Any]) -> str:
    text = f"{outcome['status']} after {seconds(outcome['duration_s'])}"
    if outcome["error_type"]:
        text += f" ({outcome['error_type']})"
    if outcome["refusal_reason"]:
        proven = "the wire shows it" if outcome["refusal_proven"] else "the wire does not show it"
        text += f": {outcome['refusal_reason']}, {proven}"
    return text


def _missing(finding: Mapping[str, Any]) -> str:
    state, value = finding["state"], finding["value"]
    detail = finding["ground"]["detail"]
    words = {
        "missing": f"{value} is not in the answer",
        "contradicted": f"the answer contradicts {value}",
        "not-fetched": f"{value} is said, but stands in nothing that was fetched",
        "ambiguous": f"{value} cannot be told apart from another reading",
    }.get(state, state)
    return shortened(f"{words} ({detail})" if detail else words, WIDTH - 20)


def _citation(record: Mapping[str, Any], citation: Mapping[str, Any]) -> Iterator[str]:
    facts = share(citation["facts_with_citation"], citation["matched_facts"])
    support = share(citation["supported"], citation["checked"])
    extra = f", {citation['extra_unsupported']} unsupported extras" if citation["extra_unsupported"] else ""
    yield _row("citation", f"{facts} facts cited, {support} claims supported{extra}")
    pairs = [finding for finding in citation["findings"] if finding["facts"]]
    for number, finding in enumerate(pairs, 1):
        if finding["support"] == "full" and finding["provenance"] == "allowed" and finding["fetched"]:
            continue
        yield f"{'':18}{number}  “{shortened(finding['claim'], WIDTH - 25)}”"
        fetched = "fetched" if finding["fetched"] else "never fetched"
        yield (
            f"{'':21}cites   {address(finding['url'])}    {fetched}, "
            f"{_SUPPORT_WORDS[finding['support']]}, {_PROVENANCE_WORDS[finding['provenance']]}"
        )
        yield f"{'':21}allowed {', '.join(address(source) for source in record['allowed_sources']) or 'none'}"


def _freshness(freshness: Mapping[str, Any]) -> str:
    state, age, window = freshness["state"], freshness["age_s"], freshness["window_s"]
    text = str(state)
    if age is not None and window is not None:
        text += f": age {grouped(age)} s of {grouped(window)} s"
    if freshness["validated"] is not None:
        text += ", validated" if freshness["validated"] else ", never validated"
    return text


def _efficiency(record: Mapping[str, Any]) -> str:
    spent, budget = record["efficiency"], record["budget"]

    def of(value: str, cap: str, unit: str = "") -> str:
        return value + (f" of {budget[cap]:g}{unit}" if budget[cap] is not None else "")

    took = of(seconds(record["duration_s"]), "duration_s", " s")
    if not spent.get("measured", True):
        return _row("efficiency", f"n/a: the evidence is {record['witness']}; {took}")
    parts = [
        of(f"{spent['requests']} requests", "requests"),
        of(f"{spent['retries']} retries", "retries"),
        f"{spent['escalations']} browser" if spent["escalations"] else "no browser",
        took,
    ]
    over = f"    over: {', '.join(spent['over'])}" if spent["over"] else ""
    return _row("efficiency", ", ".join(parts) + over)


def _home(home: Mapping[str, Any] | None) -> Iterator[str]:
    """Whose fault it likely is, and what that rests on."""
    if home is None:
        return
    told = (f"{home['where']}: {home['why']}", *home["evidence"][:HOME_LINES])
    lines = [line for text in told for line in wrap(text, WIDTH - 18, subsequent_indent="  ")]
    yield from (_row("" if number else "home", line) for number, line in enumerate(lines))


def _wire(attempts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    attempts = [attempt for attempt in attempts if attempt.get("server.address") != RECEIVER]
    if not attempts:
        yield _row("wire", "nothing: the system sent no request")
    wide = min(URL_WIDTH, max((len(address(attempt["url.full"])) for attempt in attempts), default=0))
    for number, attempt in enumerate(attempts[:WIRE_LINES]):
        status = attempt.get("http.response.status_code") or attempt.get("error.type") or "-"
        url = shortened(address(attempt["url.full"]), wide)
        text = (
            f"#{attempt['webretrieval.number']:<2} {attempt['webretrieval.started_s']:5.2f} s  "
            f"{attempt['http.request.method']:<4} {url:<{wide}}  {status!s:<3} "
            f"{size(attempt['http.response.body.size']):>8}  {attempt['webretrieval.channel']}"
            + ("  late" if attempt.get("webretrieval.late") else "")
        )
        yield _row("" if number else "wire", text)
    if len(attempts) > WIRE_LINES:
        yield _row("", f"… and {len(attempts) - WIRE_LINES} more in attempts.jsonl")


def _testimony(record: Mapping[str, Any], attempts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    told = record["reported_attempts"]
    counted = record["efficiency"]["requests"]
    if told is not None and told != counted:
        yield _row("says", f"the system reported {told} requests; the wire saw {counted}")
