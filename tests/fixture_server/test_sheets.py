"""Sheets: the same said in eight shapes, chosen by seed."""

from __future__ import annotations

import pytest

from fixture_server.sheets import drawn_up
from fixture_server.sheets.shapes import EVERY, ODD, name_for, shape_for
from fixture_server.sheets.sheet import read_sheet
from fixture_server.text import read_html

TEXT = """\
lang: de
title: Eintritt <innen>
site: Bad & Söhne
shape: 2
published: 3. Mai 2027
lead: Bei jedem Wetter.
row: Tageskarte | 14,50 EUR | Eine Tageskarte kostet {}.
row: Pfand | 3,70 EUR
end: Bis bald.
link: Mehr | https://a.example/x
html: <form><input name="a"></form>
"""


@pytest.mark.parametrize("name", [*EVERY, *ODD])
def test_every_shape_says_all_of_it(name: str) -> None:
    page = (EVERY | ODD)[name](read_sheet(TEXT))
    read = read_html(page)
    assert read.title == "Eintritt <innen> | Bad & Söhne"
    for said in (
        "14,50 EUR",
        "3,70 EUR",
        "Tageskarte",
        "Pfand",
        "Bei jedem Wetter.",
        "Bis bald.",
        "3. Mai 2027",
    ):
        assert said in read.text
    assert '<form><input name="a"></form>' in page
    assert '<a href="https://a.example/x">Mehr</a>' in page


@pytest.mark.parametrize("seed", range(24))
def test_six_numbers_have_six_shapes_and_two_are_kept_for_odd_seeds(seed: int) -> None:
    names = {name_for(seed, number) for number in range(6)}
    assert len(names) == 6
    assert names & set(ODD) == (set(ODD) if seed % 2 else set())


def test_a_seed_gives_another_shape() -> None:
    assert len({drawn_up(TEXT, seed) for seed in range(16)}) == len(EVERY | ODD)
    assert shape_for(0, 2)(read_sheet(TEXT)) == drawn_up(TEXT, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TEXT + "colour: red\n", "line 12 of the sheet is not `key: text`"),
        (TEXT + "title: again\n", "line 12"),
        (TEXT.replace("site: Bad & Söhne\n", ""), "no `site`"),
        (TEXT + "row: alone\n", "`row: alone`"),
        (TEXT + "link: alone\n", "`link: alone`"),
    ],
)
def test_what_is_no_sheet_is_told(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("|", r"\|")):
        read_sheet(text)
