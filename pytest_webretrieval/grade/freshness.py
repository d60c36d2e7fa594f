"""Freshness: how old the pages were that the answer rests on, and whether they were asked about where that
is due."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.wire.attempt import Attempt

from .citations import Cited, cited_urls
from .evidence import StepEvidence
from .facts import Said
from .httpcache import current_age, http_date, may_reuse
from .seen import API_CHANNELS, Seen, View
from .urls import canonical
from .verdicts import FreshnessVerdict, Ground


@dataclass(frozen=True, slots=True)
class Fresh:
    """The verdict and the causes seen on the way."""

    verdict: FreshnessVerdict
    tags: tuple[str, ...] = ()


def read_freshness(
    truth: Truth, evidence: StepEvidence, said: tuple[Said, ...], cited: Cited, view: View
) -> Fresh:
    """Judge an answered step. Every fact that was found rests on the newest page that states it, among the
    cited ones where there are such; the verdict is that of the oldest of them. Where validation is due, an answer
    without any fact that was found rests on the pages that it cites, elsewhere on those of them that this step did not
    ask for: a copy that was not asked about makes it wrong."""
    window = truth.freshness_window_s
    rests = [_newest(cited.resting.get(item.fact.id) or item.bearing) for item in said if item.bearing]
    if not rests:
        rests = [
            seen
            for seen in _cited_pages(evidence, view)
            if evidence.step.must_validate or _is_kept(seen, view)
        ]
    if not rests:
        return Fresh(FreshnessVerdict(state="n/a", window_s=window))
    answered = _answered_s(evidence)
    began = _began_at(evidence, view)
    ages = [(_age(seen, began, answered), seen) for seen in rests]
    unknown = [seen for age, seen in ages if age is None]
    known = [(age, seen) for age, seen in ages if age is not None]
    age, oldest = max(known, key=lambda item: item[0]) if known else (None, unknown[0])
    validated = (
        all(_validated(seen, evidence, view) for seen in rests) if evidence.step.must_validate else None
    )
    tags: list[str] = []
    if validated is False:
        tags.append("not-validated")
    reused = _reused_unasked(rests, evidence, view, validated, began, answered)
    if reused:
        tags.append("use-stale-cache")
    if age is not None and age > window:
        tags.append("stale-representation")
        state, rule = "stale", "age-beyond-window"
    elif validated is False:
        state, rule = "stale", "no-validation-on-the-wire"
    elif reused:
        state, rule = "stale", "stale-copy-used-unasked"
    elif unknown:
        state, rule, oldest = "unknown", "nothing-says-how-old", unknown[0]
        tags.append("freshness-unknown")
    else:
        state, rule = "fresh", "validated" if validated else "age-within-window"
    if oldest.channel in API_CHANNELS and state != "fresh":
        tags.append("provider-cache")
    ground = Ground(
        rule=rule, sha256=oldest.sha256, url=oldest.url, detail=None if age is None else f"{age:.0f} s"
    )
    verdict = FreshnessVerdict(state=state, age_s=age, window_s=window, validated=validated, ground=ground)
    return Fresh(verdict, tuple(tags))


def _newest(pages: tuple[Seen, ...]) -> Seen:
    """The page that arrived last, among those of which something tells an age where there are such: a copy of an
    index's says nothing against a page that was fetched."""
    return max(pages, key=lambda seen: (not _is_undated(seen), seen.arrived_s, seen.attempt))


def _is_undated(seen: Seen) -> bool:
    return seen.channel in API_CHANNELS and http_date(seen.headers.get("date", "")) is None


def _cited_pages(evidence: StepEvidence, view: View) -> list[Seen]:
    """The newest representation of each document that the answer cites and the run has."""
    urls = cited_urls(evidence.result) if evidence.result is not None else ()
    return [_newest(pages) for url in urls if (pages := view.named_by(canonical(url)))]


def _is_kept(seen: Seen, view: View) -> bool:
    """Whether a page is a copy of an earlier step, which this one did not ask for."""
    return seen.channel not in API_CHANNELS and not _requests_for(seen, view)


def _answered_s(evidence: StepEvidence) -> float:
    if evidence.answered_s is not None:
        return evidence.answered_s
    ends = [attempt.started_s + attempt.duration_s for attempt in evidence.trace.attempts if not attempt.late]
    return max(ends, default=0.0)


def _began_at(evidence: StepEvidence, view: View) -> float | None:
    """The run's beginning as a Unix time. Without the harness's own, the newest Date that the wire
    carried: no server of the run can have written a date before it wrote it."""
    if evidence.began_at is not None:
        return evidence.began_at
    dated = [
        date - (attempt.started_s + attempt.duration_s)
        for attempt in (*view.past, *view.attempts)
        if (date := http_date(attempt.response_headers.get("date", ""))) is not None
    ]
    return max(dated, default=None)


def _age(seen: Seen, began: float | None, answered: float) -> float | None:
    """Current age at the answer (RFC 9111, section 4.2.3); None where no Date, Age or arrival from the
    page's own server tells it."""
    headers = seen.headers
    if _is_undated(seen):
        return None
    if began is None or "date" not in headers:
        undated = {name: value for name, value in headers.items() if name == "age"}
        return current_age(undated, seen.requested_s, seen.arrived_s, answered)
    return current_age(headers, began + seen.requested_s, began + seen.arrived_s, began + answered)


def _validated(seen: Seen, evidence: StepEvidence, view: View) -> bool:
    """Whether this step asked about the page: a conditional request that was answered by 304, or by a
    body."""
    return any(_is_validation(attempt) for attempt in _requests_for(seen, view))


def _requests_for(seen: Seen, view: View) -> list[Attempt]:
    wanted = view.group(seen.url)
    return [
        attempt
        for attempt in view.attempts
        if not attempt.late and view.group(canonical(attempt.url)) == wanted
    ]


def _is_validation(attempt: Attempt) -> bool:
    headers = attempt.request_headers
    asked = "if-none-match" in headers or "if-modified-since" in headers
    return asked and (attempt.status == 304 or attempt.status == 200)


def _reused_unasked(
    rests: list[Seen],
    evidence: StepEvidence,
    view: View,
    validated: bool | None,
    began: float | None,
    answered: float,
) -> bool:
    """Whether a page from an earlier step was used without a request, although validation was due or it
    was stale. A request that nobody answered validates nothing; a copy that need not be validated may then serve."""
    for seen in rests:
        asked = _requests_for(seen, view)
        if any(seen.attempt == attempt.number for attempt in view.attempts):
            continue
        if any(attempt.status is not None for attempt in asked):
            continue
        start = began or 0.0
        legal = may_reuse(
            seen.headers, 200, start + seen.requested_s, start + seen.arrived_s, start + answered
        )
        if validated is False or not (legal or asked):
            return True
    return False
