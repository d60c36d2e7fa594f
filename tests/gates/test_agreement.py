"""Agreement with people, against figures worked out elsewhere."""

from __future__ import annotations

from random import Random

import pytest

from pytest_webretrieval.gates.agreement import Agreement, agreement


def test_kappa_of_a_table_by_hand() -> None:
    """20 both yes, 15 both no, 5 and 10 apart: 0.7 observed, 0.5 by chance."""
    table = Agreement(true_accepts=20, false_accepts=5, true_rejects=15, false_rejects=10)
    assert table.kappa == pytest.approx(0.4)
    assert table.precision == 0.8
    assert table.recall == pytest.approx(20 / 30)
    assert table.specificity == 0.75


def test_the_interval_is_where_resampling_puts_it() -> None:
    table = Agreement(true_accepts=300, false_accepts=30, true_rejects=150, false_rejects=60)
    rows = [(True, True)] * 300 + [(True, False)] * 30 + [(False, False)] * 150 + [(False, True)] * 60
    draw = Random(1)
    kappas = sorted(agreement(draw.choices(rows, k=len(rows))).kappa for _ in range(2000))
    assert table.kappa_interval == pytest.approx((kappas[50], kappas[1949]), abs=0.01)


def test_rows_without_any_accepted_have_no_precision() -> None:
    table = agreement([(False, True), (False, False)])
    assert (table.precision, table.precision_interval, table.kappa) == (0.0, (0.0, 1.0), 0.0)


def test_rows_of_one_verdict_agree_by_chance() -> None:
    table = agreement([(True, True)] * 3)
    assert (table.kappa, table.kappa_interval) == (0.0, (-1.0, 1.0))
