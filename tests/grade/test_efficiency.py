from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from grade_build import VENDOR, Wire, answered, http_time, page, truth

from pytest_webretrieval.cases.truth import Budget
from pytest_webretrieval.grade.depth import depths
from pytest_webretrieval.grade.efficiency import retries, whole_run
from pytest_webretrieval.grade.judge import Judgement, judge_run
from pytest_webretrieval.grade.seen import Shelf, look
from pytest_webretrieval.grade.verdicts import EfficiencyVerdict

PAGE = page("<p>v3.2</p>")
GOOD = f"It is v3.2 ({VENDOR})."


def judge(wire: Wire, **changes: Any) -> Judgement:
    return judge_run(truth(), [wire.evidence(answered(GOOD), **changes)], None)


def test_documents_and_calls_are_requests_and_the_rest_is_not() -> None:
    wire = Wire()
    wire.search(VENDOR)
    wire.get(VENDOR, PAGE)
    for role in ("subresource", "favicon", "robots", "preflight", "model", "background"):
        wire.get(f"https://vendor.example/{role}", b"x", role=role)
    spent = judge(wire).efficiency
    assert (spent.requests, spent.searches, spent.fetches, spent.retries) == (2, 1, 1, 0)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (503, "503"),
        (429, "429"),
        (408, "408"),
        (425, "425"),
        (None, "connection_reset"),
        (200, "incomplete_body"),
    ],
)
def test_a_request_after_a_failed_one_is_a_retry(status: int | None, error: str) -> None:
    wire = Wire()
    wire.get(VENDOR, b"" if status is None else b"x", status=status, error_type=error)
    wire.get(VENDOR, PAGE)
    assert judge(wire).efficiency.retries == 1


def test_three_tries_are_two_retries() -> None:
    wire = Wire()
    for status in (503, 503, 200):
        wire.get(VENDOR, PAGE, status=status)
    assert judge(wire).efficiency.retries == 2


@pytest.mark.parametrize(
    "second",
    [
        {"url": "https://vendor.example/other"},
        {"channel": "browser"},
        {"method": "HEAD"},
        {"step": 1},
        {"resend_by": "browser"},
        {"started_s": 0.05},
    ],
)
def test_what_is_no_retry(second: dict[str, Any]) -> None:
    wire = Wire()
    wire.get(VENDOR, status=503)
    wire.get(**({"url": VENDOR, "body": PAGE} | second))
    assert retries(wire.attempts) == []


def test_a_second_request_after_a_success_is_no_retry() -> None:
    wire = Wire()
    wire.get(VENDOR, PAGE)
    wire.get(VENDOR, PAGE)
    assert judge(wire).efficiency.retries == 0


def test_hops_are_requests_and_no_retries() -> None:
    wire = Wire()
    before = None
    for hop in range(4):
        url = f"https://vendor.example/{hop}"
        target = f"https://vendor.example/{hop + 1}" if hop < 3 else VENDOR
        wire.get(url, status=302, headers={"location": target}, error_type=None, redirected_from=before)
        before = url
    wire.get(VENDOR, PAGE, redirected_from=before)
    spent = judge(wire, start_urls=("https://vendor.example/0",)).efficiency
    assert (spent.requests, spent.retries, spent.depth) == (5, 0, 0)


def test_a_redirect_loop_is_named() -> None:
    wire = Wire()
    one, two = "https://vendor.example/1", "https://vendor.example/2"
    wire.get(one, status=302, headers={"location": two}, error_type=None)
    wire.get(two, status=302, headers={"location": one}, error_type=None, redirected_from=one)
    wire.get(one, status=302, headers={"location": two}, error_type=None, redirected_from=two)
    assert "redirect-loop" in judge(wire).tags


def test_depth_is_the_shortest_chain_of_links() -> None:
    wire = Wire()
    start, middle = "https://vendor.example/", "https://vendor.example/list"
    wire.get(start, page("<a href=/list>list</a>"))
    wire.get(middle, page(f"<a href='{VENDOR}'>it</a>"))
    wire.get(VENDOR, PAGE)
    assert judge(wire, start_urls=(start,)).efficiency.depth == 2
    wire.search(VENDOR)
    assert judge(wire, start_urls=(start,)).efficiency.depth == 1
    assert judge(wire, start_urls=(start, VENDOR)).efficiency.depth == 1


def test_every_address_of_one_document_has_its_depth() -> None:
    wire = Wire()
    names = [f"https://vendor.example/{number}" for number in range(4)]
    for here, there in pairwise(names):
        wire.get(here, status=302, headers={"location": there}, error_type=None)
    wire.get(names[-1], PAGE)
    view = look(wire.evidence(None, start_urls=(names[1],)), (), Shelf())
    assert depths(view, frozenset(names)) == dict.fromkeys(names, 0)


