"""Pages as agents' tools hand them on: an address ahead, a status, one long line, what an extractor left of them."""

from __future__ import annotations

import pytest

from fixture_server.scripted.brain.conversation import Call
from pytest_webretrieval.systems.claims import read

from .talk import BROWSE, FETCH, SEARCH, Talk

URL = "https://shop.example/kettle"
MOVED = "https://shop.example/kettles/copper"
PRICE = "What does the copper kettle cost?"
WHEN = "When was the page published?"
BANNER = (
    "We would like to keep a few small files on your device. They hold how large you set the letters. "
    "You may say yes or no; the paper is the same either way."
)


def _answer(question: str, text: str, *, tools: tuple[object, ...] = (FETCH,), system: str = "") -> str:
    return Talk(tools, lambda call: text, system=system).ask(f"{question} {URL}")  # type: ignore[arg-type]


def _cited(answer: str) -> set[str]:
    return {citation.url for claim in read(answer).claims for citation in claim.citations}


@pytest.mark.parametrize(
    "text",
    [
        f"{MOVED}\n\nCopper kettle\nThe copper kettle costs 48.50 EUR.",
        f"<{MOVED}>\nThe copper kettle costs 48.50 EUR.",
        f"Final URL: {MOVED}\n\n# Copper kettle\n\nThe copper kettle costs 48.50 EUR.",
        f"---\ntitle: Copper kettle\nurl: {MOVED}\nfingerprint: 16784b\n---\nThe copper kettle costs 48.50 EUR.",
    ],
)
def test_an_address_ahead_of_a_page_is_where_it_was_read_and_no_part_of_it(text: str) -> None:
    answer = _answer(PRICE, text)
    assert _cited(answer) == {MOVED}
    assert "48.50 EUR" in answer
    assert f"“{MOVED}”" not in answer
    assert "fingerprint" not in answer


def test_front_matter_tells_the_day_of_publication() -> None:
    text = (
        f'{URL}\n\n---\ntitle: "Copper kettle"\ndate: "2026-03-12"\ntags:\n  - tea\n---\nA kettle of copper.'
    )
    assert "2026-03-12" in _answer(WHEN, text)


@pytest.mark.parametrize(
    "text",
    [
        "503 Service Unavailable\n<!doctype html><html><body><h1>Back soon</h1><p>It cost 9.99 EUR.</p></body></html>",
        "the server said 429: <!doctype html><html><body><p>Too many callers. 9.99 EUR</p></body></html>",
        "HTTP/1.1 502 Bad Gateway\n\n<html><body><p>It cost 9.99 EUR.</p></body></html>",
        "An error occurred while running the tool. Please try again.",
    ],
)
def test_an_error_with_a_body_is_an_error(text: str) -> None:
    answer = _answer(PRICE, text)
    assert read(answer).status == "declined", answer
    assert "9.99" not in answer


@pytest.mark.parametrize("line", ["404 Apple Street", "200 ways to boil water", "502"])
def test_a_page_that_begins_with_a_number_is_one(line: str) -> None:
    text = (
        f"{line}\n\nThe copper kettle costs 48.50 EUR, and it has done so for as long as anybody can tell. "
        * 8
    )
    assert ("48.50 EUR" in _answer(PRICE, text)) is (line != "502")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{URL}\n\nTolland Fittings\nFor the trade.\nName\nPassword\nSign in", "sign-in"),
        (f"{URL}\n\nAllotments\nHolder number\nPassword:\nSign in\nRent is 31.45 EUR a year.", "sign-in"),
        (
            f"{URL}\n\nWe cannot find that kettle\nIt may have been sold. Others cost 9.99 EUR.",
            "does not exist",
        ),
        (
            f"{URL}\nKettle not found | Shop Shop Kettles We cannot find it. Others: 9.99 EUR.",
            "does not exist",
        ),
        ("not a web page: application/octet-stream", "application/octet-stream"),
        ("%PDF-1.7\n1 0 obj << /Length 44 >> stream BT (9.99 EUR) Tj ET endstream", "binary format"),
    ],
)
def test_a_wall_is_known_without_its_markup(text: str, reason: str) -> None:
    answer = _answer(PRICE, text)
    assert read(answer).status == "declined", answer
    assert reason in answer
    assert "9.99" not in answer


