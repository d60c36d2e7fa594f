"""The corpus' questions in other words, on other seeds: the reference system must not hang on wordings or hosts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.cases.draw import draw_truth
from pytest_webretrieval.cases.load import load_corpus, load_truths
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.grade.evidence import StepEvidence
from pytest_webretrieval.grade.judge import judge_run
from pytest_webretrieval.lanes.fixture import FixtureLane, open_lane
from pytest_webretrieval.run import run_step
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.carrier import NoCarrier

ROOT = Path(__file__).parents[2]
TRUTH = ROOT / "truth" / "web-retrieval-v1"
WORDINGS: dict[str, list[str]] = yaml.safe_load(
    (Path(__file__).parent / "paraphrases.yaml").read_text(encoding="utf-8")
)
# Each seed asks every sixth wording, beginning at its own number.
SEEDS, STRIDE = (0, 1, 2), 6
LEAST = 11 / 12


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", SEEDS)
async def test_other_words_find_the_same(seed: int) -> None:
    cases = {case.id: case for case in load_corpus(ROOT / "corpus" / "web-retrieval-v1.yaml").cases}
    truths = load_truths(TRUTH)
    asked, failed = 0, []
    try:
        lane = await open_lane(Settings(lane="fixture", fixture_seed=seed, slots=1), ROOT, [TRUTH])
    except NoCarrier as error:
        pytest.skip(str(error))
    try:
        for case_id, wordings in WORDINGS.items():
            for wording in wordings[seed::STRIDE]:
                asked += 1
                case = replace(cases[case_id], query=wording)
                label = await ask(lane, case, draw_truth(truths[case_id], seed))
                if label != case.expect:
                    failed.append(f"{case_id} {wording}: {label}")
    finally:
        await lane.close()
    assert asked >= len(WORDINGS)
    assert 1 - len(failed) / asked >= LEAST, "\n".join(failed)


async def ask(lane: FixtureLane, case: Case, truth: Truth) -> str:
    """The label of one run."""
    async with lane.stage(case, truth, 0) as stage:
        await stage.open()
        steps: list[StepEvidence] = []
        try:
            for number, step in enumerate(truth.steps):
                steps.append(await run_step(number, step, stage, steps, stage.ask))
        finally:
            await stage.end()
    return judge_run(truth, steps, None).label
