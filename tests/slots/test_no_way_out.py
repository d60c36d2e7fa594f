"""What the user has opened is reached by a relay and nothing else is; sockets by path and power lead nowhere."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from fixture_server.client import World
from pytest_webretrieval.cases.data import truth_folder
from pytest_webretrieval.settings import DEFAULT_CORPUS
from pytest_webretrieval.slots import furniture
from pytest_webretrieval.slots.carrier import NoCarrier, open_carrier
from pytest_webretrieval.wire.attempt import Attempt, Trace

from .conftest import AGENTS, Open, task

SAID = b"x" * 300_000


@contextmanager
def store() -> Iterator[int]:
    """A server that answers as Redis does to PING and ECHO, on the real machine's loopback; its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_keep, args=(server,), daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def _keep(server: socket.socket) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        threading.Thread(target=_answer, args=(connection,), daemon=True).start()


def _answer(connection: socket.socket) -> None:
    with connection, connection.makefile("rwb") as file:
        for line in file:
            word = line.split()[0].upper()
            file.write(b"+PONG\r\n" if word == b"PING" else b"+" + line.partition(b" ")[2])
            file.flush()


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", str(len(SAID)))
        self.end_headers()
        self.wfile.write(SAID)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def model(host: str = "127.0.0.1") -> Iterator[int]:
    """An HTTP server on the real machine's loopback; its port."""
    server = ThreadingHTTPServer((host, 0), _Pages)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def run(
    folder: Path, allow: tuple[str, ...], *prompts: str, system: str = "caller:answer"
) -> tuple[list[object], list[Trace]]:
    """What each step answered, and what the world saw of it; the last trace is of the end."""

    async def steps() -> tuple[list[object], list[Trace]]:
        world = await World.start(folder / "world", truths=[truth_folder(DEFAULT_CORPUS, None)])
        carrier = None
        try:
            try:
                carrier = await open_carrier(
                    system, ca_pem=world.ca_pem, isolation="run", folder=AGENTS, allow=allow
                )
            except NoCarrier as error:
                pytest.skip(f"this machine makes no slots: {error}")
            await world.open_slot("import", carrier.import_doors)
            await carrier.imported()
            slot = await carrier.open_slot("one")
            await world.open_slot("one", slot.doors)
            await world.begin("one", seed=0, scene="known/static")
            payloads, traces = [], []
            for number, prompt in enumerate(prompts, 1):
                await world.step("one", number)
                said = await slot.ask(task(prompt), 20.0)
                assert said.ending == "answered", said
                payloads.append(said.payload)
                traces.append((await world.drain("one"))[0])
            await slot.end()
            return payloads, [*traces, (await world.drain("one"))[0]]
        finally:
            if carrier is not None:
                await carrier.close()
            await world.close()

    return asyncio.run(steps())


def told(attempt: Attempt) -> tuple[object, ...]:
    return (
        attempt.method,
        attempt.url,
        attempt.role,
        attempt.status,
        attempt.error_type,
        attempt.bytes_received,
    )


def test_allowed_ports_of_the_real_machine(tmp_path: Path) -> None:
    with store() as redis, model() as port:
        allow = (f"127.0.0.1:{redis}", f"localhost:{port}")
        payloads, (first, second, last) = run(
            tmp_path,
            allow,
            f"say 127.0.0.1 {redis} PING",
            f"get http://localhost:{port}/",
        )
    assert payloads == ["+PONG", len(SAID)]
    (asked,) = first.attempts
    assert told(asked) == ("CONNECT", f"tcp://127.0.0.1:{redis}", "allowed", None, None, len("+PONG\r\n"))
    (fetched,) = second.attempts
    assert told(fetched)[:5] == ("CONNECT", f"tcp://localhost:{port}", "allowed", None, None)
    assert len(SAID) < fetched.bytes_received < len(SAID) + 1000
    assert (asked.step, fetched.step, asked.failed) == (1, 2, False)
    assert [trace.egress for trace in (first, second, last)] == [(), (), ()]
    assert last.attempts == ()


