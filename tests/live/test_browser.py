"""A page of the real web that only a browser reads: Chromium goes the same way, and is not condemned for it."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webretrieval.slots.browser import find_browser

from ..plugin.project import Project
from .internet.live import Outcome, live_run
from .internet.rig import Rig
from .internet.scenario import Answer, answer
from .internet.town import CORPUS, corpus, question, shown, targets
from .small import furnish_some

DRAWN, PLAIN = question("T01"), question("T02")
# The sentence comes by a request of the page's own.
SHELL = f"""\
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{DRAWN.title}</title></head>
<body><h1>{DRAWN.title}</h1><div id="notice"></div><script>
fetch("/data/notice.json").then(reply => reply.json()).then(said => {{
  document.getElementById("notice").textContent = said.sentence;
}});
</script></body></html>
"""
DATA = '{"sentence": "' + DRAWN.sentence.format(DRAWN.said) + '"}'


def page(text: str, kind: str) -> Answer:
    return Answer(headers=(("content-type", kind),), body=text.encode())


@pytest.fixture(scope="module")
def outcome(rig: Rig, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    if find_browser(None) is None:
        pytest.skip("this machine has no browser: webretrieval doctor says how to get it")
    project = Project(tmp_path_factory.mktemp("browser"))
    ids = (DRAWN.id, PLAIN.id)
    dynamic = corpus(ids).replace("stratum: known-url", "stratum: dynamic", 1)
    probed = targets(ids).replace(f'url = "{DRAWN.url}"', f'url = "https://{DRAWN.host}/data/notice.json"', 1)
    furnish_some(
        project,
        ids,
        files={
            f"{CORPUS}.yaml": dynamic.replace("live_channel: direct-fetch", "live_channel: browser", 1),
            f"{CORPUS}.toml": probed,
        },
    )
    scenario = shown({DRAWN.id: page(SHELL, "text/html")}).with_pages(
        DRAWN.host, {"/data/notice.json": page(DATA, "application/json"), "/favicon.ico": answer(404)}
    )
    return live_run(rig, project, scenario)


@pytest.fixture(scope="module")
def rows(outcome: Outcome) -> dict[str, dict[str, Any]]:
    return {row["case"]: row for row in outcome.run.rows()}


def test_what_a_script_writes_is_read(outcome: Outcome, rows: dict[str, dict[str, Any]]) -> None:
    assert {case: row["label"] for case, row in rows.items()} == {DRAWN.id: "success", PLAIN.id: "success"}, (
        outcome.out
    )
    assert (rows[DRAWN.id]["efficiency"]["escalations"], rows[PLAIN.id]["efficiency"]["escalations"]) == (
        1,
        0,
    )
    asked = [one.target for one in outcome.asked(DRAWN.host) if "Chrome" in (one.user_agent or "")]
    assert {DRAWN.path, "/data/notice.json"} <= set(asked)


def test_no_browser_is_one_too_many_where_nobody_knows_better(rows: dict[str, dict[str, Any]]) -> None:
    assert "unnecessary-browser" not in rows[DRAWN.id]["tags"]
    assert "egress" not in rows[DRAWN.id]["tags"]
