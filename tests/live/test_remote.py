"""A system that runs elsewhere: its word for what it did, the harness's own eyes for what it cites."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from ..plugin.project import Project
from .internet import town
from .internet.live import Outcome, live_run
from .internet.rig import Rig
from .internet.town import question
from .small import READING, furnish_some

RIGHT, INVENTED, FAILING = IDS = ("T01", "T02", "T03")
SERVER = (
    READING
    + r"""
from http.server import BaseHTTPRequestHandler, HTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        task = json.loads(self.rfile.read(int(self.headers["content-length"])))
        status, said = answer(task["query"], task["start_urls"][0])
        body = said.encode()
        self.send_response(status)
        self.send_header("content-type", "text/plain")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def answer(query, url):
    if "firmware" in query:
        return 500, "out of order"
    if "summer" in query:
        return 200, f"The summer timetable of the Alder Bay ferry begins on 16 May 2027 ([source]({url}about))."
    return 200, said_at(url)


server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("remote"))
    furnish_some(project, IDS, files={"server.py": SERVER})
    return project


@pytest.fixture(scope="module")
def place(rig: Rig, project: Project) -> Iterator[str]:
    """Where the system is asked: on a machine of the simulated internet."""
    rig.show(town.town())
    with rig.start([sys.executable, str(project.folder / "server.py")], project.folder) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/"
        os.killpg(process.pid, signal.SIGTERM)


@pytest.fixture(scope="module")
def outcome(rig: Rig, project: Project, place: str) -> Outcome:
    return live_run(rig, project, town.town(), f"--webretrieval-system={place}")


@pytest.fixture(scope="module")
def rows(outcome: Outcome) -> dict[str, dict[str, Any]]:
    """The record of each case."""
    return {row["case"]: row for row in outcome.run.rows()}


def test_labels_rest_on_what_the_harness_saw(rows: dict[str, dict[str, Any]], outcome: Outcome) -> None:
    """One is right; one cites a page that is not there; one answers with an error."""
    assert {id: rows[id]["label"] for id in IDS} == {
        RIGHT: "success",
        INVENTED: "unsupported",
        FAILING: "system_failure",
    }, outcome.out
    (right,), (invented,) = rows[RIGHT]["verdicts"], rows[INVENTED]["verdicts"]
    assert (right["citation"]["checked"], right["citation"]["supported"]) == (1, 1)
    assert invented["citation"]["supported"] == 0


def test_its_evidence_is_reported(rows: dict[str, dict[str, Any]], outcome: Outcome, place: str) -> None:
    assert {row["witness"] for row in rows.values()} == {"reported"}
    assert {row["system"] for row in rows.values()} == {place}
    assert {row["efficiency"]["measured"] for row in rows.values()} == {False}
    assert outcome.run.starting("evidence 3 reported of 3 runs"), outcome.out
    assert outcome.run.gate("policy_violation") == "skipped n/a: none of 3 runs was seen on the wire"
    (line,) = outcome.run.starting("known-url")
    assert line.split()[-2:] == ["n/a", "n/a"], "requests and browsers"


def test_all_that_is_on_the_wire_is_the_harness_own(outcome: Outcome) -> None:
    for id in IDS:
        assert {row["webretrieval.role"] for row in outcome.run.attempts(id)} == {"check"}
    checked = [row["url.full"] for row in outcome.run.attempts(RIGHT)]
    assert checked.count(question(RIGHT).url) == 1
    own = [one.url for one in outcome.requests if one.user_agent.startswith("Python-urllib")]
    assert own == [question(RIGHT).url], "and what it did elsewhere is not in the trace"


def test_in_the_fixture_lane_there_is_no_elsewhere(project: Project) -> None:
    run = project.pytest("--lane=fixture", "--webretrieval-system=http://127.0.0.1:9/")
    assert (run.code, run.folder) == (4, None), run.output
    assert "a remote system runs in the live lane only" in run.output
