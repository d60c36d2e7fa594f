"""Days that a page states about itself, where something beside it states another."""

from __future__ import annotations

from datetime import date

import pytest

from pytest_webretrieval.cases.truth import Fact
from pytest_webretrieval.grade.text import fold
from pytest_webretrieval.grade.values import find
from pytest_webretrieval.systems.reference.document import Document
from pytest_webretrieval.systems.reference.read import read

BY_MONTH = "https://n.example/2023/12/story"


def document(markup: str, url: str = "https://pier.test/story") -> Document:
    body = f"<!doctype html><title>Story</title><h1>Story</h1>{markup}".encode()
    return read(body, "text/html; charset=utf-8", url)


@pytest.mark.parametrize(
    ("markup", "day"),
    [
        ('<meta name="dc.date" content="2023-01-02"><p>Text.</p>', date(2023, 1, 2)),
        ('<meta property="article:published_time" content="2023-01-02T09:00:00Z"><p>x</p>', date(2023, 1, 2)),
        ("<p>Published 2 January 2023.</p>", date(2023, 1, 2)),
        # The address has a month and no day, and nothing makes one of it.
        ("<p>Text of the story.</p>", None),
        ('<meta name="dc.date" content="2023-12"><p>Text.</p>', None),
        ("<p>Published in December 2023.</p>", None),
    ],
)
def test_an_address_with_a_month_is_no_day(markup: str, day: date | None) -> None:
    stamp = document(markup, BY_MONTH).published
    assert (stamp.day if stamp else None) == day


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Published in December 2023.", False),
        ("Published 2023-12.", False),
        ("Published on 15 December 2023.", True),
        ("Published on 2 December 2023.", False),
    ],
)
def test_a_month_does_not_say_a_day(text: str, said: bool) -> None:
    assert bool(find(Fact(id="day", value="2023-12-15", match="date"), fold(text))) is said


@pytest.mark.parametrize(
    ("markup", "day"),
    [
        # The clock of UTC with the offset of the place: two hours early, and a day early after midnight.
        (
            '<meta property="article:published_time" content="2026-08-20T22:30:00+02:00">'
            "<p>Published 21 August 2026 at 00:30.</p>",
            date(2026, 8, 21),
        ),
        (
            '<meta property="article:published_time" content="2026-08-21T08:00:00+02:00">'
            "<p>Published 21 August 2026 at 10:00.</p>",
            date(2026, 8, 21),
        ),
        (
            '<meta property="article:published_time" content="2026-08-21T00:30:00+02:00"><p>x</p>',
            date(2026, 8, 21),
        ),
        (
            '<meta property="article:published_time" content="2026-08-20T22:30:00Z"><p>x</p>',
            date(2026, 8, 20),
        ),
    ],
)
def test_what_a_reader_sees_is_stronger_than_a_clock_in_the_head(markup: str, day: date) -> None:
    stamp = document(markup).published
    assert stamp is not None
    assert stamp.day == day
