"""Judged rates put right by people's labels, against worked values and by simulation."""

from __future__ import annotations

import random

import pytest

from pytest_webretrieval.gates.adjudication import figures
from pytest_webretrieval.gates.correction import Stratum, carried_over, prediction_powered, rogan_gladen


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


def test_a_perfect_score_of_a_few_rows_closes_no_interval() -> None:
    carried = carried_over(90, 100, (1.0, 4), (1.0, 4))
    by_hand = rogan_gladen(0.9, 100, (1.0, 4), (1.0, 4))
    assert carried is not None
    assert by_hand is not None
    assert carried.rate == by_hand.rate == pytest.approx(0.9)
    assert carried.low < by_hand.low
    assert carried_over(0, 0, (0.9, 40), (0.9, 40)) is None
    assert carried_over(4, 9, (0.5, 40), (0.5, 40)) is None


def test_a_sample_of_one_run_holds_for_the_next_with_another_rate() -> None:
    """500 times: people judge 40 of each verdict of one run; in the next one much less is right."""
    chance = random.Random(11)

    def night(rate: float) -> list[tuple[str, bool]]:
        truth = [chance.random() < rate for _ in range(400)]
        return [("yes" if chance.random() < (0.92 if right else 0.25) else "no", right) for right in truth]

    held = misled = 0
    for _ in range(500):
        first, second = night(0.7), night(0.4)
        by_verdict = {said: [row for row in first if row[0] == said] for said in ("yes", "no")}
        labelled = [row for rows in by_verdict.values() for row in chance.sample(rows, 40)]
        sizes = {said: len(rows) for said, rows in by_verdict.items()}
        sample = figures(sizes, labelled, frozenset(("yes",)))
        said = sum(verdict == "yes" for verdict, _ in second)
        true = sum(right for _, right in second) / len(second)
        carried = carried_over(
            said, 400, (sample.sensitivity, sample.positives), (sample.specificity, sample.negatives)
        )
        assert carried is not None
        held += carried.low <= true <= carried.high
        misled += said / 400 > true + 0.05
    assert held >= 0.92 * 500, f"the interval held {held} of 500"
    assert misled >= 400, f"the judge's own rate was too kind {misled} times"
