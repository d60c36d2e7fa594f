"""A world that is lost takes its run with it, and no other."""

from __future__ import annotations

import os
import signal

import pytest

from fixture_server.client import WorldFailure
from pytest_webretrieval.cases.data import built_in_truths, corpus_paths
from pytest_webretrieval.cases.draw import draw_truth
from pytest_webretrieval.cases.load import load_corpus, load_truths
from pytest_webretrieval.lanes.fixture import open_lane
from pytest_webretrieval.settings import DEFAULT_CORPUS, Settings

from ..plugin.project import ROOT


@pytest.mark.asyncio
async def test_later_runs_go_on_in_another_world() -> None:
    (truths,) = built_in_truths((DEFAULT_CORPUS,))
    (path,) = corpus_paths(DEFAULT_CORPUS, ROOT)
    case = next(case for case in load_corpus(path).cases if case.id == "K01")
    truth = draw_truth(load_truths(truths)["K01"], 0)
    lane = await open_lane(Settings(lane="fixture", fixture_seed=0, slots=1), ROOT, [truths])
    try:
        async with lane.stage(case, truth, 0) as stage:
            await stage.open()
            lost = lane._pool._camp
            os.kill(lost.world._process.pid, signal.SIGKILL)
            with pytest.raises(WorldFailure, match="the world is gone; its process was killed"):
                await stage.evidence()
        async with lane.stage(case, truth, 1) as stage:
            assert lane._pool._camp is not lost
            await stage.open()
            answered = await stage.ask(0, truth.steps[0])
            trace, _ = await stage.evidence()
        assert answered.ending == "answered"
        assert [attempt.status for attempt in trace.attempts if attempt.role == "document"] == [200]
    finally:
        await lane.close()
