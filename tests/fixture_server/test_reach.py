"""Where the gateway leads, and what a system may not reach there."""

from __future__ import annotations

import pytest

from fixture_server.gateway.hosts import Denied, Gateway
from fixture_server.message import Asked
from fixture_server.reach import Reach
from pytest_webretrieval.outward import Outward, Web
from pytest_webretrieval.wire.addresses import address4


def asked(host: str, **headers: str) -> Asked:
    return Asked(method="GET", scheme="https", host=host, target="/", headers=headers)


def gateway(**web: object) -> Gateway:
    return Gateway(Outward(model="live", web=Web(**web)))  # type: ignore[arg-type]


def test_without_the_web_only_what_is_listed_is_reached() -> None:
    reach = Reach(frozenset({"api.acme.test"}))
    assert reach.has_name("api.acme.test")
    assert not reach.has_name("www.acme.test")
    assert reach.has_address(address4("api.acme.test"))
    assert not reach.has_address("93.184.216.34")


def test_on_the_web_every_name_and_every_public_address_is() -> None:
    reach = Reach(web=Web())
    assert reach.has_name("www.acme.test")
    assert reach.has_address("93.184.216.34")
    for private in ("10.0.0.1", "127.0.0.1", "169.254.169.254", "fe80::1", "64:ff9b::a00:1"):
        assert not reach.has_address(private)


@pytest.mark.parametrize(
    ("host", "admitted"),
    [("www.acme.test", True), ("a.b.acme.test", True), ("acme.test", False), ("evil-acme.test", False)],
)
def test_a_pattern_stands_for_what_is_below(host: str, admitted: bool) -> None:
    assert Web(allow=("*.acme.test",)).admits(host) is admitted


def test_what_is_denied_is_denied_whatever_is_allowed() -> None:
    web = Web(allow=("*.acme.test",), deny=("ads.acme.test",))
    assert not web.admits("ads.acme.test")
    assert web.admits("www.acme.test")


@pytest.mark.parametrize("host", ["10.1.2.3", "[::1]", "169.254.169.254", "192.168.0.1", "[fd00::1]"])
def test_private_addresses_are_denied(host: str) -> None:
    with pytest.raises(Denied) as denial:
        gateway().check(asked(host))
    assert denial.value.is_wish


@pytest.mark.parametrize("host", ["93.184.216.34", "[2606:2800::1]", "www.acme.test"])
def test_public_ones_are_not(host: str) -> None:
    gateway().check(asked(host))


def test_what_a_page_has_a_browser_fetch_is_not_the_systems_wish() -> None:
    part = asked("ads.acme.test", **{"sec-fetch-dest": "image", "sec-fetch-mode": "no-cors"})
    with pytest.raises(Denied) as denial:
        gateway(deny=("ads.acme.test",)).check(part)
    assert not denial.value.is_wish


def test_prices_are_by_channel_and_provider() -> None:
    priced = gateway(prices={"search-api:tavily": 0.008, "browser": 0.001})
    search = Asked(method="POST", scheme="https", host="api.tavily.com", target="/search")
    extract = Asked(method="POST", scheme="https", host="api.tavily.com", target="/extract")
    assert (priced.price(search), priced.price(extract)) == (0.008, None)
    assert priced.price(asked("www.acme.test")) == 0.0
    assert priced.price(asked("www.acme.test", **{"sec-fetch-dest": "document"})) == 0.001
    assert Gateway(Outward()).price(search) is None


def test_browsers_calls_home_stay_here() -> None:
    assert not gateway().takes(asked("safebrowsing.googleapis.com"))
    assert gateway().takes(asked("www.acme.test"))
    assert gateway().takes(asked("api.openai.com"))
    assert not Gateway(Outward(model="scripted", web=Web())).takes(asked("api.openai.com"))


def test_a_model_that_no_configuration_names_is_not_asked() -> None:
    found = gateway(models=("api.openai.com",))
    assert found.no_model("api.openai.com") is None
    assert found.no_model("api.mistral.ai") == (
        "api.mistral.ai is no host of a configured [live.channels.model]"
    )
