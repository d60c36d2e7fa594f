"""Providers that a configuration may name are those that the world can tell from other hosts."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from urllib.parse import urlsplit

import pytest

from fixture_server.dialects.registry import CHANNELS, dialects, offers
from fixture_server.models import HOSTS
from pytest_webretrieval.cases import providers
from pytest_webretrieval.cases.providers import MODEL_HOSTS, provider_fault
from pytest_webretrieval.lanes.task import MODEL_BASE_URLS


@pytest.mark.parametrize("channel", CHANNELS)
def test_every_dialect_with_a_host_on_the_real_web_is_known(channel: str) -> None:
    real = {one.name for one in dialects().values() if not one.hosts[0].endswith(".example")}
    for name in offers()[channel]:
        assert (provider_fault(channel, name) is None) == (name in real), name


def test_every_model_s_host_is_some_provider_s() -> None:
    assert sorted(host for hosts in MODEL_HOSTS.values() for host in hosts) == sorted(HOSTS)
    for name, url in MODEL_BASE_URLS.items():
        assert urlsplit(url).hostname in MODEL_HOSTS[name]


def test_a_name_is_corrected_within_its_channel() -> None:
    assert provider_fault("search-api", "tavilly") == (
        "unknown provider `tavilly`; did you mean `tavily`? (one of your own needs a dialect: docs/dialects.md)"
    )
    assert provider_fault("extract-api", "brave") is not None
    assert provider_fault("model", "openia") == "unknown provider `openia`; did you mean `openai`?"


def test_dialects_of_one_s_own_and_hosts_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    own = (EntryPoint(name="acme", value="acme.dialect", group="webretrieval.dialects"),)
    monkeypatch.setattr(providers, "entry_points", lambda group: own)
    assert provider_fault("search-api", "acme") is None
    assert provider_fault("browser", "a-lender-of-browsers") is None
