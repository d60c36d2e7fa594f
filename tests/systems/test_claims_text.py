"""Claims and citations out of plain text: which sentence a mark belongs to, and what is no mark at all."""

from __future__ import annotations

import time

import pytest

from pytest_webretrieval.systems.claims import read

A, B, C = "https://a.example/1", "https://b.example/2", "https://c.example/3"
LIST = f"\n\nSources:\n[1] {A}\n[2] {B}\n[3] {C}\n"

Pairs = list[tuple[str, list[str]]]


def pairs(text: str) -> Pairs:
    return [(claim.text, [citation.url for citation in claim.citations]) for claim in read(text).claims]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"The fee is 40 USD ([a.example]({A})).", [("The fee is 40 USD", [A])]),
        (f"The fee is 40 USD. ([a.example]({A})) It rises in May.",
         [("The fee is 40 USD.", [A]), ("It rises in May.", [])]),
        ("The fee is 40 USD [1]. It rises in May [2]." + LIST, [("The fee is 40 USD", [A]), ("It rises in May", [B])]),
        ("The fee is 40 USD.[1] It rises in May.[2][3]" + LIST,
         [("The fee is 40 USD.", [A]), ("It rises in May.", [B, C])]),
        ("The fee, set in April [1], is 40 USD [2]." + LIST, [("The fee, set in April [1], is 40 USD", [A, B])]),
        ("[1] The fee is 40 USD." + LIST, [("The fee is 40 USD.", [A])]),
        ("The fee is 40 USD[1][1] [1]." + LIST, [("The fee is 40 USD", [A])]),
        ("The fee is 40 USD [1-3]." + LIST, [("The fee is 40 USD", [A, B, C])]),
        ("The fee is 40 USD [1, 3]." + LIST, [("The fee is 40 USD", [A, C])]),
        ("The fee is 40 USD【2†source】." + LIST, [("The fee is 40 USD", [B])]),
        ("The fee is 40 USD [Source 2]." + LIST, [("The fee is 40 USD", [B])]),
        ("The monthly charge² is 40 USD." + LIST, [("The monthly charge² is 40 USD.", [B])]),
        (f"The fee is 40 USD.[^1]\n\n[^1]: Vendor, Fees, {A}\n", [("The fee is 40 USD.", [A])]),
        (f"The fee is [40 USD][fees].\n\n[fees]: {A} 'Fees'\n", [("The fee is [40 USD][fees].", [A])]),
        (f"The fee is [40 USD]({A}).", [(f"The fee is [40 USD]({A}).", [A])]),
        (f"The fee is 40 USD [[1]]({A}).", [("The fee is 40 USD", [A])]),
        (f"[The vendor]({A}) charges 40 USD.", [(f"[The vendor]({A}) charges 40 USD.", [A])]),
        (f"It is 40 USD. [The vendor]({A}) says so.", [("It is 40 USD.", []), (f"[The vendor]({A}) says so.", [A])]),
        (f"The fee is 40 USD, see {A}.", [(f"The fee is 40 USD, see {A}.", [A])]),
        (f"The fee is 40 USD (see {A}; {B}).", [("The fee is 40 USD", [A, B])]),
        (f"The fee is 40 USD <{A}>.", [(f"The fee is 40 USD <{A}>.", [A])]),
        (f"費用為 40 元[1]。五月開放[2]。{LIST}", [("費用為 40 元", [A]), ("五月開放", [B])]),
        (f"費用為 40 元。[1]五月開放。[2]{LIST}", [("費用為 40 元。", [A]), ("五月開放。", [B])]),
    ],
)  # fmt: skip
def test_a_mark_belongs_to_the_sentence_that_it_closes_or_stands_in(text: str, expected: Pairs) -> None:
    assert pairs(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"The fee is 40 USD. It rises in May.\n\nSource: {A}",
         [("The fee is 40 USD.", [A]), ("It rises in May.", [A])]),
        (f"The fee is 40 USD. It rises in May.\n{A}\n", [("The fee is 40 USD.", [A]), ("It rises in May.", [A])]),
        (f"Prague is large.\n\nThe fee is 40 USD.\n\n{A}, {B}\n",
         [("Prague is large.", []), ("The fee is 40 USD.", [A, B])]),
        (f"- Fee: 40 USD\n- Start: May\n\n[Vendor]({A})", [("Fee: 40 USD", [A]), ("Start: May", [A])]),
        (f"The fee is 40 USD. Source: {A}. It rises in May.", [("The fee is 40 USD.", [A]), ("It rises in May.", [])]),
        (f"The fee is 40 USD. For more information, see [the page]({A}).", [("The fee is 40 USD.", [A])]),
    ],
)  # fmt: skip
def test_a_line_of_links_covers_the_paragraph_before_it(text: str, expected: Pairs) -> None:
    assert pairs(text) == expected


