"""Clients that know nothing of a slot meet the web behind its doors."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import shutil
from pathlib import Path

import pytest

from .conftest import ADDRESS, ADDRESS_6, Open

SAYS = "this is releases.acme-metals.example"
PAGE = "https://releases.acme-metals.example/notes"


def ask(place: Open, *prompts: str) -> tuple[list[object], list[str]]:
    """The payloads, and what the web saw."""

    async def run() -> tuple[list[object], list[str]]:
        async with place("clients:answer") as here:
            payloads = []
            for prompt in prompts:
                said = await here.ask(prompt)
                assert said.ending == "answered", said
                payloads.append(said.payload)
            await here.slot.end()
            return payloads, here.web.seen

    return asyncio.run(run())


@pytest.mark.parametrize(
    "client",
    ["httpx", "httpx_without_environment", "requests", "urllib", "aiohttp", "pinned_roots", "bare_python"],
)
def test_python_clients(place: Open, client: str) -> None:
    module = client.partition("_")[0]
    if module in ("httpx", "requests", "aiohttp") and importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")
    payloads, seen = ask(place, f"by_{client}")
    assert payloads == [SAYS]
    assert f"GET releases.acme-metals.example {ADDRESS}" in seen


@pytest.mark.parametrize(
    "argv",
    [
        f"curl -sS {PAGE}",
        f"env -i {shutil.which('curl')} -sS {PAGE}",
        f"wget -qO- {PAGE}",
        f"env -i {shutil.which('wget')} -qO- {PAGE}",
    ],
)
def test_commands(place: Open, argv: str) -> None:
    program = "wget" if "wget" in argv else "curl"
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    assert ask(place, f"by_command {argv}")[0] == [SAYS]


def test_node(place: Open) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    assert ask(place, "by_node")[0] == [SAYS]


def test_plain_http_and_ipv6(place: Open) -> None:
    payloads, seen = ask(place, "by_plain_http", "by_six")
    assert payloads == [SAYS, "this is six.acme-metals.example"]
    assert any(line.startswith("GET six.acme-metals.example") and ADDRESS_6[:4] in line for line in seen)


@pytest.mark.parametrize("server", ["8.8.8.8", "9.9.9.9", "10.1.2.3", "127.0.0.53", "2001:4860:4860::8888"])
def test_any_name_server_answers_from_the_address_that_was_asked(place: Open, server: str) -> None:
    assert ask(place, f"resolve_at {server}")[0] == [ADDRESS]


def test_names_by_tcp_and_missing_names(place: Open) -> None:
    payloads, seen = ask(place, "resolve_by_tcp 1.1.1.1", "resolve gone.nowhere", "resolve localhost")
    assert payloads[0] == ADDRESS
    assert "not known" in str(payloads[1])
    assert set(json.loads(str(payloads[2]))) <= {"127.0.0.1", "::1"}
    assert "DNS gone.nowhere" in seen


def test_what_has_no_door_is_named(place: Open) -> None:
    payloads, seen = ask(
        place,
        "connect 8.8.8.8 22",
        "connect 2001:4860:4860::8888 8443",
        "send 1.2.3.4 123",
        "send 2001:db8::1 4433",
        "connect 127.0.0.1 6379",
        "connect ::1 6379",
        "by_urllib",
        "resolve_at 8.8.8.8",
    )
    assert payloads[0] == payloads[1] == "ConnectionRefusedError"
    named = [line for line in seen if line.startswith(("tcp", "udp"))]
    assert named == [
        "tcp 8.8.8.8 22",
        "tcp 2001:4860:4860::8888 8443",
        "udp 1.2.3.4 123",
        "udp 2001:db8::1 4433",
    ]


def test_traffic_at_import_comes_through_doors_of_its_own(place: Open, tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(
        "import urllib.request\n"
        "SAID = urllib.request.urlopen('https://telemetry.example/').read().decode()\n"
        "def answer(prompt: str) -> str:\n    return SAID\n",
        encoding="utf-8",
    )

    async def run() -> tuple[object, list[str]]:
        async with place("caller:answer", folder=tmp_path) as here:
            before = list(here.web.seen)
            return (await here.ask("?")).payload, before

    payload, before = asyncio.run(run())
    assert payload == "this is telemetry.example"
    assert f"GET telemetry.example {ADDRESS}" in before