def test_a_name_and_an_address_that_are_the_real_networks(tmp_path: Path) -> None:
    """Inside, a name has an address of the slot, and an address is itself; where they lead is known outside alone."""
    name = socket.gethostname()
    try:
        outside = socket.gethostbyname(name)
    except OSError:
        pytest.skip("this machine does not find its own name")
    with model("0.0.0.0") as port:
        payloads, traces = run(
            tmp_path,
            (f"{outside}:{port}",),
            f"get http://{outside}:{port}/",
            f"connect 10.11.12.13 {port}",
        )
    assert payloads == [len(SAID), "ConnectionRefusedError"]
    assert [attempt.url for attempt in traces[0].attempts] == [f"tcp://{outside}:{port}"]
    assert [(one.address, one.port) for one in traces[1].egress] == [("10.11.12.13", port)]


def test_a_name_that_only_the_real_machine_knows(tmp_path: Path) -> None:
    port = free_port()
    payloads, (trace, _) = run(
        tmp_path, (f"cache.internal:{port}",), f"resolve_and_connect cache.internal {port}"
    )
    assert payloads == ["reset"]
    assert {lookup.name for lookup in trace.lookups if lookup.known} == {"cache.internal"}
    assert trace.egress == ()
    assert {(attempt.url, attempt.role, attempt.error_type) for attempt in trace.attempts} == {
        (f"tcp://cache.internal:{port}", "allowed", "connect")
    }


def test_a_port_where_nobody_listens(tmp_path: Path) -> None:
    port = free_port()
    payloads, (trace, _) = run(tmp_path, (f"127.0.0.1:{port}",), f"resolve_and_connect 127.0.0.1 {port}")
    assert payloads == ["reset"]
    (attempt,) = trace.attempts
    assert told(attempt) == ("CONNECT", f"tcp://127.0.0.1:{port}", "allowed", None, "connection_refused", 0)


def test_what_is_not_allowed_stays_unreachable(tmp_path: Path) -> None:
    with store() as redis, model() as port:
        payloads, traces = run(
            tmp_path,
            (f"127.0.0.1:{redis}",),
            f"connect 127.0.0.1 {port}",
            f"connect ::1 {redis}",
            f"connect 127.0.0.2 {redis}",
        )
    assert payloads == ["ConnectionRefusedError"] * 3
    assert [trace.attempts for trace in traces] == [()] * 4


def test_a_connection_that_is_kept_is_told_once_for_each_step_that_uses_it(tmp_path: Path) -> None:
    with store() as redis:
        payloads, traces = run(
            tmp_path,
            (f"127.0.0.1:{redis}",),
            f"keep 127.0.0.1 {redis} PING",
            "say_by_kept PING",
            "nothing",
            system="caller:Keeper",
        )
    assert payloads == ["+PONG", "+PONG", "nothing"]
    assert [len(trace.attempts) for trace in traces] == [1, 1, 0, 0]
    assert [trace.attempts[0].bytes_received for trace in traces[:2]] == [7, 7]


def test_a_systems_own_servers_keep_working_beside_a_relay(tmp_path: Path) -> None:
    with store() as redis:
        payloads, (trace, _) = run(tmp_path, (f"127.0.0.1:{redis}",), "serve_and_ask 127.0.0.1")
    assert payloads == ["own"]
    assert (trace.attempts, trace.egress) == ((), ())


