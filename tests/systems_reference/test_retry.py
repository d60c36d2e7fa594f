"""Retry-After and HTTP-date: what the grammar allows, and nothing else."""

from __future__ import annotations

import pytest

from pytest_webretrieval.systems.reference.retry import (
    LONGEST_WAIT_S,
    http_date,
    own_wait,
    stated_wait,
)

# 2026-08-21T10:00:00Z
NOW = 1787306400.0


@pytest.mark.parametrize(
    ("value", "wait"),
    [
        ("0", 0),
        ("120", 120),
        ("007", 7),
        ("\t42 ", 42),
        ("1792567680", 1792567680),
        ("Fri, 21 Aug 2026 10:00:30 GMT", 30),
        ("Friday, 21-Aug-26 10:00:30 GMT", 30),
        ("Fri Aug 21 10:00:30 2026", 30),
        ("Thu, 20 Aug 2026 10:00:30 GMT", 0),
    ],
)
def test_valid_waits_are_read(value: str, wait: float) -> None:
    assert stated_wait(value, NOW) == wait


@pytest.mark.parametrize(
    "value",
    [
        "", "-1", "+4", "2.5", "1e3", "foo", "²", "٣", "120, 60", "1 2",
        "Fri, 32 Aug 2026 10:00:30 GMT",
        "Fri, 21 Aug 2026 10:00:30 UTC",
        "Fri, 21 Aug 2026 10:00:30 +0000",
        "Fri 21 Aug 2026 10:00:30 GMT",
        "Fri, 21 Aug 26 10:00:30 GMT",
        "Fri, 21 Aug 2026 10.00.30 GMT",
        "Fri, 21 Aug 2026 9:00:30 GMT",
        "Fri,  21 Aug 2026 10:00:30 GMT",
        "Fri, 21-Aug-2026 10:00:30 GMT",
        "Fri, 21 Aug 2026 25:00:00 GMT",
    ],
)  # fmt: skip
def test_invalid_waits_are_refused(value: str) -> None:
    assert stated_wait(value, NOW) is None


def test_absent_is_no_wait_of_zero() -> None:
    assert stated_wait(None, NOW) is None


def test_a_wait_longer_than_any_deadline_is_still_a_wait() -> None:
    assert stated_wait("9" * 40, NOW) == float("inf")


@pytest.mark.parametrize(("year", "full"), [("26", 2026), ("76", 2076), ("77", 1977), ("94", 1994)])
def test_two_digit_years_slide_with_the_present(year: str, full: int) -> None:
    short = http_date(f"Sunday, 06-Nov-{year} 08:49:37 GMT", NOW)
    assert short == http_date(f"Sun, 06 Nov {full} 08:49:37 GMT", NOW)


def test_own_waits_grow_to_a_cap() -> None:
    assert 0.5 <= own_wait(1) <= 0.625
    assert 1.0 <= own_wait(2) <= 1.25
    assert own_wait(30) <= LONGEST_WAIT_S * 1.25
