"""Who is outside the world: by name, by host, by address."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from fixture_server.background import HOSTS, LOOKUPS
from fixture_server.log import Log
from fixture_server.outside import addresses, has_address, is_background, is_outside, tell
from fixture_server.stage import Stage
from fixture_server.world import load
from pytest_webretrieval.wire.addresses import address4, address6


@pytest.fixture
def stage(site: Any) -> Stage:
    """A run of the little site."""
    from fixture_server.stage import now

    world = load([site.truth], [site.folder])
    started = now()
    return Stage(
        edition=world.editions(0, date.today()), scene=world.sites.scenes["known/notes"], started=started
    )


def test_names(stage: Stage) -> None:
    drawn = sorted(stage.edition.hosts)[0]
    domain = ".".join(drawn.split(".")[-2:])
    for inside in (
        drawn,
        "api.tavily.com",
        f"other.{domain}",
        "wpad",
        "4.3.2.1.in-addr.arpa",
        "",
        *HOSTS,
        *LOOKUPS,
    ):
        assert not is_outside(inside, stage), inside
    for outside in (
        "example.com",
        "tavily.com",
        "docs.tavily.com",
        "nowhere.example",
        f"{drawn}.evil.net",
        "a.test",
    ):
        assert is_outside(outside, stage), outside
    assert is_outside(drawn, None)


def test_addresses(stage: Stage) -> None:
    drawn = sorted(stage.edition.hosts)[0]
    for host in (drawn, "api.tavily.com"):
        for address in (address4(host), address6(host)):
            assert has_address(address, stage)
            assert not is_outside(address, stage)
    for inside in ("127.0.0.1", "127.1.2.3", "[::1]:443", "0.0.0.0"):
        assert not is_outside(inside, stage), inside
    for outside in ("8.8.8.8", "8.8.8.8:443", "10.0.0.1", "[2001:4860:4860::8888]", "2001:4860:4860::8888"):
        assert is_outside(outside, stage), outside
    assert is_background(address4("mtalk.google.com"))
    assert not is_background(address4(drawn))
    assert len(addresses(frozenset(("a.example", "b.example")))) == 4


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("collector.net", ("https", "collector.net", 443)),
        ("collector.net:8443", ("https", "collector.net", 443)),
        ("8.8.8.8", ("tcp", "8.8.8.8", 443)),
        ("[2001:db8::1]", ("tcp", "2001:db8::1", 443)),
        ("api.tavily.com", None),
        ("127.0.0.1:443", None),
        (None, None),
    ],
)
def test_a_request_for_somebody_outside(
    stage: Stage, host: str | None, told: tuple[str, str, int] | None
) -> None:
    log = Log(stage=stage)
    for _ in range(2):
        tell(log, "https", host, 443)
    assert [(one.protocol, one.address, one.port) for one in log.egress] == ([told] if told else [])
