"""Whom a slot trusts, and what its environment says."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
import trustme

from pytest_webretrieval.slots import environment, furniture, trust

from .conftest import Open


def test_the_hash_is_that_of_openssl(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    for authority in (
        trustme.CA(),
        trustme.CA(organization_name="  Größe   UND  more ", organization_unit_name="X"),
    ):
        file = tmp_path / "ca.pem"
        file.write_bytes(authority.cert_pem.bytes())
        said = subprocess.run(
            [openssl, "x509", "-noout", "-hash", "-in", str(file)], capture_output=True, text=True, check=True
        )
        assert f"{trust.subject_hash(authority.cert_pem.bytes()):08x}" == said.stdout.strip()


def test_the_bundle_holds_the_systems_roots_and_ours(tmp_path: Path) -> None:
    ours = trustme.CA().cert_pem.bytes()
    bundle, _ = trust.write_trust(tmp_path, ours)
    context = ssl.create_default_context(cafile=bundle)
    roots = ssl.create_default_context(cadata=trust.system_roots().decode("ascii")).cert_store_stats()[
        "x509_ca"
    ]
    assert context.cert_store_stats()["x509_ca"] == roots + 1
    assert roots > 10


def test_bundles_of_the_environments_that_a_command_leads_to(tmp_path: Path) -> None:
    packages = tmp_path / ".venv/lib/python3.11/site-packages"
    tool = tmp_path / "tool/lib/python3.12/site-packages"
    for place in (
        packages / "certifi",
        packages / "pip/_vendor/certifi",
        packages / "botocore",
        tool / "certifi",
    ):
        place.mkdir(parents=True)
        (place / "cacert.pem").write_text("", encoding="utf-8")
    program = tmp_path / "tool/bin/python"
    program.parent.mkdir()
    program.touch(mode=0o755)
    alone = set(trust.bundles_to_hide("agent:answer", tmp_path))
    assert {str(place / "cacert.pem") for place in (packages / "certifi", packages / "botocore")} <= alone
    assert str(tool / "certifi/cacert.pem") not in alone
    for command in ("cmd: tool/bin/python agent.py {prompt}", f"cmd: env X=1 {program} agent.py"):
        assert str(tool / "certifi/cacert.pem") in trust.bundles_to_hide(command, tmp_path)
    assert "cacert.pem" in trust.bundles_to_hide("cmd: 'unbalanced", tmp_path)[-1]


def test_the_harnesss_own_certifi_is_hidden(tmp_path: Path) -> None:
    import certifi

    assert os.path.realpath(certifi.where()) in trust.bundles_to_hide(None, tmp_path)


def test_keys_are_harmless_offline_and_untouched_online() -> None:
    real = {
        "TAVILY_API_KEY": "tvly-real",
        "ACME_API_KEY": "real",
        "AWS_SECRET_ACCESS_KEY": "real",
        "EDITOR": "vi",
    }
    offline, online = environment.offline(real), environment.online(real)
    assert "real" not in "".join(offline.values())
    assert offline["EDITOR"] == "vi"
    assert offline["TAVILY_API_KEY"].startswith("tvly-")
    assert offline["OPENAI_API_KEY"]
    assert {name: online[name] for name in real} == real
    assert set(online) - set(real) == {"AWS_EC2_METADATA_DISABLED", "NO_GCE_CHECK"}


def test_no_proxy_leads_around_the_doors() -> None:
    given = {"HTTPS_PROXY": "http://proxy:1", "no_proxy": "*", "SSL_CERT_DIR": "/certs", "PATH": "/bin"}
    inside = environment.inside(given, "/roots.pem")
    assert set(inside) == {"PATH", *environment.TRUST_VARIABLES}
    assert inside["SSL_CERT_FILE"] == inside["NODE_EXTRA_CA_CERTS"] == "/roots.pem"


def test_a_system_meets_that_environment(place: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-real")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    names = ("TAVILY_API_KEY", "HTTPS_PROXY", "SSL_CERT_FILE", "HOME")

    async def run() -> list[object]:
        async with place("endings:System") as here:
            return [(await here.ask(f"environment {name}")).payload for name in names]

    key, proxy, roots, home = asyncio.run(run())
    assert key == "tvly-not-a-secret"
    assert proxy == "(not set)"
    assert str(roots).endswith("roots.pem")
    assert home == os.environ.get("HOME", "(not set)")


def test_the_name_service_switch_keeps_its_other_lines() -> None:
    given = (
        "passwd: files sss\n hosts : mymachines resolve [!UNAVAIL=return] files dns\nhosts:nis\n# hosts: no\n"
    )
    assert furniture.names_from_dns(given) == "passwd: files sss\n# hosts: no\nhosts: files dns\n"


def test_sockets_are_found_by_what_variables_say(tmp_path: Path) -> None:
    path = str(tmp_path / "agent")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        assert path in furniture.sockets_to_hide({"SSH_AUTH_SOCK": path})
        assert path in furniture.sockets_to_hide({"DBUS_SESSION_BUS_ADDRESS": f"unix:path={path},guid=1"})
        assert path not in furniture.sockets_to_hide({"SSH_AUTH_SOCK": sys.executable})
