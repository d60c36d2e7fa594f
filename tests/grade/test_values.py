from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.cases.truth import Fact
from pytest_webretrieval.grade.text import fold
from pytest_webretrieval.grade.units import SHARED, UNITS
from pytest_webretrieval.grade.values import find, urls_in

from .clauses import CLAUSES

# (fact, texts that say it, texts that do not, texts that leave it open)
TABLE: list[tuple[dict[str, Any], list[str], list[str], list[str]]] = [
    (
        {"value": "57", "match": "number"},
        [
            "It was 57!",
            "(57)",
            "57?",
            "**57**",
            "57.",
            "57:",
            "about 57 people",
            "57 EUR",
            "fifty-seven (57)",
            "Total:57",
            "共計，57人",
        ],
        [".57", "7:57", "a.57", "57abc", "157", "5.7", "57%", "v57", "57:30", "1957-57", "0.57", "5,700"],
        [],
    ),
    (
        {"value": "2.75", "match": "number"},
        ["(2.75)", "2.750", "+2.75", "2,75"],
        ["275", "27.5", "-2.75"],
        [],
    ),
    ({"value": "1", "match": "number"}, ["1.0", "1"], ["10", "1.1", "v1", "1st"], []),
    (
        {"value": "86", "match": "number"},
        ["The total is 86, as the table says.", "The total is 86", "86, in all, for that year"],
        ["The total is ,"],
        [],
    ),
    (
        {"value": "2450", "match": "number", "unit": "EUR", "locale": "de"},
        ["2,450 euros", "2450 EUR", "EUR 2 450", "2.450 €", "2’450 EUR", "2\u202f450 €"],
        ["2.45 EUR", "€24.50", "2450 USD", "12,450"],
        [],
    ),
    ({"value": "2450", "match": "number", "unit": "EUR"}, ["2,450 EUR"], ["2.45 EUR"], ["2.450 €"]),
    ({"value": "1.459", "match": "number"}, ["1.459"], ["1459"], ["1,459 €/l"]),
    (
        {"value": "2400000000", "match": "number", "unit": "USD"},
        [
            "$2.4B",
            "2.4bn USD",
            "2,400 million dollars",
            "US$2.4 billion",
            "24億美元",
            "2,4 Milliarden Dollar",
        ],
        ["2.4 million", "2.4", "$2.4T", "2.4 billion euros"],
        [],
    ),
    (
        {"value": "130", "match": "number", "unit": "bps"},
        ["130bps", "130 basis points"],
        ["130B", "1.3 bps"],
        [],
    ),
    (
        {"value": "37.4%", "match": "number"},
        ["37.4%", "37.4 %", "37,4 Prozent", "３７．４％"],
        ["37.5%", "374%"],
        [],
    ),
    (
        {"value": "-5", "match": "number"},
        [
            "−5",
            "\u20115",
            "-5 °C",
            "minus 5 degrees",
            "minus five",
            "moins 5",
            "5 degrees below zero",
            "零下5度",
        ],
        ["5", "3-5", "–5", "au moins 5", "plus or minus 5", "10 minus 5"],
        [],
    ),
    ({"value": "5", "match": "number"}, ["5", "au moins 5", "five"], ["minus 5", "minus five", "-5"], []),
    (
        {"value": "12", "match": "number"},
        ["There are twelve rooms.", "twelve [1]", "Twelve, since 2019"],
        [
            "twelve hundred",
            "twelve thirty",
            "twelve and a half",
            "a hundred and twelve",
            "twelfth",
            "one-twelve",
        ],
        [],
    ),
    ({"value": "2", "match": "number"}, ["It has two."], [], ["Two pages say 5."]),
    (
        {"value": "2000000", "match": "number", "unit": "EUR"},
        ["two million euros"],
        ["two million miles"],
        [],
    ),
    (
        {"value": "20", "match": "number", "unit": "°C"},
        ["20 °C", "20℃", "20 degrees Celsius", "20 degrees", "**20** °C", "20 is right"],
        ["20 °F", "20°F", "20 degrees Fahrenheit", "**20** °F", "20 (°F)"],
        ["20 Rankine", "20 K"],
    ),
    (
        {"value": "5", "match": "number", "unit": "km"},
        ["5 km", "5-km walk", "5 kilometres", "5 and more", "5 or 7 km", "in km: 5"],
        ["5 miles", "5 mi", "5 km/h", "5 ft", "5 in.", "five miles", "5 sq km", "5 km²"],
        ["5 versts", "5 or 7 miles", "5-verst walk"],
    ),
    (
        {"value": "5", "match": "number", "unit": "pounds"},
        ["5 lb", "£5", "5 pounds"],
        ["5 kg", "5 EUR"],
        [],
    ),
    (
        {"value": "19.90", "match": "number", "unit": "CAD"},
        ["C$19.90", "19.90 CAD", "$19.90 CAD", "19.90"],
        ["19.90 AUD", "A$19.90", "€19.90", "₩19.90"],
        ["$19.90", "XAF 19.90"],
    ),
    (
        {"value": "30", "match": "number", "unit": "rooms"},
        ["30 rooms", "30 room", "30"],
        ["30 km"],
        ["30 halls"],
    ),
    ({"value": "0.5", "match": "number"}, ["0.5", "0,5"], ["½"], []),
    ({"value": "0.5", "match": "number", "aliases": ("½",)}, ["½", "0.5"], ["1½"], []),
    ({"value": "102", "match": "number"}, ["102"], ["10²"], []),
    ({"value": "102"}, ["102"], ["10²", "1,102", "102.5", "102%"], []),
    ({"value": "①"}, ["①"], ["1"], []),
    (
        {"value": "2026-09-05", "match": "date"},
        [
            "5 September 2026",
            "2026-09-05",
            "5 Sept 2026",
            "September 5th, 2026",
            "Saturday, 5 September 2026",
            "5th of September 2026",
            "am 5. September 2026",
            "le 5 septembre 2026",
            "5 de septiembre de 2026",
            "2026年9月5日",
            "民國115年9月5日",
            "令和8年9月5日",
            "2026년 9월 5일",
            "2026/9/5",
            "2026-09-05T10:00:00Z",
            "05.09.2026",
        ],
        [
            "May 9, 2026",
            "2026-09",
            "September 2026",
            "15 September 2026",
            "5 September 2025",
            "2026-09-051",
            "5 September",
        ],
        ["05/09/2026", "9/5/26"],
    ),
    (
        {"value": "2026-08-21", "match": "date"},
        ["8/21/26", "den 21 augusti 2026", "21. august 2026"],
        ["8/21/25", "8.21.26"],
        ["21/08/26"],
    ),
    ({"value": "2026-09-05", "match": "date", "locale": "en-GB"}, ["05/09/2026"], ["09/05/2026"], []),
    ({"value": "2026-09-05", "match": "date", "locale": "en-US"}, ["09/05/2026"], ["05/09/2026"], []),
    ({"value": "2026-09-25", "match": "date"}, ["25/09/2026", "09/25/2026"], ["26/09/2026"], []),
    (
        {"value": "2023-12", "match": "date"},
        ["December 2023", "2023-12", "12 December 2023"],
        ["2023", "2023-01"],
        [],
    ),
    (
        {"value": "海神颱風警報", "match": "text"},
        ["「海神」颱風警報。", "『海神』颱風 警報", "海神颱風警報！", "最新的海神颱風警報如下"],
        ["颱風警報", "海神颱風"],
        [],
    ),
    (
        {"value": "Annual Report", "match": "text"},
        ["the annual report", "“Annual  Report”", "Annual-Report", "**Annual Report**:"],
        ["Annual Reports", "Biannual Report", "Annual big Report"],
        [],
    ),
    ({"value": "C++", "match": "text"}, ["in C++."], ["in C."], []),
    ({"value": "C", "match": "text"}, ["in C, too"], ["in C++.", "in C#."], []),
    (
        {"value": "$40", "match": "text"},
        ["It is $40."],
        ["$40,000", "$40.50", "$40 million", "C$40"],
        ["-$40"],
    ),
    ({"value": "5 GB", "match": "text"}, ["5 GB", "5-GB"], ["2.5 GB", "1,5 GB", "15 GB"], []),
    ({"value": "v3.2", "match": "text"}, ["v3.2."], ["v3.2.1"], ["v3.2-rc1"]),
    ({"value": "Berg", "match": "text"}, ["Berg's", "Berg – Larsen"], ["Bergen"], ["Berg-Larsen"]),
    (
        {"value": "Zoë Müller", "match": "text"},
        ["Zoe Mueller", "Zoe Muller", "Zoë Müller"],
        ["Zoe Miller"],
        [],
    ),
    ({"value": "$40"}, ["$40", "US$40"], ["$40 million", "$40k", "$40 m", "C$40", "-$40"], []),
    ({"value": "A"}, ["an A."], ["A-", "A+", "A1"], []),
    ({"value": "C"}, ["C"], ["C#", "C++"], []),
    ({"value": "acme.com"}, ["at acme.com."], ["acme.com.evil.net", "notacme.com"], []),
    (
        {"value": "v3.2"},
        [
            "Version v3.2 is out",
            "(V3.2)",
            "v3.2.",
            "ｖ３．２",
            "v3.2—now",
            "版本v3.2已發布",
            "_v3.2_",
            "`v3.2`",
            "v3.2, too",
        ],
        ["v13.2", "v3.20", "v3.2.1", "v3.2-rc1", "rev3.2", "3.2", "v3.2.0", "v3_2"],
        [],
    ),
    ({"value": "v3.2", "aliases": ("3.2",)}, ["3.2", "v3.2", "release 3.2"], ["3.2.1", "13.2", "3.20"], []),
    ({"value": "QL-4071"}, ["form QL-4071.", "ql‑4071"], ["QL-40711", "XQL-4071", "QL-4071-B"], []),
    ({"value": "RFC 9111"}, ["RFC 9111", "RFC\u00a09111", "rfc  9111,"], ["RFC 91111", "RFC 9110"], []),
    (
        {"value": "https://vendor.example/a", "match": "url"},
        [
            "見 https://vendor.example/a。",
            "(https://vendor.example/a?utm_source=x)",
            "[here](https://VENDOR.example/a#top)",
            "「https://vendor.example/a」",
        ],
        ["https://vendor.example/A", "https://vendor.example/a/b", "http://vendor.example/a"],
        [],
    ),
]
YES = [(fact, text) for fact, yes, _, _ in TABLE for text in yes]
NO = [(fact, text) for fact, _, no, _ in TABLE for text in no]
OPEN = [(fact, text) for fact, _, _, unsure in TABLE for text in unsure]


