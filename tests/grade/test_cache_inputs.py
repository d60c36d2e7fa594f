"""Caches as they went wrong in the open: each input as a step's wire, with what is right beside it."""

from __future__ import annotations

from typing import Any

import pytest
from grade_build import VENDOR, VERSION, Wire, answered, http_time, page, truth

from pytest_webretrieval.cases.truth import Fact, Step
from pytest_webretrieval.grade.httpcache import lifetime, may_reuse
from pytest_webretrieval.grade.judge import Judgement, judge_run

GOOD = f"The current release is v3.2 ({VENDOR})."
PAGE = page("<p>The current release is v3.2.</p>")
NEXT = page("<p>The current release is v3.3.</p>")
PLAIN = Step(expected_facts=(VERSION,))
ASKED = {"user-agent": "agent/1", "if-none-match": '"a"'}


def visits(*each: tuple[float, dict[str, Any] | None], steps: tuple[Step, ...] = ()) -> Judgement:
    """A run of steps that ask the same: when each began, and what it asked for (None: it asked nobody)."""
    wire, evidence, held = Wire(), [], []
    for number, (at, call) in enumerate(each):
        wire.step, wire.at = number, at
        if call is not None:
            wire.get(VENDOR, **{"headers": {}, **call})
        held.append(steps[number] if steps else PLAIN)
        evidence.append(wire.evidence(answered(GOOD), step=held[-1]))
    return judge_run(truth(steps=tuple(held)), evidence, None)