@pytest.mark.parametrize(
    "lead", [f"According to [the vendor]({A}):", f"## [Fees]({A})", f"According to the vendor ({A}):"]
)
def test_a_line_that_leads_in_cites_for_what_follows(lead: str) -> None:
    text = f"{lead}\n- The fee is 40 USD\n- It rises in May [x]({B})\n\nPrague is large."
    assert pairs(text) == [
        ("The fee is 40 USD", [A]),
        (f"It rises in May [x]({B})", [B]),
        ("Prague is large.", []),
    ]


@pytest.mark.parametrize(
    "sources",
    [
        f"Sources:\n- {A}\n- {B}",
        f"**Sources**\n\n1. [Vendor]({A})\n2. [Other]({B})",
        f"## References\n[1] Vendor. Fees. {A}\n[2] Other. {B}",
        f"Quellen:\n* {A}\n* {B}",
        f"参考文献\n1. {A}\n2. {B}",
        f"Sources: [1] {A} [2] {B}",
        f"Sources:\nThe vendor's fees\n{A}\n\nAnother page\n{B}",
    ],
)
def test_a_list_that_no_mark_points_into_stands_for_the_whole_text(sources: str) -> None:
    text = f"The fee is 40 USD.\n\nIt rises in May.\n\n{sources}"
    assert pairs(text) == [("The fee is 40 USD.", [A, B]), ("It rises in May.", [A, B])]
    marked = f"The fee is 40 USD [2].\n\nIt rises in May.\n\n{sources}"
    assert pairs(marked) == [("The fee is 40 USD", [B]), ("It rises in May.", [])]


def test_what_stands_behind_the_list_is_read_again() -> None:
    text = f"The fee is 40 USD [1].\n\nSources:\n1. {A}\n\nIt also rises in May.\n"
    assert pairs(text) == [("The fee is 40 USD", [A]), ("It also rises in May.", [])]


def test_a_list_without_a_heading_is_known_by_its_numbers() -> None:
    assert pairs(f"The fee is 40 USD [2].\n\n[1] {A}\n[2] Vendor: {B}") == [("The fee is 40 USD", [B])]
    assert pairs(f"The fee is 40 USD [2].\n\n[1]: {A}\n[2]: {B}") == [("The fee is 40 USD", [B])]


def test_markers_that_point_at_nothing_dangle() -> None:
    numbers = "\n".join(f"{n}. https://s.example/{n}" for n in range(1, 9))
    result = read(f"Use lazy loading.[2][9] Test it.[11]\n\nSources:\n{numbers}")
    assert [(c.text, [u.url for u in c.citations]) for c in result.claims] == [
        ("Use lazy loading.", ["https://s.example/2"]),
        ("Test it.", []),
    ]
    assert result.notes == ("dangling-citation",)
    assert read("The fee is 40 USD [1].").notes == ("dangling-citation",)
    assert read("The fee is 40 USD.[^1]").notes == ("dangling-citation",)


@pytest.mark.parametrize(
    "text",
    [
        "Call arr[0] and arr[1] = 2 first.",
        "Write `[1]` or `[^1]` in the text.",
        "```\na[1]\nb [2]\n```\nThe code above runs.",
        r"Escaped \[1\] and \[^1\] stay text.",
        "Empty [] and [^] and [^ x] mean nothing.",
        "It happened in [2024] as (1) said.",
        "The room has 20 m² and 10³ lamps.",
        "A range [3-1] that runs backwards.",
        "Huge [99999999999] numbers.",
    ],
)
def test_what_only_looks_like_a_marker_is_none(text: str) -> None:
    result = read(text + LIST.replace("[1]", "1.").replace("[2]", "2.").replace("[3]", "3."))
    assert all(
        [citation.url for citation in claim.citations] in ([], [A, B, C]) for claim in result.claims
    ), "cited by a mark"
    assert result.notes == ()


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("[paper](https://doi.example/10.1016/0099-1(67)90027-3) says so.", ["https://doi.example/10.1016/0099-1(67)90027-3"]),
        ("It is so (see https://wiki.example/Term_(physics)).", ["https://wiki.example/Term_(physics)"]),
        ("It is so <https://wiki.example/A_(b)#c>.", ["https://wiki.example/A_(b)#c"]),
        ("見 https://v.example/a。另見「https://v.example/b」；also https://v.example/c. And https://v.example/d!)",
         ["https://v.example/a", "https://v.example/b", "https://v.example/c", "https://v.example/d"]),
        ("<p>https://v.example/e</p> is it.", ["https://v.example/e"]),
        ('<a href="https://v.example/e">It</a> is it.', ["https://v.example/e"]),
        ("It is at https://v.example/f?x=1&amp;y=2 now.", ["https://v.example/f?x=1&y=2"]),
        ("It is at https://v.example/f?x=1&copy=2&amp;amp;z now.", ["https://v.example/f?x=1&copy=2&amp;z"]),
        ("It is at **https://v.example/g**, `https://v.example/h` and _https://v.example/i_.",
         ["https://v.example/g", "https://v.example/h", "https://v.example/i"]),
        ("Both https://v.example/j,https://v.example/k say so.", ["https://v.example/j", "https://v.example/k"]),
        ('It is [so](https://v.example/l "A title") and [so](<https://v.example/m n>).',
         ["https://v.example/l", "https://v.example/m n"]),
        (r"It is [so](https://v.example/a\(b\)).", ["https://v.example/a(b)"]),
        ("![chart](https://v.example/c.png) shows [this](/relative) and [that](mailto:a@b.example).", []),
        ("It is at https://[::1]:8080/x and http://v.example.", ["https://[::1]:8080/x", "http://v.example"]),
        ("Neither https:// nor http://] nor ftp://v.example/x is one.", []),
    ],
)  # fmt: skip
def test_urls_end_where_they_end(text: str, urls: list[str]) -> None:
    found = {citation.url for claim in read(text).claims for citation in claim.citations}
    assert found == set(urls)