def _fact(given: dict[str, Any]) -> Fact:
    return Fact(**({"id": "f"} | given))


@pytest.mark.parametrize(("fact", "text"), YES)
def test_a_text_that_says_it(fact: dict[str, Any], text: str) -> None:
    assert any(hit.sure for hit in find(_fact(fact), fold(text)))


@pytest.mark.parametrize(("fact", "text"), NO)
def test_a_text_that_does_not_say_it(fact: dict[str, Any], text: str) -> None:
    assert find(_fact(fact), fold(text)) == []


@pytest.mark.parametrize(("fact", "text"), OPEN)
def test_a_text_that_leaves_it_open(fact: dict[str, Any], text: str) -> None:
    assert [hit.sure for hit in find(_fact(fact), fold(text))] == [False]


def test_the_language_of_the_text_settles_a_number() -> None:
    fact = Fact(id="f", value="2450", match="number")
    assert find(fact, fold("2.450 €"), "de")[0].sure
    assert not find(fact, fold("2.450 €"), "en")[0].sure


def test_a_value_that_its_kind_cannot_read_is_an_error() -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        find(Fact(id="f", value="soon", match="date"), fold("2026-09-05"))
    with pytest.raises(ValueError, match="known are"):
        find(Fact(id="f", value="x", match="fuzzy"), fold("x"))


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("(see https://wiki.example/Term_(physics))", ["https://wiki.example/Term_(physics)"]),
        ("<https://wiki.example/A_(b)#c>", ["https://wiki.example/A_(b)#c"]),
        (
            "https://vendor.example/c. And https://vendor.example/d!)",
            ["https://vendor.example/c", "https://vendor.example/d"],
        ),
        (
            "見 https://vendor.example/a。另見「https://vendor.example/b」",
            ["https://vendor.example/a", "https://vendor.example/b"],
        ),
        ("[https://a.example/x](https://a.example/y)", ["https://a.example/x", "https://a.example/y"]),
    ],
)
def test_bare_urls_end_where_they_end(text: str, urls: list[str]) -> None:
    assert [text[start:end] for start, end in urls_in(text)] == urls


