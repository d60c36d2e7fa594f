from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.grade.text import fold, sentences


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ｖ３．２", "v3.2"),
        ("“non‑binding — ≥ 40 %…”", '"non-binding - >= 40 %..."'),
        ("«a»", '"a"'),
        ("「a」", '"a"'),
        ("a\u00a0b", "a b"),
        ("−5", "-5"),
        ("ABC", "abc"),
        ("e\u0301", "é"),
        ("so\u00adft", "soft"),
        ("ｶﾀ", "カタ"),
    ],
)
def test_variants_of_one_text_fold_alike(left: str, right: str) -> None:
    assert fold(left).text == fold(right).text


@pytest.mark.parametrize(
    ("left", "right"), [("10²", "102"), ("½", "1/2"), ("①", "1"), ("v3.2", "v3.1"), ("ß", "ss")]
)
def test_signs_of_another_meaning_stay_apart(left: str, right: str) -> None:
    assert fold(left).text != fold(right).text


def test_a_span_leads_back_to_the_raw_text() -> None:
    raw = "Wait… the fee is “4０”"
    folded = fold(raw)
    start = folded.text.index("40")
    span = folded.raw_span(start, start + 2)
    assert raw[slice(*span)] == "4０"


def test_a_dash_between_words_is_told_from_a_hyphen() -> None:
    assert fold("a—b").separates(1)
    assert not fold("a\u2011b").separates(1)


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@given(st.text())
def test_every_folded_character_has_a_place(text: str) -> None:
    folded = fold(text)
    places = [folded.raw_span(index, index + 1) for index in range(len(folded.text))]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Version v3.2 is out. It is good.", 2),
        ("Dr. Lee wrote it. See p. 4 of no. 5 there.", 2),
        ("Am 21. August kam sie. Danach nicht.", 2),
        ("颱風已遠離。雨停了！真的？", 3),
        ("It fell.[2] It rose. [3] It stood.", 3),
        ("- one\n- two\n\n- three", 3),
        ("He said “stop.” Then he left.", 2),
        ("", 0),
        ("   \n ", 0),
    ],
)
def test_sentences_of_several_languages(text: str, count: int) -> None:
    assert len(sentences(text)) == count


def test_a_marker_behind_the_full_stop_belongs_to_the_sentence() -> None:
    text = "It fell.[2] It rose."
    assert [text[start:end] for start, end in sentences(text)] == ["It fell.[2]", "It rose."]


@given(st.text())
def test_sentences_neither_overlap_nor_lose_a_letter(text: str) -> None:
    spans = sentences(text)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))
    kept = "".join(text[start:end] for start, end in spans)
    assert [char for char in kept if char.isalnum()] == [char for char in text if char.isalnum()]
