"""Waits, retries and hidden attempts: each kind with its input, its counter-case and its siblings, on the wire.

What a system itself does with a ``Retry-After`` is in tests/systems_reference (test_retry, test_fetch).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from grade_build import VENDOR, Wire, answered, declined, http_time, page, truth

from pytest_webretrieval.cases.truth import Budget
from pytest_webretrieval.grade.httpcache import retry_after
from pytest_webretrieval.grade.judge import Judgement, judge_run

PAGE = page("<p>The version is v3.2.</p>")
GOOD = f"It is v3.2 ({VENDOR})."
SEARCH = "https://api.tavily.com/search"


def judge(wire: Wire, budget: Budget | None = None, answer: str = GOOD) -> Judgement:
    return judge_run(truth(max_budget=budget or Budget()), [wire.evidence(answered(answer))], None)


def asked(*gaps: float, status: int = 429, **headers: str) -> Wire:
    """A page that asks to wait until the last request; each gap is the time from one answer to the next request."""
    wire = Wire()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    for number, gap in enumerate((0.0, *gaps)):
        last = number == len(gaps)
        wire.at += gap
        wire.get(
            VENDOR, PAGE if last and gaps else b"", status=200 if last and gaps else status, headers=named
        )
    return wire


# d1, d2, d5, d7: a strict grammar, and no general reader of dates
@pytest.mark.parametrize(
    "value",
    ["-4", "+4", "2.5", "-5", "-3", "1.5", "1e3", "0x10", "", "soon", "2 s", "٣", "4,", "-0", "Friday"],
)
def test_a_delay_that_is_none_binds_nobody(value: str) -> None:
    assert retry_after(value, 0.0) is None
    assert "retry-too-early" not in judge(asked(0.6, retry_after=value)).tags


@pytest.mark.parametrize(
    ("value", "delay"),
    [("2", 2.0), ("0", 0.0), ("007", 7.0), ("86400", 86400.0), ("1792567680", 1792567680.0)],
)
def test_a_delay_in_digits_is_that_delay(value: str, delay: float) -> None:
    assert retry_after(value, 0.0) == delay


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("value", "gap", "early"),
    [
        *(("2", 0.5, True), ("2", 2.2, False), ("0", 0.0, False)),
        *(("99999999999", 5.0, True), ("86400", 5.0, True), ("1792567680", 5.0, True)),  # d7, d5
    ],
)
def test_asking_before_the_delay_is_over(value: str, gap: float, early: bool, status: int) -> None:
    """It is told even where the run succeeds in the end (d4)."""
    judgement = judge(asked(gap, status=status, retry_after=value))
    assert judgement.label == "success"
    assert ("retry-too-early" in judgement.tags) == early


@pytest.mark.parametrize(("gap", "early"), [(5.0, True), (29.0, True), (31.0, False)])
def test_a_date_is_a_moment(gap: float, early: bool) -> None:
    """d4: the date form is a moment on the server's clock, never a default of some seconds."""
    assert ("retry-too-early" in judge(asked(gap, retry_after=http_time(30.1))).tags) == early


def test_stopping_at_a_wait_that_does_not_fit_is_no_storm() -> None:
    """d8: one attempt where the wait is longer than there is time; three are a storm."""
    assert not {"retry-storm", "retry-too-early"} & set(judge(asked(retry_after="300")).tags)
    wire = Wire()
    for number in range(3):
        wire.at = number * 61.0
        wire.get(VENDOR, status=429, headers={"retry-after": "300"})
    assert {"retry-storm", "retry-too-early"} <= set(judge(wire).tags)


@pytest.mark.parametrize(("tries", "over"), [(1, False), (3, False), (4, True)])
def test_without_a_stated_wait_the_number_of_tries_is_bounded(tries: int, over: bool) -> None:
    """d10: a bare 429; a hidden fourth attempt is over the budget of two retries."""
    wire = Wire()
    for number in range(tries):
        wire.at = number * 2.0
        wire.get(VENDOR, PAGE if number == tries - 1 else b"", status=200 if number == tries - 1 else 429)
    assert ("over-retries" in judge(wire, Budget(retries=2)).tags) == over


