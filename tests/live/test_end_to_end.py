"""The whole lane on the simulated internet: what its hosts served is what was traced, archived and judged."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pytest_webretrieval.cases.load import load_corpus

from ..plugin.project import ROOT, Project
from .internet import model, search, town
from .internet.live import KEYS, Outcome, live_run
from .internet.rig import Rig
from .small import furnish_some

AGENT = ROOT / "examples" / "agents" / "openai_loop" / "agent.py"
AGENT_NAME = "town-probe/1.0 (+https://www.alder-bay.example/)"
IDS = ("T01", "T03", "T06")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Two pages that are known, one of them over HTTP/2, and one that must be searched for."""
    project = Project(tmp_path_factory.mktemp("town"))
    furnish_some(project, IDS)
    shutil.copy(AGENT, project.folder / "agent.py")
    return project


@pytest.fixture(scope="module")
def reference(rig: Rig, project: Project) -> Outcome:
    """A run of the reference system."""
    return live_run(rig, project, town.town())


@pytest.fixture(scope="module")
def agent(rig: Rig, project: Project) -> Outcome:
    """A run of an agent as its makers wrote it, with its own SDKs and its own search provider."""
    assert (project.folder / "agent.py").read_bytes() == AGENT.read_bytes()
    return live_run(rig, project, town.town(), "--webretrieval-system=agent:answer", night=2)


@pytest.fixture(scope="module", params=["reference", "agent"])
def outcome(request: pytest.FixtureRequest) -> Outcome:
    """Each of both."""
    found: Outcome = request.getfixturevalue(request.param)
    return found


def attempts(outcome: Outcome) -> list[dict[str, Any]]:
    """All rows of attempts.jsonl."""
    return [row for case in IDS for row in outcome.run.attempts(case)]


def test_every_case_is_answered_and_labelled_as_the_town_knows_it(outcome: Outcome) -> None:
    assert outcome.code == 0, outcome.out
    assert outcome.run.labels() == dict.fromkeys(IDS, "success"), outcome.out
    assert outcome.run.gate("policy_violation") == "pass 0 of 3"
    assert outcome.run.gate("infra_error") == "pass 0 of 3"


def test_the_trace_is_what_the_hosts_served(outcome: Outcome) -> None:
    seen = Counter(
        (row["http.request.method"], row["url.full"], row["http.response.status_code"])
        for row in attempts(outcome)
    )
    assert seen == Counter((one.method, one.url, one.status) for one in outcome.requests)
    over_http2 = [one for one in outcome.requests if one.version == "2"]
    assert {one.host for one in over_http2} == {town.HTTP2_HOST}
    assert len(over_http2) >= 3, "robots.txt, the system's own fetch, the harness's"


def test_the_archive_is_what_the_hosts_served(outcome: Outcome) -> None:
    assert outcome.folder is not None
    kept = {
        path.name: path.read_bytes()
        for path in (outcome.folder / "representations").rglob("*")
        if path.is_file()
    }
    assert all(hashlib.sha256(body).hexdigest() == name for name, body in kept.items())
    served = {one.sha256 for one in outcome.requests if one.host != model.HOST}
    assert served <= set(kept)
    rows = attempts(outcome)
    found = {(row["url.full"], row.get("webretrieval.body.sha256")) for row in rows}
    assert {(one.url, one.sha256) for one in outcome.requests if one.status == 200} <= found
    assert {row["http.response.body.size"] for row in rows} == {one.size for one in outcome.requests}


def test_what_was_cited_is_fetched_again_under_the_harness_own_name(outcome: Outcome) -> None:
    for id in IDS:
        rows, question = outcome.run.attempts(id), town.question(id)
        roles = {
            role: [one["url.full"] for one in rows if one["webretrieval.role"] == role] for role in _ROLES
        }
        assert question.url in roles["document"]
        assert question.url in roles["check"]
        assert f"https://{question.host}/robots.txt" in roles["check"]
    rows = attempts(outcome)
    checks = Counter(row["url.full"] for row in rows if row["webretrieval.role"] == "check")
    named = Counter(one.url for one in outcome.requests if one.user_agent == AGENT_NAME)
    assert checks <= named, "each under that name"
    assert set(checks.values()) == {1}, "each once"
    first: dict[str, str] = {}
    for one in outcome.requests:
        first.setdefault(one.host, one.target)
    assert {first[town.question(id).host] for id in ("T01", "T03")} == {"/robots.txt"}, "rules are read first"


