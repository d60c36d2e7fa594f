"""What a run consumed, counted from the wire: requests, retries, searches, escalations, depth, bytes,
time, money."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from pytest_webretrieval.cases.truth import Budget
from pytest_webretrieval.wire.attempt import NOT_ITS_OWN, Attempt

from .depth import depths
from .evidence import StepEvidence
from .httpcache import retry_after
from .replies import result_urls
from .seen import API_CHANNELS, REDIRECTS, View
from .urls import canonical, origin_of
from .verdicts import EfficiencyVerdict

COUNTED_ROLES = ("document", "api")
# A server that asks to wait and is asked this often has been stormed.
_STORM = 3
# On a busy machine the end of a response is noted later than its client had it.
_SLACK_S = 0.25


@dataclass(frozen=True, slots=True)
class Spent:
    """One step's consumption and the causes seen on the way."""

    verdict: EfficiencyVerdict
    tags: tuple[str, ...]


def read_efficiency(evidence: StepEvidence, view: View) -> Spent:
    """Count one step. Caps are for the whole run: see ``whole_run``."""
    if not evidence.shows_the_web:
        return Spent(unmeasured(evidence), ())
    counted = [attempt for attempt in view.attempts if attempt.role in COUNTED_ROLES]
    browser = any(attempt.role == "document" and attempt.channel == "browser" for attempt in view.attempts)
    found = [attempt for attempt in counted if attempt.role == "document"]
    wanted = frozenset(canonical(attempt.url) for attempt in found)
    verdict = EfficiencyVerdict(
        requests=len(counted),
        retries=len(retries(view.attempts)),
        searches=sum(attempt.channel == "search-api" for attempt in counted),
        fetches=len(found),
        escalations=int(browser),
        depth=max(depths(view, wanted).values(), default=0),
        bytes=sum(attempt.bytes_received for attempt in view.attempts if attempt.role not in NOT_ITS_OWN),
        duration_s=evidence.testimony.duration_s,
        cost_usd=_cost(evidence),
    )
    tags = set(_retry_tags(evidence, view))
    if browser and evidence.cheapest != "browser":
        tags.add("unnecessary-browser")
    if any(attempt.late and attempt.role not in NOT_ITS_OWN for attempt in view.attempts):
        tags.add("late-request")
    if _loops(view.attempts):
        tags.add("redirect-loop")
    return Spent(verdict, tuple(sorted(tags)))


def unmeasured(evidence: StepEvidence) -> EfficiencyVerdict:
    """Of what nobody saw, only time and money are known."""
    return EfficiencyVerdict(
        duration_s=evidence.testimony.duration_s, cost_usd=_cost(evidence), measured=False
    )


def whole_run(spent: Sequence[EfficiencyVerdict], budget: Budget) -> EfficiencyVerdict:
    """The sum over the steps (depth: the deepest), and the caps that it breaks."""
    costs = [step.cost_usd for step in spent if step.cost_usd is not None]
    total = EfficiencyVerdict(
        requests=sum(step.requests for step in spent),
        retries=sum(step.retries for step in spent),
        searches=sum(step.searches for step in spent),
        fetches=sum(step.fetches for step in spent),
        escalations=sum(step.escalations for step in spent),
        depth=max((step.depth for step in spent), default=0),
        bytes=sum(step.bytes for step in spent),
        duration_s=sum(step.duration_s for step in spent),
        cost_usd=sum(costs) if costs else None,
        measured=all(step.measured for step in spent),
    )
    return replace(total, over=tuple(_over(total, budget)))


def _over(total: EfficiencyVerdict, budget: Budget) -> Iterable[str]:
    for name in ("requests", "retries", "depth", "escalations", "bytes", "cost_usd", "duration_s"):
        cap, used = getattr(budget, name), getattr(total, name)
        if cap is not None and used is not None and used > cap:
            yield name


def over_tag(cap: str) -> str:
    """The tag of a broken cap."""
    return f"over-{cap.removesuffix('_usd').removesuffix('_s')}"