@pytest.mark.parametrize("name", ["docker.sock", "agent.42", "S.gpg-agent", "X0"])
def test_sockets_by_path_that_the_table_lists(
    place: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(furniture, "SOCKETS", (*furniture.SOCKETS, "{tmp}/listed-*/*"))
    monkeypatch.setattr(furniture.tempfile, "gettempdir", lambda: str(tmp_path))
    listed, other = tmp_path / "listed-1" / name, tmp_path / "other" / name
    with socket.socket(socket.AF_UNIX) as hidden, socket.socket(socket.AF_UNIX) as open_to_all:
        for path, server in ((listed, hidden), (other, open_to_all)):
            path.parent.mkdir()
            server.bind(str(path))
            server.listen()
        (by_table, by_nothing) = _ask(place, f"connect_path {listed}", f"connect_path {other}")
    assert (by_table, by_nothing) == ("ConnectionRefusedError", "connected")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SSH_AUTH_SOCK", "{path}"),
        ("DOCKER_HOST", "unix://{path}"),
        ("DBUS_SESSION_BUS_ADDRESS", "unix:path={path},guid=4f1c"),
        ("GPG_AGENT_INFO", "{path}:17:1"),
        ("TMUX", "{path},3021,0"),
        ("SESSION_MANAGER", "local/here:@/tmp/.ICE-unix/1,unix/here:{path}"),
    ],
)
def test_sockets_that_a_variable_names(tmp_path: Path, variable: str, value: str) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        assert str(path) in furniture.sockets_to_hide({variable: value.format(path=path)})


def test_a_variable_that_names_one_is_not_there_inside(place: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (*furniture.VARIABLES, "DISPLAY"):
        monkeypatch.setenv(variable, "/nowhere")
    (inside,) = _ask(place, f"set {' '.join((*furniture.VARIABLES, 'DISPLAY'))}")
    assert inside == []


def test_abstract_sockets_are_the_networks_own(place: Open) -> None:
    name = f"\0webretrieval-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(name)
        server.listen()
        (result,) = _ask(place, f"connect_abstract {name[1:]}")
    assert result == "ConnectionRefusedError"


@pytest.mark.parametrize("setting", ["net/ipv4/ip_forward", "kernel/printk_ratelimit"])
def test_settings_of_the_kernel_are_read_only_for_root_too(place: Open, setting: str) -> None:
    before = Path(f"/proc/sys/{setting}").read_text(encoding="utf-8")
    (result,) = _ask(place, f"write /proc/sys/{setting}")
    assert result in ("OSError", "PermissionError")
    assert Path(f"/proc/sys/{setting}").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    "way",
    [
        "trace {harness}",
        "trace 1",
        "write /proc/{harness}/mem",
        "write /proc/{harness}/oom_score_adj",
        "write /proc/{harness}/fd/1",
        "write /proc/1/mem",
        "raw_packets",
        "raw_ip",
        "route",
        "join /proc/1/ns/user",
        "join /proc/1/ns/pid",
    ],
)
def test_power_that_is_refused(place: Open, way: str) -> None:
    (result,) = _ask(place, way.format(harness=os.getpid()))
    assert result in (
        "PermissionError",
        "ProcessLookupError",
        "FileNotFoundError",
        "Operation not permitted",
        "EPERM",
    )


@pytest.mark.parametrize("target", ["8.8.8.8/53", "127.0.0.1/{port}", "198.51.100.9/443"])
def test_a_network_of_its_own_leads_nowhere(place: Open, target: str) -> None:
    """There it is root over everything, and there is nothing."""
    if shutil.which("unshare") is None or shutil.which("bash") is None:
        pytest.skip("unshare or bash is not installed")
    with store() as port:
        there = target.format(port=port)
        script = f"(ip link set lo up) 2>/dev/null; exec 3<>/dev/tcp/{there} && echo reached"
        (result,) = _ask(place, f"shell_in_own_network {script}")
    assert "reached" not in str(result)


def _ask(place: Open, *prompts: str) -> list[object]:
    async def steps() -> list[object]:
        async with place("prober:answer") as here:
            said = [await here.ask(prompt) for prompt in prompts]
            assert [step.ending for step in said] == ["answered"] * len(prompts), said
            return [step.payload for step in said]

    return asyncio.run(steps())
