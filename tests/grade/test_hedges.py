from __future__ import annotations

import pytest

from pytest_webretrieval.cases.truth import Fact
from pytest_webretrieval.grade.answers import CORRECT, INCORRECT, grade_answer
from pytest_webretrieval.grade.facts import states_fact

PRICE = Fact(id="price", value="19.90", match="number", unit="EUR")
RELEASE = Fact(id="release", value="v3.2")
ROOMS = Fact(id="rooms", value="57", match="number")
DAY = Fact(id="day", value="2026-05-06", match="date")


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        (PRICE, "19.90 EUR or 24.90 EUR"),
        (PRICE, "It is 24.90 EUR, or perhaps 19.90 EUR."),
        (PRICE, "19,90 € oder 24,90 €"),
        (RELEASE, "v3.2 or v3.3"),
        (ROOMS, "57 or 58"),
        (ROOMS, "57 rooms or 58 rooms"),
        (ROOMS, "fifty-six or fifty-seven"),
        (DAY, "5 or 6 May 2026"),
        (DAY, "6 May 2026 or 7 May 2026"),
    ],
)
def test_one_of_two_is_not_settled(fact: Fact, answer: str) -> None:
    assert not states_fact(fact, answer)


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        (PRICE, "19.90 EUR (or 22.40 CHF)"),
        (PRICE, "19.90 EUR online or 24.90 EUR at the desk"),
        (RELEASE, "v3.2 or later"),
        (RELEASE, "v3.1 or v3.2? It is v3.2."),
        (RELEASE, "v3.2, not v3.0 or v3.1"),
        (RELEASE, "v3.2 or the old v3.1"),
        (ROOMS, "57 or so"),
        (ROOMS, "57 or fifty-seven"),
        (ROOMS, "57 rooms or 3 floors"),
    ],
)
def test_what_or_joins_is_not_always_a_rival(fact: Fact, answer: str) -> None:
    assert states_fact(fact, answer)


def test_short_answers_are_read_alike() -> None:
    assert grade_answer("how many rooms", ["57"], "57 rooms or 58 rooms").verdict == INCORRECT
    assert grade_answer("how many rooms", ["57"], "fifty-seven or 58").verdict == INCORRECT
    assert grade_answer("how many rooms", ["57"], "57 rooms or so").verdict == CORRECT