_ROLES = ("document", "check", "api", "model")


def test_the_agents_own_names_and_providers_stand_in_the_trace(agent: Outcome) -> None:
    own = {one.user_agent for one in agent.requests} - {AGENT_NAME}
    assert {name.split("/")[0] for name in own} == {"AsyncOpenAI", "research-assistant", "python-httpx"}
    assert [one.status for one in agent.asked(search.HOST)] == [200]
    turns = [row for row in attempts(agent) if row["webretrieval.role"] == "model"]
    assert len(turns) == len(agent.asked(model.HOST)) >= 6
    assert all(row["webretrieval.cost_usd"] > 0 for row in turns)
    assert agent.run.starting("model    live: ")[0].endswith(f"(n = {len(turns)} turns of 3 runs)")


def test_a_search_is_paid_for(reference: Outcome) -> None:
    rows = [row for row in reference.run.attempts("T06") if row["webretrieval.role"] == "api"]
    assert [(urlsplit(row["url.full"]).hostname, row["webretrieval.cost_usd"]) for row in rows] == [
        (search.HOST, 0.008)
    ]
    costs = {row["case"]: row["efficiency"]["cost_usd"] for row in reference.run.rows()}
    assert costs == {"T01": 0.0, "T03": 0.0, "T06": 0.008}


def test_records_say_where_and_when(outcome: Outcome) -> None:
    rows = outcome.run.rows()
    assert {row["region"] for row in rows} == {"simulated"}
    assert {row["witness"] for row in rows} == {"wire"}
    assert {row["lane"] for row in rows} == {"live"}
    assert {row["case"]: row["target"] for row in rows} == {id: town.question(id).url for id in IDS}
    begun = datetime.fromisoformat(_manifest(outcome.folder)["started_at"])
    for row in rows:
        asked = outcome.asked(town.question(row["case"]).host)
        first = min(datetime.fromisoformat(one.at) for one in asked)
        assert begun <= datetime.fromisoformat(row["observed_at"]) <= first


def test_the_manifest_pins_what_nights_must_have_in_common(
    reference: Outcome, agent: Outcome, project: Project
) -> None:
    manifests = [_manifest(one.folder) for one in (reference, agent)]
    identity = load_corpus(project.folder / f"{town.CORPUS}.yaml").identity
    for manifest in manifests:
        assert manifest["lane"] == "live"
        assert manifest["region"] == manifest["live"]["region"] == "simulated"
        assert manifest["live"]["user_agent"] == AGENT_NAME
        channels = {one["id"]: one for one in manifest["live"]["channels"]}
        assert sorted(channels) == ["browser", "direct-fetch", "model", "search-api"]
        assert channels["search-api"]["provider"] == "tavily"
        assert channels["search-api"]["key_env"] == "TAVILY_API_KEY"
        assert manifest["corpora"] == {town.CORPUS: identity}
        assert not any(key in json.dumps(manifest) for key in KEYS.values())
    prints = [manifest["fingerprint"] for manifest in manifests]
    assert all(len(one) == 12 for one in prints)
    assert prints[0] != prints[1], "of two systems"


def test_the_nights_of_two_systems_are_not_pooled(
    reference: Outcome, agent: Outcome, project: Project
) -> None:
    by_run = {_folder(one).name: one for one in (reference, agent)}
    kept = (project.folder / "history" / f"{town.CORPUS}.jsonl").read_text(encoding="utf-8")
    first, second = (json.loads(line) for line in kept.splitlines())
    assert {first["run"], second["run"]} == set(by_run)
    for night in (first, second):
        assert night["fingerprint"] == _manifest(by_run[night["run"]].folder)["fingerprint"]
    assert by_run[second["run"]].run.gate("success") == (
        "calibrating 0 of 5 accepted runs to compare with; "
        f"runs not comparable: fingerprint {first['fingerprint']} (1)"
    )


def _folder(outcome: Outcome) -> Path:
    assert outcome.folder is not None, outcome.out
    return outcome.folder


def _manifest(folder: Path | None) -> dict[str, Any]:
    assert folder is not None
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return found
