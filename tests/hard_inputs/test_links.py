"""Addresses and quotes that citation checks misread (kind b of docs/hard-inputs.md)."""

from __future__ import annotations

import random
import string
from contextlib import suppress

import ada_url
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from pytest_webretrieval.grade.quotes import quote_level, quotes_in
from pytest_webretrieval.grade.urls import UrlError, canonical, compile_pattern, parse
from pytest_webretrieval.grade.values import urls_in
from pytest_webretrieval.systems.claims import read

FEES = "https://vendor.example/fees?utm_source=openai"


def test_b2_the_claim_is_the_sentence_and_not_the_label() -> None:
    text = f"The fee is 40 USD ([vendor.example]({FEES}))."
    claims = read(text).claims
    assert [claim.text for claim in claims] == ["The fee is 40 USD"]
    two = read(f"It rises in May. The fee is 40 USD ([vendor.example]({FEES})).").claims
    assert [len(claim.citations) for claim in two] == [0, 1]


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("[paper](https://doi.example/10.1016/0099-1(67)90027-3)", ["https://doi.example/10.1016/0099-1(67)90027-3"]),
        ("(see https://wiki.example/Term_(physics))", ["https://wiki.example/Term_(physics)"]),
        ("<https://wiki.example/A_(b)#c>", ["https://wiki.example/A_(b)#c"]),
        ("(https://wiki.example/A_(b_(c)))", ["https://wiki.example/A_(b_(c))"]),
        ("[x https://n.example/a]", ["https://n.example/a"]),
        ("見 https://vendor.example/a。另見「https://vendor.example/b」",
         ["https://vendor.example/a", "https://vendor.example/b"]),
        ("also https://vendor.example/c. And https://vendor.example/d!)",
         ["https://vendor.example/c", "https://vendor.example/d"]),
        ("<p>https://vendor.example/e</p>", ["https://vendor.example/e"]),
        ("“https://vendor.example/f”, ‘https://vendor.example/g’",
         ["https://vendor.example/f", "https://vendor.example/g"]),
    ],
)  # fmt: skip
def test_b7_b8_an_address_ends_where_it_ends(text: str, urls: list[str]) -> None:
    assert [text[start:end] for start, end in urls_in(text)] == urls


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("https://n.example/%7Euser", "https://n.example/~user", True),
        ("https://n.example/%41BC", "https://n.example/ABC", True),
        ("https://n.example/a%2fb", "https://n.example/a%2Fb", True),
        ("https://n.example/a%2Fb", "https://n.example/a/b", False),
        ("https://n.example/%e4%bd%a0", "https://n.example/你", True),
        ("https://n.example/?a=%2B", "https://n.example/?a=+", False),
        ("https://bücher.example:8443/x", "https://xn--bcher-kva.example:8443/x", True),
        ("https://BÜCHER.example:8443/x", "https://bücher.example:8443/x", True),
        ("https://faß.example/", "https://fass.example/", False),
        ("https://faß.example/", "https://xn--fa-hia.example/", True),
        ("http://www.n.example/a", "http://n.example/a", False),
        ("https://n.example/wiki", "https://n.example/wiki/", False),
        ("https://docs.example/limits#:~:text=The%20limit", "https://docs.example/limits", True),
        ("https://docs.example/limits#section-2:~:text=60", "https://docs.example/limits#section-3", True),
    ],
)
def test_b10_b11_b13_b14_one_address_or_two(left: str, right: str, same: bool) -> None:
    assert (canonical(left) == canonical(right)) is same


@pytest.mark.parametrize(
    "url",
    [
        "https://vendor.example/releases/../blog",
        "https://vendor.example/releases/%2e%2e/blog",
        "https://vendor.example/releases/..%2fblog",
        "https://vendor.example/releases/a%2f..%2fblog",
        "https://vendor.example.evil.test/releases/a",
        "https://vendor.example@evil.test/releases/a",
        "https://evil.test/?u=https://vendor.example/releases/a",
        "https://vendor.example\\@evil.test/releases/a",
        "https://vendor.example/releases/a/b",
        "http://vendor.example/releases/a",
        "https://vendor.example:8443/releases/a",
    ],
)
def test_b16_a_pattern_names_one_host_and_one_folder(url: str) -> None:
    assert not compile_pattern("https://vendor.example/releases/*").admits(url)


@pytest.mark.parametrize(
    "url", ["https://VENDOR.example/releases/v3.2", "https://vendor.example:443/releases/v3.2?utm_source=x"]
)
def test_b16_another_spelling_is_admitted(url: str) -> None:
    assert compile_pattern("https://vendor.example/releases/*").admits(url)


