"""A live model: only listed hosts are let out, with the user's own key, and it is counted what they cost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.project import XDIST, Run

from .conftest import KEY, Agents, Changes, Provider, new_agents

HOST = "https://api.openai.com/v1"
# How the agent is changed in each case of the one run.
MANNERS: dict[str, Changes] = {
    "same": (),
    "without_price": (('MODEL = "gpt-4o-mini"', 'MODEL = "house-blend"'),),
    "without_usage": (
        (', stream_options={"include_usage": True}', ""),
        ('os.environ.get("AGENT_STREAMS") == "yes"', "True"),
    ),
    "not_listed": ((HOST, "https://api.mistral.ai/v1"),),
    "not_reached": ((HOST, "https://api.groq.com/v1"),),
    "tells_keys": (
        (
            "    client = OpenAI(base_url=HOST)\n",
            "    client = OpenAI(base_url=HOST)\n"
            "    print(len(os.environ['OPENAI_API_KEY']), os.environ['ANTHROPIC_API_KEY'])\n",
        ),
    ),
}
METERED, UNMETERED, FAILED = (
    ("same", "tells_keys"),
    ("without_price", "without_usage"),
    ("not_listed", "not_reached"),
)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, one_provider: Provider) -> tuple[Run, dict[str, Any]]:
    """One run of all, and what the provider saw of it."""
    agents = new_agents(tmp_path_factory.mktemp("live"), one_provider)
    agents.become(MANNERS)
    one_provider.forget()
    run = agents.live(
        "--webretrieval-gateway=api.groq.com=http://127.0.0.1:9",
        "--webretrieval-confirm=0",
        ANTHROPIC_API_KEY="sk-ant-0123456789abcdefghij",
        MISTRAL_API_KEY="0123456789abcdefghijklmnopqrstuv",
        GROQ_API_KEY="gsk_0123456789abcdefghijklmn",
    )
    return run, one_provider.seen()


def turns(run: Run, name: str) -> list[dict[str, Any]]:
    return [row for row in run.attempts(name) if row["webretrieval.role"] == "model"]


def test_it_is_metered(live: tuple[Run, dict[str, Any]]) -> None:
    run, _ = live
    # 1 200 tokens in and 80 out, at 0.15 and 0.60 USD a million.
    assert [row["gen_ai.request.model"] for row in turns(run, "same")] == ["gpt-4o-mini"] * 2
    assert [row["gen_ai.usage.input_tokens"] for row in turns(run, "same")] == [1200] * 2
    assert [row["webretrieval.cost_usd"] for row in turns(run, "same")] == [0.000228] * 2
    costs = {row["case"]: row["efficiency"]["cost_usd"] for row in run.rows()}
    assert {name: costs[name] for name in METERED} == dict.fromkeys(METERED, 0.000456)
    (line,) = run.starting("model ")
    told = "0.0009 USD, 7200 tokens in, 480 tokens out   (n = 8 turns of 6 runs)"
    assert line == f"model    live: {told}", run.output


def test_a_stream_without_usage_and_a_model_without_a_price_are_unmetered(
    live: tuple[Run, dict[str, Any]],
) -> None:
    run, _ = live
    for name in UNMETERED:
        assert [row.get("webretrieval.cost_usd") for row in turns(run, name)] == [None] * 2
    assert "4 of 8 turns unmetered, without usage or a price: the cap cannot be held" in run.output


def test_the_cap_holds_for_the_whole_run(agents: Agents) -> None:
    run = agents.live(
        "--webretrieval-max-cost-usd=0.0003", "--webretrieval-slots=1", "--webretrieval-confirm=0"
    )
    labels = [row["label"] for row in run.rows()]
    assert labels == ["success", "infra_error"], run.output
    assert run.rows()[1]["trouble"] == {
        "where": "max_cost_usd",
        "message": "cap of 0.0003 USD reached",
        "kind": "infra",
    }
    assert agents.provider.seen()["count"] == 2
    refused = turns(run, "B")
    assert [row["http.response.status_code"] for row in refused] == [429]


def test_the_cap_holds_over_workers(agents: Agents) -> None:
    run = agents.live("--webretrieval-max-cost-usd=0.0001", "--webretrieval-confirm=0", *XDIST)
    assert run.gate("infra_error").startswith("FAIL 2 of 2")
    # What was under way when the cap was reached is paid as well, one request a slot at most.
    assert agents.provider.seen()["count"] <= 2


def test_a_host_that_is_not_listed_is_not_let_out(live: tuple[Run, dict[str, Any]]) -> None:
    run, seen = live
    assert run.folder is not None
    (turn,) = turns(run, "not_listed")
    digest = turn["webretrieval.body.sha256"]
    said = (run.folder / "representations/sha256" / digest[:2] / digest).read_text(encoding="utf-8")
    assert turn["http.response.status_code"] == 503
    (row,) = [row for row in run.rows() if row["case"] == "not_listed"]
    assert (row["label"], row["home"]["where"]) == ("infra_error", "world")
    assert row["trouble"]["message"] in said
    assert "--webretrieval-gateway api.mistral.ai would let this model out; listed are api.groq.com" in said
    assert seen["count"] == 2 * len((*METERED, *UNMETERED))


def test_only_the_listed_host_gets_a_real_key(live: tuple[Run, dict[str, Any]]) -> None:
    run, _ = live
    assert run.folder is not None
    path = Path(run.folder, "cases/any-v1/tells_keys/0/evidence.json")
    evidence = json.loads(path.read_text(encoding="utf-8"))
    said = evidence["stdout"] + "".join(step["testimony"]["stdout"] for step in evidence["steps"])
    assert f"{len(KEY)} sk-ant-not-a-secret" in said


def test_a_provider_that_cannot_be_reached_is_no_fault_of_the_system(
    live: tuple[Run, dict[str, Any]],
) -> None:
    run, _ = live
    assert run.labels()["not_reached"] == "infra_error", run.output


def test_without_a_host_nothing_runs(agents: Agents) -> None:
    run = agents.run("--webretrieval-model=live")
    assert run.code == 4
    assert "no host is listed that may be asked; list each with --webretrieval-gateway HOST" in run.output
    run = agents.run("--webretrieval-model=live", "--webretrieval-gateway=example.org")
    assert run.code == 4
    assert "example.org: no host of a model" in run.output
