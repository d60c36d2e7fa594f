"""The value that is meant, in whatever shape and language the page gives it."""

from __future__ import annotations

import pytest

from pytest_webretrieval.systems.reference.concepts import concepts_of
from pytest_webretrieval.systems.reference.html import read_html
from pytest_webretrieval.systems.reference.languages import language_of
from pytest_webretrieval.systems.reference.pick import gives, picked
from pytest_webretrieval.systems.reference.question import understand

ROWS = (("Season ticket", "162.80 EUR"), ("Day ticket", "14.50 EUR"), ("Deposit for the locker", "3.70 EUR"))
SHAPES = {
    "rows": "<table>{}</table>".format("".join(f"<tr><th>{a}</th><td>{b}</td></tr>" for a, b in ROWS)),
    "columns": "<table><tr>{}</tr><tr>{}</tr></table>".format(
        "".join(f"<th>{a}</th>" for a, _ in ROWS), "".join(f"<td>{b}</td>" for _, b in ROWS)
    ),
    "definitions": "<dl>{}</dl>".format("".join(f"<dt>{a}</dt><dd>{b}</dd>" for a, b in ROWS)),
    "list": "<ul>{}</ul>".format("".join(f"<li><b>{a}:</b> {b}</li>" for a, b in ROWS)),
    "headings": "".join(f"<h2>{a}?</h2><p>It is {b}.</p>" for a, b in ROWS),
    "prose": "<p>{}</p>".format(" ".join(f"The {a.lower()} is {b}." for a, b in ROWS)),
}


def pick(body: str, query: str, lang: str = "en") -> str | None:
    page = f'<html lang="{lang}"><title>Baths</title><body><main><h1>Baths</h1>{body}</main></body></html>'
    return picked(understand(query), read_html(page, "https://a.example/"))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "query",
    [
        "How much is a day ticket at the baths?",
        "Was kostet eine Tageskarte im Bad?",
        "一日券はいくらですか？",
        "¿Cuánto cuesta la entrada de un día?",
    ],
)
def test_whatever_the_shape_and_the_language(shape: str, query: str) -> None:
    line = pick(SHAPES[shape], query)
    assert line is not None
    assert "14.50" in line
    assert "162.80" not in line
    assert "3.70" not in line


def test_nothing_stands_out_where_no_word_tells() -> None:
    assert pick(SHAPES["rows"], "How much is it?") is None


def test_what_was_once_is_meant_only_by_who_says_so() -> None:
    body = "<dl><dt>Price last year</dt><dd>30 EUR</dd><dt>Price</dt><dd>40 EUR</dd></dl>"
    assert pick(body, "What is the price?") == "Price: 40 EUR"
    assert pick(body, "What was the price last year?") == "Price last year: 30 EUR"


def test_a_number_of_the_question_is_no_answer_to_it() -> None:
    question = understand("How deep is shaft 12?")
    page = read_html(
        "<main><h1>Shaft 12</h1><p>All about shaft 12 and who dug it, one by one.</p></main>", "https://a/"
    )
    assert not gives(question, page)
    deep = read_html(
        "<main><h1>Shaft 12</h1><p>Shaft 12 is 340 m deep, and nobody has counted twice.</p></main>",
        "https://a/",
    )
    assert gives(question, deep)
    assert gives(understand("Read the page"), page)


def test_a_german_day_stays_in_its_sentence() -> None:
    line = pick(
        "<p>Die Straße öffnet am 23. Mai 2027. Danach wird gefeiert.</p>", "Wann öffnet die Straße?", "de"
    )
    assert line == "Die Straße öffnet am 23. Mai 2027."


@pytest.mark.parametrize(
    ("body", "query", "meant"),
    [
        ("<p>The road closes on 23 May 2027.</p>", "When does the road open?", False),
        ("<h2>Last day</h2><p>23 May 2027</p>", "When does the road open?", False),
        ("<p>The road opens on 23 May 2027.</p>", "Wann endet die Saison?", False),
        ("<p>The road closes on 23 May 2027.</p>", "Wann endet die Saison?", True),
        ("<h2>Start</h2><p>23 May 2027</p>", "When does the road open?", True),
    ],
)
def test_an_end_is_no_beginning(body: str, query: str, meant: bool) -> None:
    assert (pick(body, query) is not None) == meant


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("When does it open?", "en"),
        ("Was kostet das Boot?", "de"),
        ("What was there?", "en"),
        ("¿Cuánto cuesta?", "es"),
        ("費用是多少？", "zh"),
        ("料金はいくらですか", "ja"),
        ("HC 77001", "en"),
    ],
)
def test_languages(text: str, language: str) -> None:
    assert language_of(text) == language


def test_concepts_meet_over_languages() -> None:
    for one, other in (
        ("opening", "Öffnung"),
        ("deposit", "保証金"),
        ("depth", "水深"),
        ("notice period", "Kündigungsfrist"),
    ):
        assert concepts_of(one) & concepts_of(other), (one, other)
    assert not concepts_of("a boat and its owner")