def test_the_first_browser_document_is_the_escalation() -> None:
    wire = Wire()
    wire.get(VENDOR, PAGE, channel="browser")
    wire.get(VENDOR, PAGE, channel="browser")
    needless = judge(wire)
    assert needless.efficiency.escalations == 1
    assert (needless.label, needless.tags) == ("success", ("unnecessary-browser",))
    assert judge(wire, cheapest="browser").tags == ()


def test_a_browser_that_fetches_no_document_is_no_escalation() -> None:
    wire = Wire()
    wire.get(VENDOR, PAGE)
    wire.get("https://vendor.example/x.png", b"x", channel="browser", role="subresource")
    assert judge(wire).efficiency.escalations == 0


def test_caps_are_for_the_whole_run() -> None:
    step = EfficiencyVerdict(
        requests=2, retries=1, depth=1, escalations=1, bytes=10, duration_s=1.0, cost_usd=0.01
    )
    tight = Budget(requests=3, retries=1, depth=0, escalations=1, bytes=19, cost_usd=0.01, duration_s=1.5)
    assert whole_run([step, step], tight).over == (
        "requests",
        "retries",
        "depth",
        "escalations",
        "bytes",
        "cost_usd",
        "duration_s",
    )
    wide = Budget(requests=4, retries=2, depth=1, escalations=2, bytes=20, cost_usd=0.02, duration_s=2.0)
    assert whole_run([step, step], wide).over == ()
    assert whole_run([step, step], Budget()).over == ()


def test_cost_is_unknown_until_somebody_says_it() -> None:
    wire = Wire()
    wire.get(VENDOR, PAGE)
    assert judge(wire).efficiency.cost_usd is None
    told = wire.evidence(answered(GOOD, usage={"cost_usd": 0.02}))
    assert judge_run(truth(), [told], None).efficiency.cost_usd == 0.02


def test_what_the_wire_shows_that_a_model_cost_counts_before_what_is_said() -> None:
    wire = Wire()
    wire.get(VENDOR, PAGE)
    for cost in (0.5, 0.25, None):
        wire.get("https://api.openai.com/v1/responses", b"{}", role="model", channel="model", cost_usd=cost)
    told = wire.evidence(answered(GOOD, usage={"cost_usd": 0.02}))
    spent = judge_run(truth(), [told], None).efficiency
    assert spent.cost_usd == 0.75
    assert spent.requests == 1


@pytest.mark.parametrize(("wait", "tags"), [(1.0, ("retry-too-early",)), (2.1, ())])
def test_retry_after_in_seconds(wait: float, tags: tuple[str, ...]) -> None:
    wire = Wire()
    wire.get(VENDOR, status=429, headers={"retry-after": "2"})
    wire.at += wait
    wire.get(VENDOR, PAGE)
    assert judge(wire).tags == tags


@pytest.mark.parametrize("value", ["-4", "+4", "2.5", "soon"])
def test_a_retry_after_that_says_nothing_binds_nobody(value: str) -> None:
    wire = Wire()
    wire.get(VENDOR, status=429, headers={"retry-after": value})
    wire.get(VENDOR, PAGE)
    assert judge(wire).tags == ()


def test_retry_after_as_a_date() -> None:
    wire = Wire()
    wire.get(VENDOR, status=429, headers={"retry-after": http_time(30)})
    wire.at += 5
    wire.get(VENDOR, PAGE)
    assert judge(wire).tags == ("retry-too-early",)


def test_three_tries_at_a_server_that_asks_to_wait_are_a_storm() -> None:
    wire = Wire()
    for _ in range(3):
        wire.get(VENDOR, status=429, headers={"retry-after": "300"})
    assert {"retry-too-early", "retry-storm"} <= set(judge(wire).tags)


def test_a_search_sent_again_after_a_valid_empty_answer() -> None:
    wire = Wire()
    wire.search(query="rfc 99999")
    wire.search(query="rfc 99999")
    assert "hidden-retry" in judge(wire).tags


def test_another_query_after_an_empty_answer_is_another_search() -> None:
    wire = Wire()
    wire.search(query="rfc 99999")
    wire.search(query="request for comments 99999")
    assert "hidden-retry" not in judge(wire).tags


def test_requests_after_the_last_answer_are_named_and_count() -> None:
    wire = Wire()
    wire.get(VENDOR, PAGE)
    wire.get("https://vendor.example/more", PAGE, late=True)
    judgement = judge(wire)
    assert (judgement.label, judgement.tags, judgement.efficiency.requests) == (
        "success",
        ("late-request",),
        2,
    )