def retries(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Requests with the method, URL, channel and step of one that had failed before they were sent. A
    browser's own resend is not the system's."""
    failed: dict[tuple[str, str, str, int], float] = {}
    found: list[Attempt] = []
    for attempt in attempts:
        if attempt.role not in COUNTED_ROLES:
            continue
        key = (attempt.method, canonical(attempt.url), attempt.channel, attempt.step)
        if key in failed and attempt.resend_by != "browser" and attempt.started_s >= failed[key]:
            found.append(attempt)
            del failed[key]
        if attempt.failed:
            failed[key] = attempt.started_s + attempt.duration_s
    return found


def _retry_tags(evidence: StepEvidence, view: View) -> Iterable[str]:
    counted = [attempt for attempt in view.attempts if attempt.role in COUNTED_ROLES and not attempt.late]
    for index, attempt in enumerate(counted):
        ended = attempt.started_s + attempt.duration_s
        later = [
            other
            for other in counted[index + 1 :]
            if other.started_s >= ended
            and origin_of(other.url) == origin_of(attempt.url)
            and other.resend_by is None
        ]
        if attempt.status in (429, 503) and "retry-after" in attempt.response_headers and later:
            delay = retry_after(attempt.response_headers["retry-after"], (evidence.began_at or 0.0) + ended)
            if delay is not None and later[0].started_s - ended < delay - _SLACK_S:
                yield "retry-too-early"
                again = [other for other in later if canonical(other.url) == canonical(attempt.url)]
                if len(again) + 1 >= _STORM and all(other.failed for other in again[: _STORM - 1]):
                    yield "retry-storm"
        if _is_empty_search(attempt, view) and any(_same_request(attempt, other) for other in later):
            yield "hidden-retry"


def _is_empty_search(attempt: Attempt, view: View) -> bool:
    if attempt.channel != "search-api" or attempt.status != 200 or attempt.body is None:
        return False
    body = view.shelf.bodies.get(attempt.body)
    return body is not None and next(result_urls(body), None) is None


def _same_request(first: Attempt, second: Attempt) -> bool:
    return (first.method, first.request_body) == (second.method, second.request_body) and (
        urlsplit(first.url)[:4] == urlsplit(second.url)[:4]
    )


def _loops(attempts: Sequence[Attempt]) -> bool:
    """A redirect back to a URL of its own chain, that was then followed."""
    chains: dict[str, frozenset[str]] = {}
    for attempt in attempts:
        url = canonical(attempt.url)
        before = canonical(attempt.redirected_from) if attempt.redirected_from else None
        passed = chains.get(before, frozenset()) | {before} if before else frozenset()
        if url in passed and attempt.status in REDIRECTS:
            return True
        chains[url] = frozenset(item for item in passed if item)
    return False


def _cost(evidence: StepEvidence) -> float | None:
    """What the wire shows that models and APIs cost, else what the system itself says. Where plain fetches are metered
    everything is, and one request without a price makes the sum unknown; who sends nothing pays nothing."""
    metered = [attempt.cost_usd for attempt in evidence.trace.attempts if attempt.cost_usd is not None]
    if metered and not (_meters_all(evidence) and any(map(_lacks_price, evidence.trace.attempts))):
        return sum(metered)
    usage = evidence.result.usage if evidence.result is not None else None
    cost = usage.get("cost_usd") if usage else None
    if cost is None and evidence.shows_the_web and not any(map(_is_its_own, evidence.trace.attempts)):
        return 0.0
    return float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else None


def _is_its_own(attempt: Attempt) -> bool:
    return attempt.role not in NOT_ITS_OWN


def _meters_all(evidence: StepEvidence) -> bool:
    return any(
        attempt.cost_usd is not None and attempt.role == "document" for attempt in evidence.trace.attempts
    )


def _lacks_price(attempt: Attempt) -> bool:
    answered = attempt.status is not None and attempt.status < 400
    return answered and attempt.cost_usd is None and attempt.channel in (*API_CHANNELS, "model")
