from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from grade_build import BEGAN, VENDOR, VERSION, Wire, answered, http_time, page, truth

from pytest_webretrieval.cases.truth import Fact, Step
from pytest_webretrieval.grade.httpcache import (
    current_age,
    directives,
    http_date,
    lifetime,
    may_reuse,
    retry_after,
    seconds,
)
from pytest_webretrieval.grade.judge import Judgement, judge_run

GOOD = f"The current release is v3.2 ({VENDOR})."
PAGE = page("<p>The current release is v3.2.</p>")
NEXT = page("<p>The current release is v3.3.</p>")
NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    "value", ["Thu, 18 Aug 2050 02:01:18 GMT", "Thursday, 18-Aug-50 02:01:18 GMT", "Thu Aug 18 02:01:18 2050"]
)
def test_the_three_forms_of_a_date(value: str) -> None:
    assert http_date(value) == 2544400878.0


@pytest.mark.parametrize(
    "value",
    [
        "Thu, 18 Aug 2050 02:01:18 UTC",
        "Thu, 18 Aug 50 02:01:18 GMT",
        "Thu 18 Aug 2050 02:01:18 GMT",
        "Thu, 18  Aug  2050 02:01:18 GMT",
        "Thu, 18-Aug-2050 02:01:18 GMT",
        "Thu, 18 Aug 2050 02.01.18 GMT",
        "Thu, 18 Aug 2050 2:01:18 GMT",
        "Thu, 32 Aug 2050 02:01:18 GMT",
        "0",
        "-1",
        "never",
        "",
    ],
)
def test_other_forms_are_no_date(value: str) -> None:
    assert http_date(value) is None


@pytest.mark.parametrize(("value", "wanted"), [("0", 0), ("007", 7), ("99999999999", 2**31), (" 42\t", 42)])
def test_delta_seconds(value: str, wanted: int) -> None:
    assert seconds(value) == wanted


@pytest.mark.parametrize("value", ["-1", "+1", "1.0", "1e3", "", "foo", "²", "٣", "120, 60"])
def test_what_is_no_delta_seconds(value: str) -> None:
    assert seconds(value) is None
    assert retry_after(value, NOW) is None


def test_a_date_in_retry_after_is_a_delay_from_now() -> None:
    assert retry_after(http_time(30), BEGAN) == 30.0
    assert retry_after(http_time(-30), BEGAN) == 0.0


def test_quoted_directives_are_no_directives() -> None:
    assert directives('extension="max-age=3600", Max-Age=1') == {
        "extension": ["max-age=3600"],
        "max-age": ["1"],
    }


def test_invalid_expiry_is_stale_at_once_and_max_age_wins() -> None:
    modified = http_time(-100 * 86400)
    for value in ("0", "-1", "never", "Thu, 01 Jan 1970"):
        headers = {"expires": value, "date": http_time(), "last-modified": modified}
        assert lifetime(headers, 200, BEGAN) == 0
    both = {"expires": http_time(-3600), "cache-control": "max-age=600", "date": http_time()}
    assert lifetime(both, 200, BEGAN) == 600


def test_an_age_field_counts_on_arrival() -> None:
    headers = {"date": http_time(), "age": "120", "cache-control": "max-age=60"}
    assert current_age(headers, BEGAN, BEGAN, BEGAN) == 120
    assert not may_reuse(headers, 200, BEGAN, BEGAN, BEGAN)


def _headers(pairs: list[list[Any]]) -> Mapping[str, str]:
    joined: dict[str, str] = {}
    for name, value in pairs:
        key = name.lower()
        text = http_time(value) if isinstance(value, int) else str(value)
        joined[key] = f"{joined[key]}, {text}" if key in joined else text
    return joined


@pytest.mark.parametrize(("cache", "total"), [("private", 70), ("shared", 73)])
def test_the_required_vectors_of_cache_tests(data: Path, cache: str, total: int) -> None:
    vectors = json.loads((data / "freshness" / "freshness.vectors.json").read_text(encoding="utf-8"))[
        "vectors"
    ]
    required = [item for item in vectors if item["kind"] == "required" and cache in item["applies"]]
    wrong = [
        item["id"]
        for item in required
        if may_reuse(
            _headers(item["response_headers"]),
            item["status"],
            BEGAN,
            BEGAN,
            BEGAN + item["elapsed_s"],
            cache=cache,
        )
        != (item["expect"] == "fresh")
    ]
    assert (len(required), wrong) == (total, [])