@pytest.mark.parametrize(
    "pattern", ["https://vendor.example*", "https://*/a", "vendor.example/*", "https://v.example/**"]
)
def test_b16_a_pattern_that_names_more_than_it_seems_is_refused(pattern: str) -> None:
    with pytest.raises(UrlError):
        compile_pattern(pattern)


SOURCE = "The opinion is “non\u2011binding — ≥ 40\u00a0%…”. Rare Lake Syndrome (RLS) affects α-cells of the lake trout."


@pytest.mark.parametrize(
    ("quote", "level"),
    [
        ("Rare Lake Syndrome (RLS) affects α-cells", "verbatim"),
        ("non-binding - >= 40 %...", "normalised"),
        ("rare lake syndrome (RLS)  affects α-cells", "normalised"),
        ("RLS affects alpha-cells", "fuzzy"),
        ("RLS heals the trout of every lake", "none"),
        ("the limit", "too-short"),
        ("lake", "too-short"),
        ("non-binding - >= 41 %...", "none"),
    ],
)
def test_b19_b20_how_far_a_quote_is_one(quote: str, level: str) -> None:
    assert quote_level(quote, SOURCE) == level


def test_b20_short_in_chinese_is_shorter() -> None:
    source = "海神颱風警報於今晨解除。"
    assert quote_level("海神颱風警報", source) == "verbatim"
    assert quote_level("颱風警報", source) == "too-short"


@pytest.mark.parametrize(
    "text",
    ['He said "all of it".', "He said “all of it”.", "Er sagte „all of it“.", "Il dit «all of it».",
     "他說「all of it」。", "他說『all of it』。"],
)  # fmt: skip
def test_b19_quotation_marks_of_many_kinds(text: str) -> None:
    assert [text[start:end] for start, end in quotes_in(text)] == ["all of it"]
    assert list(quotes_in("It's the dog's, isn't it?")) == []


def test_b23_one_pair_for_each_claim_and_source() -> None:
    text = "Whey helps ([Lee 2024](https://doi.example/10.1/x)). Again (Lee 2024)."
    assert [[c.url for c in claim.citations] for claim in read(text).claims] == [
        ["https://doi.example/10.1/x"],
        [],
    ]


PIECES = st.lists(
    st.sampled_from(
        ["vendor.example", "evil.test", ".", "@", ":", "/", "//", "\\", "%2f", "%2e", "..", "?", "#", "releases", "*",
         "443", "https:", "\t", "\u3002", "ｖ", "ß", "xn--", "%00", "[", "]", ";", "&", "="]
    ),
    max_size=12,
)  # fmt: skip


@given(PIECES)
def test_no_address_is_admitted_to_another_host(pieces: list[str]) -> None:
    _stays_home("https://" + "".join(pieces))


def test_no_address_of_a_hundred_thousand_is_admitted_to_another_host() -> None:
    """Around a host that is allowed: as a prefix, a suffix, a user, a path, a query; letters at random between."""
    draw = random.Random(16)
    letters = string.ascii_letters + string.digits + "./:@?#%\\-_~!$&'()*+,;=[]| \t。．"
    shapes = (
        "{}",
        "vendor.example{}",
        "{}vendor.example/releases/a",
        "vendor.example/releases/{}",
        "a{}vendor.example{}",
    )
    admitted = 0
    for _ in range(100_000):
        noise = ["".join(draw.choices(letters, k=draw.randint(0, 8))) for _ in range(2)]
        admitted += _stays_home("https://" + draw.choice(shapes).format(*noise))
    assert admitted > 1000


def _stays_home(url: str) -> bool:
    """Whether the address is admitted: then browsers and other clients, which read addresses by other rules than ours,
    find the same host in it, or no address at all."""
    if not compile_pattern("https://vendor.example/releases/*").admits(url):
        return False
    if ada_url.check_url(url):
        browser = ada_url.URL(url)
        assert (browser.protocol, browser.host) == ("https:", "vendor.example")
        assert browser.pathname.startswith("/releases/")
    with suppress(httpx.InvalidURL):
        client = httpx.URL(url)
        assert (client.scheme, client.host, client.port) == ("https", "vendor.example", None)
    with suppress(LocationParseError):
        assert parse_url(url).host == "vendor.example"
    parts = parse(url)
    assert parts.path.count("/") == 2
    assert parts.path.startswith("/releases/")
    return True
