"""The simulated internet itself: what is seen inside, and that nothing of it is seen outside."""

from __future__ import annotations

import hashlib
import ipaddress
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fixture_server.gateway.public import is_public

from .internet import model, search, town
from .internet.live import KEYS
from .internet.rig import Rig
from .internet.scenario import (
    Answer,
    Site,
    answer,
    by_night,
    denied,
    gone,
    in_turn,
    moved,
    page,
    slow,
)

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")

HERE = Path(__file__).parent
DUES = town.question("T01")
HOST, PRIVATE = DUES.host, "intranet.alder-bay.example"
BIG = bytes(range(256)) * 4096
SCENARIO = (
    town.town()
    .with_pages(
        HOST,
        {
            "/talk": Answer(messages=("hello",)),
            "/fees": by_night({1: page("Fees", "5 pounds"), 3: page("Fees", "7 pounds"), 5: gone()}),
            "/desk": in_turn(answer(503), page("Desk", "Open.")),
            "/late": slow(0.5, page("Late", "At last.")),
            "/inside": moved(f"http://{PRIVATE}/"),
            "/wall": denied(),
            "/cut": Answer(body=BIG, ending="cut"),
            "/reset": Answer(ending="reset"),
        },
    )
    .with_pages(town.HTTP2_HOST, {"/big": Answer(body=BIG), "/cut": Answer(body=BIG, ending="cut")})
    .with_sites(
        {
            PRIVATE: Site(address="10.1.2.3", pages={"/": page("Inside", "A secret.")}),
            "down.alder-bay.example": Site(down=True),
            "another.alder-bay.example": Site(certificate="another-name"),
            "unknown.alder-bay.example": Site(certificate="unknown-authority"),
        }
    )
)


def curl(rig: Rig, url: str, *options: str) -> tuple[int, str, str]:
    """curl's exit code, the body, and status with HTTP's version."""
    done = rig.run(["curl", "-s", "-m", "20", "-w", "\n%{http_code} %{http_version}", *options, url])
    body, _, last = done.out.rpartition("\n")
    return done.code, body, last


@pytest.fixture
def shown(rig: Rig) -> Rig:
    """The town with some oddities."""
    rig.show(SCENARIO)
    return rig


def test_pages_come_over_verified_tls_and_are_logged_as_served(shown: Rig) -> None:
    code, body, last = curl(shown, DUES.url)
    assert (code, last) == (0, "200 1.1"), body
    assert body.encode() == DUES.page().body
    (request,) = shown.log.requests
    assert (request.url, request.status, request.version) == (DUES.url, 200, "1.1")
    assert request.sha256 == hashlib.sha256(DUES.page().body).hexdigest()
    assert request.user_agent.startswith("curl/")
    lines = shown.log.path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["target"] for line in lines] == [DUES.path]
    assert set(shown.log.names) == {HOST}


@pytest.mark.parametrize("host", ["another.alder-bay.example", "unknown.alder-bay.example"])
def test_a_certificate_that_is_not_the_hosts_own_is_not_taken(shown: Rig, host: str) -> None:
    assert curl(shown, f"https://{host}/") == (60, "", "000 0")
    assert shown.log.requests == []


def test_clients_as_people_use_them(shown: Rig) -> None:
    told = {
        "URLS": f"{DUES.url} https://{town.HTTP2_HOST}/big https://{HOST}/robots.txt https://{HOST}/nothing",
        "WEBSOCKET": f"wss://{HOST}/talk",
        "HOST": HOST,
    }
    done = shown.run([sys.executable, str(HERE / "inside_clients.py")], environment=os.environ | KEYS | told)
    assert done.code == 0, done.out
    got: dict[str, Any] = json.loads(done.out)
    assert got["pages"] == [
        [200, "HTTP/1.1", len(DUES.page().body)],
        [200, "HTTP/2", len(BIG)],
        [200, "HTTP/1.1", 23],
        [404, "HTTP/1.1", 4],
    ]
    assert got["websocket"] == ["hello", "and back"]
    results, refused = got["searches"]
    trams = town.question("T07")
    assert (results[0]["url"], results[0]["title"]) == (trams.url, trams.title)
    assert trams.said in results[0]["content"]
    assert "Unauthorized" in refused
    assert got["model"] == ["assistant", 401]
    assert {ipaddress.ip_address(one).version for one in got["names"]} == {4, 6}
    assert all(is_public(one) for one in got["names"]), got["names"]
    kept = [(one.host, one.status) for one in shown.log.requests]
    assert kept[-4:] == [(search.HOST, 200), (search.HOST, 401), (model.HOST, 200), (model.HOST, 401)]
    assert not any(key in shown.log.path.read_text() for key in KEYS.values())


