"""Texts that are UTF-8 taken for another coding, and texts that only look like it."""

from __future__ import annotations

import pytest

from pytest_webretrieval.grade.page import as_meant, read_page

WORDS = ["Ø-4471", "Möller’s", "naïveté “à la”", "Žluťoučký kůň", "價格", "Ý þ ð", "€ 5"]
LEGITIMATE = [
    "plain",
    "café",
    "naïve Ångström",
    "price: 5 € – or £4",
    "Ã is a letter of Portuguese",
    "“Ã©” is what becomes of é",
    "Â",
    "價格",
    "Ã\u00a9 beside é",
]


def twice(text: str) -> str:
    """What a reader sees who takes UTF-8 for windows-1252."""
    return "".join(bytes((byte,)).decode("cp1252", "ignore") or chr(byte) for byte in text.encode("utf-8"))


@pytest.mark.parametrize("text", WORDS)
def test_what_was_encoded_twice_is_read_as_it_was_meant(text: str) -> None:
    assert as_meant(twice(text)) == text
    page = read_page(f"<p>Mark {twice(text)}.</p>".encode(), "text/html; charset=utf-8")
    assert (page.text, page.damaged) == (f"Mark {text}.", True)


@pytest.mark.parametrize("charset", ["windows-1252", "iso-8859-1", "latin1", "us-ascii"])
@pytest.mark.parametrize("text", WORDS)
def test_a_wrong_declaration_does_not_hide_utf_8(text: str, charset: str) -> None:
    page = read_page(f"<p>Mark {text}.</p>".encode(), f"text/html; charset={charset}")
    assert (page.text, page.damaged) == (f"Mark {text}.", True)


@pytest.mark.parametrize("text", LEGITIMATE)
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert as_meant(text) == text
    page = read_page(f"<p>{text}</p>".encode(), "text/html; charset=utf-8")
    assert page.text == text.replace("\u00a0", " ")
    assert not page.damaged


@pytest.mark.parametrize("text", ["café", "5 € – £4", "Ångström", "Ã alone"])
def test_what_is_windows_1252_is_read_so(text: str) -> None:
    page = read_page(f"<p>{text}</p>".encode("cp1252"), "text/html; charset=windows-1252")
    assert (page.text, page.damaged) == (text, False)
