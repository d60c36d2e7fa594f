"""Five fields of cron."""

from __future__ import annotations

import pytest

from pytest_webretrieval.cases.cron import cron_fault


@pytest.mark.parametrize(
    "text",
    ["17 3 * * *", "*/15 0-6,22-23/2 1,15 jan-mar MON-fri", "0 0 31 12 7", "59 23 1 1 0", "0 5 * * 1-5"],
)
def test_what_says_a_time(text: str) -> None:
    assert cron_fault(text) is None


@pytest.mark.parametrize(
    ("text", "field", "name"),
    [
        ("60 3 * * *", "60", "minute"),
        ("17 24 * * *", "24", "hour"),
        ("17 3 0 * *", "0", "day of the month"),
        ("17 3 * 13 *", "13", "month"),
        ("17 3 * * 8", "8", "day of the week"),
        ("17 6-3 * * *", "6-3", "hour"),
        ("*/0 3 * * *", "*/0", "minute"),
        ("17 3 * mon *", "mon", "month"),
        ("17 3, * * *", "3,", "hour"),
        ("a b c d e", "a", "minute"),
    ],
)
def test_the_field_that_says_none_is_named(text: str, field: str, name: str) -> None:
    said = cron_fault(text)
    assert said is not None
    assert said.startswith(f"`{field}` is no {name} (")
