"""A live model: only listed hosts are let out, with the user's own key, and it is counted what they cost."""

from __future__ import annotations

import json

from .conftest import KEY, Agents


def test_it_is_metered(agents: Agents) -> None:
    run = agents.live()
    # 1 200 tokens in and 80 out, at 0.15 and 0.60 USD a million.
    assert run.starting("model ") == [
        "model    live: 0.0009 USD, 4800 tokens in, 320 tokens out   (n = 4 turns of 2 runs)"
    ], run.output
    turns = [row for row in run.attempts("A") if row["webretrieval.role"] == "model"]
    assert [row["gen_ai.request.model"] for row in turns] == ["gpt-4o-mini"] * 2
    assert [row["gen_ai.usage.input_tokens"] for row in turns] == [1200] * 2
    assert [row["webretrieval.cost_usd"] for row in turns] == [0.000228] * 2
    assert [row["efficiency"]["cost_usd"] for row in run.rows()] == [0.000456] * 2


def test_a_stream_without_usage_and_a_model_without_a_price_are_unmetered(agents: Agents) -> None:
    agents.change('MODEL = "gpt-4o-mini"', 'MODEL = "house-blend"')
    run = agents.live()
    assert "4 of 4 turns unmetered, without usage or a price: the cap cannot be held" in run.output
    agents.change('MODEL = "house-blend"', 'MODEL = "gpt-4o-mini"')
    agents.change(', stream_options={"include_usage": True}', "")
    run = agents.live(AGENT_STREAMS="yes")
    assert "4 of 4 turns unmetered" in run.output


def test_the_cap_holds_for_the_whole_run(agents: Agents) -> None:
    run = agents.live(
        "--webretrieval-max-cost-usd=0.0003", "--webretrieval-slots=1", "--webretrieval-confirm=0"
    )
    labels = [row["label"] for row in run.rows()]
    assert labels == ["success", "infra_error"], run.output
    assert run.rows()[1]["trouble"] == {
        "where": "model",
        "message": "model cap of 0.0003 USD reached",
        "kind": "infra",
    }
    assert agents.provider.seen()["count"] == 2
    refused = [row for row in run.attempts("B") if row["webretrieval.role"] == "model"]
    assert [row["http.response.status_code"] for row in refused] == [429]


def test_the_cap_holds_over_workers(agents: Agents) -> None:
    run = agents.live(
        "--webretrieval-max-cost-usd=0.0001", "--webretrieval-confirm=0", "-p", "xdist.plugin", "-n", "2"
    )
    assert run.gate("infra_error").startswith("FAIL 2 of 2")
    # What was under way when the cap was reached is paid as well, one request a slot at most.
    assert agents.provider.seen()["count"] <= 2


def test_a_host_that_is_not_listed_is_not_let_out(agents: Agents) -> None:
    agents.change("https://api.openai.com/v1", "https://api.groq.com/v1")
    run = agents.live("--webretrieval-confirm=0", GROQ_API_KEY="gsk_0123456789abcdefghijklmn")
    assert run.folder is not None
    (turn,) = (row for row in run.attempts("A") if row["webretrieval.role"] == "model")
    digest = turn["webretrieval.body.sha256"]
    said = (run.folder / "representations/sha256" / digest[:2] / digest).read_text(encoding="utf-8")
    assert turn["http.response.status_code"] == 503
    assert "--webretrieval-gateway api.groq.com would let this model out; listed are api.openai.com" in said
    assert agents.provider.seen()["count"] == 0


def test_only_the_listed_host_gets_a_real_key(agents: Agents) -> None:
    agents.change(
        "    client = OpenAI(base_url=HOST)\n",
        "    client = OpenAI(base_url=HOST)\n"
        "    print(len(os.environ['OPENAI_API_KEY']), os.environ['ANTHROPIC_API_KEY'])\n",
    )
    run = agents.live(ANTHROPIC_API_KEY="sk-ant-0123456789abcdefghij")
    assert run.folder is not None
    evidence = json.loads((run.folder / "cases/any-v1/A/0/evidence.json").read_text(encoding="utf-8"))
    said = evidence["stdout"] + "".join(step["testimony"]["stdout"] for step in evidence["steps"])
    assert f"{len(KEY)} sk-ant-not-a-secret" in said


def test_a_provider_that_cannot_be_reached_is_no_fault_of_the_system(agents: Agents) -> None:
    run = agents.run(
        "--webretrieval-model=live",
        "--webretrieval-gateway=api.openai.com=http://127.0.0.1:9",
        "--webretrieval-confirm=0",
    )
    assert {row["label"] for row in run.rows()} == {"infra_error"}, run.output


def test_without_a_host_nothing_runs(agents: Agents) -> None:
    run = agents.run("--webretrieval-model=live")
    assert run.code == 4
    assert "no host is listed that may be asked; list each with --webretrieval-gateway HOST" in run.output
    run = agents.run("--webretrieval-model=live", "--webretrieval-gateway=example.org")
    assert run.code == 4
    assert "example.org: no host of a model" in run.output
