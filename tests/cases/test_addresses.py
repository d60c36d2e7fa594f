from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.cases.addresses import (
    address,
    draw_host,
    draw_hosts,
    draw_path,
    host_pattern,
)
from pytest_webretrieval.cases.patterns import address_fault, pattern_fault
from pytest_webretrieval.cases.wordlists import TRAP_WORDS
from pytest_webretrieval.grade.urls import compile_pattern

ROLES = [
    "vendor",
    "origin",
    "mirror",
    "regulator",
    "harbour",
    "gallery",
    "hydrology",
    "toolmaker",
    "library",
    "sound-archive",
    "standards-editor",
    "weather-agency",
    "observer",
    "coast-herald",
    "inland-post",
    "valley-gazette",
    "ferry-times",
    "council",
    "open-data",
    "lamp-lab",
    "login-portal",
    "stale-shop",
    "cache",
    "poisoned",
    "bank",
    "forum",
]
roles = st.from_regex(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", fullmatch=True).filter(lambda role: len(role) < 30)
seeds = st.integers(min_value=0, max_value=10**9)


@given(seeds, roles)
def test_hosts_look_public_and_tell_nothing(seed: int, role: str) -> None:
    host = draw_host(seed, role)
    assert re.fullmatch(r"(?:www\.|news\.|web\.)?[a-z]+-[a-z]+\.example", host)
    name = host.split(".")[-2]
    assert not [word for word in TRAP_WORDS if word in name]
    assert not [word for word in role.split("-") if len(word) > 2 and word in name]
    assert draw_host(seed, role) == host


def test_some_hosts_have_subdomains_and_seeds_differ() -> None:
    hosts = [draw_host(seed, "vendor") for seed in range(40)]
    assert len(set(hosts)) == 40
    assert 5 < sum(host.startswith("www.") for host in hosts) < 35
    assert any(host.count(".") == 1 for host in hosts)


def test_roles_share_no_registrable_domain() -> None:
    for seed in range(300):
        hosts = draw_hosts(seed, ROLES)
        assert len({".".join(host.split(".")[-2:]) for host in hosts.values()}) == len(ROLES)
        assert hosts == {role: draw_host(seed, role) for role in ROLES}


def test_two_roles_with_one_domain_are_found_out() -> None:
    found: dict[str, str] = {}
    for number in range(200_000):
        role = f"r{number}"
        domain = ".".join(draw_host(0, role).split(".")[-2:])
        if domain in found:
            with pytest.raises(ValueError, match=f"seed 0 gives .* one domain, {domain}; take another seed"):
                draw_hosts(0, [role, found[domain]])
            return
        found[domain] = role
    pytest.fail("no two of 200,000 roles met: the space of names is larger than its docstring says")


def test_literal_hosts_and_their_paths_stay() -> None:
    assert draw_host(5, "api.tavily.com") == "api.tavily.com"
    assert address(5, "fixture://api.tavily.com/search?q=1") == "https://api.tavily.com/search?q=1"
    assert address(5, "https://a.example/b") == "https://a.example/b"


@pytest.mark.parametrize(
    ("path", "shape"),
    [
        ("/", r"/"),
        ("/news/", r"/news/"),
        ("/index.html", r"/"),
        ("/news/index.html", r"/news/"),
        ("/news/tariff", r"/news/[0-9a-f]{6}"),
        ("/news/tariff.html", r"/news/[0-9a-f]{6}"),
        ("/files/yearbook.pdf", r"/files/[0-9a-f]{6}\.pdf"),
        ("/files/sheet-12.dat", r"/files/[0-9a-f]{6}\.dat"),
        ("/a/b/c/notes-v3.2", r"/a/b/c/[0-9a-f]{6}"),
        ("/robots.txt", r"/robots\.txt"),
        ("/favicon.ico", r"/favicon\.ico"),
        ("/.well-known/security.txt", r"/\.well-known/security\.txt"),
    ],
)
def test_paths(path: str, shape: str) -> None:
    drawn = {draw_path(seed, "vendor", path) for seed in range(30)}
    assert all(re.fullmatch(shape, one) for one in drawn)
    assert len(drawn) == (30 if "[" in shape else 1)


def test_an_html_page_has_one_address_by_both_names() -> None:
    assert draw_path(3, "vendor", "/news/tariff.html") == draw_path(3, "vendor", "/news/tariff")


@given(seeds, st.lists(st.from_regex(r"[a-z0-9-]{1,12}", fullmatch=True), min_size=1, max_size=5))
def test_drawn_segments_are_no_statuses_and_no_words(seed: int, parts: list[str]) -> None:
    last = draw_path(seed, "vendor", "/" + "/".join(parts)).rsplit("/", 1)[1]
    assert not re.search("404|403|410|429|451|503", last)
    assert re.search("[0-9]", last)
    assert re.search("[a-f]", last)


def test_queries_and_fragments_stay() -> None:
    page = address(2, "fixture://vendor/news/tariff")
    assert address(2, "fixture://vendor/news/tariff?page=2#end") == f"{page}?page=2#end"
    assert address(2, "fixture://vendor") == address(2, "fixture://vendor/")


def test_patterns_keep_their_folder() -> None:
    host = draw_host(2, "vendor")
    assert host_pattern(2, "fixture://vendor/*") == f"https://{host}/*"
    assert host_pattern(2, "fixture://vendor/releases/*") == f"https://{host}/releases/*"
    assert host_pattern(2, "fixture://vendor/releases/current") == address(
        2, "fixture://vendor/releases/current"
    )
    assert host_pattern(2, "https://a.example/*") == "https://a.example/*"
    assert address(2, "fixture://vendor/releases/current").startswith(f"https://{host}/releases/")
    with pytest.raises(ValueError, match="ends in"):
        host_pattern(2, "fixture://vendor/rel*")


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("fixture://vendor/releases/*", None),
        ("fixture://vendor/", None),
        ("https://a.example/x*", None),
        ("https://a.example/*/notes", None),
        ("http://a.example:8080/", None),
        ("https://颱風.example/", None),
        ("fixture://vendor/a*", "under fixture://"),
        ("fixture://vendor/*/a", "under fixture://"),
        ("fixture://vendor/*/*", None),
        ("fixture://vendor/a*/", None),
        ("https://*.example/", "in a host `*` stands for a whole label below"),
        ("https://w*.a.example/", "in a host `*` stands for a whole label below"),
        ("https://*.a.example/", None),
        ("fixture://vendor*/a", "in a host `*` stands for a whole label below"),
        ("https://a.example/**", "`**` is no pattern"),
        ("https://a.example", "the path is missing"),
        ("https://a.example/#", "a pattern has no `#fragment`"),
        ("https://a.example/?q=*", "`*` in a query"),
        ("https://a.example/#top", "a pattern has no `#fragment`"),
        ("https://me@a.example/", "a URL of truth names no user"),
        ("https:///x", "the host is missing"),
        ("https://a_b..c/", "the host is missing or is no host name"),
        ("https://a.example:port/", "Port could not be cast"),
        ("https://[::1/", "Invalid IPv6 URL"),
        ("fixture://vendor:80/x", "write fixture://role/path, without a port"),
        ("fixture://vendor", "write fixture://role/path, without a port"),
        ("a.example/x", "begin with fixture://"),
        ("https://a.example/a b", "a URL holds no blanks"),
        ("https://a.example/\\x", "a URL holds no blanks"),
    ],
)
def test_pattern_syntax(pattern: str, fault: str | None) -> None:
    found = pattern_fault(pattern)
    assert (found is None) if fault is None else (found is not None and found.startswith(fault))
    if not set("*#[") & set(pattern) and urlsplit(pattern).path:
        assert address_fault(pattern) == found
    if found is None:
        assert compile_pattern(host_pattern(1, pattern)).source
