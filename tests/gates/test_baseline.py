"""The file of a baseline: what is written is read again, and what is wrong is told with its line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.gates.accepting import (
    accepted_cases,
    failed_cases,
    same_failure,
    to_yaml,
    unacceptable,
)
from pytest_webretrieval.gates.baseline import Accepted, Baseline, Costs, Tolerated, read_baseline
from pytest_webretrieval.gates.confirm import Known

TODAY = "2026-11-28"
COSTS = Costs(requests=2, retries=0, escalations=0, bytes=8400, duration_s=0.42)
WHY = Tolerated(reason="cites mirrors", owner="search", since=TODAY, expires="2027-02-26")
CASE = Accepted(accepted=TODAY, run="20261128-2301-7f3a", labels={"unsupported": 4, "success": 1}, most=COSTS)
BASELINE = Baseline(
    path=Path("b.yaml"),
    lane="fixture",
    corpora={"c-v1": "0" * 64},
    system="own:System",
    fingerprint="0123456789ab",
    cases={"c-v1::S06": replace(CASE, tolerated=WHY)},
)

words = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=20)
names = words.filter(lambda word: ":" not in word).map(lambda word: f"c-v1::{word}")
numbers = st.integers(0, 10**9)
amounts = st.integers(0, 10**9).map(lambda number: number / 1000)
costs = st.builds(
    Costs,
    requests=numbers,
    retries=numbers,
    escalations=numbers,
    bytes=numbers,
    cost_usd=st.none() | amounts,
    duration_s=amounts,
)
days = st.dates().map(lambda day: day.isoformat())
reasons = st.none() | st.builds(Tolerated, reason=words, owner=words, since=days, expires=days)
cases = st.builds(
    Accepted,
    accepted=days,
    run=words,
    labels=st.dictionaries(st.sampled_from(("success", "no_answer")), st.integers(1, 99), min_size=1),
    tags=st.lists(st.sampled_from(("egress", "cited-mirror")), unique=True).map(tuple),
    over=st.lists(st.sampled_from(("bytes", "requests")), unique=True).map(tuple),
    most=costs,
    tolerated=reasons,
)


@settings(deadline=None)
@given(accepted=st.dictionaries(names, cases, max_size=3), system=words)
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, accepted: dict[str, Accepted], system: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "baseline.yaml"
    baseline = replace(BASELINE, path=path, cases=accepted, system=system)
    path.write_text(to_yaml(baseline), encoding="utf-8")
    assert read_baseline(path) == baseline


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("lane: fixture", "lane: fixtures", "3: unknown lane `fixtures`"),
        (
            "expires: 2027-02-26",
            "expires: 2027-02-30",
            "18: c-v1::S06: `2027-02-30` is no day of the calendar",
        ),
        ("expires: 2027-02-26", "expires: soon", "18: `cases.c-v1::S06.known.expires` is `soon`"),
        ("requests: 2", "requests: two", "13: `cases.c-v1::S06.most.requests` must be a whole number"),
        ('"c-v1::S06"', '"S06"', "9: `S06` is not CORPUS::ID"),
        ("      owner: ", "      owners: ", "16: unknown key `owners`; did you mean `owner`?"),
        ("labels: {unsupported: 4, success: 1}", "labels: {}", "9: c-v1::S06: `labels` is empty"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, before: str, after: str, says: str) -> None:
    path = tmp_path / "b.yaml"
    text = to_yaml(BASELINE)
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises(CaseError) as caught:
        read_baseline(path)
    lines = [line.removeprefix(f"{path}:") for line in caught.value.problems]
    assert any(line.startswith(says) for line in lines), (lines, text)


def test_a_failure_is_known_until_its_last_day_and_never_without_a_reason() -> None:
    known = Known(frozenset({"unsupported"}), passes=True)
    case = replace(CASE, tolerated=WHY)
    assert case.known("success", "2027-02-26") == known
    assert case.known("success", "2027-02-27") is None
    assert CASE.known("success", TODAY) is None
    assert replace(case, labels={"success": 5}).known("success", TODAY) is None


def test_a_baseline_fits_one_lane_system_and_corpus() -> None:
    fits = ("fixture", {"c-v1": "0" * 64, "other-v1": "1" * 64}, "0123456789ab")
    assert BASELINE.unfit(*fits) is None
    assert BASELINE.unfit("live", *fits[1:]) == "it was accepted in the fixture lane"
    assert "another c-v1" in str(BASELINE.unfit("fixture", {"c-v1": "1" * 64}, fits[2]))
    assert "other options" in str(BASELINE.unfit(*fits[:2], "ffffffffffff"))


def record(case: str, trial: int, label: str, *tags: str, over: tuple[str, ...] = ()) -> dict[str, object]:
    return {
        "corpus": "c-v1",
        "case": case,
        "expect": "success",
        "label": label,
        "tags": list(tags),
        "key": {"trial": trial},
        "duration_s": 0.1 * (trial + 1),
        "efficiency": {
            "requests": 2 + trial,
            "retries": 0,
            "escalations": 0,
            "bytes": 10,
            "cost_usd": None if trial else 0.5,
            "over": list(over),
        },
    }


def test_a_run_is_summed_up_by_case() -> None:
    records = [
        record("A", 0, "partial", "missing-fact"),
        record("A", 1, "success"),
        record("B", 0, "success"),
    ]
    found = accepted_cases(records, "r", TODAY)
    assert list(found) == ["c-v1::A", "c-v1::B"]
    first = found["c-v1::A"]
    assert (first.labels, first.tags, first.trials) == ({"partial": 1, "success": 1}, ("missing-fact",), 2)
    assert first.most == Costs(requests=3, retries=0, escalations=0, bytes=10, cost_usd=0.5, duration_s=0.2)


def test_only_what_failed_after_confirmation_or_cost_too_much_needs_a_reason() -> None:
    flaky = [record("A", 0, "partial"), *(record("A", number, "success") for number in (1, 2, 3, 4))]
    failed = [record("B", number, "partial") for number in range(5)]
    over = [record("C", 0, "success", over=("bytes",))]
    assert failed_cases([*flaky, *failed, *over], 1) == {"c-v1::B", "c-v1::C"}


def test_what_broke_an_invariant_is_nobodys_to_accept() -> None:
    assert unacceptable([record("A", 0, "success"), record("B", 0, "no_answer", "egress")]) == [
        "c-v1::B (no_answer, egress)"
    ]


def test_a_reason_holds_for_the_same_failure_and_no_other() -> None:
    before = replace(CASE, tolerated=WHY)
    assert same_failure(before, CASE, "success") == WHY
    assert same_failure(before, replace(CASE, labels={"contradicted": 1}), "success") is None
    assert same_failure(before, replace(CASE, over=("bytes",)), "success") is None
    assert same_failure(CASE, CASE, "success") is None
    assert same_failure(None, CASE, "success") is None