def test_pages_change_from_night_to_night_and_from_request_to_request(rig: Rig) -> None:
    fees = []
    for night in (1, 2, 3, 5):
        rig.show(SCENARIO, night)
        _, body, last = curl(rig, f"https://{HOST}/fees")
        fees.append((re.findall(r"\d pounds", body), last))
        assert [one.night for one in rig.log.requests] == [night]
    assert fees == [
        (["5 pounds"], "200 1.1"),
        (["5 pounds"], "200 1.1"),
        (["7 pounds"], "200 1.1"),
        ([], "410 1.1"),
    ]
    assert [curl(rig, f"https://{HOST}/desk")[2] for _ in range(3)] == ["503 1.1", "200 1.1", "200 1.1"]
    rig.show(SCENARIO)
    assert curl(rig, f"https://{HOST}/desk")[2] == "503 1.1", "counted anew"


def test_hosts_go_wrong_in_the_ways_of_hosts(shown: Rig) -> None:
    assert curl(shown, f"https://{HOST}/wall")[2] == "403 1.1"
    assert curl(shown, f"https://{HOST}/late", "-m", "0.2")[0] == 28
    assert curl(shown, f"https://{HOST}/cut")[::2] == (18, "200 1.1")
    assert curl(shown, f"https://{town.HTTP2_HOST}/cut")[::2] == (92, "200 2")
    assert curl(shown, f"https://{HOST}/reset")[0] in (52, 56)
    assert curl(shown, "https://down.alder-bay.example/")[0] == 35
    statuses = {one.target: one.status for one in shown.log.requests}
    assert statuses["/reset"] is None
    shown.show(SCENARIO.failing(search.HOST).closed(HOST).without(town.HTTP2_HOST))
    assert curl(shown, f"https://{search.HOST}/search", "-d", "{}")[2] == "503 1.1"
    assert "Disallow: /" in curl(shown, f"https://{HOST}/robots.txt")[1]
    assert curl(shown, f"https://{town.HTTP2_HOST}/")[0] == 6, "the name exists no more"


def test_a_private_address_is_there_to_be_denied_and_every_visit_is_known(shown: Rig) -> None:
    code, body, last = curl(shown, f"https://{HOST}/inside", "-L")
    assert (code, last) == (0, "200 1.1")
    assert "A secret." in body
    assert [(one.host, one.address) for one in shown.log.requests][1:] == [(PRIVATE, "10.1.2.3")]
    assert curl(shown, "http://169.254.169.254/latest/meta-data/")[0] in (7, 56)
    assert shown.log.strays == ["169.254.169.254:80"]


def test_nothing_leaves_and_nothing_is_trusted_outside(shown: Rig) -> None:
    """A server of this machine, its names and its real addresses are not there; ours are not here."""
    with socket.create_server(("127.0.0.1", 0)) as outside:
        outside.settimeout(0.2)
        port = outside.getsockname()[1]
        assert curl(shown, f"http://127.0.0.1:{port}/")[0] == 7
        with pytest.raises(TimeoutError):
            outside.accept()
    links = shown.run(["cat", "/proc/net/dev"]).out.splitlines()[2:]
    assert [line.split(":")[0].strip() for line in links] == ["lo"]
    assert shown.run(["cat", "/etc/resolv.conf"]).out.startswith("nameserver 192.0.2.53\n")
    assert "192.0.2.53" not in Path("/etc/resolv.conf").read_text(encoding="utf-8")
    authority = ssl.PEM_cert_to_DER_cert(shown.authority.read_text(encoding="ascii"))
    assert authority not in ssl.create_default_context().get_ca_certs(binary_form=True)


@pytest.mark.parametrize("system", ["reference", "openai_loop"])
def test_the_town_is_answered_by_the_systems_that_will_be_asked(shown: Rig, system: str) -> None:
    asked = [[one.id, one.query, [one.url] if one.stratum == "known-url" else []] for one in town.QUESTIONS]
    asking = HERE / "internet" / "asking.py"
    done = shown.run([sys.executable, str(asking), system, json.dumps(asked)], environment=os.environ | KEYS)
    assert done.code == 0, done.out
    said = json.loads(done.out.splitlines()[-1])
    assert {one.id: one.said in said[one.id] for one in town.QUESTIONS} == dict.fromkeys(said, True), said


def test_it_ends_with_who_holds_it(tmp_path: Path) -> None:
    with Rig(tmp_path / "rig") as own:
        assert own.run(["true"]).code == 0
        command = own.wrapper
    ended = subprocess.run([*command, "true"], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (1, "the simulated internet is no more\n")