def test_a_page_in_one_line_has_its_prices_apart() -> None:
    text = (
        f"{URL}\nCopper kettle | Shop Shop Copper kettle Sings in the key of C. Last year 63.75 EUR Price 48.50 EUR "
        "Hire 11.85 EUR a month Goes with it Spare lid, blue glass 24.65 EUR"
    )
    answer = _answer(PRICE, text)
    assert "48.50 EUR" in answer
    assert not {"63.75", "11.85", "24.65"} & set(answer.split())


def test_what_stands_apart_in_one_line_is_lines() -> None:
    text = (
        "  Shop   Kettles  We cannot find that kettle  It may have been sold, or lent to a neighbour.  "
        + ("The shop opens when the lamp is lit, and closes when it is put out by whoever is last to leave.")
    )
    assert "does not exist" in _answer(PRICE, text)


def test_a_request_for_consent_is_known_by_the_buttons_at_its_end() -> None:
    assert "consent" in _answer(
        PRICE, f"{URL}\nKettles | Shop Shop Before you read on {BANNER} Accept all Reject all"
    )


def test_a_browser_that_shows_no_more_than_the_request_for_consent_did_not_dismiss_it() -> None:
    def act(call: Call) -> str:
        return f"{BANNER}\n\nAccept all\nReject all" if call.name == BROWSE.name else BANNER

    talk = Talk((FETCH, BROWSE), act)
    answer = talk.ask(f"Dismiss the consent banner and read the article {URL}")
    assert [call.name for call in talk.calls] == [FETCH.name, BROWSE.name]
    assert read(answer).status == "declined", answer


@pytest.mark.parametrize(
    ("question", "lacks"),
    [
        ("Return the current version", "states no version"),
        ("Read the linked PDF and tell its title", "no link to a file"),
        (WHEN, "does not state such a date"),
    ],
)
def test_what_an_extractor_left_out_is_not_made_up(question: str, lacks: str) -> None:
    answer = _answer(question, f"{URL}\n\nBrant Machine Tools\nMachines ask for this page once a day.")
    assert read(answer).status == "declined", answer
    assert lacks in answer


def test_a_list_that_goes_on_is_not_told_as_whole() -> None:
    text = "# Boats\n\nSix boats lie at our pontoon.\n\n- Thistle Lantern\n- Granite Otter"
    answer = _answer("Collect all six items from infinite scroll", text, tools=(BROWSE,))
    assert read(answer).status == "declined", answer
    assert "no tool that scrolls" in answer


@pytest.mark.parametrize(
    "text",
    [
        "Kettles are made of copper, as they always were, by hand.",
        "Kettles\n\nThey are made of copper, as they always were, by hand.",
        "The Guild of Smiths\n\nKettles are made of copper, as they always were, by hand.",
    ],
)
def test_a_page_without_a_title_has_the_one_that_the_search_told(text: str) -> None:
    hits = f'[{{"title": "Kettles | The Guild of Smiths", "url": "{URL}", "snippet": "About kettles."}}]'

    def act(call: Call) -> str:
        return hits if call.name == SEARCH.name else text

    answer = Talk((SEARCH, FETCH), act).ask("Find the official page on kettles")
    assert "“Kettles” (The Guild of Smiths)" in answer or "“Kettles | The Guild of Smiths”" in answer


def test_a_line_of_the_list_of_sources_is_as_the_prompt_shows_it() -> None:
    text = f"{URL}\n\nCopper kettle\nThe copper kettle costs 48.50 EUR."
    shown = _answer(PRICE, text, system='Use [1] and end with a list of the sources, like "[1] https://...".')
    assert shown.endswith(f" [1]\n\n[1] {URL}")
    colon = _answer(PRICE, text, system='Use [1] and end with "References:", one "[n]: URL" a line.')
    assert colon.endswith(f" [1]\n\nReferences:\n[1]: {URL}")


def test_an_answer_is_short_with_its_marks() -> None:
    lines = " ".join(
        f"The kettle of the year {year} had a lid of another sort of tin." for year in range(1900, 1990)
    )
    assert len(_answer("Tell what this page says", f"{URL}\n\nKettles\n{lines}")) < 1200
