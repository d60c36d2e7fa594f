"""A system has its user's ids and no power over the slot; and no way out of it."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from pathlib import Path

import pytest

from .conftest import Open


def ask(place: Open, *prompts: str, environment: dict[str, str] | None = None) -> list[object]:
    async def run() -> list[object]:
        async with place("prober:answer", environment=environment) as here:
            said = [await here.ask(prompt) for prompt in prompts]
            assert [step.ending for step in said] == ["answered"] * len(prompts), said
            return [step.payload for step in said]

    return asyncio.run(run())


def test_the_users_own_ids_and_only_the_runs_processes(place: Open) -> None:
    ids, processes = ask(place, "ids", "processes")
    assert ids == [os.getuid(), os.getgid(), os.geteuid()]
    assert processes == [1, 2]


def test_neither_the_harness_nor_the_slots_parent_can_be_reached(place: Open) -> None:
    me = os.getpid()
    results = ask(
        place, f"kill {me}", f"join /proc/{me}/ns/net", "join /proc/1/ns/net", "join /proc/1/ns/mnt"
    )
    assert results[0] == "ProcessLookupError"
    assert all(
        result in ("FileNotFoundError", "PermissionError", "Operation not permitted")
        for result in results[1:]
    )


@pytest.mark.parametrize(
    "argv",
    [
        "nsenter -t {harness} -n true",
        "nsenter -t 1 -n true",
        "umount /etc/resolv.conf",
        "umount /proc",
        "mount -t tmpfs none /mnt",
        "ip link set lo down",
        "ip route flush table local",
        "ip route add local 0.0.0.0/1 dev lo",
    ],
)
def test_commands_that_would_lead_out_are_refused(place: Open, argv: str) -> None:
    if shutil.which(argv.split()[0]) is None:
        pytest.skip(f"{argv.split()[0]} is not installed")
    (result,) = ask(place, f"command {argv.format(harness=os.getpid())}")
    assert not str(result).startswith("0 "), result


def test_namespaces_of_its_own_are_granted(place: Open) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    (result,) = ask(place, "command unshare -Urn id -u")
    assert result == "0 0"


def test_names_are_found_by_the_slots_own_files(place: Open) -> None:
    hosts, resolv, switch = ask(place, "read /etc/hosts", "read /etc/resolv.conf", "read /etc/nsswitch.conf")
    assert "localhost" in str(hosts)
    assert str(resolv).splitlines()[:2] == ["nameserver 192.0.2.53", "search ."]
    if switch != "FileNotFoundError":
        assert [line for line in str(switch).splitlines() if line.startswith("hosts")] == ["hosts: files dns"]


def test_sockets_that_lead_out_are_hidden(
    place: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "docker.sock")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        (result,) = ask(place, f"connect_path {path}")
    assert result == "ConnectionRefusedError"


def test_a_run_holds_nothing_but_its_pipes(place: Open) -> None:
    (held,) = ask(place, "open_files")
    assert held == ["/dev/null", "pipe", "pipe", "pipe", "pipe"]