@given(st.integers(1, 99), st.integers(0, 99), CLAUSES | st.sampled_from(["，如公告所述", ""]))
def test_a_clause_without_facts_changes_nothing(major: int, minor: int, clause: str) -> None:
    for fact, text in (
        (Fact(id="f", value=f"v{major}.{minor}"), f"The release is v{major}.{minor}"),
        (Fact(id="f", value=str(major * 100 + minor), match="number"), f"The total is {major * 100 + minor}"),
        (
            Fact(id="f", value=f"20{minor:02}-0{major % 9 + 1}-11", match="date"),
            f"On 20{minor:02}-0{major % 9 + 1}-11",
        ),
    ):
        assert [hit.sure for hit in find(fact, fold(text + clause))] == [True]


@given(st.text("0123456789", min_size=2, max_size=6), st.data())
def test_a_changed_digit_is_another_value(digits: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(digits) - 1))
    other = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != digits[place]]))
    changed = digits[:place] + other + digits[place + 1 :]
    assert find(Fact(id="f", value=f"v{digits}"), fold(f"It is v{changed}.")) == []
    assert find(Fact(id="f", value=digits, match="number"), fold(f"It is {changed}.")) == []
    if len(digits) >= 3:
        assert (
            find(
                Fact(id="f", value=f"{digits[:2]}.{digits[2:]}"), fold(f"It is {changed[:2]}.{changed[2:]}!")
            )
            == []
        )


