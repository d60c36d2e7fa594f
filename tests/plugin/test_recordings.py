"""Recordings as users meet them: recorded once with a server, replayed without one, and told about at the end."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixture_server.gateway.origin import Heard, Origin, Out, start

from .project import SYSTEM, XDIST, Project, Run, corpus_of, truth_of

HOST = "api.acme.test"
NAMES = [f"R{number}" for number in range(1, 5)]
ASKING = (
    SYSTEM
    + """

import os

import httpx


def get(path, **options):
    return httpx.get(f"https://api.acme.test{path}", **options)


class Asking(System):
    def retrieve(self, task):
        name = re.search(r"case (\\w+)", task.query)[1]
        found = get("/search", params={"q": name, "ts": os.urandom(4).hex()}).json()
        get("/search", params={"q": os.environ.get("ASKED_TOO", name)})
        cited = f" See also [{found['title']}]({found['url']})." if "CITES" in os.environ else ""
        return right(task.start_urls[0]) + cited
"""
)


@pytest.fixture(scope="module")
def server() -> Iterator[Origin]:
    origin = start()
    yield origin
    origin.close()


@pytest.fixture
def origin(server: Origin) -> Iterator[Origin]:
    """The server outside; nobody asks it once it is stopped."""
    server.reset()
    server.on("/search", _search)
    server.says("/page", b"<p>19.90 EUR", "Content-Type: text/html")
    yield server
    assert server.after_its_end == []


def _search(heard: Heard, out: Out) -> None:
    body = json.dumps({"title": "A page", "url": f"https://{HOST}/page"}).encode()
    out.reply("200 OK", body, "Content-Type: application/json")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which cases were recorded, once."""
    project = Project(tmp_path_factory.mktemp("recorded"))
    project.write("asking.py", ASKING)
    project.write(
        "corpus/rec-v1.yaml", corpus_of("rec-v1", [(name, f"When, in case {name}?") for name in NAMES])
    )
    project.write("truth/rec-v1.yaml", truth_of(NAMES).replace("requests: 2", "requests: 6"))
    assert project.verb("corpus", "lock", "corpus/rec-v1.yaml").code == 0
    origin = start()
    origin.on("/search", _search)
    run = _run(project, "--webretrieval-record=once", f"--webretrieval-gateway={HOST}={origin.url}")
    origin.close()
    assert run.code == 0, run.output
    assert run.starting("recorded") == [f"recorded {2 * len(NAMES)} requests of listed hosts"]
    return project.folder


@pytest.fixture
def recorded(project: Project, template: Path, origin: Origin) -> Project:
    """A project whose cases were recorded; the server is gone."""
    ignored = shutil.ignore_patterns(".webretrieval", "__pycache__")
    shutil.copytree(template, project.folder, dirs_exist_ok=True, ignore=ignored)
    origin.stop()
    return project


def _run(project: Project, *arguments: str, **options: Any) -> Run:
    return project.pytest(
        *("--lane=fixture", "corpus/rec-v1.yaml", "--webretrieval-system=asking:Asking", *arguments),
        **options,
    )


def _replay(project: Project, *arguments: str, **options: Any) -> Run:
    """Without the server: the host itself, which is nowhere, is the only one that could be asked."""
    return _run(project, f"--webretrieval-gateway={HOST}", *arguments, **options)


@pytest.mark.parametrize("carrier", ["auto", "proxy"])
def test_a_run_is_replayed_without_the_server(recorded: Project, carrier: str) -> None:
    files = sorted(path.name for path in (recorded.folder / "cassettes" / "rec-v1").iterdir())
    assert files == sorted(f"{name}{end}" for name in NAMES for end in (".yaml", ".meta.json"))
    before = {
        path: path.read_bytes() for path in (recorded.folder / "cassettes").rglob("*") if path.is_file()
    }
    run = _replay(recorded, f"--webretrieval-carrier={carrier}")
    assert run.code == 0, run.output
    assert (run.starting("unplayed"), run.starting("recorded"), run.starting("expired")) == ([], [], [])
    after = {path: path.read_bytes() for path in (recorded.folder / "cassettes").rglob("*") if path.is_file()}
    assert after == before


def test_several_workers_record_and_replay_the_same(recorded: Project, origin: Origin) -> None:
    origin.stopped = False
    gateway = f"--webretrieval-gateway={HOST}={origin.url}"
    run = _run(
        recorded,
        "--webretrieval-record=rewrite",
        gateway,
        plugins=("-p", "pytest_webretrieval.plugin", *XDIST),
    )
    assert run.code == 0, run.output
    assert run.starting("recorded") == [f"recorded {2 * len(NAMES)} requests of listed hosts"]
    origin.stop()
    run = _replay(recorded, plugins=("-p", "pytest_webretrieval.plugin", *XDIST))
    assert (run.code, run.starting("unplayed")) == (0, []), run.output


