"""Numbers that are written as words, in the languages that are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.grade.number_words import number_at
from pytest_webretrieval.grade.text import fold


@pytest.mark.parametrize(
    ("text", "locale", "found"),
    [
        ("twenty-four carts", None, (11, 24, False)),
        ("twenty four carts", "de", (11, 24, False)),
        ("twenty-first cart", None, (12, 21, True)),
        ("twelfth", "en-GB", (7, 12, True)),
        ("twenty twenty", None, (6, 20, False)),
        ("forty ten", None, (5, 40, False)),
        ("zwölf Karren", "de_AT", (5, 12, False)),
        ("zwölf Karren", None, None),
        ("sept", "fr", (4, 7, False)),
        ("sept", "en", None),
        ("fourteenth", None, (10, 14, True)),
        ("oneself", None, None),
        ("24", None, None),
    ],
)
def test_a_number_word_is_read_to_its_end(
    text: str, locale: str | None, found: tuple[int, int, bool] | None
) -> None:
    assert number_at(fold(text).text, 0, locale) == found


@given(st.text(max_size=20), st.integers(0, 20))
def test_any_place_of_any_text_can_be_asked_about(text: str, start: int) -> None:
    found = number_at(text, start)
    assert found is None or (start < found[0] <= len(text) and 0 <= found[1] < 100)
