"""Whom a task is asked for: the step's user with what the scene gives."""

from __future__ import annotations

from pathlib import Path

from pytest_webretrieval.cases.load import load_corpus, load_truths
from pytest_webretrieval.lanes.task import task_for, user_for
from pytest_webretrieval.systems.codec import task_from_json, task_to_json

ROOT = Path(__file__).resolve().parents[2]
HELD = {"kind": "cookie", "name": "sid", "value": "0f1e2d3c", "url": "https://club.example/"}


def test_a_task_says_whom_it_is_asked_for_and_gives_the_credentials_inline() -> None:
    corpus = load_corpus(ROOT / "corpus" / "web-retrieval-v1.yaml")
    case = next(case for case in corpus.cases if case.id == "A01")
    truth = load_truths(ROOT / "truth" / "web-retrieval-v1")["A01"]
    step = truth.steps[0]
    user = user_for(step.user, {"alice": (HELD,), "bob": ()})
    task = task_for(case, truth, step, ("https://club.example/desk",), user)
    sent = task_from_json(task_to_json(task))
    assert sent == task
    assert sent.user is not None
    assert sent.user.name == "alice"
    (credential,) = sent.user.credentials
    shown = {name: getattr(credential, name) for name in HELD}
    assert (shown, credential.value_env) == (HELD, None)
    assert "You act for the signed-in user alice." in task.prompt
    assert HELD["value"] not in task.prompt


def test_a_step_for_nobody_says_nothing_of_a_user() -> None:
    corpus = load_corpus(ROOT / "corpus" / "web-retrieval-v1.yaml")
    case = next(case for case in corpus.cases if case.id == "A04")
    truth = load_truths(ROOT / "truth" / "web-retrieval-v1")["A04"]
    task = task_for(case, truth, truth.steps[0], (), user_for(truth.steps[0].user, {"alice": (HELD,)}))
    assert task.user is None
    assert "user" not in task.prompt
