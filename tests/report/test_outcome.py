"""An item's outcome in words."""

from __future__ import annotations

from dataclasses import replace

from pytest_webretrieval.gates.baseline import Accepted, Costs, Tolerated
from pytest_webretrieval.gates.outcome import Outcome, outcome_of
from pytest_webretrieval.gates.trials import Drop, Reliability
from pytest_webretrieval.report.figures import WIDTH
from pytest_webretrieval.report.junit import suite_properties
from pytest_webretrieval.report.outcome import first_line, known_line, outcome_lines, page_rows
from pytest_webretrieval.report.trials import drop_line, reliability_lines

RECORD = {"case": "S06", "label": "unsupported", "expect": "success", "reason": "cites a mirror"}
COSTS = Costs(requests=2, retries=0, escalations=0, bytes=8400, duration_s=0.42)
MAIN = Accepted(accepted="2026-11-28", run="20261128-2301-7f3a", labels={"success": 5}, most=COSTS)
WHY = Tolerated(reason="cites mirrors", owner="search-team", since="2026-11-28", expires="2027-02-26")
KNOWN = replace(MAIN, labels={"unsupported": 5}, tolerated=WHY)
FAILED = Outcome(name="c-v1::S06", state="failed", expect="success", labels=("unsupported",))
MANY = replace(FAILED, labels=("unsupported", "success", "unsupported", "unsupported", "partial"), further=4)


def test_the_first_line_says_in_how_many_trials() -> None:
    assert first_line(RECORD, FAILED, "7f3a") == "S06 unsupported, expected success: cites a mirror"
    assert first_line(RECORD, MANY, "7f3a").startswith("S06 unsupported in 4 of 5 trials, expected success: ")


def test_a_known_failure_that_is_none_any_more_says_how_to_go_on() -> None:
    other = replace(FAILED, accepted=replace(KNOWN, labels={"partial": 5}))
    assert "expected success, known to fail as partial: " in first_line(RECORD, other, "7f3a")
    late = replace(FAILED, accepted=KNOWN, expired=True)
    assert "known to fail until 2027-02-26 (search-team): " in first_line(RECORD, late, "7f3a")
    passes = replace(FAILED, state="unexpected_pass", labels=("success",), accepted=KNOWN)
    assert first_line(RECORD | {"label": "success"}, passes, "7f3a") == (
        "S06 success, known to fail (search-team): accept the pass with "
        "`webretrieval baseline accept 7f3a --case c-v1::S06`"
    )


def test_the_page_has_the_trials_and_what_was_accepted() -> None:
    assert page_rows(FAILED) == {}
    assert page_rows(replace(MANY, accepted=MAIN)) == {
        "trials": "unsupported; to confirm: success, unsupported, unsupported, partial",
        "main": "success on the accepted baseline of 2026-11-28 (5 of 5); here 1 of 5",
    }
    assert (
        page_rows(replace(FAILED, accepted=KNOWN))["known"] == "cites mirrors (search-team, until 2027-02-26)"
    )


def test_the_summary_names_what_is_green_and_not_what_it_should_be() -> None:
    flaky = replace(MANY, name="c-v1::A", state="flaky")
    known = replace(FAILED, name="c-v1::B", state="known", accepted=KNOWN)
    passing = replace(FAILED, name="c-v1::C", state="passed", labels=("success",), accepted=KNOWN)
    late = replace(FAILED, name="c-v1::D", accepted=KNOWN, expired=True)
    long = replace(known, name="c-v1::E", accepted=replace(KNOWN, tolerated=replace(WHY, reason="why " * 40)))
    lines = list(outcome_lines([flaky, known, passing, late, long, FAILED]))
    assert lines[0] == "flaky    A  1 of 5 as expected, else unsupported, partial"
    assert lines[1] == "known    B  unsupported: cites mirrors (search-team, until 2027-02-26)"
    assert lines[2].startswith("         E  unsupported: why why")
    assert lines[2].endswith("…")
    assert lines[3] == "passing  C  1 of 1 as expected, but known to fail: accept the pass"
    assert lines[4] == "expired  D  cites mirrors (search-team, until 2027-02-26)"
    assert max(map(len, lines)) == WIDTH
    assert known_line(known) == "unsupported: cites mirrors (search-team, until 2027-02-26)"


def test_junit_has_the_outcomes_that_are_more_than_one_label() -> None:
    names = dict(suite_properties((), (), [FAILED, replace(MANY, state="flaky", name="c-v1::A")]))
    assert names == {"webretrieval.outcome.A": "flaky: 1 of 5 as expected"}


def test_reliability_and_drop_carry_their_n() -> None:
    search = Reliability(
        stratum="search", cases=2, trials=6, k=3, pass_1=2 / 3, pass_at_k=1.0, pass_all_k=0.5
    )
    assert list(reliability_lines([search, replace(search, stratum="auth")])) == [
        "trials   search  pass@1 0.67  pass@3 1.00  pass^3 0.50   (n = 2 cases, 6 trials)",
        "         auth    pass@1 0.67  pass@3 1.00  pass^3 0.50   (n = 2 cases, 6 trials)",
    ]
    drop = Drop(cases=30, rate=1.0, accepted=False, drop=0.0522)
    tail = "(n = 30 cases, one-sided 5%, power 80%)"
    assert list(drop_line(drop)) == [
        f"drop     the smallest fall from 100% that could be seen: 5 points {tail}"
    ]
    none = replace(drop, rate=0.5, accepted=True, drop=None)
    assert list(drop_line(none)) == [f"drop     no fall from 50% as accepted could have been seen {tail}"]
    assert list(drop_line(None)) == []


def record(label: str, *tags: str) -> dict[str, object]:
    return {"corpus": "c-v1", "case": "S06", "expect": "success", "label": label, "tags": list(tags)}


def test_the_trial_that_is_shown_is_the_one_that_tells_most() -> None:
    today = "2026-11-28"
    labels = ("success", "partial", "policy_violation")
    assert outcome_of([record(label) for label in labels], 3, None, today).shown == 2
    assert outcome_of([record(label) for label in labels[:2]], 2, None, today).shown == 1
    assert outcome_of([record("success"), record("success", "egress")], 2, None, today).shown == 1
    other = [record("unsupported"), record("contradicted")]
    assert outcome_of(other, 2, KNOWN, today).shown == 1
    known = outcome_of([record("success"), record("unsupported")], 2, KNOWN, today)
    assert (known.state, known.shown, known.excuses) == ("known", 1, True)


def test_accepted_caps_are_tolerated_until_their_day() -> None:
    over = replace(KNOWN, over=("bytes",))
    assert outcome_of([record("unsupported")], 1, over, "2027-02-26").tolerated_caps == ("bytes",)
    assert outcome_of([record("unsupported")], 1, over, "2027-02-27").tolerated_caps == ()
    assert (
        outcome_of([record("success")], 1, replace(MAIN, over=("bytes",)), "2026-11-28").tolerated_caps == ()
    )
