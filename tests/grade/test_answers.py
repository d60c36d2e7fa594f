"""Two phrasings of one answer are one answer; what is another answer is not."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_webretrieval.grade.answers import CORRECT, INCORRECT, NOT_ATTEMPTED, final_answer, grade_answer

from .clauses import CLAUSES

SAME = [
    # question, gold, answer
    ("who wrote the charter", "Mara Ilse Thorne", "The charter was written by Mara Thorne in 1911."),
    ("who wrote the charter", "Mara Thorne", "Mara Ilse Thorne"),
    ("who wrote the charter", "Gregory Thorne", "It was Greg Thorne, a lawyer."),
    ("who wrote the charter", "M. I. Thorne", "It was Mara Ilse Thorne."),
    ("who wrote the charter", "Björn Ørstad", "bjorn orstad"),
    ("when did the bridge open", "May 18, 2018", "It opened on 18 May 2018."),
    ("when did the bridge open", "May 18, 2018", "2018-05-18"),
    ("when did the bridge open", "May 2018", "It was opened to traffic on the 18th of May 2018."),
    ("when did the bridge open", "May 18, 2018", "The bridge opened onMay 18, 20183."),
    ("when was the wall built", "1951-52", "between 1951 and 1952"),
    ("how many halls are there", "twenty-four", "There are 24 halls."),
    ("how many halls are there", "24", "Twenty four."),
    ("how much does it cost", "$75,000", "It costs $75000 a year"),
    ("what share", "20%", "20 percent of them"),
    ("what time does it open", "7 a.m.", "It opens at 7:00 AM."),
    ("where is the hall", "Lowen, Marland", "The hall stands in Lowen."),
    ("where is the hall", "Pale Stadium in Lowen", "In Lowen, Marland"),
    ("what is the smallest unit of life", "cells", "The smallest unit is the cell."),
    ("what do you call such farmers", "sharecropping", "sharecroppers"),
    ("what is the temperature called", "pour point", "It is called thepour point."),
    ("what is the border called", "Outer Line (OL)", "the Outer Line"),
    ("what does hp mean", "hit points or health points", "Health points."),
    ("do I need a licence", "No", "You do not need one."),
    ("what is the depot", "a virtual archive reader", "It is an archive, a virtual one, for every reader"),
    ("哪一份警報", "海神颱風警報", "「海神」颱風警報。"),
]

OTHER = [
    ("which blood group is it", "A+", "It is AB+."),
    ("which language is it written in", "C", "It is written in C++."),
    ("who wrote the charter", "Mara Thorne", "Nora Thorne wrote it."),
    ("who wrote the charter", "Mara Thorne", "Mara Thornton wrote it."),
    ("when did the bridge open", "May 18, 2018", "It opened on May 17, 2018."),
    ("when did the bridge open", "May 18, 2018", "It opened in 2018."),
    ("when was the wall built", "1951-1952", "from 1951 to 1954"),
    ("when was the wall built", "late 1968", "December 1969"),
    ("how many halls are there", "24", "There are 124 halls."),
    ("how many halls are there", "24", "There are 2.4 halls."),
    ("how many halls are there", "24", "either 24 or 25"),
    ("how cold is it", "-5", "5 degrees"),
    ("which version", "3.2", "3.2.1"),
    ("was it approved", "approved", "It was not approved."),
    ("do I need a licence", "No", "Yes, you need one."),
    ("where is the hall", "10 Lowen Street, Marland", "11 Lowen Street, Marland"),
    ("哪一份警報", "海神颱風警報", "颱風警報"),
]


@pytest.mark.parametrize(("question", "gold", "answer"), SAME)
def test_another_phrasing_is_the_same_answer(question: str, gold: str, answer: str) -> None:
    assert grade_answer(question, [gold], answer).verdict == CORRECT


@pytest.mark.parametrize(("question", "gold", "answer"), OTHER)
def test_another_answer_is_not(question: str, gold: str, answer: str) -> None:
    assert grade_answer(question, [gold], answer).verdict == INCORRECT


def test_any_gold_will_do_and_is_named() -> None:
    finding = grade_answer("who sang it", ["Ana Diaz", "Bo Lind"], "It was sung by Bo Lind.")
    assert (finding.verdict, finding.rule, finding.value) == (CORRECT, "same-words", "Bo Lind")


def test_a_wrong_value_beside_the_right_one_is_wrong() -> None:
    question, answer = "which version is current", "Version 4.10.7 or 4.11.0"
    assert grade_answer(question, ["4.10.7"], "Version 4.10.7").verdict == CORRECT
    assert grade_answer(question, ["4.10.7"], answer, wrong=["4.11.0"]).verdict == INCORRECT
    assert grade_answer(question, ["4.10.7"], "4.10.7, not 4.11.0", wrong=["4.11.0"]).verdict == CORRECT


def test_without_a_claim_nothing_was_attempted() -> None:
    for answer in ("", "I could not find that.", "There is not enough information."):
        assert grade_answer("who sang it", ["Bo Lind"], answer).verdict == NOT_ATTEMPTED
    assert grade_answer("who sang it", ["Bo Lind"], "I am not sure, but Bo Lind.").verdict == CORRECT


def test_the_last_answer_line_counts() -> None:
    said = "Answer: 41 is what a forum says.\nThe release page says otherwise.\nAnswer: 43"
    assert final_answer(said) == "43"
    assert grade_answer("how many", ["43"], said).verdict == CORRECT
    assert grade_answer("how many", ["41"], said).verdict == INCORRECT
    assert final_answer("Answer: 14+30+27 = 71") == "71"
    assert grade_answer("how many", ["30"], "Answer: 14+30+27 = 71").verdict == INCORRECT


def test_a_gold_answer_is_needed() -> None:
    with pytest.raises(ValueError, match="at least one gold answer"):
        grade_answer("who", [" "], "somebody")


@given(st.sampled_from([*SAME, *OTHER]), CLAUSES)
def test_a_clause_without_facts_changes_no_verdict(row: tuple[str, str, str], clause: str) -> None:
    question, gold, answer = row
    bare = answer.rstrip(".。")
    assert (
        grade_answer(question, [gold], bare + clause).verdict == grade_answer(question, [gold], bare).verdict
    )


NUMBERS = st.one_of(
    st.integers(0, 10**9).map(str),
    st.integers(1000, 10**9).map("{:,}".format),
    st.decimals(0, 10**5, places=2, allow_nan=False).map(str),
    st.tuples(st.integers(1, 20), st.integers(0, 20), st.integers(0, 20)).map(
        lambda parts: ".".join(map(str, parts))
    ),
    st.dates().map(str).filter(lambda day: day > "1000"),
)


@given(NUMBERS, st.data())
def test_a_changed_digit_always_changes_the_verdict(value: str, data: st.DataObject) -> None:
    places = [at for at, char in enumerate(value) if char.isdigit()]
    at = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from(string.digits.replace(value[at], "")))
    changed = value[:at] + digit + value[at + 1 :]
    assume(not re.match(r"0\d", changed))
    for frame in ("{}", "The value is {}.", "It is {} as of now"):
        assert grade_answer("what is the value", [value], frame.format(value)).verdict == CORRECT
        assert grade_answer("what is the value", [value], frame.format(changed)).verdict == INCORRECT
