from __future__ import annotations

import pytest

from pytest_webretrieval.report.figures import address, grouped, median, seconds, share, shortened, size


def test_a_share_carries_its_n_and_nothing_counted_is_not_nought() -> None:
    assert (share(9, 11), share(0, 3), share(0, 0)) == ("9/11", "0/3", "n/a")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0.00 s"), (0.424, "0.42 s"), (99.994, "99.99 s"), (100, "100 s"), (3600, "3600 s")],
)
def test_seconds(value: float, shown: str) -> None:
    assert seconds(value) == shown


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1234, "1.2 kB"), (8_400_000, "8.4 MB")],
)
def test_sizes_are_in_thousands(count: int, shown: str) -> None:
    assert size(count) == shown


@pytest.mark.parametrize("count", [999_949, 999_950, 999_999])
def test_a_size_is_never_a_thousand_kilobytes(count: int) -> None:
    assert size(count) in ("999.9 kB", "1.0 MB")


def test_large_numbers_are_grouped() -> None:
    assert (grouped(86400), grouped(310), grouped(2592000.4)) == ("86 400", "310", "2 592 000")


def test_what_is_cut_shows_it() -> None:
    assert shortened("one two", 7) == "one two"
    assert shortened("one two three", 8) == "one two…"
    assert len(shortened("x" * 500, 100)) == 100
    assert shortened("two\n lines\tand\u00a0more", 40) == "two lines and more"


def test_an_address_has_no_scheme_and_keeps_its_query() -> None:
    assert address("https://a.example/b/c?d=1#e") == "a.example/b/c?d=1"
    assert address("fixture://origin/news") == "origin/news"


def test_the_median_is_the_lower_middle() -> None:
    assert (median([3.0]), median([4.0, 1.0]), median([9.0, 1.0, 5.0])) == (3.0, 1.0, 5.0)
