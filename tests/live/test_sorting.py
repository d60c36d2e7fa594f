"""Whose failure it was: the target's, a provider's or the system's. Each has a label of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from ..plugin.project import Project
from .internet import search, town
from .internet.live import Outcome, live_run
from .internet.rig import Rig
from .internet.scenario import Answer, Heard, Scenario, Site, answer, gone
from .internet.town import question
from .small import READING, SYSTEM, furnish_some

CLOSED, CHANGED, GONE = "T05", "T02", "T01"
RAISES, WRONG, ALONE, ALL = "T03", "T07", "T08", "T06"
IDS = (GONE, CHANGED, RAISES, CLOSED, ALL, WRONG, ALONE)
NEW = "23 May 2027"
ROUTER = (
    READING
    + r"""
import contextlib

class System:
    def retrieve(self, task):
        if "firmware" in task.query:
            for _ in range(5):
                with contextlib.suppress(OSError):
                    get(task.start_urls[0])
            raise LookupError("no tool for this question")
        if "tram" in task.query:
            return "It reopens on 1 May 2001 ([source](https://www.merrow-trams.example/news/reopening))."
        if task.start_urls:
            return said_at(task.start_urls[0])
        query = 12 if "library" in task.query else task.query
        return get("https://api.tavily.com/search", json.dumps({"query": query}).encode())
"""
)


def scenario() -> Scenario:
    """A page is gone, one has changed, one is closed to programs, one is shown three times and no more, one asks its
    second reader to come back; the search provider is down while somebody looks for the lighthouse, and fails at a
    query that is none."""
    asked: Counter[str] = Counter()

    def respond(heard: Heard) -> Answer:
        if b'"query": 12' in heard.body:
            asked["down"] = 0
            return answer(500)
        asked["down"] += b"lighthouse" in heard.body
        return answer(503) if asked["down"] else answer(200, "{}")

    def limited(heard: Heard) -> Answer:
        asked["firmware"] += 1
        return question(RAISES).page() if asked["firmware"] <= 3 else answer(429)

    def busy(heard: Heard) -> Answer:
        asked["tram"] += 1
        return answer(429, "", ("retry-after", "1")) if asked["tram"] == 2 else question(WRONG).page()

    pages = {GONE: gone(), CHANGED: question(CHANGED).page(NEW), RAISES: limited, WRONG: busy}
    shown = town.shown(pages)
    return shown.closed(question(CLOSED).host).with_sites({search.HOST: Site(pages={"*": respond})})


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose system routes badly."""
    project = Project(tmp_path_factory.mktemp("sorting"))
    furnish_some(project, IDS, ROUTER)
    return project


@pytest.fixture(scope="module")
def truth(project: Project) -> Mapping[Path, bytes]:
    """What the project says is right, before anything ran."""
    return {path: path.read_bytes() for path in (project.folder / "truth").rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def outcome(rig: Rig, project: Project, truth: Mapping[Path, bytes]) -> Outcome:
    return live_run(rig, project, scenario(), SYSTEM)


@pytest.fixture(scope="module")
def rows(outcome: Outcome) -> dict[str, dict[str, Any]]:
    """The record of each case."""
    return {row["case"]: row for row in outcome.run.rows()}


def test_three_scenes_three_labels(rows: dict[str, dict[str, Any]], outcome: Outcome) -> None:
    """A target that vanishes, a router that breaks, a provider that fails for all."""
    found = {id: (rows[id]["label"], rows[id]["suspicion"]) for id in IDS}
    assert found == {
        GONE: ("probe_invalid", "gone"),
        CHANGED: ("probe_invalid", "changed"),
        CLOSED: ("probe_invalid", "denied"),
        ALL: ("probe_invalid", "provider"),
        RAISES: ("system_failure", None),
        WRONG: ("no_answer", None),
        ALONE: ("system_failure", None),
    }, outcome.out


def test_reasons_name_what_was_seen(rows: dict[str, dict[str, Any]], outcome: Outcome) -> None:
    said = {
        GONE: f"target gone: {question(GONE).url} answers 410",
        CHANGED: f"{question(CHANGED).url} no longer says fact `{question(CHANGED).value}`",
        CLOSED: f"permission withdrawn: robots.txt of {question(CLOSED).host} disallows {question(CLOSED).url}",
        ALL: f"provider down for every system: {search.HOST} fails at a plain request too (503)",
    }
    assert {id: words in rows[id]["reason"] for id, words in said.items()} == dict.fromkeys(said, True)
    assert [one.status for one in outcome.asked(search.HOST)] == [503, 503, 500, 200], (
        "a plain one after each"
    )
    assert [one.status for one in outcome.asked(question(WRONG).host) if "/news/" in one.target] == [
        200,
        429,
        200,
    ]
    for id in (GONE, CHANGED, CLOSED, ALL):
        assert any(rows[id]["reason"] in line for line in outcome.run.lines), outcome.out


def test_a_change_without_a_new_truth_is_proposed_and_truth_stays(
    project: Project, outcome: Outcome, truth: Mapping[Path, bytes]
) -> None:
    assert outcome.folder is not None
    proposal = yaml.safe_load((outcome.folder / "proposals" / f"{CHANGED}.yaml").read_text(encoding="utf-8"))
    assert (proposal["case"], proposal["corpus"]) == (CHANGED, town.CORPUS)
    assert proposal["target"] == question(CHANGED).url
    assert NEW in proposal["seen"]["excerpt"]
    assert [(one["value"], one["stands"]) for one in proposal["truth"]] == [(question(CHANGED).value, False)]
    assert proposal["version"]["expected_facts"][0]["value"] == question(CHANGED).value
    assert "reason" not in proposal["version"], "what only a person can say"
    assert {path.stem for path in (outcome.folder / "proposals").iterdir()} == {GONE, CHANGED, CLOSED, ALL}
    files = [path for path in (project.folder / "truth").rglob("*") if path.is_file()]
    assert {path: path.read_bytes() for path in files} == truth


def test_where_permission_was_withdrawn_nothing_but_the_rules_is_read(outcome: Outcome) -> None:
    asked = outcome.asked(question(CLOSED).host)
    assert [one.target for one in asked] == ["/robots.txt"]
    kept = [(row["webretrieval.role"], row["url.full"]) for row in outcome.run.attempts(CLOSED)]
    assert kept == [("check", f"https://{question(CLOSED).host}/robots.txt")], "the system was not asked"
    assert outcome.folder is not None
    proposal = yaml.safe_load((outcome.folder / "proposals" / f"{CLOSED}.yaml").read_text(encoding="utf-8"))
    assert "Disallow: /" in proposal["seen"]["excerpt"]


def test_suspect_probes_wait_for_a_person(project: Project, outcome: Outcome) -> None:
    said = project.verb("adjudicate", "--probes")
    assert said.code == 0, said.output
    for id in (GONE, CHANGED, CLOSED, ALL):
        assert any(f"{town.CORPUS}  {id}" in line for line in said.lines), said.output
    for id in (RAISES, WRONG, ALONE):
        assert id not in said.output
    assert f"'{question(CHANGED).value}' does not stand there" in said.output
    assert outcome.run.starting(f"probes   {GONE} since "), outcome.out
    lines = (project.folder / "history" / "quarantine.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["case"] for line in lines} == {GONE, CHANGED, CLOSED, ALL}
