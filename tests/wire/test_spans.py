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


@given(st.lists(st.text("abX", max_size=6), max_size=8))
def test_pieces_come_to_the_same_as_the_whole(pieces: list[str]) -> None:
    text = "".join(pieces)
    spans = [Span(found.start(), found.end(), f"<{len(found[0])}>") for found in re.finditer("X+", text)]
    cut = recut(pieces, spans)
    assert len(cut) == len(pieces)
    assert "".join(cut) == applied(text, spans) == re.sub("X+", lambda found: f"<{len(found[0])}>", text)
