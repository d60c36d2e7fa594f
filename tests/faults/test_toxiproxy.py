"""The face of toxiproxy-python, the choice of a server, and toxiproxy-python itself against either server."""

from __future__ import annotations

import re
import socket
import urllib.request
from pathlib import Path

import pytest
import toxiproxy as library

from pytest_webretrieval.faults import toxiproxy
from pytest_webretrieval.faults.toxics import Toxic
from pytest_webretrieval.faults.toxiproxy import Choice, Toxiproxy, ToxiproxyFailure

from .conftest import BODY, Origin
from .real import real_program


def read(address: str) -> bytes:
    with urllib.request.urlopen(f"http://{address}/", timeout=20) as answer:
        return bytes(answer.read())


def test_the_face_makes_and_ends_proxies(server_url: str, origin: Origin) -> None:
    server = Toxiproxy(server_url)
    assert server.version
    listen = server.create("one", origin.address, [Toxic(name="r", kind="reset_peer")])
    with pytest.raises(OSError, match="reset"):
        read(listen)
    server.remove("one")
    server.remove("one")
    listen = server.create("one", origin.address, [])
    assert read(listen) == BODY
    with pytest.raises(ToxiproxyFailure, match="was asked for a proxy to"):
        server.create("one", origin.address, [])
    server.remove("one")


def test_toxiproxy_python_drives_it(server_url: str, origin: Origin) -> None:
    host, _, port = server_url.removeprefix("http://").partition(":")
    client = library.Toxiproxy()
    client.update_api_consumer(host, int(port))
    assert client.running()
    proxy = client.create(upstream=origin.address, name="theirs")
    proxy.add_toxic(type="limit_data", attributes={"bytes": 0})
    assert list(proxy.toxics()) == ["limit_data_downstream"]
    with pytest.raises(OSError, match="closed"):
        read(proxy.listen)
    proxy.destroy_toxic("limit_data_downstream")
    with proxy.down(), pytest.raises(OSError, match="refused"):
        read(proxy.listen)
    assert read(proxy.listen) == BODY
    with pytest.raises(library.exceptions.ProxyExists):
        client.create(upstream=origin.address, name="theirs")
    with pytest.raises(library.exceptions.InvalidToxic):
        proxy.add_toxic(type="packet_loss")
    client.destroy_all()
    assert client.proxies() == {}


def test_what_the_option_comes_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert toxiproxy.choose("embedded") == toxiproxy.choose("auto") == Choice()
    assert toxiproxy.choose("http://127.0.0.1:8474/") == Choice(url="http://127.0.0.1:8474")
    program = tmp_path / "toxiproxy-server"
    program.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    program.chmod(0o755)
    assert toxiproxy.choose("auto") == toxiproxy.choose(str(program)) == Choice(program=program)
    with pytest.raises(ToxiproxyFailure, match="is it a Toxiproxy server"):
        toxiproxy.start(program)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("/nowhere/server", "no such program; build one by"),
        ("embeded", "no such program; did you mean `embedded`"),
        ("ftp://127.0.0.1:8474", "expected http://HOST:PORT"),
        ("http://", "expected http://HOST:PORT"),
        ("http://127.0.0.1:port", "expected http://HOST:PORT"),
        ("http://127.0.0.1:9", "no Toxiproxy answers at http://127.0.0.1:9"),
        ("true", "is it a Toxiproxy server"),
    ],
)
def test_what_cannot_be_had_is_said_before_a_run(asked: str, said: str) -> None:
    with pytest.raises(
        ToxiproxyFailure, match=f"^--webretrieval-toxiproxy={re.escape(asked)}: .*{re.escape(said)}"
    ):
        toxiproxy.check(asked)


def test_what_is_there_is_tried(server_url: str) -> None:
    toxiproxy.check(server_url)
    toxiproxy.check("embedded")
    if (program := real_program()) is not None:
        toxiproxy.check(str(program))


def test_nobody_there_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with pytest.raises(ToxiproxyFailure, match="nobody answers"):
        Toxiproxy(f"http://127.0.0.1:{port}")