@given(
    st.dates(date(1000, 1, 1)).map(str)
    | st.decimals(0, 10**6, places=2, allow_nan=False, allow_infinity=False).map(str),
    st.data(),
)
def test_a_changed_digit_is_another_day_or_amount(value: str, data: st.DataObject) -> None:
    at = data.draw(st.sampled_from([at for at, char in enumerate(value) if char.isdigit()]))
    digit = data.draw(st.sampled_from("0123456789".replace(value[at], "")))
    fact = Fact(id="f", value=value, match="date" if "-" in value else "number")
    assert find(fact, fold(f"It is {value}."))
    assert not find(fact, fold(f"It is {value[:at] + digit + value[at + 1 :]}."))


@given(
    st.integers(2, 5000),
    st.sampled_from(sorted(UNITS)),
    st.sampled_from(sorted(UNITS))
    | st.text("bcdfghjklmnpqrstvwxyz", min_size=4, max_size=8).map("q".__add__),
    st.sampled_from(["{} {}", "**{}** {}", "{}-{}", "It is {} {}."]),
)
def test_another_unit_is_never_surely_the_same(number: int, unit: str, other: str, shape: str) -> None:
    fact = Fact(id="f", value=str(number), match="number", unit=unit)
    same = UNITS.get(other) == UNITS[unit] or UNITS[unit] in SHARED.get(other, ())
    same = same or UNITS.get(other) in SHARED.get(unit, ())
    if not same:
        assert not any(hit.sure for hit in find(fact, fold(shape.format(number, other))))
