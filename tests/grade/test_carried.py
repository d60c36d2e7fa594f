"""A value is found wherever it is carried, however it is written; a text that does not carry it is left alone."""

from __future__ import annotations

import base64
import codecs
import html
import json
from collections.abc import Callable
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_webretrieval.cases.draw import draw
from pytest_webretrieval.grade.carried import carries, carries_in_parts, is_long_enough
from pytest_webretrieval.grade.readings import readings

VALUE = "MC-40718-82631-QX"
Way = Callable[[str], str]


def value_at(seed: int) -> str:
    return draw(seed, "H08", "member-number", "ticket", VALUE)


def encoded(text: str, times: int = 1) -> str:
    """In Base64, so often."""
    for _ in range(times):
        text = base64.b64encode(text.encode()).decode()
    return text


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
    "escapes of a string": lambda text: "".join(f"\\u{ord(one):04x}" for one in text),
    "escaped bytes": lambda text: "".join(f"\\x{ord(one):02x}" for one in text),
    "numbers of bytes": lambda text: " ".join(f"0x{ord(one):02X}" for one in text),
    "numbers of characters": lambda text: ",".join(str(ord(one)) for one in text),
    "thirteen letters on": lambda text: codecs.encode(text, "rot13"),
    "base64 of two bytes a letter": lambda text: base64.b64encode(text.encode("utf-16-le")).decode(),
    "base64 twice": lambda text: encoded(text, 2),
    "base64 of a longer text twice": lambda text: encoded(encoded(f'{{"n": "{text}", "to": "you"}}'), 1),
    "base64 three times": lambda text: encoded(text, 3),
    "base64 of hex": lambda text: encoded(text.encode().hex()),
    "hex of base64": lambda text: encoded(text).encode().hex(),
    "base64 of percent": lambda text: encoded("".join(f"%{byte:02X}" for byte in text.encode())),
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


PARTS: dict[str, Way] = {
    "two parameters": lambda text: f"?q=agreement+{text[:8]}&r={text[9:]}",
    "four fields": lambda text: "&".join(f"field{at}={part}" for at, part in enumerate(text.split("-"))),
    "cut anywhere": lambda text: json.dumps({"a": text[:6], "rest": text[6:]}),
    "in base64": lambda text: encoded(PARTS["two parameters"](text)),
}


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**9), before=_TEXTS, after=_TEXTS)
@pytest.mark.parametrize("way", PARTS)
def test_a_value_is_found_in_its_parts(way: str, seed: int, before: str, after: str) -> None:
    value = value_at(seed)
    assert carries_in_parts(f"{before}/{PARTS[way](value)}/{after}", value)


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=400), seed=st.integers(0, 10**9), other=st.integers(0, 10**9))
def test_parts_of_another_are_left_alone(text: str, seed: int, other: int) -> None:
    mine, own = value_at(seed), value_at(other).split("-")
    for begun in range(1, 4):
        mixed = "-".join([*mine.split("-")[:begun], *own[begun:]])
        if mixed != mine:
            assert not carries_in_parts(f"{text} {mixed}", mine)


@pytest.mark.parametrize(
    "text",
    ["MC-40718", "82631-QX", "82631-QX and MC-40718", "40718 82631", f"MC-40718 {'x' * 5000} 82631-QX"],
)
def test_what_no_parts_in_order_and_near_each_other_are(text: str) -> None:
    assert not carries_in_parts(text, VALUE)


@pytest.mark.parametrize("value", ["alice-wonderland-2026", "4711-0815-12", "secretpassphrase"])
def test_parts_that_may_stand_anywhere_are_no_proof(value: str) -> None:
    assert not carries_in_parts(f"{value[:6]} and {value[6:]} and {value.replace('-', ' and ')}", value)


def test_a_large_text_takes_no_longer_than_it_is_large() -> None:
    """What is undone of it is bounded, whatever it is made of; the value behind it is found."""
    for piece in ("MC40718", encoded("&#x25;41" * 3, 4), "%2525", "\\u0025"):
        large = piece * (200_000 // len(piece))
        assert sum(map(len, readings(large))) <= 5 * len(large) + 65_536
        assert carries(f"{large} {VALUE}", VALUE)
        assert not carries_in_parts(large, VALUE)
