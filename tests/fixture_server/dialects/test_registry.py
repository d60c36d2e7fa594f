"""Dialects by entry point: users' own answer beside the world's, and one that cannot is named at the start."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from fixture_server import models
from fixture_server.client import World, WorldFailure
from fixture_server.dialects.registry import CHANNELS, OWN, dialects, offers
from pytest_webretrieval.lanes.task import channels
from pytest_webretrieval.slots.environment import KEYS, PLACES
from pytest_webretrieval.wire.tracing import RECEIVER

ACME = """
    import json
    from fixture_server.message import Answer

    HOSTS = ("api.acme-search.example",)
    OFFERS = {"search-api": {"base_url": "https://api.acme-search.example", "api_key_env": "ACME_KEY"}}

    def channel(asked):
        return "search-api"

    def respond(asked, stage):
        return Answer(headers=(("content-type", "application/json"),), body=json.dumps([asked.path]).encode())
"""

Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a package of one module that is a dialect by entry point."""
    root = tmp_path / "installed"
    monkeypatch.syspath_prepend(str(root))

    def installed(name: str, code: str) -> None:
        info = root / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (root / f"{name}.py").write_text(textwrap.dedent(code), encoding="utf-8")
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8"
        )
        points = f"[webretrieval.dialects]\n{name.removesuffix('_dialect')} = {name}\n"
        (info / "entry_points.txt").write_text(points, encoding="utf-8")

    return installed


@pytest.fixture
def _acme(install: Install) -> None:
    install("acme_dialect", ACME)


@pytest.mark.asyncio
@pytest.mark.usefixtures("_acme")
async def test_a_dialect_of_ones_own(slot: Any) -> None:
    told = slot.world.dialects()
    assert told["search-api"]["acme"] == {
        "base_url": "https://api.acme-search.example",
        "api_key_env": "ACME_KEY",
    }
    offered = channels(None, told, "scripted")
    assert offered["search-api"]["dialects"]["acme"]["api_key_env"] == "ACME_KEY"
    assert "acme" not in offered["extract-api"]["dialects"]
    await slot.begin()
    async with slot.client() as client:
        assert (await client.get("https://api.acme-search.example/find?q=x")).json() == ["/find"]
    assert [(one.role, one.channel) for one in await slot.attempts()] == [("api", "search-api")]
    # The harness never imports it.
    assert "acme_dialect" not in sys.modules


BROKEN = {
    "an import that fails": ("import nothing_of_that_name", "cannot be imported: No module named"),
    "no hosts": ("def channel(asked): ...\ndef respond(asked, stage): ...", "HOSTS must be host names"),
    "a host with a scheme": ('HOSTS = ("https://a.example",)', "HOSTS must be host names"),
    "no channel": (
        'HOSTS = ("a.example",)\ndef respond(asked, stage): ...',
        "it has no function channel(asked)",
    ),
    "no respond": (
        'HOSTS = ("a.example",)\ndef channel(asked): ...',
        "it has no function respond(asked, stage)",
    ),
    "a host that is taken": (
        textwrap.dedent(ACME).replace("api.acme-search.example", "api.tavily.com"),
        "host api.tavily.com is that of dialect tavily",
    ),
    "a model's host": (
        textwrap.dedent(ACME).replace("api.acme-search.example", "api.openai.com"),
        "host api.openai.com is a model's too; PATHS must say",
    ),
    "a browser's host": (
        textwrap.dedent(ACME).replace("api.acme-search.example", "mtalk.google.com"),
        "host mtalk.google.com is one that browsers call by themselves",
    ),
    "the receiver of telemetry": (
        textwrap.dedent(ACME).replace("api.acme-search.example", RECEIVER),
        f"host {RECEIVER} is where the world takes telemetry",
    ),
    "an unknown channel": (
        textwrap.dedent(ACME).replace('"search-api": {', '"search": {'),
        "OFFERS must map",
    ),
}


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", BROKEN)
async def test_one_that_cannot_be_used_is_named_at_the_start(
    kind: str, install: Install, site: Any, tmp_path: Path
) -> None:
    code, said = BROKEN[kind]
    install("broken_dialect", code)
    world = await World.start(tmp_path / "world", truths=[site.truth], sites=[site.folder])
    try:
        with pytest.raises(WorldFailure) as failure:
            await world.ready()
    finally:
        await world.close()
    assert "dialect 'broken' (entry point group webretrieval.dialects)" in str(failure.value)
    assert said in str(failure.value)
    assert "\n" not in str(failure.value)


@pytest.mark.asyncio
async def test_a_name_is_taken_once(install: Install, site: Any, tmp_path: Path) -> None:
    install("tavily_dialect", ACME)
    world = await World.start(tmp_path / "world", truths=[site.truth], sites=[site.folder])
    try:
        with pytest.raises(WorldFailure, match=r"dialect 'tavily' .*: another dialect has this name"):
            await world.ready()
    finally:
        await world.close()


def test_what_is_told_of_the_own_dialects_is_there() -> None:
    told = offers()
    assert set(told) == set(CHANNELS)
    assert len(told["search-api"]) == len(OWN)
    for facts in (facts for channel in told.values() for facts in channel.values()):
        host = urlsplit(facts.get("base_url") or facts["url"]).hostname
        assert host in dialects()
        assert facts.get("api_key_env", "TAVILY_API_KEY") in KEYS
    assert PLACES["WEBRETRIEVAL_MCP_URL"] == told["search-api"]["mcp"]["url"]
    assert PLACES[told["search-api"]["searxng"]["base_url_env"]] == told["search-api"]["searxng"]["base_url"]
    shared = [host for host, dialect in dialects().items() if host in models.HOSTS]
    assert shared == ["api.perplexity.ai"]
    assert all(
        hasattr(module, "read") for module in OWN if module.__name__ != "fixture_server.dialects.plain"
    )
