"""Money on the real web: what nobody put a price on is not asked, and a cap that is reached is called by its name."""

from __future__ import annotations

from typing import Any

import pytest

from ..plugin.project import Project
from .internet import model, search, town
from .internet.live import Outcome, live_run
from .internet.rig import Rig
from .small import READING, SYSTEM, configuration, furnish_some

SEARCHES, ASKS_A_MODEL = IDS = ("T01", "T02")
MODEL = """\
[live.channels.model]
provider = "openai"
key_env = "OPENAI_API_KEY"
usd_per_case = 0.01
"""
SPENDER = (
    READING
    + r"""
import os


def sent(url, key, **asked):
    headers = {"Authorization": f"Bearer {os.environ[key]}", "Content-Type": "application/json"}
    try:
        return get(url, json.dumps(asked).encode(), **headers)
    except urllib.error.HTTPError as error:
        return error.read().decode()


class System:
    def retrieve(self, task):
        if "pontoon" in task.query:
            for _ in range(4):
                sent("https://api.tavily.com/search", "TAVILY_API_KEY", query=task.query)
        else:
            message = {"role": "user", "content": task.query}
            sent("https://api.openai.com/v1/chat/completions", "OPENAI_API_KEY", model="gpt-5-mini", messages=[message])
        return said_at(task.start_urls[0])
"""
)


@pytest.fixture(scope="module")
def outcome(rig: Rig, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """Of two cases of direct fetches; somebody approved what they may cost, and no model is configured."""
    project = Project(tmp_path_factory.mktemp("spending"))
    poor = configuration(("max_cost_usd = 5", "max_cost_usd = 0.02"), (MODEL, ""))
    furnish_some(project, IDS, SPENDER, {"webretrieval.toml": poor})
    return live_run(rig, project, town.town(), SYSTEM, "--webretrieval-approve-cost")


@pytest.fixture(scope="module")
def rows(outcome: Outcome) -> dict[str, dict[str, Any]]:
    """The record of each case."""
    return {row["case"]: row for row in outcome.run.rows()}


def test_a_cap_that_is_reached_is_named(rows: dict[str, dict[str, Any]], outcome: Outcome) -> None:
    row = rows[SEARCHES]
    assert (row["label"], row["reason"]) == (
        "infra_error",
        "max_cost_usd: cap of 0.02 USD reached",
    ), outcome.out
    assert len(outcome.asked(search.HOST)) == 3, "what was under way is paid as well"


def test_a_model_without_a_channel_is_not_asked(rows: dict[str, dict[str, Any]], outcome: Outcome) -> None:
    row = rows[ASKS_A_MODEL]
    assert (row["label"], row["reason"]) == (
        "infra_error",
        f"model: {model.HOST} is no host of a configured [live.channels.model]",
    ), outcome.out
    assert outcome.asked(model.HOST) == []
