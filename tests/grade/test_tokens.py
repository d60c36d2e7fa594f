"""One reader of tokens, and what the comparers of texts make of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.grade.statement import read_words
from pytest_webretrieval.grade.text import fold
from pytest_webretrieval.grade.tokens import joined, numbers, pieces, tokens
from pytest_webretrieval.grade.words import words


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("-1,204.50 at 7:30", ["number -1,204.50", "word at", "number 7:30"]),
        ("May 18,2018 5-3", ["word may", "number 18,2018", "number 5", "number 3"]),
        ("the U.S. and E.U.", ["word the", "initials u.s.", "word and", "initials e.u."]),
        ("Don't, l'homme: C++ 100%", ["word don't", "word l'homme", "word c++", "number 100", "symbol %"]),
        ("颱風2026，v3.2。", ["glued 颱風", "number 2026", "word v", "number 3.2"]),
    ],
)
def test_what_is_a_token(text: str, kinds: list[str]) -> None:
    assert [f"{token.kind} {token.text}" for token in tokens(fold(text).text)] == kinds


def test_tokens_are_parted_and_joined() -> None:
    (number,) = tokens("18,2018")
    assert [part.text for part in numbers(number)] == ["18", "2018"]
    (grouped,) = tokens("1,204")
    assert [part.text for part in numbers(grouped)] == ["1,204"]
    (word,) = tokens("john's")
    assert [(part.text, part.start) for part in pieces(word)] == [("john", 0), ("s", 5)]
    (denial,) = tokens("don't")
    assert [part.text for part in pieces(denial)] == ["don't"]
    assert [token.text for token in joined(tokens("v3.2 21st b2b covid-19"))] == [
        "v3.2",
        "21st",
        "b2b",
        "covid",
        "19",
    ]


@given(st.text(st.characters() | st.sampled_from("0123456789.,:'+-#/ aCé颱")))
def test_tokens_stand_where_they_say_and_never_overlap(raw: str) -> None:
    text = fold(raw).text
    for found in (list(tokens(text)), list(joined(tokens(text)))):
        assert all(text[token.start : token.end] == token.text for token in found)
        assert all(one.end <= two.start for one, two in pairwise(found))


def test_what_has_digits_and_is_no_number_is_kept_whole() -> None:
    read = {
        word.stem: word.kind for word in read_words("Release v3.2 of 4.10.7 at 7:30, 2/3 of 12 on the 21st")
    }
    assert {stem: read[stem] for stem in ("v3.2", "4.10.7", "7:30", "2/3")} == dict.fromkeys(
        ("v3.2", "4.10.7", "7:30", "2/3"), "code"
    )
    assert (read["12"], read["21th"]) == ("number", "altering")


def test_the_marks_of_a_name_are_part_of_it() -> None:
    assert [word.text for word in words("C++, C# and A+")] == ["c++", "c#", "and", "a+"]
