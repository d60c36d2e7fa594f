"""The plain request by which the harness sees whether a provider is down: each dialect answers its own."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import quote_plus

import pytest

from fixture_server.dialects.registry import Dialect, DialectError, dialect_of, dialects
from fixture_server.dialects.samples import ANY_PAGE
from fixture_server.gateway.sampling import sample_of
from fixture_server.message import Asked

from .conftest import CURRENT, Api

REAL = {one.name: one for one in dialects().values() if not one.hosts[0].endswith(".example")}
# In each header that some provider wants it in.
KEY = {"x-api-key": "k3y", "x-subscription-token": "k3y", "authorization": "Bearer k3y"}


def known_page(sample: Asked) -> Asked:
    """The sample, for a page that is there."""
    target = sample.target.replace(ANY_PAGE, CURRENT).replace(quote_plus(ANY_PAGE), quote_plus(CURRENT))
    return replace(sample, target=target, body=sample.body.replace(ANY_PAGE.encode(), CURRENT.encode()))


@pytest.mark.parametrize("dialect", REAL.values(), ids=REAL)
def test_what_is_known_to_be_good_is(api: Api, dialect: Dialect) -> None:
    assert set(dialect.samples) == set(dialect.offers)
    for channel, sample in dialect.samples.items():
        asked = known_page(replace(sample, headers={**sample.headers, **KEY}))
        assert (asked.host in dialect.hosts, dialect.channel(asked)) == (True, channel)
        answer = dialect.respond(asked, api.stage)
        assert answer.status == 200, answer.body


def test_nothing_but_the_credentials_is_the_system_s() -> None:
    headers = {**KEY, "content-type": "text/strange", "x-tavily-source": "me", "cookie": "a=b"}
    last = Asked(
        method="POST", scheme="https", host="api.tavily.com", target="/search?x", headers=headers, body=b"{"
    )
    asked = sample_of(last, "probe/1.0")
    assert asked is not None
    assert asked.url == "https://api.tavily.com/search"
    assert asked.headers == {
        "accept": "application/json",
        "content-type": "application/json",
        "user-agent": "probe/1.0",
        "cookie": "a=b",
        **KEY,
    }
    elsewhere = replace(last, host="eu.r.jina.ai", target="/https://a.test/", method="GET")
    asked = sample_of(elsewhere, "probe/1.0")
    assert asked is not None
    assert asked.url == f"https://eu.r.jina.ai/{ANY_PAGE}"


def test_an_api_of_which_nobody_wrote_one() -> None:
    asked = Asked(method="GET", scheme="https", host="websearch.example", target="/search?q=a")
    assert sample_of(asked, "probe/1.0") is None


def test_a_sample_that_is_none_is_refused() -> None:
    samples = {"search-api": "https://api.acme.test/"}
    acme = SimpleNamespace(HOSTS=("api.acme.test",), SAMPLES=samples, channel=print, respond=print)
    with pytest.raises(DialectError, match="SAMPLES must map channels to requests"):
        dialect_of("acme", acme)
