"""The reference system on natural questions, at a seed whose pages have other shapes than those of seed 0."""

from __future__ import annotations

from pathlib import Path

from ..plugin.project import Project


def test_it_answers_what_is_asked_at_another_seed_too(tmp_path: Path) -> None:
    run = Project(tmp_path).pytest(
        "--lane=fixture",
        "-q",
        "--webretrieval-corpus=web-questions-v1",
        "--webretrieval-fixture-seed=5",
        *("-k", "QK or QA0"),
        timeout=300,
    )
    rows = run.rows()
    assert len(rows) == 48, run.output
    missed = [(row["case"], row["label"], row["reason"]) for row in rows if row["label"] != row["expect"]]
    assert missed == []
