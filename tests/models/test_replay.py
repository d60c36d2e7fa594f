"""An agent is recorded against a provider and replayed without one: the same turns, or a skip that says why not."""

from __future__ import annotations

import pytest

from .conftest import KEY, Agents

EACH = ("A", "B")
TAPE = "cassettes/models/any-v1/A/seed-0.yaml"


def skipped(output: str) -> dict[str, str]:
    """Case to reason, of the summary's lines ``diverged``."""
    lines = output.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("diverged "))
    found = (line.removeprefix("diverged").strip() for line in lines[start : start + len(EACH)])
    return {name: reason.strip() for name, _, reason in (line.partition(" ") for line in found)}


@pytest.mark.parametrize("streams", ["no", "yes"])
def test_an_unchanged_agent_is_replayed_whole(agents: Agents, streams: str) -> None:
    recorded = agents.live("--webretrieval-record=once", AGENT_STREAMS=streams)
    assert recorded.labels() == dict.fromkeys(EACH, "success"), recorded.output
    asked = agents.provider.seen()
    assert asked["count"] == 4
    assert set(asked["keys"]) == {f"Bearer {KEY}"}
    replayed = agents.replay(AGENT_STREAMS=streams)
    assert replayed.labels() == dict.fromkeys(EACH, "success"), replayed.output
    assert replayed.gate("replay") == "pass 2 of 2 replayed, 80% required"
    assert agents.provider.seen()["count"] == 4
    for one in EACH:
        bodies = [
            [row["webretrieval.body.sha256"] for row in rows if row["webretrieval.role"] == "model"]
            for rows in (run.attempts(one) for run in (recorded, replayed))
        ]
        assert bodies[0] == bodies[1]


def test_streams_keep_their_parts(agents: Agents) -> None:
    agents.live("--webretrieval-record=once", AGENT_STREAMS="yes")
    tape = agents.file(TAPE)
    assert tape.count("data: [DONE]") == 2
    assert KEY not in tape
    assert "__cf_bm" not in tape


CHANGES = {
    "prompt": ("carefully", "quickly", 'turn 1: prompt: "carefully" became "quickly"'),
    "tool": (
        '"description": "The text of a web page."',
        '"description": "The words of a web page."',
        'turn 1: tools: "fetch_page": description: "text" became "words"',
    ),
    "model": ('MODEL = "gpt-4o-mini"', 'MODEL = "gpt-4o"', 'turn 1: model: "gpt-4o-mini" became "gpt-4o"'),
    "host": (
        "https://api.openai.com/v1",
        "https://api.groq.com/v1",
        'turn 1: host: "api.openai.com" became "api.groq.com"',
    ),
    "parameters": ('"temperature": 0', '"temperature": 1', 'turn 1: parameters: temperature: "0" became "1"'),
    "tool results": (
        "follow_redirects=True).text",
        "follow_redirects=True).text.replace('pontoon', 'jetty')",
        'turn 2: tool results: result of fetch_page: "pontoon" became "jetty"',
    ),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_changed_agent_is_skipped_and_told_why(recorded: Agents, kind: str) -> None:
    old, new, reason = CHANGES[kind]
    recorded.change(old, new)
    run = recorded.replay()
    assert skipped(run.output) == dict.fromkeys(EACH, reason)
    assert run.starting("SKIPPED")
    assert f"replay-diverged: {reason}" in run.output
    assert run.gate("replay") == "FAIL 0 of 2 replayed, 80% required: A, B"
    assert run.gate("labels_match") == "skipped nothing to judge"
    assert run.rows() == []
    assert run.folder is not None
    assert (run.folder / "cases/any-v1/A/0/evidence.json").exists()


def test_another_seed_was_not_recorded(recorded: Agents) -> None:
    run = recorded.replay("--webretrieval-fixture-seed=7")
    assert skipped(run.output) == dict.fromkeys(EACH, "turn 1: seed: recorded at 0, asked at 7")


def test_what_was_never_recorded_says_how_to(agents: Agents) -> None:
    run = agents.replay()
    assert (
        "turn 1: recording: there is none of any-v1::A; record it with --webretrieval-model live"
        in run.output
    )


def test_more_turns_than_were_recorded(recorded: Agents) -> None:
    recorded.change(
        "            return text\n", "            messages.append({'role': 'user', 'content': 'Really?'})\n"
    )
    run = recorded.replay()
    assert set(skipped(run.output).values()) == {"turn 3: turns: the recording has 2 turns"}


def test_one_of_two_fails_the_gate_and_skips_one(recorded: Agents) -> None:
    recorded.project.write(
        "any-v1.yaml", recorded.file("any-v1.yaml").replace("Look twice", "Look twice again")
    )
    run = recorded.replay()
    assert run.labels() == {"A": "success"}
    assert run.gate("replay") == "FAIL 1 of 2 replayed, 80% required: B"
    assert run.gate("labels_match") == "pass 1 of 1"


def test_workers_replay_too(recorded: Agents) -> None:
    recorded.change("carefully", "quickly")
    run = recorded.replay("-p", "xdist.plugin", "-n", "2")
    assert run.gate("replay") == "FAIL 0 of 2 replayed, 80% required: A, B"
    assert run.code == 1


def test_a_recording_is_kept_unless_it_is_to_be_written_over(recorded: Agents) -> None:
    before = recorded.file(TAPE)
    recorded.change("carefully", "quickly")
    recorded.live("--webretrieval-record=once")
    assert recorded.file(TAPE) == before
    recorded.live("--webretrieval-record=rewrite")
    assert "quickly" in recorded.file(TAPE)


def test_trials_are_recorded_apart(agents: Agents) -> None:
    agents.live("--webretrieval-record=once", "--webretrieval-trials=2")
    run = agents.replay("--webretrieval-trials=3")
    assert run.gate("replay") == "pass 6 of 6 replayed, 80% required"
    assert (agents.project.folder / "cassettes/models/any-v1/A/seed-0-trial-1.yaml").exists()


def test_a_file_that_is_no_recording_is_trouble_of_ours(agents: Agents) -> None:
    agents.project.write(TAPE, "schema: something/else\n")
    run = agents.replay()
    assert run.labels()["A"] == "infra_error"
    assert "is no recording of turns" in run.output
