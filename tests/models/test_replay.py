"""An agent is recorded against a provider and replayed without one: the same turns, or a skip that says why not."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from typing import Any

import pytest

from tests.plugin.project import XDIST, Run

from .conftest import KEY, Agents, Changes, Provider, new_agents

STREAMS = (('os.environ.get("AGENT_STREAMS") == "yes"', "True"),)
# What is changed in the agent between the recording and its replay, and what the skip says.
CHANGES: dict[str, tuple[tuple[str, str], str]] = {
    "prompt": (("carefully", "quickly"), 'turn 1: prompt: "carefully" became "quickly"'),
    "tool": (
        (
            '"description": "The text of a web page."',
            '"description": "The words of a web page."',
        ),
        'turn 1: tools: "fetch_page": description: "text" became "words"',
    ),
    "model": (
        ('MODEL = "gpt-4o-mini"', 'MODEL = "gpt-4o"'),
        'turn 1: model: "gpt-4o-mini" became "gpt-4o"',
    ),
    "host": (
        ("https://api.openai.com/v1", "https://api.groq.com/v1"),
        'turn 1: host: "api.openai.com" became "api.groq.com"',
    ),
    "parameters": (
        ('"temperature": 0', '"temperature": 1'),
        'turn 1: parameters: temperature: "0" became "1"',
    ),
    "results": (
        ("follow_redirects=True).text", "follow_redirects=True).text.replace('pontoon', 'jetty')"),
        'turn 2: tool results: result of fetch_page: "pontoon" became "jetty"',
    ),
    "turns": (
        (
            "            return text\n",
            "            messages.append({'role': 'user', 'content': 'Really?'})\n",
        ),
        "turn 3: turns: the recording has 2 turns",
    ),
}
# Beside those that are changed: what stays as it is, a question that is changed, a tape that is not there or is none.
UNCHANGED: dict[str, Changes] = {"same": (), "streams": STREAMS}
OTHER: dict[str, Changes] = {"question": (), "never": (), "broken": ()}
BEFORE: dict[str, Changes] = {**UNCHANGED, **OTHER, **dict.fromkeys(CHANGES, ())}
AFTER: dict[str, Changes] = {
    **UNCHANGED,
    **OTHER,
    **{name: (change,) for name, (change, _) in CHANGES.items()},
}
DIVERGED = {*CHANGES, "question", "never"}


def tape(name: str, trial: str = "") -> str:
    return f"cassettes/models/any-v1/{name}/seed-0{trial}.yaml"


def skipped(output: str) -> dict[str, str]:
    """Case to reason, of the summary's lines ``diverged``."""
    lines = output.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("diverged "))
    found = (line.removeprefix("diverged").strip() for line in lines[start:])
    told = {name: reason.strip() for name, _, reason in (line.partition(" ") for line in found)}
    return {name: told[name] for name in BEFORE if name in told and told[name].startswith("turn ")}


@dataclass(frozen=True, slots=True)
class Recorded:
    agents: Agents
    run: Run
    asked: dict[str, Any]
    streamed: str


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, one_provider: Provider) -> Recorded:
    """One recording of all; the project as it is afterwards, with the changed agents."""
    agents = new_agents(tmp_path_factory.mktemp("recorded"), one_provider)
    agents.become(BEFORE)
    one_provider.forget()
    run = agents.live("--webretrieval-record=once")
    assert run.labels() == dict.fromkeys(BEFORE, "success"), run.output
    done = Recorded(agents, run, one_provider.seen(), agents.file(tape("streams")))
    agents.become(AFTER)
    corpus = agents.file("any-v1.yaml").replace("Manner: question", "Manner: question, and when")
    agents.project.write("any-v1.yaml", corpus)
    shutil.rmtree((agents.project.folder / tape("never")).parent)
    agents.project.write(tape("broken"), "schema: something/else\n")
    return done


