"""Judged rates put right by people's labels, against worked values and by simulation."""

from __future__ import annotations

import random

import pytest

from pytest_webretrieval.gates.correction import Stratum, prediction_powered, rogan_gladen


def test_rogan_and_gladen_by_hand() -> None:
    corrected = rogan_gladen(0.30, 200, (0.9, 60), (0.8, 80))
    assert corrected is not None
    assert corrected.rate == pytest.approx((0.30 + 0.8 - 1) / (0.9 + 0.8 - 1))
    assert corrected.low < corrected.rate < corrected.high


@pytest.mark.parametrize("judge", [((0.5, 50), (0.5, 50)), ((0.2, 50), (0.7, 50)), ((0.9, 0), (0.9, 10))])
def test_a_judge_no_better_than_chance_tells_nothing(
    judge: tuple[tuple[float, int], tuple[float, int]],
) -> None:
    assert rogan_gladen(0.4, 100, *judge) is None


def test_the_stratified_mean_by_hand() -> None:
    corrected = prediction_powered(
        {
            "full": Stratum(size=80, judged=10, right=9),
            "none": Stratum(size=20, judged=10, right=1),
        }
    )
    assert corrected.rate == pytest.approx(0.8 * 0.9 + 0.2 * 0.1)
    assert corrected.n == 20


def test_a_small_sample_in_agreement_is_no_certainty() -> None:
    corrected = prediction_powered({"full": Stratum(size=1000, judged=5, right=5)})
    assert corrected.rate == 1.0
    assert corrected.low < 0.8


def test_a_verdict_of_which_nobody_judged_a_row_is_an_error() -> None:
    with pytest.raises(ValueError, match="nobody judged a row of none"):
        prediction_powered(
            {"full": Stratum(size=8, judged=2, right=2), "none": Stratum(size=3, judged=0, right=0)}
        )


def test_intervals_hold_the_true_rate_as_often_as_they_say() -> None:
    """600 runs of 400 claims by a judge that overrates, 30 of each verdict judged by people."""
    chance = random.Random(7)
    held = 0
    for _ in range(600):
        truth = [chance.random() < 0.6 for _ in range(400)]
        judged = [chance.random() < (0.95 if right else 0.35) for right in truth]
        strata = {}
        for verdict in (True, False):
            members = [right for right, said in zip(truth, judged, strict=True) if said == verdict]
            sample = chance.sample(members, 30)
            strata[str(verdict)] = Stratum(size=len(members), judged=30, right=sum(sample))
        corrected = prediction_powered(strata)
        held += corrected.low <= sum(truth) / len(truth) <= corrected.high
    assert held >= 0.92 * 600