def stored(**headers: str) -> dict[str, Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return {"body": PAGE, "headers": {"etag": '"a"', **named}}


def confirmed(**headers: str) -> dict[str, Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return {"status": 304, "request_headers": ASKED, "headers": named}


STALE = ("use-stale-cache",)


@pytest.mark.parametrize(
    ("first", "second", "third", "tags"),
    [
        (stored(cache_control="max-age=60"), confirmed(cache_control="max-age=60"), 100.0, ()),
        (stored(cache_control="max-age=60"), confirmed(), 100.0, ()),
        (stored(cache_control="max-age=60"), confirmed(cache_control="max-age=60"), 160.0, STALE),
        (stored(cache_control="max-age=60"), confirmed(cache_control="max-age=5"), 100.0, STALE),
        (stored(cache_control="max-age=60", age="50"), confirmed(), 100.0, ()),
        # A weak tag and no lifetime in the answer: the stored one goes on.
        ({**stored(cache_control="max-age=3600"), "body": PAGE}, confirmed(etag='W/"a"'), 3000.0, ()),
        (stored(cache_control="max-age=3600"), confirmed(etag='W/"a"'), 4000.0, STALE),
    ],
)
def test_a_304_renews_what_is_stored(
    first: dict[str, Any], second: dict[str, Any], third: float, tags: tuple[str, ...]
) -> None:
    judgement = visits((0.0, first), (90.0, second), (third, None))
    assert judgement.tags == tags
    assert judgement.label == ("stale" if tags else "success")


def test_the_copy_that_nobody_asked_about_stays_as_old_as_it_was() -> None:
    assert visits((0.0, stored(cache_control="max-age=60")), (100.0, None)).tags == STALE


@pytest.mark.parametrize("expires", ["0", "-1", "never", "Thu, 01 Jan 1970", "", "0000-00-00"])
def test_an_expiry_that_cannot_be_read_is_no_leave_to_guess(expires: str) -> None:
    old = http_time(-100 * 86400)
    headers = {"expires": expires, "last-modified": old, "date": http_time()}
    assert lifetime(headers, 200, 0.0) == 0
    call = stored(expires=expires, last_modified=old)
    assert visits((0.0, call), (60.0, None)).tags == STALE
    # An explicit lifetime is stronger, and without the field a guess is legal.
    assert visits((0.0, stored(expires=expires, cache_control="max-age=600")), (60.0, None)).tags == ()
    assert visits((0.0, stored(last_modified=old)), (60.0, None)).tags == ()


@pytest.mark.parametrize(
    ("age", "max_age", "tags"), [("120", 60, STALE), ("50", 60, STALE), ("50", 600, ()), ("0", 60, ())]
)
def test_what_is_old_on_arrival_is_older_afterwards(age: str, max_age: int, tags: tuple[str, ...]) -> None:
    call = stored(age=age, cache_control=f"max-age={max_age}")
    assert visits((0.0, call), (30.0, None)).tags == tags


@pytest.mark.parametrize("status", [304, 200])
@pytest.mark.parametrize("asked", ['"a"', 'W/"a"', '"a-gzip"', '"x", W/"a"', "*"])
def test_a_tag_that_a_server_cannot_find_again_is_no_fault_of_the_client(status: int, asked: str) -> None:
    """It asked; that the server sent the page once more is the server's own way."""
    due = Step(expected_facts=(VERSION,), must_validate=True)
    call: dict[str, Any] = {"status": status, "request_headers": {"if-none-match": asked}}
    if status == 200:
        call["body"] = PAGE
    judgement = visits((0.0, stored(cache_control="no-cache")), (60.0, call), steps=(PLAIN, due))
    assert (judgement.label, judgement.tags) == ("success", ())


@pytest.mark.parametrize(
    ("call", "tags"),
    [
        ({"body": PAGE}, ("not-validated",)),
        ({"body": PAGE, "request_headers": {"cache-control": "no-cache"}}, ("not-validated",)),
        ({"body": PAGE, "request_headers": {"if-modified-since": http_time()}}, ()),
        (None, ("use-stale-cache", "not-validated")),
    ],
)
def test_validated_is_what_the_wire_shows(call: dict[str, Any] | None, tags: tuple[str, ...]) -> None:
    due = Step(expected_facts=(VERSION,), must_validate=True)
    judgement = visits((0.0, stored(cache_control="no-cache")), (60.0, call), steps=(PLAIN, due))
    assert judgement.tags == tags
    assert judgement.label == ("stale" if tags else "success")


@pytest.mark.parametrize("days", [10, 100, 1000])
def test_a_guessed_lifetime_is_legal_and_satisfies_no_window_that_it_overruns(days: int) -> None:
    headers = {"last-modified": http_time(-days * 86400), "date": http_time()}
    assert may_reuse(headers, 200, 0.0, 0.0, days * 8000)
    call = stored(last_modified=headers["last-modified"])
    assert visits((0.0, call), (3600.0, None)).tags == ()
    assert "stale-representation" in visits((0.0, call), (90000.0, None)).tags


# A fetching API answers from an index of its own.


@pytest.mark.parametrize("headers", [{}, {"x-cache": "HIT"}])
@pytest.mark.parametrize("channel", ["extract-api", "search-api"])
def test_a_copy_of_unknown_age_is_not_fresh(channel: str, headers: dict[str, str]) -> None:
    wire = Wire()
    call = wire.search(VENDOR, channel=channel)
    wire.represent(call, VENDOR, PAGE, "text/markdown", headers=headers, status=200)
    judgement = judge_run(truth(), [wire.evidence(answered(GOOD), start_urls=(VENDOR,))], None)
    assert judgement.verdicts[0].freshness.state == "unknown"
    assert {"provider-cache", "freshness-unknown"} <= set(judgement.tags)


def test_a_dated_delivery_is_fresh() -> None:
    wire = Wire()
    call = wire.search(VENDOR, channel="extract-api")
    wire.represent(call, VENDOR, PAGE, "text/markdown", headers={"date": http_time()}, status=200)
    judgement = judge_run(truth(), [wire.evidence(answered(GOOD), start_urls=(VENDOR,))], None)
    assert (judgement.label, judgement.tags) == ("success", ())


def test_an_old_value_out_of_a_provider_s_copy_fails_on_the_fact() -> None:
    new = Step(expected_facts=(Fact(id="new", value="v3.3"),), wrong_values=(VERSION,))
    wire = Wire()
    call = wire.search(VENDOR, channel="extract-api")
    wire.represent(call, VENDOR, PAGE, "text/markdown", headers={}, status=200)
    evidence = wire.evidence(answered(GOOD), start_urls=(VENDOR,), step=new)
    judgement = judge_run(truth(steps=(new,)), [evidence], None)
    assert judgement.label == "contradicted"
    assert "wrong-value" in judgement.tags


# What one user was given reaches another: in words, from the cache, or by a cookie that was kept.

ACCOUNT = "https://vendor.example/releases/account"
ADA, BOB = "canary-ada-71", "canary-bob-36"


def shared(answer: str, call: dict[str, Any] | None) -> Judgement:
    """Ada reads her account, then Bob asks for his."""
    hers, his = Fact(id="hers", value=ADA), Fact(id="his", value=BOB)
    wire = Wire()
    wire.get(ACCOUNT, page(f"<p>Hello {ADA}</p>"), user="ada", headers={"cache-control": "max-age=60"})
    first = Step(user="ada", expected_facts=(hers,), wrong_values=(his,))
    evidence = [wire.evidence(answered(f"{ADA} ({ACCOUNT})."), step=first)]
    wire.step = 1
    if call is not None:
        wire.get(ACCOUNT, **call)
    second = Step(user="bob", expected_facts=(his,), wrong_values=(hers,))
    evidence.append(wire.evidence(answered(f"{answer} ({ACCOUNT})."), step=second))
    return judge_run(truth(steps=(first, second)), evidence, None)


OWN = {"body": page(f"<p>Hello {BOB}</p>"), "user": "bob"}


@pytest.mark.parametrize(
    ("answer", "call"),
    [
        (ADA, None),  # out of the cache, and nobody was asked
        (ADA, OWN),
        (f"{BOB} and {ADA}", OWN),
        (BOB, {**OWN, "user": "ada"}),  # her cookie was kept and sent again
    ],
)
def test_nothing_of_one_user_reaches_another(answer: str, call: dict[str, Any] | None) -> None:
    judgement = shared(answer, call)
    assert judgement.label == "policy_violation"
    assert "cache-leak" in judgement.tags


def test_who_gets_his_own_is_right() -> None:
    assert (shared(BOB, OWN).label, shared(BOB, OWN).tags) == ("success", ())
