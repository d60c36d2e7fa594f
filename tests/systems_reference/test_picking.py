"""Out of a page's own structure: the price that is meant, the list, the lines of a form, the lines that tell."""

from __future__ import annotations

import pytest

from pytest_webretrieval.systems.reference.document import Document
from pytest_webretrieval.systems.reference.lists import asked_for, best_list
from pytest_webretrieval.systems.reference.prices import price_of
from pytest_webretrieval.systems.reference.question import understand
from pytest_webretrieval.systems.reference.read import read
from pytest_webretrieval.systems.reference.reading import LONGEST_READING, reading


def page(markup: str) -> Document:
    return read(markup.encode(), "text/html; charset=utf-8", "https://shop.test/x")


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Was 48.00 EUR</p><p>Now 31.20 EUR</p><p>Delivery 4.90 EUR</p>",
        "<p><del>48.00 EUR</del> 31.20 EUR</p>",
        "<div>Price</div><div>31.20 EUR</div><div>Deposit</div><div>5.00 EUR</div>",
        "<p>31.20 EUR instead of 48.00 EUR</p>",
        "<p>31.20 EUR (hire: 2.00 EUR a day)</p>",
        "<style>.o { text-decoration: line-through }</style><b class=o>48.00 EUR</b> <b>31.20 EUR</b>",
        "<style>.z{display:none}</style><p class=z>Price 48.00 EUR</p><p>Price 31.20 EUR</p>",
        "<table><tr><th>Spare wick</th><td>3.10 EUR</td></tr><tr><th>Price</th><td>31.20 EUR</td></tr></table>",
        "<p>Price 31.20 EUR</p><h2>You may also like</h2><h3>Stove</h3><p>Price 48.00 EUR</p>",
        "<p>Free delivery for orders over 48.00 EUR.</p><p>It costs 31.20 EUR.</p>",
    ],
)
def test_the_price_among_decoys(markup: str) -> None:
    said = price_of(understand("Extract the price"), page(f"<h1>Lamp</h1>{markup}"))
    assert said is not None
    assert "31.20" in said
    assert not any(decoy in said for decoy in ("48.00", "4.90", "5.00", "2.00", "3.10"))


def test_no_amount_is_no_price() -> None:
    assert price_of(understand("Extract the price"), page("<h1>Lamp</h1><p>Ask at the desk.</p>")) is None


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("Collect all six items", 6),
        ("all 12 of them", 12),
        ("List the five entries", 5),
        ("Read the list", None),
        ("one item", None),
    ],
)
def test_how_many_are_asked_for(query: str, count: int | None) -> None:
    assert asked_for(query) == count


@pytest.mark.parametrize(
    "items",
    [
        "<ul><li>Otter</li><li>Heron</li></ul><ul><li>Bead</li></ul>",
        "<div><article><h2>Otter</h2></article><article><h2>Heron</h2></article><article><h2>Bead</h2></article></div>",
        "<table><tr><td>Otter</td></tr><tr><td>Heron</td></tr><tr><td>Bead</td></tr></table>",
        "<div><div>Otter</div><div>Heron</div><div>Bead</div></div>",
        "<ol><li>Otter<li>Heron<li>Bead</ol><nav><ul><li>Home<li>Fees<li>Help</ul></nav>",
    ],
)
def test_the_items_of_a_list(items: str) -> None:
    assert best_list(understand("Collect all three items"), page(f"<h1>Boats</h1>{items}")) == (
        "Otter",
        "Heron",
        "Bead",
    )


def test_the_list_that_is_announced_is_meant() -> None:
    document = page(
        "<h1>Boats</h1><ul><li>Fresh paint all over<li>Moored at the quay</ul><p>3 boats, 3 entries</p>"
        "<article>Otter</article><article>Heron</article><article>Bead</article>"
    )
    assert best_list(understand("List every entry"), document) == ("Otter", "Heron", "Bead")


FORM = (
    "<h1>Leave</h1><form method=post action=/leave><fieldset><legend>Leave the society</legend>"
    "<label for=p>Phrase</label><input id=p name=p placeholder='Grey Heron' pattern='[A-Z]+'>"
    "<label>Reason <select><option>Moved<option selected>Other</select></label>"
    "<label><input type=checkbox> I know that it ends after 30 days</label>"
    "<input type=hidden name=token value=9f8e><input type=password name=pw>"
    "<button>Leave for good</button></fieldset></form>"
)


def test_the_lines_of_a_form() -> None:
    fields = page(FORM).fields
    assert fields[0] == "Leave the society"
    assert "Phrase: Grey Heron; in the form [A-Z]+" in fields
    assert "Button: Leave for good" in fields
    assert any("30 days" in field for field in fields)
    assert "9f8e" not in str(fields)


def test_a_form_is_read_out_with_what_its_fields_ask_for() -> None:
    said = " ".join(reading(understand("Read the form but do not submit it"), page(FORM)))
    assert "Grey Heron" in said
    assert "30 days" in said


def test_a_long_page_is_read_by_the_lines_that_tell() -> None:
    prose = "".join(
        f"<p>The {word} of the society met in the hall and talked at length of this and that.</p>"
        for word in "abcdefghijklmnopqrst"
    )
    document = page(
        f"<h1>Account</h1>{prose}<dl><dt>Berth</dt><dd>B-17</dd><dt>Paid until</dt><dd>3 May 2027</dd></dl>"
    )
    said = reading(understand("Read the account"), document)
    assert "Berth: B-17" in said
    assert "Paid until: 3 May 2027" in said
    assert sum(map(len, said)) <= LONGEST_READING


def test_what_is_new_is_read_first() -> None:
    new = "It is new, and nobody has seen it before, because it came only a moment ago."
    old = "".join(
        f"<p>Old line {at} with the number {at * 7} in it, of no use to anybody now.</p>" for at in range(30)
    )
    before = page(old)
    assert new in reading(understand("Read it"), page(f"{old}<p>{new}</p>"), before)
    assert new not in reading(understand("Read it"), page(f"{old}<p>{new}</p>"))