def test_one_pair_for_each_claim_and_source() -> None:
    text = f"Whey helps ([Lee 2024]({A})), as {A}#results and [1] say. Again (Lee 2024).\n\n[1]: {A}"
    assert [urls for _, urls in pairs(text)] == [[A], []]


def test_a_route_behind_a_hash_is_another_source() -> None:
    [(_, urls)] = pairs("It is at https://app.example/#/a and https://app.example/#/b.")
    assert urls == ["https://app.example/#/a", "https://app.example/#/b"]


def test_what_is_no_claim() -> None:
    text = (
        "Sure! Here is what I found:\n\n# Fees\n\n**Monthly fees:**\n- The fee is 40 USD.\n\n"
        "| Plan | Fee |\n|---|---|\n| Basic | 40 USD |\n\n---\n\n```python\nfee = 40\n```\n\n"
        "Would you like to know more?\n\nLet me know if you need anything else!\n"
    )
    assert pairs(text) == [("The fee is 40 USD.", []), ("| Basic | 40 USD |", [])]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The tariff rises on 1. Oktober 2026 by 3.5 percent. It is new.", 2),
        ("Dr. Smith of Acme Inc. met Mr. J. Doe at 5 p.m. in the U.S. embassy.", 1),
        ("Use v3.2.1 e.g. with Python. It works!", 2),
        ("Der Preis beträgt z. B. 19,90 EUR bzw. 20 EUR. Er gilt ab Mai.", 2),
        ("费用为40元。五月开放！好的吗？", 2),
        ("Fee: 40 USD\nStart: 1 May\nPlace: Prague", 3),
        ("The quick brown\nfox jumps over\nthe dog. It sleeps.", 2),
        ("He said “It is 40 USD.” Then he left.", 2),
        ("1. Oktober 2026 ist der Stichtag.", 1),
    ],
)
def test_sentences(text: str, count: int) -> None:
    claims = read(text).claims
    assert len(claims) == count
    assert all(claim.text == text[claim.start : claim.end] for claim in claims)


def test_an_answer_that_is_only_a_link_is_a_claim_that_cites_itself() -> None:
    assert pairs(A) == [(A, [A])]
    assert pairs(f"[Release 3.2]({A})") == [(f"[Release 3.2]({A})", [A])]


def test_offsets_are_code_points() -> None:
    text = f"😀 颱風已遠離。\n費用 40 元 ({A})"
    claims = read(text).claims
    assert [text[claim.start : claim.end] for claim in claims] == ["😀 颱風已遠離。", "費用 40 元"]


def test_sources_are_all_urls_named() -> None:
    result = read(f"The fee is 40 USD [1].\n\nSources:\n[1] {A}\n[2] {B}")
    assert [source.url for source in result.sources] == [A, B]


def test_a_long_answer_is_read_in_a_time_that_grows_with_its_length() -> None:
    unit = f"[[x](`a` **b [1] [q]( {A} (c) 「。 Dr. 1. | x | \n- y [z][1 "

    def seconds(times: int) -> float:
        started = time.process_time()
        read(unit * times)
        return time.process_time() - started

    seconds(10)
    short, long = min(seconds(200) for _ in range(3)), seconds(3200)
    assert long < max(short, 0.01) * 16 * 4
