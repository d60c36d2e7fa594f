from __future__ import annotations

from datetime import date
from email.utils import parsedate_to_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.cases.forms import show


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        ("2026-08-21", "date-long", "21 August 2026"),
        ("2026-03-05", "date-long", "5 March 2026"),
        ("2026-08-21", "date-iso", "2026-08-21"),
        ("2026-03-05", "date-de", "5. März 2026"),
        ("2026-08-21", "date-zh", "2026年8月21日"),
        ("2026-08-21", "date-rfc", "Fri, 21 Aug 2026 00:00:00 GMT"),
        ("2450", "number-en", "2,450"),
        ("2450.50", "number-en", "2,450.50"),
        ("1234567", "number-de", "1.234.567"),
        ("19.90 EUR", "number-de", "19,90 EUR"),
        ("€1,250.5", "number-de", "€1.250,5"),
        ("-999", "number-en", "-999"),
        ("-1000", "number-en", "-1,000"),
        ("v3.2-rc1", "upper", "V3.2-RC1"),
        ("The Weight of Salt!", "slug", "the-weight-of-salt"),
        ("v3.2", "slug", "v3-2"),
        ("海神 颱風", "slug", "海神-颱風"),
    ],
)
def test_forms(value: str, form: str, shown: str) -> None:
    assert show(value, form) == shown


@pytest.mark.parametrize(
    ("value", "form", "message"),
    [
        ("21 August", "date-long", "`21 August` is not a date such as 2026-08-21"),
        ("2026-08-21", "date-fr", "unknown form `date-fr`; known: date-long"),
    ],
)
def test_what_has_no_form(value: str, form: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        show(value, form)


@given(st.dates(min_value=date(1000, 1, 1)))
def test_rfc_dates_are_read_back_by_the_standard_library(day: date) -> None:
    assert parsedate_to_datetime(show(day.isoformat(), "date-rfc")).date() == day


@given(st.integers(min_value=-(10**12), max_value=10**12))
def test_numbers_are_grouped_as_python_groups_them(number: int) -> None:
    assert show(str(number), "number-en") == f"{number:,}"
