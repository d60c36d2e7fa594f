"""What a judge said decides a gate only as people correct it, and only while it is the judge that people know."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_webretrieval.gates.judged import corrected, judged_gate, waiting_gate
from pytest_webretrieval.records.people import Judged, Sample, keep_sample, last_sample

SAMPLE = Sample(
    what="support", run="monday", lock="a", n=80, rate=0.62, low=0.55, high=0.69,
    sensitivity=0.9, positives=45, specificity=0.7, negatives=35, kappa=0.6,
)  # fmt: skip
# The judge itself says 0.9.
MONDAY = Judged(what="support", run="monday", lock="a", right=180, graded=200, open=0)
TUESDAY = replace(MONDAY, run="tuesday", right=130)


@pytest.mark.parametrize(
    ("judged", "sample", "verdict", "said"),
    [
        (MONDAY, None, "fail", "blocked: people have judged no sample of this judge: webretrieval adjudicate monday"),
        (MONDAY, replace(SAMPLE, lock="b"), "fail", "blocked: lock changed since the last sample of people"),
        (TUESDAY, replace(SAMPLE, sensitivity=0.4, specificity=0.5), "fail", "blocked: the judge is no better than"),
        (None, SAMPLE, "skipped", "no judge was asked"),
        (replace(MONDAY, right=0, graded=0), SAMPLE, "skipped", "nothing to judge"),
    ],
)  # fmt: skip
def test_no_figure_counts_that_people_do_not_stand_behind(
    judged: Judged | None, sample: Sample | None, verdict: str, said: str
) -> None:
    result = judged_gate(judged, sample, 0.5)
    assert result.verdict == verdict
    assert said in result.line


@pytest.mark.parametrize(
    ("least", "verdict"), [(0.50, "pass"), (0.60, "inconclusive"), (0.75, "fail"), (0.89, "fail"), (None, "skipped")]
)  # fmt: skip
def test_the_bound_decides_and_never_what_the_judge_says_itself(least: float | None, verdict: str) -> None:
    result = judged_gate(MONDAY, SAMPLE, least)
    assert (result.name, result.verdict) == ("judged_support", verdict)
    assert result.line.startswith(
        "0.62 [0.55, 0.69] as people correct it (n = 200, 80 judged by people of run monday"
    )
    assert "sensitivity 0.90, specificity 0.70, kappa 0.60" in result.line
    assert "0.90 [" not in result.line


def test_another_run_is_corrected_by_what_the_judge_is_worth() -> None:
    rate = corrected(TUESDAY, SAMPLE)
    assert rate is not None
    assert rate.rate == pytest.approx((0.65 + 0.7 - 1) / (0.9 + 0.7 - 1))
    assert rate.low < 0.5 < rate.rate < 0.65 < rate.high


def test_what_nobody_graded_widens_the_bounds_to_both_sides() -> None:
    sure, unsure = corrected(MONDAY, SAMPLE), corrected(replace(MONDAY, open=50), SAMPLE)
    assert sure is not None
    assert unsure is not None
    assert unsure.low == pytest.approx(sure.low * 0.8)
    assert unsure.high == pytest.approx(sure.high * 0.8 + 0.2)
    assert judged_gate(MONDAY, SAMPLE, 0.5).verdict == "pass"
    result = judged_gate(replace(MONDAY, open=50), SAMPLE, 0.5)
    assert result.verdict == "inconclusive"
    assert "50 ungraded" in result.line


def test_a_stopped_run_is_not_judged() -> None:
    assert judged_gate(MONDAY, SAMPLE, 0.5, stopped="interrupted").verdict == "skipped"
    assert judged_gate(MONDAY, None, 0.5, stopped="interrupted").verdict == "fail"


def test_the_last_sample_of_the_judge_is_found_again(tmp_path: Path) -> None:
    assert last_sample(tmp_path, "support", "a") is None
    for sample in (
        SAMPLE,
        replace(SAMPLE, run="friday"),
        replace(SAMPLE, lock="b"),
        replace(SAMPLE, what="answer"),
    ):
        path = keep_sample(tmp_path, sample)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 4
    assert last_sample(tmp_path, "support", "a") == replace(SAMPLE, run="friday")
    unknown = last_sample(tmp_path, "support", "c")
    assert unknown is not None
    assert unknown.lock == "b"


@pytest.mark.parametrize(
    ("lock", "sampled", "verdict", "says"),
    [
        (None, None, "fail", "blocked: no judge is pinned"),
        ("lock-a", None, "fail", "blocked: people have judged no sample of this judge"),
        ("lock-b", "lock-a", "fail", "blocked: lock changed since the last sample of people"),
        ("lock-a", "lock-a", "skipped", "not asked yet"),
    ],
)
def test_before_a_judge_was_asked(lock: str | None, sampled: str | None, verdict: str, says: str) -> None:
    known = None if sampled is None else replace(SAMPLE, lock=sampled)
    gate = waiting_gate("support", lock, known)
    assert (gate.name, gate.verdict) == ("judged_support", verdict)
    assert gate.line.startswith(says)