def _judge(wire: Wire, step: Step | None = None, window: float = 86400.0, answer: str = GOOD) -> Judgement:
    step = step or Step(expected_facts=(VERSION,))
    own = truth(freshness_window_s=window, steps=(step,))
    return judge_run(own, [wire.evidence(answered(answer), step=step)], None)


def _get(**headers: str) -> Wire:
    wire = Wire()
    wire.get(VENDOR, PAGE, headers=headers)
    return wire


def test_a_page_fetched_now_is_fresh() -> None:
    judgement = _judge(_get())
    assert (judgement.label, judgement.verdicts[0].freshness.state) == ("success", "fresh")


def test_a_copy_from_yesterday_is_stale_although_it_was_fetched_now() -> None:
    judgement = _judge(_get(age="90000"))
    assert (judgement.label, judgement.tags) == ("stale", ("stale-representation",))
    assert judgement.reason == "rests on a page 90000 s old, of 86400 s allowed"
    assert _judge(_get(date=http_time(-90000))).label == "stale"


def test_the_age_at_the_edge_of_the_window_is_fresh() -> None:
    wire = Wire()
    wire.get(VENDOR, PAGE, headers={"age": "60"}, duration_s=0.0)
    assert _judge(wire, window=60.0).label == "success"
    assert _judge(wire, window=59.0).label == "stale"


def test_a_fact_rests_on_the_newest_page_that_states_it() -> None:
    wire = _get(age="90000")
    wire.get(VENDOR, PAGE)
    assert _judge(wire).label == "success"


def test_the_oldest_of_the_facts_decides() -> None:
    date = Fact(id="released", value="2026-08-21", match="date")
    wire = Wire()
    other = "https://vendor.example/releases/date"
    wire.get(VENDOR, PAGE)
    wire.get(other, page("<p>21 August 2026</p>"), headers={"age": "90000"})
    step = Step(expected_facts=(VERSION, date))
    assert _judge(wire, step, answer=f"v3.2 ({VENDOR}). Out on 21 August 2026 ({other}).").label == "stale"


def test_without_a_clock_of_the_harness_the_wire_has_one() -> None:
    wire = Wire()
    wire.get("https://vendor.example/", page("<p>Home</p>"))
    wire.get(VENDOR, PAGE, headers={"date": http_time(-90000)})
    step = Step(expected_facts=(VERSION,))
    evidence = wire.evidence(answered(GOOD), began_at=None, answered_s=None)
    assert judge_run(truth(steps=(step,)), [evidence], None).label == "stale"


VALIDATE = Step(expected_facts=(VERSION,), must_validate=True)


def _two_steps(
    second: Step, *calls: dict[str, Any], cache: str = "max-age=0", answer: str = GOOD
) -> Judgement:
    """A first step that fills a cache, an hour, and a second one with ``calls``."""
    wire = Wire()
    wire.get(VENDOR, PAGE, headers={"etag": '"a"', "cache-control": cache})
    first = wire.evidence(answered(GOOD))
    wire.step, wire.at = 1, 3600.0
    for call in calls:
        wire.get(VENDOR, **call)
    evidence = wire.evidence(answered(answer), step=second)
    return judge_run(truth(steps=(first.step, second)), [first, evidence], None)


ASKED = {"user-agent": "agent/1", "if-none-match": '"a"'}


def test_a_304_validates_the_stored_copy() -> None:
    judgement = _two_steps(VALIDATE, {"status": 304, "request_headers": ASKED})
    fresh = judgement.verdicts[1].freshness
    assert (judgement.label, judgement.tags, fresh.validated) == ("success", (), True)
    assert fresh.age_s is not None
    assert fresh.age_s < 1


def test_a_304_without_a_date_moves_the_clock_too() -> None:
    wire = Wire()
    wire.get(VENDOR, PAGE, headers={"etag": '"a"'})
    first = wire.evidence(answered(GOOD))
    wire.step, wire.at = 1, 90000.0
    wire.get(VENDOR, status=304, request_headers=ASKED, headers={"date": http_time(90000)})
    second = wire.evidence(answered(GOOD), step=VALIDATE)
    assert judge_run(truth(steps=(first.step, VALIDATE)), [first, second], None).label == "success"