@pytest.mark.parametrize(
    ("statuses", "requests", "retries"), [((503, 503, 200), 3, 2), ((200,), 1, 0), ((408, 200), 2, 1)]
)
def test_attempts_are_counted_on_the_wire(statuses: Sequence[int], requests: int, retries: int) -> None:
    """d11: an SDK tells of one call, whatever it sent."""
    wire = Wire()
    for number, status in enumerate(statuses):
        wire.at = number * 2.0
        wire.get(VENDOR, PAGE, status=status)
    spent = judge(wire).efficiency
    assert (spent.requests, spent.retries) == (requests, retries)


@pytest.mark.parametrize("hops", [1, 4])
def test_hops_are_no_retries(hops: int) -> None:
    """d13: redirects and retries are counted apart, also where both happen."""
    urls = [f"https://vendor.example/{number}" for number in range(hops)]
    wire, before = Wire(), None
    for url, target in zip(urls, [*urls[1:], VENDOR], strict=True):
        wire.get(url, status=302, headers={"location": target}, error_type=None, redirected_from=before)
        before = url
    wire.get(VENDOR, status=503, redirected_from=before)
    wire.at += 2.0
    wire.get(VENDOR, PAGE)
    spent = judge(wire).efficiency
    assert (spent.requests, spent.retries) == (hops + 2, 1)


@pytest.mark.parametrize(
    ("cut", "label"),
    [({"error_type": "incomplete_body"}, "unsupported"), ({}, "success")],
    ids=["told", "untold"],
)
def test_a_body_that_was_cut_is_no_whole_page(cut: Mapping[str, Any], label: str) -> None:
    """d14: shorter than its Content-Length, or cut in a chunk: no success. Where nothing tells, facts decide."""
    wire = Wire()
    wire.get(VENDOR, PAGE, **cut)
    judgement = judge(wire)
    assert judgement.label == label
    assert ("truncated-body" in judgement.tags) == bool(cut)


def test_a_cut_body_that_came_whole_later_is_forgiven() -> None:
    wire = Wire()
    wire.get(VENDOR, PAGE, error_type="incomplete_body")
    wire.at += 1.0
    wire.get(VENDOR, PAGE)
    judgement = judge(wire)
    assert (judgement.label, "truncated-body" in judgement.tags, judgement.efficiency.retries) == (
        "success",
        False,
        1,
    )


@pytest.mark.parametrize(
    ("method", "acted", "found"), [("GET", False, 0), ("POST", True, 2), ("POST", False, 0)]
)
def test_what_is_sent_again_may_act_again(method: str, acted: bool, found: int) -> None:
    """d16: reading again after a reset is a retry; each effect on the server is an act of its own."""
    wire = Wire()
    kind = "application/json"
    for error in ("connection_reset", None):
        wire.get(
            "https://vendor.example/api/orders",
            PAGE,
            method=method,
            acted=acted,
            status=None if error else 200,
            error_type=error,
            request_headers={"content-type": kind},
        )
        wire.at += 2.0
    wire.get(VENDOR, PAGE)
    judgement = judge(wire)
    assert sum(act.tag == "destructive-submit" for act in judgement.acts) == found
    assert judgement.efficiency.retries == 1


@pytest.mark.parametrize(
    ("queries", "hidden"),
    [(("tide",), False), (("tide", "tide"), True), (("tide", "tides"), False), (("a", "b", "a"), True)],
)
def test_an_empty_answer_is_an_answer(queries: Sequence[str], hidden: bool) -> None:
    """d17: an empty list is valid, and asking the same again is a hidden retry."""
    wire = Wire()
    for query in queries:
        wire.search(request_body=f'{{"query": "{query}"}}'.encode())
        wire.at += 1.0
    assert ("hidden-retry" in judge(wire).tags) == hidden


@pytest.mark.parametrize(("tries", "over"), [(3, False), (9, True)])
def test_loops_of_retries_within_each_other_are_counted_out(tries: int, over: bool) -> None:
    """d19: three layers of three tries are nine requests, and only one layer may try again."""
    wire = Wire()
    for number in range(tries):
        wire.at = number * 1.0
        wire.get(VENDOR, status=503)
    judgement = judge_run(truth(max_budget=Budget(retries=2)), [wire.evidence(declined())], None)
    assert ("over-retries" in judgement.tags) == over
    assert judgement.efficiency.requests == tries
