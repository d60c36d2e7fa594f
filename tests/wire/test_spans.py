"""Parts of a text replaced, as a whole and in pieces."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.wire.spans import Span, applied, recut, settled


def test_of_two_that_overlap_the_first_that_was_given_stays() -> None:
    assert settled([Span(4, 9, "b"), Span(0, 5, "a"), Span(10, 11, "c")]) == [
        Span(4, 9, "b"),
        Span(10, 11, "c"),
    ]


@given(
    st.lists(
        st.builds(lambda start, size: Span(start, start + size, ""), st.integers(0, 40), st.integers(1, 9))
    )
)
def test_what_stays_overlaps_nothing_that_was_given_before_and_stays(given: list[Span]) -> None:
    kept: list[Span] = []
    for span in given:
        if all(span.end <= other.start or other.end <= span.start for other in kept):
            kept.append(span)
    assert settled(given) == sorted(kept, key=lambda span: span.start)


@given(st.lists(st.text("abX", max_size=6), max_size=8))
def test_pieces_come_to_the_same_as_the_whole(pieces: list[str]) -> None:
    text = "".join(pieces)
    spans = [Span(found.start(), found.end(), f"<{len(found[0])}>") for found in re.finditer("X+", text)]
    cut = recut(pieces, spans)
    assert len(cut) == len(pieces)
    assert "".join(cut) == applied(text, spans) == re.sub("X+", lambda found: f"<{len(found[0])}>", text)
