"""The bench: pinned by its lock, probed first, asked once, recorded, replayed without a model."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from pytest_webretrieval.judges.asking import Bench, JudgeError, live, unrecorded
from pytest_webretrieval.judges.lock import LockError, lock_for, read_lock, write_lock
from pytest_webretrieval.judges.probes import PROBES
from pytest_webretrieval.judges.prompts import JUDGES
from pytest_webretrieval.judges.settling import settle, with_settled

from .loopback import Model, knows

LOCK = lock_for("some-model", 0.0)


@pytest.mark.parametrize("name", JUDGES)
def test_a_good_judge_passes_its_probes_and_is_asked_once_each(
    model: Model, tmp_path: Path, name: str
) -> None:
    model.say = knows
    bench = Bench(LOCK, live(LOCK, model.url, "sk-test"), tmp_path)
    bench.probe(name)
    bench.probe(name)
    assert bench.asked == len(model.requests) == len(PROBES[name])
    assert {(body["model"], body["temperature"], body["path"], body["key"]) for body in model.requests} == {
        ("some-model", 0.0, "/v1/chat/completions", "Bearer sk-test")
    }
    again = Bench(LOCK, unrecorded, tmp_path)
    again.probe(name)
    assert again.asked == 0


@pytest.mark.parametrize("verdict", ["full", "none", "contradicted"])
def test_a_judge_that_always_says_the_same_is_not_believed(
    model: Model, tmp_path: Path, verdict: str
) -> None:
    model.say = lambda inputs: json.dumps(
        {"verdict": verdict, "quote": inputs["source"][:12], "reason": "So."}
    )
    with pytest.raises(JudgeError, match=f"says {verdict} of what is known to be"):
        Bench(LOCK, live(LOCK, model.url, "k"), tmp_path).probe("support")


def test_what_was_not_recorded_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="was not recorded"):
        Bench(LOCK, unrecorded, tmp_path).probe("support")


def test_another_lock_asks_anew(model: Model, tmp_path: Path) -> None:
    model.say = knows
    Bench(LOCK, live(LOCK, model.url, "k"), tmp_path).probe("support")
    other = lock_for("some-model", 0.7)
    assert other.identity("support") != LOCK.identity("support")
    with pytest.raises(JudgeError, match="was not recorded"):
        Bench(other, unrecorded, tmp_path).probe("support")


def test_a_model_that_does_not_answer_is_named(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match=r"http://127\.0\.0\.1:9/v1 does not answer"):
        Bench(LOCK, live(LOCK, "http://127.0.0.1:9/v1", "k"), tmp_path).probe("support")


def test_a_lock_is_read_back_and_another_prompt_is_noticed_by_its_judge(tmp_path: Path) -> None:
    path = tmp_path / "judge.lock"
    write_lock(path, LOCK)
    assert read_lock(path, "support") == LOCK
    data = json.loads(path.read_text())
    data["prompts"]["answer"] = "v0 " + "0" * 64
    path.write_text(json.dumps(data))
    with pytest.raises(LockError, match="pins another prompt answer"):
        read_lock(path, "answer")
    assert read_lock(path, "support").identity("support") == LOCK.identity("support")
    path.write_text(json.dumps(data | {"parser": 0}))
    with pytest.raises(LockError, match="pins another parser"):
        read_lock(path, "support")
    path.unlink()
    with pytest.raises(LockError, match="write one with --lock-model"):
        read_lock(path, "support")


def record(*claims: tuple[str, str]) -> dict[str, object]:
    findings = [
        {
            "claim": claim,
            "support": support,
            "settled": None,
            "ground": {"sha256": "ab", "url": "https://a.test/"},
        }
        for claim, support in claims
    ]
    return {"case": "A", "key": {"trial": 0}, "verdicts": [{"citation": {"claims": findings}}]}


def test_a_judge_settles_what_is_unknown_and_overrules_no_proof(model: Model, tmp_path: Path) -> None:
    model.say = knows
    bench = Bench(LOCK, live(LOCK, model.url, "k"), tmp_path)
    given = record(("one", "unknown"), ("two", "contradicted"), ("three", "none"), ("one", "unknown"))
    settled = list(
        settle([given], lambda _, sha256: "The page of this run.", partial(bench.judge, "support"))
    )
    assert [item.verdict for item in settled] == ["full", "full"]
    assert bench.asked == 1
    after = with_settled(given, settled)
    claims = after["verdicts"][0]["citation"]["claims"]
    assert [(claim["support"], claim["settled"]) for claim in claims] == [
        ("unknown", "full"), ("contradicted", None), ("none", None), ("unknown", "full"),
    ]  # fmt: skip


def test_an_ungraded_reply_settles_nothing(model: Model, tmp_path: Path) -> None:
    model.say = lambda inputs: "I think it is full."
    bench = Bench(LOCK, live(LOCK, model.url, "k"), tmp_path)
    given = record(("one", "unknown"))
    settled = list(settle([given], lambda _, sha256: "The page.", partial(bench.judge, "support")))
    assert [item.verdict for item in settled] == ["ungraded"]
    assert with_settled(given, settled)["verdicts"][0]["citation"]["claims"][0]["settled"] is None
