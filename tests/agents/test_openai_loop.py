"""An agent that knows nothing of us, on the scripted model: what it gets right is its own doing and the model's."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..plugin.project import Project

AGENT = Path(__file__).with_name("openai_loop.py")
NEED_A_BROWSER = {"D01", "D02", "D03", "D04"}
# The two ways in: what a task says of its user is used by one of them only, and so is a cache over the steps of a case.
NEED_THE_TASK = {"K04", "A01", "A03", "A05", "A06"}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A folder with the agent in it."""
    project = Project(tmp_path)
    project.write("openai_loop.py", AGENT.read_text(encoding="utf-8"))
    return project


def _wrong(project: Project, system: str, *options: str, cases: int = 30) -> set[str]:
    run = project.pytest(
        "--lane=fixture", "-q", f"--webretrieval-system=openai_loop:{system}", *options, timeout=300
    )
    rows = run.rows()
    assert len(rows) == cases, run.output
    assert {row["label"] for row in rows}.isdisjoint({"infra_error", "system_failure", "timeout"}), run.output
    # A model is no document and no search: nothing of it counts against a budget, and nothing left the world.
    assert "policy_violation  pass" in run.output, run.output
    return {row["case"] for row in rows if row["label"] != row["expect"].replace("-", "_")}


def test_a_careful_model_answers_all_that_needs_no_browser(project: Project) -> None:
    assert _wrong(project, "Agent") == NEED_A_BROWSER


def test_a_question_alone_is_answered_too_in_another_style(project: Project) -> None:
    assert _wrong(project, "numbered") == NEED_A_BROWSER | NEED_THE_TASK


@pytest.mark.parametrize(
    ("skill", "also"), [("hasty", {"K05", "S01", "B03"}), ("gullible", {"S01", "S04", "S05"})]
)
def test_less_skill_gets_less_right(project: Project, skill: str, also: set[str]) -> None:
    asked = {"K01", *also}
    words = (f"--webretrieval-model-skill={skill}", "-k", " or ".join(asked))
    assert _wrong(project, "Agent", *words, cases=len(asked)) == also
