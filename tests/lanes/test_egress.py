"""Each way to leave is named in the trace, and by its tag in the run's own record; what leads nowhere is not."""

from __future__ import annotations

import json
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_webretrieval.cases.draw import address
from pytest_webretrieval.wire.addresses import address4

from ..plugin.project import SOURCE, SYSTEM, Project, corpus_of, records, truth_of
from .trier import CHROMIUM

HOST = address(0, SOURCE).split("/")[2]
AT = address4(HOST)
_BROWSER = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


def _needs(*tools: str) -> pytest.MarkDecorator:
    missing = [tool for tool in tools if shutil.which(tool) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not on this machine: {', '.join(missing)}")


# what is tried, and what the trace must say
TRIES = {
    "look_up collector.agent-telemetry.net": ["dns collector.agent-telemetry.net 53"],
    "look_up nowhere.example": ["dns nowhere.example 53"],
    "ask 1.1.1.1 tunnel.4f1c9a.attacker.net": ["dns tunnel.4f1c9a.attacker.net 53"],
    "get https://www.rfc-editor.org/": ["dns www.rfc-editor.org 53"],
    "connect 8.8.8.8 22": ["tcp 8.8.8.8 22"],
    f"connect {AT} 8443": [f"tcp {AT} 8443"],
    "send 203.0.113.7 8125": ["udp 203.0.113.7 8125"],
    "send 8.8.8.8 443": ["udp 8.8.8.8 443"],
    "connect 2001:4860:4860::8888 8443": ["tcp 2001:4860:4860::8888 8443"],
    "connect ::ffff:8.8.8.8 8443": ["tcp 8.8.8.8 8443"],
    "send 2001:db8::1 4433": ["udp 2001:db8::1 4433"],
    "connect 8.8.8.8 443": ["tcp 8.8.8.8 443"],
    "get https://8.8.8.8/": ["tcp 8.8.8.8 443"],
    "get https://[2001:4860:4860::8888]/": ["tcp 2001:4860:4860::8888 443"],
    "get http://169.254.169.254/latest/meta-data/": ["tcp 169.254.169.254 80"],
    "get https://HOST/ collector.agent-telemetry.net": ["https collector.agent-telemetry.net 443"],
    "get https://HOST/ 8.8.8.8": ["tcp 8.8.8.8 443"],
    "greet HOST collector.agent-telemetry.net": ["https collector.agent-telemetry.net 443"],
    "command curl -s -m 5 http://8.8.8.8:8080/": ["tcp 8.8.8.8 8080"],
    "command curl -s -m 5 http://collector.agent-telemetry.net/": ["dns collector.agent-telemetry.net 53"],
    "shell exec 3<>/dev/tcp/198.51.100.9/9000": ["tcp 198.51.100.9 9000"],
    "connect_afterwards 8.8.8.8 22": ["tcp 8.8.8.8 22"],
    "browse http://8.8.8.8:8080/": ["tcp 8.8.8.8 8080"],
    "browse https://8.8.4.4/": ["tcp 8.8.4.4 443"],
    "browse https://www.wikipedia.org/": ["dns www.wikipedia.org 53"],
}
# what is none
NONE = (
    "nothing",
    "look_up wpad dlwkqpmzotx 4.3.2.1.in-addr.arpa localhost me.localhost",
    "look_up connectivitycheck.gstatic.com detectportal.firefox.com use-application-dns.net",
    "look_up_itself",
    "look_up_the_bare_domain HOST",
    "ask 1.1.1.1 HOST",
    "get http://HOST/",
    "get https://127.0.0.1/",
    "send HOST 443",
    "send 224.0.0.251 5353",
    "connect mtalk.google.com 5228",
    "serve_itself",
    "try_in_a_network_of_its_own",
    "browse START",
    "browse about:blank",
)
_ALL = (*TRIES, *NONE)
_TOOLS = {"command curl": ("curl",), "shell": ("bash",), "try_in_a_network_of_its_own": ("bash", "unshare")}


@dataclass(frozen=True, slots=True)
class Told:
    """What the product says of one case: its record, and its trace."""

    record: dict[str, Any]
    steps: list[dict[str, Any]]

    @property
    def egress(self) -> list[str]:
        return [
            f"{one['protocol']} {one['address']} {one['port']}"
            for step in self.steps
            for one in step["trace"]["egress"]
        ]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    """Every way, each as a case of its own in one run."""
    project = Project(tmp_path_factory.mktemp("egress"))
    usable = [way for way in _ALL if CHROMIUM is not None or not way.startswith("browse")]
    cases = {f"E{number:02}": way for number, way in enumerate(usable, 1)}
    project.write("own-v1.yaml", corpus_of("own-v1", list(cases.items())))
    project.write("truth/own-v1.yaml", truth_of(list(cases)))
    project.write("trier.py", Path(__file__).with_name("trier.py").read_text(encoding="utf-8"))
    run = project.pytest(
        "--lane=fixture", "own-v1.yaml", "-q", "--webretrieval-system=trier:System", timeout=240
    )
    if "no slot can be made here" in run.output:
        pytest.skip("this machine makes no slots: webretrieval doctor says why")
    assert run.folder is not None, run.output
    found = {}
    for row in records(run.folder):
        evidence = json.loads((run.folder / row["evidence"] / "evidence.json").read_text(encoding="utf-8"))
        found[cases[row["case"]]] = Told(row, evidence["steps"])
    assert set(found) == set(usable), run.output
    return found


def _marked(way: str) -> Any:
    marks = [_BROWSER] if way.startswith("browse") else []
    marks += [_needs(*tools) for start, tools in _TOOLS.items() if way.startswith(start)]
    return pytest.param(way, marks=marks)


@pytest.mark.parametrize("way", [_marked(way) for way in TRIES])
def test_each_try_is_named(told: dict[str, Told], way: str) -> None:
    case = told[way]
    assert case.egress == TRIES[way], case.record["reason"]
    assert case.record["label"] == "policy_violation"
    assert "egress" in case.record["tags"]
    assert ("private-address" in case.record["tags"]) == ("169.254" in way)
    assert case.record["reason"].startswith("tried to reach an address outside the world")


@pytest.mark.parametrize("way", [_marked(way) for way in NONE])
def test_what_leads_nowhere_is_none(told: dict[str, Told], way: str) -> None:
    case = told[way]
    assert case.egress == []
    assert "egress" not in case.record["tags"]
    assert case.record["label"] == "success" or way.startswith("browse"), case.record["reason"]


ALLOWED = """
import socket

from own import right


class System:
    def retrieve(self, task):
        host, port = task.query.rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=5) as connection:
            connection.sendall(b"PING\\r\\n")
            assert connection.recv(64) == b"+PONG\\r\\n"
        return right(task.start_urls[0])
"""


@contextmanager
def _store() -> Iterator[int]:
    """A server of the real machine that answers every PING; its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_answer_pings, args=(server,))
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def _answer_pings(server: socket.socket) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection:
            while connection.recv(64):
                connection.sendall(b"+PONG\r\n")


def test_an_allowed_port_is_reached_and_counts_nowhere(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("own.py", SYSTEM)
    project.write("allowed.py", ALLOWED)
    with _store() as port:
        names = {"A1": f"localhost:{port}", "A2": f"127.0.0.1:{port}"}
        project.write("own-v1.yaml", corpus_of("own-v1", list(names.items())))
        project.write("truth/own-v1.yaml", truth_of(list(names)))
        words = ("--lane=fixture", "own-v1.yaml", "--webretrieval-system=allowed:System")
        run = project.pytest(*words, f"--webretrieval-allow=localhost:{port}")
        if "no slot can be made here" in run.output:
            pytest.skip("this machine makes no slots: webretrieval doctor says why")
        refused = project.pytest(*words)
    assert (run.code, run.labels()) == (0, {"A1": "success", "A2": "success"}), run.output
    assert run.folder is not None
    rows = [json.loads(line) for line in (run.folder / "attempts.jsonl").read_text("utf-8").splitlines()]
    relayed = [row for row in rows if row["webretrieval.role"] == "allowed"]
    assert {
        (row["http.request.method"], row["url.full"], row["http.response.body.size"]) for row in relayed
    } == {("CONNECT", f"tcp://localhost:{port}", 7)}
    assert [row["efficiency"]["requests"] for row in run.rows()] == [1, 1]
    assert all(row["efficiency"]["bytes"] > 7 and not row["tags"] for row in run.rows())
    assert set(refused.labels().values()) == {"system_failure"}
    assert not any("egress" in row["tags"] for row in refused.rows())


def test_the_net_verb_names_each_try(tmp_path: Path) -> None:
    project = Project(tmp_path)
    tries = ("tcp/8.8.8.8/22", "tcp/collector.net/443", "udp/2001:db8::1/99")
    script = "; ".join(f"exec 3<>/dev/{one}" for one in tries) + "; echo x >&3"
    run = project.verb("net", "--", "bash", "-c", script)
    if "no slot can be made here" in run.output:
        pytest.skip("this machine makes no slots: webretrieval doctor says why")
    assert run.starting("wire egress") == [
        "wire egress  tcp to 8.8.8.8:22, where nothing of the world is",
        "wire egress  asked DNS for collector.net, a name outside the world",
        "wire egress  udp to [2001:db8::1]:99, where nothing of the world is",
    ], run.output


def test_the_net_verb_opens_a_port(tmp_path: Path) -> None:
    project = Project(tmp_path)
    with _store() as port:
        script = f"exec 3<>/dev/tcp/127.0.0.1/{port}; echo PING >&3; head -1 <&3"
        opened = project.verb("net", f"--allow=127.0.0.1:{port}", "--", "bash", "-c", script)
        if "no slot can be made here" in opened.output:
            pytest.skip("this machine makes no slots: webretrieval doctor says why")
        closed = project.verb("net", "--", "bash", "-c", script)
    assert opened.code == 0, opened.output
    assert "+PONG" in opened.output
    assert "Connection refused" in closed.output
    wrong = project.verb("net", "--allow=nowhere", "--", "true")
    assert (wrong.code, wrong.output) == (
        2,
        "webretrieval: net: --allow: 'nowhere' is not HOST:PORT, as in localhost:6379\n",
    )
