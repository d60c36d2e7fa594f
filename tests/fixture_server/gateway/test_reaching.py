"""Servers that cannot be reached, must not be, or show no certificate to trust: one clear line each."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st

from fixture_server.gateway.public import PrivateAddress, PublicBackend
from pytest_webretrieval.wire.addresses import is_public

from .conftest import HOST
from .origin import Heard, Origin, Out, start

URL = f"https://{HOST}/x"
# What one Python or another holds for global, and the registries do not, or not for everybody.
_PYTHON_TAKES_FOR_GLOBAL = {
    4: [ipaddress.ip_network("192.0.0.0/24")],
    6: [ipaddress.ip_network(block) for block in ("2001::/23", "3fff::/20", "fec0::/10")],
}


async def _told(gate: Any) -> tuple[httpx.Response, str | None]:
    async with gate.client() as client:
        response = await client.get(URL)
    (attempt,) = await gate.attempts()
    assert attempt.status == response.status_code
    return response, attempt.error_type


@pytest.mark.asyncio(loop_scope="module")
async def test_nobody_there(open_gate: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    response, error_type = await _told(await open_gate("all", f"{HOST}=http://127.0.0.1:{port}"))
    assert (response.status_code, error_type) == (502, "upstream_refused")
    assert response.text.startswith(f"127.0.0.1:{port} cannot be reached: ")
    assert len(response.text.splitlines()) == 1
    assert response.headers["x-should-retry"] == "false"


@pytest.mark.asyncio(loop_scope="module")
async def test_no_such_name(open_gate: Any) -> None:
    for gateway in (f"{HOST}=http://nowhere.invalid", "nowhere.invalid"):
        gate = await open_gate("all", gateway)
        async with gate.client() as client:
            response = await client.get(f"https://{gateway.partition('=')[0]}/x")
        (attempt,) = await gate.attempts()
        assert (response.status_code, attempt.error_type) == (502, "upstream_unknown_host")
        assert response.text.startswith("nowhere.invalid:")
        assert " has no address: " in response.text


@pytest.mark.asyncio(loop_scope="module")
async def test_a_server_that_hangs_up(open_gate: Any, origin: Origin) -> None:
    def reset(heard: Heard, out: Out) -> None:
        out.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        out.connection.close()

    origin.on("/x", reset)
    response, error_type = await _told(await open_gate("all"))
    assert (response.status_code, error_type) == (502, "upstream_reset")
    assert " ended the connection without an answer: " in response.text
    assert len(origin.heard) == 1, "nothing is asked twice"


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_not_http(open_gate: Any, origin: Origin) -> None:
    origin.on("/x", lambda _, out: out.send(b"220 mail.acme.test ESMTP\r\n"))
    response, error_type = await _told(await open_gate("all"))
    assert (response.status_code, error_type) == (502, "upstream_reset")


@pytest.fixture
def tls_origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Origin, trustme.CA]]:
    ca = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ca.issue_cert("localhost").configure_cert(context)
    origin = start(context)
    origin.says("/x", b"over tls")
    yield origin, ca
    origin.close()


@pytest.mark.asyncio(loop_scope="module")
async def test_certificates_are_verified(
    open_gate: Any, tls_origin: tuple[Origin, trustme.CA], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin, ca = tls_origin
    response, error_type = await _told(await open_gate("all", f"{HOST}={origin.url}", new=True))
    assert (response.status_code, error_type) == (502, "upstream_tls")
    assert "showed no certificate to trust" in response.text
    (tmp_path / "ca.pem").write_bytes(ca.cert_pem.bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    response, error_type = await _told(await open_gate("all", f"{HOST}={origin.url}", new=True))
    assert (response.text, error_type) == ("over tls", None)
    other_name = origin.url.replace("localhost", "127.0.0.1")
    response, error_type = await _told(await open_gate("all", f"{HOST}={other_name}", new=True))
    assert (response.status_code, error_type) == (502, "upstream_tls")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_name_must_not_lead_to_this_machine(open_gate: Any, origin: Origin) -> None:
    """``localhost`` is a name like any that somebody may point at a machine of the local network."""
    gate = await open_gate("all", "localhost")
    async with gate.client() as client:
        response = await client.get("https://localhost/x")
    (attempt,) = await gate.attempts()
    assert (response.status_code, attempt.error_type) == (502, "upstream_private")
    assert "which is not a public address; name the server itself, as HOST=URL" in response.text
    assert origin.heard == []


@pytest.mark.asyncio(loop_scope="module")
async def test_the_checked_address_is_the_one_that_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second question might be answered otherwise, so there is none."""
    asked: list[str] = []
    loop = asyncio.get_running_loop()

    async def once(host: str, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 9))]

    monkeypatch.setattr(loop, "getaddrinfo", once)
    with pytest.raises(PrivateAddress):
        await PublicBackend().connect_tcp("rebinding.acme.test", 80)
    assert asked == ["rebinding.acme.test"]


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "172.16.9.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fd00::1", "fec0::1"),
        *(
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "2002:7f00:1::",
            "64:ff9b::7f00:1",
            "2001:db8::1",
        ),
        # translated within a network, not by the internet (RFC 8215); compatible (RFC 4291), translatable (RFC 2765)
        *("64:ff9b:1::a00:1", "64:ff9b:1::5db8:d822", "::10.0.0.1", "::93.184.216.34", "::ffff:0:10.0.0.1"),
        *(
            "100::1",
            "100:0:0:1::1",
            "200::1",
            "5f00::1",
            "3fff::1",
            "4000::1",
            "2001::1",
            "2001:2::1",
            "2001:20::1",
        ),
        *("192.0.0.8", "192.0.0.170", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "240.0.0.1"),
        *("2002:c000:8::1", "64:ff9b::e000:1"),
    ],
)
def test_addresses_that_are_nobodys_outside(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["93.184.216.34", "2606:4700::1", "::ffff:93.184.216.34", "64:ff9b::5db8:d822", "2002:5db8:d822::1"],
)
def test_addresses_of_the_open_internet(address: str) -> None:
    assert is_public(address)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6), st.ip_addresses(network="2000::/3")))
def test_what_is_public_is_so_for_python_too_and_the_other_way_for_all_but_what_it_takes_for_allocated(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    carried = isinstance(address, ipaddress.IPv6Address) and (address.ipv4_mapped or address.sixtofour)
    if carried:
        assert is_public(str(address)) == is_public(str(carried))
        return
    if is_public(str(address)):
        assert address.is_global
    elif address.is_global and not address.is_multicast:
        assert address.is_reserved or any(
            address in block for block in _PYTHON_TAKES_FOR_GLOBAL[address.version]
        )
