"""Replies of judges on which graders go wrong: prose, other cases, contradictions, one verdict for everything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_webretrieval.judges.asking import Bench, JudgeError
from pytest_webretrieval.judges.lock import lock_for
from pytest_webretrieval.judges.parsing import UNGRADED, parse
from pytest_webretrieval.judges.probes import PROBES
from pytest_webretrieval.judges.prompts import ANSWER, JUDGES, SUPPORT

LAKE = "The lake is covered with ice."


def reply(verdict: object, quote: str = "covered with ice", **more: object) -> str:
    return json.dumps({"verdict": verdict, "quote": quote, "reason": "So.", **more})


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize("at", [0, -1])
def test_a16_a_judge_that_gives_one_verdict_to_right_and_wrong_is_asked_no_more(
    tmp_path: Path, name: str, at: int
) -> None:
    judge, verdict = JUDGES[name], PROBES[name][at][1]

    def always(messages: list[dict[str, str]]) -> str:
        quoted = json.loads(messages[1]["content"])[judge.quoted_from]
        return json.dumps({"verdict": verdict, "quote": quoted, "reason": "So."})

    with pytest.raises(JudgeError, match=f"says {verdict} of what is known to be"):
        Bench(lock_for("some-model", 0.0), always, tmp_path).probe(name)


@pytest.mark.parametrize(
    "said",
    [
        "Reasoning: the year agrees. correct: yes",
        "correct: no",
        " Yes.",
        "YES\n",
        "yes.",
        "maybe",
        "CORRECT",
        "A",
    ],
)
def test_a16_a17_prose_is_no_verdict_for_or_against(said: str) -> None:
    assert parse(ANSWER, said, LAKE).verdict == UNGRADED
    assert parse(ANSWER, reply("CORRECT"), LAKE).verdict == "CORRECT"
    assert parse(ANSWER, reply("INCORRECT"), LAKE).verdict == "INCORRECT"


@pytest.mark.parametrize(
    "said",
    [
        '{"pass": true, "score": 0}',
        '{"pass": false, "score": 0.75}',
        '{"score": null}',
        '"a"',
        '```json\n{"pass":true}\n```',
        reply("Full"),
        reply("full", score=0),
        reply("full", quote="covered with snow"),
        reply(["full", "none"]),
        reply(None),
    ],
)
def test_a19_a_reply_that_contradicts_or_lacks_something_is_ungraded_and_not_wrong(said: str) -> None:
    assert parse(SUPPORT, said, LAKE).verdict == UNGRADED
    assert parse(SUPPORT, f"```json\n{reply('full')}\n```", LAKE).verdict == "full"


@pytest.mark.parametrize("name", JUDGES)
def test_a19_every_judge_has_probes_that_go_both_ways(name: str) -> None:
    assert len({verdict for _, verdict in PROBES[name]}) == len(PROBES[name]) > 1
