"""Values that graders misread (kind a of docs/hard-inputs.md): each with its counter-case and two of the same kind."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.cases.truth import Fact
from pytest_webretrieval.grade.answers import CORRECT, INCORRECT, final_answer, grade_answer
from pytest_webretrieval.grade.denial import is_negated
from pytest_webretrieval.grade.page import read_page
from pytest_webretrieval.grade.passages import passages
from pytest_webretrieval.grade.support import NONE, weigh
from pytest_webretrieval.grade.tables import cells
from pytest_webretrieval.grade.text import fold
from pytest_webretrieval.grade.values import find

from ..grade.clauses import CLAUSES

# input -> (fact, texts that say it, texts that do not, texts that leave it open)
VALUES: dict[str, list[tuple[dict[str, Any], list[str], list[str], list[str]]]] = {
    "a1": [
        ({"value": "57", "match": "number"}, ["It was 57!", "(57)", "57?", "**57**", "57.", "57:", "»57«", "_57_;"],
         ["57abc", "157", "5.7", "57%", "57:30"], []),
        ({"value": "1204", "match": "number"}, ["[1,204]", "1204…"], ["1204b", "11204"], []),
    ],
    "a2": [
        ({"value": "2.75", "match": "number"}, ["(2.75)", "2.750", "+2.75"], ["275", "27.5"], []),
        ({"value": "1", "match": "number"}, ["1.0"], ["10"], []),
        ({"value": "0.10", "match": "number"}, ["0.1", "0.100"], ["010", "0.01"], []),
        ({"value": "9007199254740993", "match": "number"}, ["9,007,199,254,740,993"], ["9007199254740992"], []),
    ],
    "a4": [
        ({"value": "86", "match": "number"},
         ["The total is 86, as the table says.", "The total is 86", "86, in all, for that year", "86 , , and no more"],
         ["The total is , as said", "., 68"], []),
    ],
    "a5": [
        ({"value": "2450", "match": "number", "unit": "EUR", "locale": "de"},
         ["2,450 euros", "2450 EUR", "EUR 2 450", "2.450 €"], ["2.45 EUR", "€24.50"], []),
        ({"value": "2450", "match": "number", "unit": "EUR"}, ["2,450 EUR"], ["2.4500 EUR"], ["2.450 €"]),
        ({"value": "2450100.25", "match": "number"}, ["2,450,100.250", "2 450 100.25", "2.450.100,25"],
         ["2450100250"], []),
    ],
    "a7": [
        ({"value": "2400000000", "match": "number", "unit": "USD"},
         ["$2.4B", "2.4bn USD", "2,400 million dollars", "US$2.4 billion", "24億美元"],
         ["2.4 million", "2.4", "$2.4T", "2.4 billion euros"], []),
        ({"value": "130", "match": "number", "unit": "bps"}, ["130bps", "130 basis points"], ["130B", "130b"], []),
        ({"value": "40000", "match": "number", "unit": "EUR"}, ["€40k", "40 Tausend Euro"], ["€40m", "40 EUR"], []),
    ],
    "a8": [
        ({"value": "2026-09-05", "match": "date"},
         ["5 September 2026", "2026-09-05", "5 Sept 2026", "05/09/2026, then 25/09/2026"],
         ["May 9, 2026", "05/09/2026, then 09/25/2026"], ["05/09/2026", "05/09/2026 and 06/10/2026"]),
    ],
    "a10": [
        ({"value": "海神颱風警報", "match": "text"}, ["「海神」颱風警報。", "『海神』颱風 警報", "海神颱風警報！"],
         ["颱風警報", "海神颱風"], []),
        ({"value": "四國地圖", "match": "text"}, ["《四國地圖》", "四國．地圖"], ["四國的地圖", "國地圖"], []),
    ],
    "a11": [
        ({"value": "v3.2"}, ["ｖ３．２"], ["v³.2"], []),
        ({"value": "102", "match": "number"}, ["１０２"], ["10²"], []),
        ({"value": "-5", "match": "number"}, ["\u22125", "\u20115"], ["5", "\u20135"], []),
        ({"value": "0.5", "match": "number"}, ["0.5"], ["½"], []),
        ({"value": "0.5", "match": "number", "aliases": ("½",)}, ["½"], [], []),
        ({"value": "①"}, ["①"], ["1"], []),
    ],
    "a13": [
        ({"value": "v3.2"}, ["Version v3.2 is out", "(V3.2)", "v3.2."],
         ["v13.2", "v3.20", "v3.2.1", "v3.2-rc1", "rev3.2", "3.2", "v3.2.0"], []),
        ({"value": "QL-40"}, ["form QL-40."], ["QL-407", "XQL-40", "QL-40-B"], []),
    ],
}  # fmt: skip
ROWS = [
    (name, fact, text, said)
    for name, facts in VALUES.items()
    for fact, yes, no, unsure in facts
    for texts, said in ((yes, [True]), (no, []), (unsure, [False]))
    for text in texts
]


@pytest.mark.parametrize(("name", "fact", "text", "said"), ROWS)
def test_a_value_is_read_for_what_it_is(name: str, fact: dict[str, Any], text: str, said: list[bool]) -> None:
    hits = find(Fact(**({"id": name} | fact)), fold(text))
    assert sorted({hit.sure for hit in hits}) == said


@pytest.mark.parametrize("answer", ["v4.10.7", "The latest stable one is v4.10.7, of 5 November."])
def test_a14_a_tempting_version_beside_the_right_one_is_wrong(answer: str) -> None:
    question, wrong = "latest stable release", ["v0.1.0", "0.1.0", "v4.11.0-beta2", "4.11.0"]
    assert grade_answer(question, ["v4.10.7"], answer, wrong).verdict == CORRECT
    for tempting in ("0.1.0", "v4.11.0-beta2", "4.11.0"):
        assert grade_answer(question, ["v4.10.7"], tempting, wrong).verdict == INCORRECT
        assert grade_answer(question, ["v4.10.7"], f"{answer} Or {tempting}.", wrong).verdict == INCORRECT


def test_a17_the_last_answer_counts_and_what_it_comes_to() -> None:
    two = "Answer: 41 is what a forum says.\nThe release page says otherwise.\nAnswer: 43"
    assert grade_answer("how many", ["43"], two).verdict == CORRECT
    assert grade_answer("how many", ["41"], two).verdict == INCORRECT
    assert final_answer("Answer: 14+30+27 = 71") == "71"
    assert final_answer("**Final answer:** 7\n") == "7"
    assert final_answer("The answer: nobody knows") == "The answer: nobody knows"


def test_a20_nothing_bears_out_a_claim() -> None:
    assert weigh("The fee is 40 USD [1]", passages("")).verdict == NONE
    assert weigh("The fee is 40 USD [1]", passages("")).rule == "empty-source"


MERGED = (
    "<table><tr><th>Region<th>City<th>Users<tr><td rowspan=2>East<td>Aville<td>10<tr><td>Bville<td>20"
    "<tr><td colspan=2>West<td>30</table>"
)


def test_a22_merged_cells_shift_nothing() -> None:
    """Each value with its row and its column's name: the 20 of Bville are users, and no city."""
    tree = read_page(MERGED.encode(), "text/html").tree
    assert tree is not None
    said = {passage.text for passage in cells(tree)}
    assert {"East | Bville | Users | 20", "East | Aville | Users | 10"} <= said
    assert any(text.startswith("West") and text.endswith("Users | 30") for text in said)
    assert not any("City | 20" in text or "City | 30" in text for text in said)
    assert "East | City | Bville" in said


