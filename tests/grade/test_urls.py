from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.grade.urls import UrlError, canonical, compile_pattern, parse, resolve, site_of

RELEASES = "https://vendor.example/releases/*"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("https://n.example/%7Euser", "https://n.example/~user"),
        ("https://n.example/%41BC", "https://n.example/ABC"),
        ("https://n.example/a%2fb", "https://n.example/a%2Fb"),
        ("https://bücher.example:8443/x", "https://xn--bcher-kva.example:8443/x"),
        ("https://BÜCHER.example:8443/x", "https://xn--bcher-kva.example:8443/x"),
        ("HTTPS://N.Example:443", "https://n.example/"),
        ("http://n.example:80/a", "http://n.example/a"),
        ("https://docs.example/limits#:~:text=The%20limit,is%2060", "https://docs.example/limits"),
        ("https://docs.example/limits#section-2:~:text=60", "https://docs.example/limits"),
        ("https://n.example/a?utm_source=x&id=1&fbclid=2", "https://n.example/a?id=1"),
        ("https://n.example/a?utm_source=x", "https://n.example/a"),
        ("https://n.example/a/./b/../c", "https://n.example/a/c"),
        ("https://n.example/a/%2e%2e/c", "https://n.example/c"),
        ("https://n.example/你", "https://n.example/%E4%BD%A0"),
        ("https://n.example./a", "https://n.example/a"),
    ],
)
def test_spellings_of_one_url(left: str, right: str) -> None:
    assert canonical(left) == canonical(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("https://n.example/a%2Fb", "https://n.example/a/b"),
        ("https://faß.example/", "https://fass.example/"),
        ("http://n.example/a", "https://n.example/a"),
        ("https://www.n.example/a", "https://n.example/a"),
        ("https://n.example/a", "https://n.example/a/"),
        ("https://n.example/A", "https://n.example/a"),
        ("https://n.example/a?b=1&c=2", "https://n.example/a?c=2&b=1"),
    ],
)
def test_different_urls_stay_different(left: str, right: str) -> None:
    assert canonical(left) != canonical(right)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://n.example/",
        "/a",
        "https:///a",
        "https://a@n.example/",
        "https:\\\\n.example\\",
        "https://n.example:x/",
        "",
    ],
)
def test_what_names_no_page_is_refused(url: str) -> None:
    with pytest.raises(UrlError):
        parse(url)


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        (RELEASES, "https://vendor.example/releases/v3.2"),
        (RELEASES, "https://VENDOR.example/releases/v3.2"),
        (RELEASES, "https://vendor.example:443/releases/v3.2?lang=en"),
        (RELEASES, "https://vendor.example/releases/v3.2?utm_source=x#top"),
        (RELEASES, "https://vendor.example/blog/../releases/v3.2"),
        ("https://*.vendor.example/a", "https://docs.vendor.example/a"),
        ("https://vendor.example/r/*/notes", "https://vendor.example/r/v3/notes"),
        ("https://vendor.example/r?id=3", "https://vendor.example/r?id=3"),
        ("https://bücher.example/*", "https://xn--bcher-kva.example/x"),
        ("https://vendor.example/", "https://vendor.example"),
        ("fixture://vendor/releases/*", "fixture://vendor/releases/current"),
    ],
)
def test_a_pattern_admits(pattern: str, url: str) -> None:
    assert compile_pattern(pattern).admits(url)


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        (RELEASES, "https://vendor.example/releases/../blog"),
        (RELEASES, "https://vendor.example/releases/%2e%2e/blog"),
        (RELEASES, "https://vendor.example/releases/..%2fblog"),
        (RELEASES, "https://vendor.example/releases/a%5Cb"),
        (RELEASES, "https://vendor.example/releases/a/b"),
        (RELEASES, "https://vendor.example/releases/"),
        (RELEASES, "http://vendor.example/releases/v3.2"),
        (RELEASES, "https://vendor.example:8443/releases/v3.2"),
        (RELEASES, "https://vendor.example.evil.test/releases/v3.2"),
        (RELEASES, "https://vendor.example@evil.test/releases/v3.2"),
        ("https://*.vendor.example/*", "https://evil.test/?u=.vendor.example/"),
        ("https://*.vendor.example/*", "https://a.b.vendor.example/x"),
        ("https://*.vendor.example/*", "https://vendor.example/x"),
        ("https://vendor.example/r", "https://vendor.example/r?id=3"),
    ],
)
def test_a_pattern_does_not_admit(pattern: str, url: str) -> None:
    assert not compile_pattern(pattern).admits(url)


@pytest.mark.parametrize(
    "pattern",
    [
        "https://vendor.example*",
        "https://vendor.example*/x",
        "https://*.example/x",
        "https://*.co.uk/x",
        "https://*/x",
        "https://v*.vendor.example/x",
        "https://user@vendor.example/x",
        "https://vendor.example/x?*",
        "https://vendor.example/**",
        "https://vendor.example:*/x",
        "https:\\\\vendor.example\\x",
        "*://vendor.example/x",
        "vendor.example/x",
        "https://vendor.example/x#y",
        "https://vendor.example",
    ],
)
def test_a_bad_pattern_is_an_error(pattern: str) -> None:
    with pytest.raises(UrlError):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("a.b.northwind.example", "northwind.example"),
        ("northwind.example", "northwind.example"),
        ("www.cwa.gov.tw", "cwa.gov.tw"),
        ("news.bbc.co.uk", "bbc.co.uk"),
        ("127.0.0.1", "127.0.0.1"),
    ],
)
def test_who_is_responsible_for_a_host(host: str, site: str) -> None:
    assert site_of(host) == site


def test_references_resolve_against_their_page() -> None:
    assert resolve("https://n.example/a/b", "../c?utm_source=x#y") == "https://n.example/c"
    assert resolve("https://n.example/a/b", "mailto:x@n.example") is None
    assert resolve("https://n.example/", "http://[bad") is None


_PARTS = st.text(alphabet="aA0%2fF7eE./~-_é你 ?=&+;:@", max_size=20)


@given(_PARTS)
def test_canonicalising_twice_is_once(path: str) -> None:
    once = canonical(f"https://n.example/{path}")
    assert canonical(once) == once


_ADDRESSES = st.builds(
    "{}://{}{}/{}".format,
    st.sampled_from(["http", "https", "HTTPS", "ftp"]),
    st.from_regex(r"[a-zA-Z0-9äßＡ。.\[\]:@%-]{0,20}", fullmatch=True),
    st.sampled_from(["", ":", ":80", ":443", ":0443", ":8443"]),
    _PARTS,
)


@given(_ADDRESSES | st.text(max_size=40))
def test_canonicalising_any_address_twice_is_once(url: str) -> None:
    once = canonical(url)
    assert canonical(once) == once


@given(st.from_regex(r"[a-z0-9.@:/?#\\%-]{0,30}", fullmatch=True))
def test_no_allow_list_admits_another_host(rest: str) -> None:
    url = f"https://vendor.example{rest}"
    if compile_pattern(RELEASES).admits(url):
        assert parse(url).host == "vendor.example"
        assert parse(url).path.startswith("/releases/")
