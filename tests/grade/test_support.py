"""Claims against texts: what is proven, what is refuted, and what stays unknown."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pytest_webretrieval.grade.passages import passages
from pytest_webretrieval.grade.support import VERDICTS, weigh
from pytest_webretrieval.grade.tables import cells

from .clauses import CLAUSES

FERRY = (
    "The Lindmoor ferry has sailed since 12 March 1974. A single crossing takes 40 minutes and costs 12 euros. "
    "Dogs are not allowed on the ferry. The island has about 900 inhabitants. "
    "Mara Voss was the third captain of the Lindmoor ferry. Between 1989 and 2005 she won two medals."
)


def verdict(claim: str, text: str = FERRY, locale: str | None = "en", topic: str = "") -> str:
    return weigh(claim, passages(text, locale, topic), locale).verdict


@pytest.mark.parametrize(
    "claim",
    [
        "A single crossing takes 40 minutes and costs 12 euros.",
        "A crossing costs €12.",
        "However, the Lindmoor ferry has sailed since 1974.",
        "The Lindmoor ferry has sailed since 12 March 1974 [1].",
        "Dogs are not allowed on the ferry.",
        "Mara Voss was the third captain of the Lindmoor ferry.",
        "The island has about 900 inhabitants.",
    ],
)
def test_what_a_passage_says_is_full(claim: str) -> None:
    assert verdict(claim) == "full"


@pytest.mark.parametrize(
    "claim",
    [
        "A single crossing takes 40 minutes and costs 13 euros.",
        "A crossing costs 12 dollars.",
        "The Lindmoor ferry has sailed since 12 April 1974.",
        "Dogs are allowed on the ferry.",
        "The island has 900 inhabitants.",
        "The island has more than 900 inhabitants.",
        "Cats are not allowed on the ferry.",
        "Mara Voss was the fourth captain of the Lindmoor ferry.",
        "Does a crossing cost 12 euros?",
        "The ferry.",
    ],
)
def test_another_number_unit_date_polarity_or_amount_is_never_full(claim: str) -> None:
    assert verdict(claim) not in ("full", "partial")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Dogs are allowed on the ferry.", FERRY),
        ("Mara Voss was born on 3 May 1951.", "Mara Voss, captain, was born on 4 May 1951 in Lindmoor."),
        (
            "Ada Kern was the 45th president of the club.",
            "In 2016 Ole Brun was the 45th president of the club.",
        ),
        ("Lindmoor has won the island cup once.", "Lindmoor has won the island cup three times so far."),
        ("Between 1989 and 2005, Mara Voss won four medals.", FERRY),
        ("The island has 9 inhabitants in all.", "The island has 79 inhabitants in all, they say."),
        ("At night the lake has -5 degrees.", "At night the lake has 5 degrees."),
    ],
)
def test_the_opposite_is_contradicted(claim: str, text: str) -> None:
    assert verdict(claim, text) == "contradicted"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        # who does what to whom
        ("Copper displaces iron.", "In this solution iron displaces copper."),
        # said only to be denied, asked or doubted
        ("The ferry sank in 1980.", "The claim: the ferry sank in 1980. This is false."),
        ("The ferry sank in 1980.", "Is it true that the ferry sank in 1980?"),
        ("The ferry sank in 1980.", "The ferry allegedly sank in 1980."),
        ("The ferry sank in 1980.", "The ferry nearly sank in 1980."),
        # another may have happened in another year
        ("Arsenal won the cup in 1998.", "Arsenal won the cup in 2002."),
        # a part of the words is not the claim
        ("C# is a programming language.", "C is a programming language."),
        # a subject that nobody named
        ("Ole Brun has sailed since 1974.", "It has sailed since 1974."),
        # a heading states nothing
        ("Open orders at the foundry: none.", "Open orders at the foundry\nThree carts."),
        ("Open orders: none.", "Open orders."),
    ],
)
def test_what_cannot_be_proven_is_unknown(claim: str, text: str) -> None:
    assert verdict(claim, text) == "unknown"


def test_a_subject_may_stand_in_the_sentence_before_or_in_the_title() -> None:
    assert (
        verdict(
            "Mara Voss was born in Lindmoor in 1951.",
            "Mara Voss was a captain. She was born in Lindmoor in 1951.",
        )
        == "full"
    )
    assert (
        verdict(
            "Mara Voss was born in Lindmoor in 1951.", "She was born in Lindmoor in 1951.", topic="Mara Voss"
        )
        == "full"
    )


def test_of_several_sentences_the_worst_counts() -> None:
    said = "A single crossing takes 40 minutes and costs 12 euros."
    assert verdict(f"{said} Dogs are allowed on the ferry.") == "contradicted"
    assert verdict(f"{said} The mayor likes tea very much.") == "unknown"


def test_one_clause_of_two_is_partial_where_the_other_names_what_stands_nowhere() -> None:
    assert (
        verdict("A single crossing takes 40 minutes, and the mayor of Oslo opened the Brandt bridge.")
        == "partial"
    )


def test_a_text_about_something_else_is_none_and_so_is_no_text() -> None:
    assert verdict("Olga Brandt founded Nordwind in Hamburg in 2011.") == "none"
    assert verdict("Olga Brandt founded Nordwind.", "") == "none"


@pytest.mark.parametrize(
    ("claim", "text", "expected"),
    [
        ("海神颱風警報已經解除", "今天上午，海神颱風警報已經解除。", "full"),
        ("海神颱風警報已經解除", "海神颱風警報尚未解除。", "unknown"),
        (
            "Die Überfahrt kostet 2.450 Euro für Gruppen.",
            "Die Überfahrt kostet 2450 Euro für Gruppen.",
            "full",
        ),
        (
            "Die Überfahrt kostet 2.450 Euro für Gruppen.",
            "Die Überfahrt kostet 2,45 Euro für Gruppen.",
            "contradicted",
        ),
    ],
)
def test_other_languages(claim: str, text: str, expected: str) -> None:
    assert verdict(claim, text, "zh" if "海" in claim else "de") == expected


TABLE = (
    "<table><tr><th>Region<th>City<th>Users<tr><td rowspan=2>East<td>Aville<td>10<tr><td>Bville<td>20</table>"
)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Bville has 20 users.", "full"),
        ("Bville has 10 users.", "contradicted"),
        ("Aville has 20 users.", "contradicted"),
        ("Bville is a region with city 20.", "unknown"),
        ("Cville has 20 users.", "unknown"),
    ],
)
def test_a_cell_speaks_for_its_row_and_column(claim: str, expected: str) -> None:
    assert weigh(claim, tuple(cells(LexborHTMLParser(TABLE), "en")), "en").verdict == expected


def test_a_passage_knows_where_it_stands() -> None:
    for passage in passages(FERRY, "en"):
        assert FERRY[passage.start : passage.end] == passage.text


@given(st.text(max_size=80), st.text(max_size=200))
def test_any_text_has_a_verdict(claim: str, text: str) -> None:
    assert verdict(claim, text, None) in VERDICTS


@given(st.integers(2, 9999), st.integers(2, 9999))
def test_a_changed_number_is_never_full(one: int, other: int) -> None:
    text = f"The Lindmoor ferry carried {one} passengers on Sunday."
    claim = f"The Lindmoor ferry carried {other} passengers on Sunday."
    assert (verdict(claim, text) == "full") == (one == other)


SAID = [
    ("A single crossing takes 40 minutes and costs 12 euros.", "full"),
    ("A crossing costs €12.", "full"),
    ("However, the Lindmoor ferry has sailed since 1974.", "full"),
    ("Dogs are not allowed on the ferry.", "full"),
    ("A single crossing takes 40 minutes and costs 13 euros.", "contradicted"),
    ("Dogs are allowed on the ferry.", "contradicted"),
    ("The mayor likes tea very much.", "unknown"),
    ("Olga Brandt founded Nordwind in Hamburg in 2011.", "none"),
]


@given(st.sampled_from(SAID), CLAUSES)
def test_a_clause_without_facts_changes_no_verdict(said: tuple[str, str], clauses: str) -> None:
    claim, expected = said
    assert verdict(claim) == expected
    assert verdict(claim.rstrip(".") + clauses + ".") == expected


# Said by people, and not made of the words of the rule.
IDLE = (
    ", as expected", ", to be precise", " (verified)", ". Hope that helps", ". Let me know if you need more",
    ", in fact", ", wie die Seite sagt", ". I hope this helps", ". Thanks for asking", ", as you asked",
    ". Source below", ", of course", ". Is there anything else", ", selon la page", ". Das steht so auf der Seite",
    ", no more and no less",
)  # fmt: skip


@pytest.mark.parametrize("clause", IDLE)
@pytest.mark.parametrize("said", SAID, ids=[claim for claim, _ in SAID])
def test_an_idle_clause_changes_no_verdict(said: tuple[str, str], clause: str) -> None:
    assert verdict(said[0].rstrip(".") + clause + ".") == said[1]


@pytest.mark.parametrize("clause", [", I think", ", apparently", ", if I am right", ", so it may be"])
def test_a_hedge_is_no_idle_clause(clause: str) -> None:
    assert verdict(f"A single crossing takes 40 minutes and costs 12 euros{clause}.") == "unknown"


@given(st.sampled_from(SAID), st.sampled_from([" More on that below.", " See the notes.", "\nThat is all."]))
def test_a_sentence_without_facts_in_the_text_changes_no_verdict(said: tuple[str, str], more: str) -> None:
    assert verdict(said[0], FERRY + more) == said[1]


@pytest.mark.parametrize(
    "clause",
    [", as only the page says", ", which is not so", ", says the mayor", ", in 1975", " (see the harbour)"],
)
def test_a_clause_that_says_something_is_no_such_clause(clause: str) -> None:
    assert verdict(f"A single crossing takes 40 minutes and costs 12 euros{clause}.") != "full"


# What has digits, in a claim that proof needs all of, and in one of which a word may be lacking.
DIGITS = st.one_of(
    st.integers(2, 10**7).map(str),
    st.integers(1000, 10**9).map("{:,}".format),
    st.decimals(0, 10**4, places=2, allow_nan=False, allow_infinity=False).map(str),
    st.tuples(st.integers(1, 30), st.integers(0, 30), st.integers(0, 30)).map("{0[0]}.{0[1]}.{0[2]}".format),
    st.tuples(st.integers(1, 30), st.integers(0, 30)).map("v{0[0]}.{0[1]}".format),
    st.tuples(st.integers(10, 23), st.integers(10, 59)).map("{0[0]}:{0[1]}".format),
    st.tuples(st.integers(1900, 1999), st.integers(2000, 2099)).map("{0[0]}-{0[1]}".format),
    st.tuples(st.integers(2, 9), st.integers(2, 9)).map("{0[0]}/{0[1]}".format),
    st.integers(2, 99).map("COVID-{}".format),
    st.integers(2, 99).map("kx{}b".format),
    st.integers(21, 98).map("{}th".format),
    st.dates(date(1000, 1, 1)).map(str),
    st.dates(date(1000, 1, 1)).map(lambda day: f"{day.day} {day:%B} {day.year}"),
)
FRAMES = (
    "The Lindmoor ticket office uses {}.",
    "The Lindmoor ferry office in the old harbour runs the ticket software release {} on every single machine here.",
    "Since spring the mayor of Lindmoor and the ferry office have spoken of {} in all letters to the island's guests.",
)


@given(st.sampled_from(FRAMES), DIGITS, st.data())
def test_a_changed_digit_always_changes_the_verdict(frame: str, value: str, data: st.DataObject) -> None:
    at = data.draw(st.sampled_from([at for at, char in enumerate(value) if char.isdigit()]))
    digit = data.draw(st.sampled_from("0123456789".replace(value[at], "")))
    text = f"Dogs are not allowed on the ferry. {frame.format(value)} The island has about 900 inhabitants."
    assert verdict(frame.format(value), text) == "full"
    assert verdict(frame.format(value[:at] + digit + value[at + 1 :]), text) != "full"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The island has twenty-four inhabitants in all.", "The island has 24 inhabitants in all."),
        ("The island has 24 inhabitants in all.", "The island has twenty four inhabitants in all."),
        (
            "Mara Voss was the twenty-first captain of the ferry.",
            "Mara Voss was the 21st captain of the ferry.",
        ),
    ],
)
def test_a_number_in_words_is_that_number(claim: str, text: str) -> None:
    assert verdict(claim, text) == "full"
    assert verdict(claim.replace("4", "5").replace("four", "five").replace("first", "second"), text) != "full"


def test_what_is_quoted_must_stand_there_so() -> None:
    text = "The mayor of Lindmoor said that the old ferry must sail again before the summer of next year."
    assert verdict("The mayor of Lindmoor said that the old ferry must sail again.", text) == "full"
    assert verdict("The mayor of Lindmoor said “that the old ferry must sail again”.", text) == "full"
    assert verdict(
        "The mayor of Lindmoor said “that the ferry must sail again before summer of next year”.", text
    ) == ("unknown")