@pytest.fixture(scope="module", params=[(), XDIST], ids=["one", "xdist"])
def replayed(request: pytest.FixtureRequest, recorded: Recorded) -> Run:
    """Nobody was asked for it."""
    before = recorded.agents.provider.seen()["count"]
    run = recorded.agents.replay(*request.param)
    assert recorded.agents.provider.seen()["count"] == before
    return run


def test_the_provider_is_asked_with_the_real_key_once_a_turn(recorded: Recorded) -> None:
    assert recorded.asked["count"] == 2 * len(BEFORE)
    assert set(recorded.asked["keys"]) == {f"Bearer {KEY}"}


@pytest.mark.parametrize("name", UNCHANGED)
def test_an_unchanged_agent_is_replayed_whole(recorded: Recorded, replayed: Run, name: str) -> None:
    assert replayed.labels()[name] == "success", replayed.output
    bodies = [
        [row["webretrieval.body.sha256"] for row in rows if row["webretrieval.role"] == "model"]
        for rows in (run.attempts(name) for run in (recorded.run, replayed))
    ]
    assert len(bodies[0]) == 2
    assert bodies[0] == bodies[1]


def test_streams_keep_their_parts(recorded: Recorded) -> None:
    assert recorded.streamed.count("data: [DONE]") == 2
    assert KEY not in recorded.streamed
    assert "__cf_bm" not in recorded.streamed


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_agent_is_skipped_and_told_why(replayed: Run, name: str) -> None:
    _, reason = CHANGES[name]
    assert skipped(replayed.output)[name] == reason
    (line,) = [line for line in replayed.starting("SKIPPED") if line.endswith(f": replay-diverged: {reason}")]
    assert re.match(r"SKIPPED \[1\] any-v1\.yaml:\d+: ", line), line
    assert replayed.folder is not None
    assert (replayed.folder / f"cases/any-v1/{name}/0/evidence.json").exists()


def test_what_diverged_is_skipped_and_breaks_one_gate(replayed: Run) -> None:
    assert replayed.code == 1
    assert skipped(replayed.output).keys() == DIVERGED
    assert replayed.labels().keys() == BEFORE.keys() - DIVERGED
    line = replayed.gate("replay")
    assert line.startswith(f"FAIL 2 of {2 + len(DIVERGED)} replayed, 80% required: ")
    assert set(line.rpartition(": ")[2].split(", ")) == DIVERGED
    assert replayed.gate("labels_match") == "FAIL 2 of 3: broken"


def test_what_was_never_recorded_says_how_to(replayed: Run) -> None:
    said = "turn 1: recording: there is none of any-v1::never; record it with --webretrieval-model live"
    assert said in replayed.output


def test_a_file_that_is_no_recording_is_trouble_of_ours(replayed: Run) -> None:
    assert replayed.labels()["broken"] == "infra_error"
    assert "is no recording of turns" in replayed.output


def test_another_seed_was_not_recorded(recorded: Recorded) -> None:
    run = recorded.agents.replay("--webretrieval-fixture-seed=7", "-k", "same or streams")
    assert skipped(run.output) == dict.fromkeys(UNCHANGED, "turn 1: seed: recorded at 0, asked at 7")
    assert run.gate("replay").startswith("FAIL 0 of 2 replayed, 80% required: ")
    assert run.gate("labels_match") == "skipped nothing to judge"
    assert run.rows() == []


def test_a_recording_is_kept_unless_it_is_to_be_written_over_and_trials_are_recorded_apart(
    recorded: Recorded, agents: Agents
) -> None:
    agents.become({"same": (CHANGES["prompt"][0],)})
    kept = recorded.agents.file(tape("same"))
    agents.project.write(tape("same"), kept)
    agents.live("--webretrieval-record=once", "--webretrieval-trials=2")
    assert agents.file(tape("same")) == kept
    assert "quickly" in agents.file(tape("same", "-trial-1"))
    agents.live("--webretrieval-record=rewrite", "--webretrieval-trials=2")
    assert "quickly" in agents.file(tape("same"))
    run = agents.replay("--webretrieval-trials=3")
    assert run.gate("replay") == "pass 3 of 3 replayed, 80% required"