def test_a_miss_fails_the_case_and_names_the_nearest(recorded: Project) -> None:
    run = _replay(recorded, "--webretrieval-case=rec-v1::R2", ASKED_TOO="R2 and more")
    assert run.code == 1
    told = (
        "no recording of GET https://api.acme.test/search: query q: recorded 'R2', asked 'R2 and more' "
        "(the nearest is cassettes/rec-v1/R2.yaml #2); record it with --webretrieval-record=new_episodes"
    )
    (row,) = run.rows()
    assert (row["label"], row["trouble"]) == (
        "infra_error",
        {"where": "recording", "message": told, "kind": "infra"},
    )
    (first,) = run.starting("R2 infra_error, expected success: recording: ")
    assert "query q: recorded 'R2', asked 'R2 and more'" in first
    assert run.starting("unplayed") == [
        "unplayed cassettes/rec-v1/R2.yaml #2 GET https://api.acme.test/search"
    ]
    (again,) = run.starting("again")
    assert f"--webretrieval-gateway={HOST}" in again


def test_what_is_old_is_named(recorded: Project) -> None:
    meta = recorded.folder / "cassettes" / "rec-v1" / "R3.meta.json"
    meta.write_text(re.sub(r'"recorded_at": "\d{4}', '"recorded_at": "2025', meta.read_text(), count=1))
    run = _replay(recorded)
    assert run.code == 0
    (line,) = run.starting("expired")
    assert re.fullmatch(
        r"expired  cassettes/rec-v1/R3\.yaml #1 GET https://api\.acme\.test/search, recorded on 2025-\d\d-\d\d",
        line,
    )


def test_the_cited_page_can_be_judged_offline(recorded: Project, origin: Origin) -> None:
    """It is in the cassette though the system never fetched it, and in the evidence of every replay."""
    origin.stopped = False
    gateway = f"--webretrieval-gateway={HOST}={origin.url}"
    first = _run(recorded, "--webretrieval-record=all", gateway, "--webretrieval-case=rec-v1::R1", CITES="1")
    assert first.starting("recorded") == ["recorded 3 requests of listed hosts"]
    origin.stop()
    for run in (first, _replay(recorded, "--webretrieval-case=rec-v1::R1", CITES="1")):
        assert run.folder is not None
        rows = [json.loads(line) for line in (run.folder / "attempts.jsonl").read_text().splitlines()]
        (page,) = [row for row in rows if row["url.full"] == f"https://{HOST}/page"]
        assert page["webretrieval.role"] == "check"
        evidence = json.loads((run.folder / "cases/rec-v1/R1/0/evidence.json").read_text())
        (attempt,) = [
            one for one in evidence["steps"][0]["trace"]["attempts"] if one["url"].endswith("/page")
        ]
        body = run.folder / "representations" / "sha256" / attempt["body"][:2] / attempt["body"]
        assert body.read_bytes() == b"<p>19.90 EUR"
        (row,) = run.rows()
        assert (row["label"], row["efficiency"]["requests"]) == ("unsupported", 3), "it is not the system's"
        assert "citation-not-retrieved" in row["tags"]
        regraded = recorded.verb("regrade", str(run.folder))
        assert regraded.output.startswith("1 of 1 as before"), regraded.output


def test_a_cassette_that_is_broken_is_told_in_one_line(recorded: Project) -> None:
    (recorded.folder / "cassettes" / "rec-v1" / "R1.yaml").write_text("interactions: 7\n")
    run = _replay(recorded, "--webretrieval-case=rec-v1::R1")
    assert run.code == 1
    assert "R1.yaml is no recording in vcrpy's format" in run.output
    assert "Traceback" not in run.output


def test_without_the_package_recording_says_what_is_missing(
    recorded: Project, origin: Origin, tmp_path: Path
) -> None:
    """Replaying needs it not."""
    recorded.write("hidden/vcr/__init__.py", "raise ImportError('hidden')\n")
    hidden = {"PYTHONPATH": str(recorded.folder / "hidden")}
    assert _replay(recorded, "--webretrieval-case=rec-v1::R1", **hidden).code == 0
    origin.stopped = False
    gateway = f"--webretrieval-gateway={HOST}={origin.url}"
    run = _run(recorded, "--webretrieval-record=all", gateway, "--webretrieval-case=rec-v1::R1", **hidden)
    assert run.code == 1
    assert "recording needs vcrpy: pip install 'pytest-webretrieval[record]'" in run.output