def _is_denied(text: str, value: str) -> bool:
    folded = fold(text).text
    at = folded.index(fold(value).text)
    return is_negated(folded, at, at + len(value))


@pytest.mark.parametrize(
    "text",
    [
        "was not approved",
        "never approved",
        "wasn't approved",
        "It has not yet been approved",
        "wird nicht approved",
    ],
)
def test_a25_a_denied_value_is_not_said(text: str) -> None:
    assert _is_denied(text, "approved")
    assert grade_answer("was it approved", ["approved"], text).verdict == INCORRECT


@pytest.mark.parametrize(
    "text", ["approved, not rejected", "Not only read, but approved", "It is approved. Not so the rest."]
)
def test_a25_a_denial_of_something_else_denies_nothing(text: str) -> None:
    assert not _is_denied(text, "approved")
    assert grade_answer("was it approved", ["approved"], text).verdict == CORRECT


def test_a25_in_chinese() -> None:
    assert _is_denied("未獲批准", "批准")
    assert not _is_denied("已獲批准，並非被拒", "批准")


@given(st.sampled_from([row for row in ROWS if row[1].get("match") in ("number", "date")]), CLAUSES)
def test_a4_a_clause_without_facts_changes_no_verdict(
    row: tuple[str, dict[str, Any], str, Any], clause: str
) -> None:
    name, given_fact, text, _ = row
    fact, bare = Fact(**({"id": name} | given_fact)), text.rstrip(".。,")
    assert {hit.sure for hit in find(fact, fold(bare + clause))} == {
        hit.sure for hit in find(fact, fold(bare))
    }


@given(st.integers(0, 10**12).map(str), st.data())
def test_a2_a_changed_digit_is_another_value(value: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(value) - 1))
    digit = data.draw(st.sampled_from("0123456789".replace(value[at], "")))
    changed = str(int(value[:at] + digit + value[at + 1 :]))
    fact = Fact(id="f", value=value, match="number")
    assert find(fact, fold(f"It is {int(value):,} in all"))
    assert not find(fact, fold(f"It is {int(changed):,} in all"))