def test_a_changed_page_validates_too() -> None:
    newer = Step(expected_facts=(Fact(id="v", value="v3.3"),), wrong_values=(VERSION,), must_validate=True)
    judgement = _two_steps(newer, {"body": NEXT, "request_headers": ASKED}, answer=f"It is v3.3 ({VENDOR}).")
    assert (judgement.label, judgement.tags) == ("success", ())


def test_a_page_fetched_anew_without_asking_is_not_validated() -> None:
    judgement = _two_steps(VALIDATE, {"body": PAGE})
    assert (judgement.label, judgement.tags) == ("stale", ("not-validated",))
    assert judgement.reason == "did not ask whether its copy is still current"


def test_a_copy_used_without_a_request_is_a_stale_cache() -> None:
    judgement = _two_steps(VALIDATE)
    assert (judgement.label, judgement.tags) == ("stale", ("use-stale-cache", "not-validated"))


def test_an_old_value_out_of_the_cache_contradicts() -> None:
    newer = Step(expected_facts=(Fact(id="v", value="v3.3"),), wrong_values=(VERSION,), must_validate=True)
    judgement = _two_steps(newer)
    assert (judgement.label, judgement.tags) == (
        "contradicted",
        ("use-stale-cache", "wrong-value", "not-validated"),
    )


def test_an_old_value_out_of_the_cache_is_stale_where_no_validation_is_named() -> None:
    newer = Step(expected_facts=(Fact(id="v", value="v3.3"),), wrong_values=(VERSION,))
    assert _two_steps(newer).tags == ("use-stale-cache", "wrong-value")
    assert _two_steps(newer, cache="max-age=7200").tags == ("wrong-value",)


def test_an_old_value_said_of_a_page_that_was_asked_about_is_wrong_and_not_stale() -> None:
    newer = Step(expected_facts=(Fact(id="v", value="v3.3"),), wrong_values=(VERSION,), must_validate=True)
    judgement = _two_steps(newer, {"body": NEXT, "request_headers": ASKED})
    assert (judgement.label, judgement.tags) == ("contradicted", ("wrong-value",))


@pytest.mark.parametrize(
    ("step", "tags"),
    [(VALIDATE, ("use-stale-cache", "not-validated")), (Step(expected_facts=(VERSION,)), ())],
    ids=["validation is due", "none is due"],
)
def test_a_request_that_nobody_answered_validates_nothing(step: Step, tags: tuple[str, ...]) -> None:
    reset = {"status": None, "error_type": "connection_reset", "request_headers": ASKED}
    assert _two_steps(step, reset).tags == tags


def test_a_fresh_copy_may_answer_a_second_question() -> None:
    judgement = _two_steps(Step(expected_facts=(VERSION,)), cache="max-age=7200")
    assert (judgement.label, judgement.tags) == ("success", ())


def test_a_stale_copy_may_not() -> None:
    judgement = _two_steps(Step(expected_facts=(VERSION,)))
    assert (judgement.label, judgement.tags) == ("stale", ("use-stale-cache",))
    assert judgement.reason == "used a stored copy that it had to ask about"


def test_heuristic_reuse_satisfies_no_window_that_it_overruns() -> None:
    wire = Wire()
    wire.get(VENDOR, PAGE, headers={"last-modified": http_time(-100 * 86400)})
    first = wire.evidence(answered(GOOD))
    wire.step, wire.at = 1, 90000.0
    second = wire.evidence(answered(GOOD))
    judgement = judge_run(truth(steps=(first.step, first.step)), [first, second], None)
    assert (judgement.label, judgement.tags) == ("stale", ("stale-representation",))


def test_an_api_that_says_nothing_of_age_leaves_it_unknown() -> None:
    wire = Wire()
    found = wire.search(VENDOR)
    wire.represent(found, VENDOR, PAGE, "text/html", headers={}, status=None)
    judgement = _judge(wire)
    assert (judgement.label, judgement.tags) == ("ungraded", ("freshness-unknown", "provider-cache"))


def test_a_copy_of_unknown_age_takes_nothing_from_a_page_that_was_fetched() -> None:
    wire = Wire()
    wire.get(VENDOR, PAGE)
    searched = wire.search(VENDOR)
    wire.represent(searched, VENDOR, b"The current release is v3.2.", "text/markdown", headers={})
    judgement = judge_run(truth(), [wire.evidence(answered(GOOD), start_urls=(VENDOR,))], None)
    assert (judgement.label, judgement.verdicts[0].freshness.state) == ("success", "fresh")
