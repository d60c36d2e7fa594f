"""What the summary says of the model: its cost with n, and what nobody could count."""

from __future__ import annotations

from typing import Any

from pytest_webretrieval.records.attempts import attempt_rows
from pytest_webretrieval.records.record import Key
from pytest_webretrieval.records.row import Row, row_of
from pytest_webretrieval.report.model import diverged_lines, model_lines
from pytest_webretrieval.wire.attempt import Attempt, Trace

RECORD: dict[str, Any] = {
    "verdicts": [],
    "case": "K01",
    "corpus": "c",
    "stratum": "known-url",
    "key": {"trial": 0},
    "expect": "success",
    "label": "success",
    "tags": [],
    "reason": "",
    "max_extra_claims": 0,
    "duration_s": 0.1,
    "efficiency": {"requests": 0, "retries": 0, "bytes": 0, "escalations": 0, "over": [], "cost_usd": None},
}


KEY = Key(corpus_identity="x", case="K01", system="y", engine=None, seed=0, trial=0, test="c.yaml::K01")


def turn(number: int, cost_usd: float | None) -> Attempt:
    return Attempt(
        number=number,
        step=1,
        started_s=0.1 * number,
        duration_s=0.1,
        method="POST",
        url="https://api.openai.com/v1/chat/completions",
        role="model",
        channel="model",
        status=200,
        model="m",
        input_tokens=100,
        output_tokens=10,
        cost_usd=cost_usd,
    )


def ran(*costs: float | None) -> Row:
    trace = Trace(attempts=tuple(turn(number, cost) for number, cost in enumerate(costs)))
    return row_of(RECORD, KEY.test, list(attempt_rows(KEY, [trace])))


def test_cost_and_tokens_with_n() -> None:
    assert list(model_lines([ran(0.01, 0.02), ran(0.03)], "live")) == [
        "model    live: 0.0600 USD, 300 tokens in, 30 tokens out   (n = 3 turns of 2 runs)"
    ]


def test_what_is_not_metered_is_said() -> None:
    lines = list(model_lines([ran(0.01, None)], "live"))
    assert lines[1].strip() == "1 of 2 turns unmetered, without usage or a price: the cap cannot be held"
    assert "cost n/a" in next(model_lines([ran(None)], "live"))


def test_what_was_replayed_cost_nothing_now() -> None:
    assert "0.0100 USD when recorded" in next(model_lines([ran(0.01)], "replay"))


def test_of_a_scripted_model_nothing_is_said() -> None:
    assert list(model_lines([ran()], "scripted")) == []
    assert list(model_lines([ran()], "live")) == []


def test_each_case_that_diverged_has_its_line() -> None:
    told = {"c.yaml::B": "turn 2: tools: x", "c.yaml::A": "turn 1: prompt: y"}
    assert list(diverged_lines(told)) == ["diverged A  turn 1: prompt: y", "         B  turn 2: tools: x"]
