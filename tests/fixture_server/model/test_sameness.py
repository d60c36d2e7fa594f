"""What is the same at each run and what is not: words count, moments of now and ids do not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from fixture_server.model.sameness import Sameness

THEN = datetime(2026, 11, 30, 3, 20, tzinfo=UTC)
NOW = datetime(2026, 12, 9, 18, 5, 7, tzinfo=UTC)


def difference(old: str, new: str) -> str | None:
    return Sameness(then=THEN, now=NOW).difference(old, new)


SAME = [
    ("Today is 2026-11-30.", "Today is 2026-12-09."),
    ("It is Monday, 30 November 2026.", "It is Wednesday, 9 December 2026."),
    ("It is Nov 30, 2026.", "It is Dec 9, 2026."),
    ("In November 2026", "In December 2026"),
    ("at 2026-11-30T03:20:05Z", "at 2026-12-09T18:05:09.123Z"),
    ("at 2026-11-30 11:20:05", "at 2026-12-09 18:05:09"),
    ("Date: Mon, 30 Nov 2026 03:20:05 GMT", "Date: Wed, 09 Dec 2026 18:05:11 GMT"),
    ("published 2026-11-28T03:20:00Z", "published 2026-12-07T18:05:07Z"),
    ("two days ago, 2026-11-28", "two days ago, 2026-12-07"),
    ("the time is 03:20:15", "the time is 18:05:30"),
    ("now 1796008805", "now 1796839509"),
    ('{"response_time": 0.12}', '{"response_time": 0.5}'),
    ('{"elapsed_ms": 12}', '{"elapsed_ms": 340}'),
    ("123e4567-e89b-12d3-a456-426614174000", "223e4567-e89b-12d3-a456-426614174000"),
    ("see call_abcdefgh then call_abcdefgh", "see call_12345678 then call_12345678"),
    ("<object at 0x7f3a2b1c0d10>", "<object at 0x7f9988776650>"),
]
APART = [
    ("Answer carefully, please", "Answer quickly, please", '"carefully" became "quickly"'),
    ("published 2026-03-12", "published 2026-03-13", '"2026-03-12" became "2026-03-13"'),
    (
        "at 2026-11-29T03:20:05Z",
        "at 2026-12-09T18:05:09Z",
        '"2026-11-29T03:20:05Z" became "2026-12-09T18:05:09Z"',
    ),
    ("opens at 9:00", "opens at 10:00", '"9:00" became "10:00"'),
    ("12 EUR", "13 EUR", '"12" became "13"'),
    ("a b c d", "a b x c d", '"x" is new, after "a b"'),
    ("a b c d", "a c d", '"b" is gone, after "a"'),
    ("a  b", "a b", 'other white space after "a"'),
    (
        "see call_abcdefgh then call_abcdefgh",
        "see call_12345678 then call_99999999",
        '"call_abcdefgh" became "call_99999999"',
    ),
    ("", "a new word", '"a new word" is new'),
]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_what_is_of_the_run_alone_is_the_same(old: str, new: str) -> None:
    assert difference(old, new) is None


@pytest.mark.parametrize(("old", "new", "told"), APART)
def test_what_is_said_otherwise_is_told(old: str, new: str, told: str) -> None:
    assert difference(old, new) == told


def test_a_day_is_the_same_by_its_own_word_too() -> None:
    assert difference("valid since 2026-08-21", "valid since 2026-08-21") is None


def test_long_texts_are_compared_in_time() -> None:
    page = "word and another one, " * 20_000
    assert difference(page + "end", page.replace("another", "other", 1) + "end") == '"another" became "other"'
    assert difference(page, page + "more") == '"more" is new, after "one, word and another one,"'
