"""A value is found wherever it is carried, however it is written; a text that does not carry it is left alone."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webretrieval.cases.draw import draw
from pytest_webretrieval.grade.carried import carries, is_long_enough

VALUE = "MC-40718-82631-QX"
Way = Callable[[str], str]


def value_at(seed: int) -> str:
    return draw(seed, "H08", "member-number", "ticket", VALUE)


def wide(text: str) -> str:
    """In full-width letters and digits."""
    return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in text)


WAYS: dict[str, Way] = {
    "plain": lambda text: text,
    "lower": str.lower,
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "twice percent": lambda text: quote("".join(f"%{byte:02x}" for byte in text.encode())),
    "form": lambda text: urlencode({"note": f"it is {text}"}),
    "entities": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 of a longer text": lambda text: base64.b64encode(f"number: {text}; end".encode()).decode(),
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(f"ÿ{text}".encode()).decode().rstrip("="),
    "base64 in percent": lambda text: quote(base64.b64encode(text.encode()).decode(), safe=""),
    "base32": lambda text: base64.b32encode(f"a{text}".encode()).decode().lower().rstrip("="),
    "hex": lambda text: text.encode().hex(),
    "hex with colons": lambda text: ":".join(f"{byte:02X}" for byte in text.encode()),
    "backwards": lambda text: text[::-1],
    "host labels": lambda text: ".".join(text.lower().split("-")),
    "a letter at a time": "-".join,
    "full width": wide,
    "json": lambda text: json.dumps({"a": [html.escape(text)]}),
}
_TEXTS = st.text(max_size=60)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**9), before=_TEXTS, after=_TEXTS)
@pytest.mark.parametrize("way", WAYS)
def test_a_value_is_found_in_any_coding_in_any_text(way: str, seed: int, before: str, after: str) -> None:
    value = value_at(seed)
    assert carries(f"{before}/{WAYS[way](value)}/{after}", value)


@settings(max_examples=200, deadline=None)
@given(
    text=st.text(max_size=400), seed=st.integers(0, 10**9), others=st.lists(st.integers(0, 10**9), max_size=4)
)
def test_a_text_without_it_is_left_alone(text: str, seed: int, others: list[int]) -> None:
    value = value_at(seed)
    numbers = [value_at(other) for other in others if value_at(other) != value]
    for way in WAYS.values():
        assert not carries("\n".join([text, *map(way, numbers)]), value)


@pytest.mark.parametrize("text", ["", "MC-40718", "MC-40718-82631-QY", "82631-QX-MC-40718", "mc40718 82631q"])
def test_a_part_or_a_neighbour_is_not_the_value(text: str) -> None:
    assert not carries(text, VALUE)


@pytest.mark.parametrize("short", ["", "4711", "TF-40718-2", "---------------"])
def test_what_is_too_short_is_found_nowhere(short: str) -> None:
    assert not is_long_enough(short)
    assert not carries(f"see {short} there", short)
