from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_webretrieval import run as life
from pytest_webretrieval.cases.data import own_data
from pytest_webretrieval.cases.draw import draw_truth
from pytest_webretrieval.cases.load import TruthStore, load_corpus
from pytest_webretrieval.grade.evidence import StepEvidence, Trouble
from pytest_webretrieval.records.evidence import StoredRun, stored
from pytest_webretrieval.records.record import Key, Record
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.systems import contract
from pytest_webretrieval.systems.contract import RetrievalResult
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Trace

DATA = own_data()
CASE = load_corpus(DATA / "corpus" / "web-retrieval-v1.yaml").cases[0]
TRUTH = draw_truth(TruthStore(DATA / "truth" / "web-retrieval-v1").get("K01"), 0)
KEY = Key(corpus_identity="c", case="K01", system="s", engine=None, seed=0, trial=0, test="t")
STEP = StepEvidence(
    step=TRUTH.steps[0],
    testimony=contract.Testimony(
        ending="answered", duration_s=0.1, payload="It was published on 12 March 2026."
    ),
    result=RetrievalResult(status="answered", answer="It was published on 12 March 2026."),
    invalid=None,
    trace=Trace(),
    archive=Archive(),
    earlier=Archive(),
    start_urls=(),
    cheapest="direct-fetch",
)


def judged(steps: list[StepEvidence], run: StoredRun) -> Record:
    return life.judge(CASE, TRUTH, steps, run, KEY, Settings(lane="fixture"), "2026-11-30T00:00:00Z")


def test_a_run_that_failed_before_its_first_step_is_an_infra_error() -> None:
    record = judged([], stored([], 0, Trouble(where="world", message="the world is gone")))
    assert (record.label, record.reason) == ("infra_error", "world: the world is gone")


def test_a_grader_that_fails_is_an_infra_error_and_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("this value cannot be read")

    monkeypatch.setattr(life, "judge_run", broken)
    record = judged([STEP], stored([STEP], 0, None))
    assert record.label == "infra_error"
    assert record.trouble is not None
    assert record.trouble.message.startswith("ValueError: this value cannot be read (test_judge.py:")
    assert Path(__file__).name in record.trouble.message


def test_a_real_fault_of_truth_is_met_the_same_way() -> None:
    fact = replace(TRUTH.steps[0].expected_facts[0], match="number", value="many")
    step = replace(STEP, step=replace(STEP.step, expected_facts=(fact,)))
    assert judged([step], stored([step], 0, None)).label == "infra_error"


def test_the_same_evidence_gives_the_same_record() -> None:
    run = stored([STEP], 0, None)
    assert judged([STEP], run) == judged([STEP], run)
