"""The table of real bugs: what it says is what `bugs.toml` says and what a run has seen; systems know nothing of us."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_webretrieval.cases.own import load_own

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "examples" / "real_bugs"
OURS = {"pytest_webretrieval", "fixture_server", "pytest"}


@pytest.fixture(scope="module")
def table() -> Any:
    """The script that runs the bugs."""
    spec = importlib.util.spec_from_file_location("real_bugs_run", PLACE / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        del sys.modules[spec.name]


def test_the_document_has_every_bug_as_a_run_has_seen_it(table: Any) -> None:
    text = (ROOT / "docs" / "real-bugs.md").read_text(encoding="utf-8")
    head, rule, *lines = text.partition(table.BEGIN)[2].partition(table.END)[0].splitlines()
    assert head == "| " + " | ".join(table.HEAD) + " |"
    assert set(rule) <= set("| -")
    bugs = table.read_bugs()
    assert len(lines) == len(bugs) >= 12
    for line, bug in zip(lines, bugs, strict=True):
        cells = tuple(line.strip("| ").split(" | "))
        buggy, fixed = cells[-2:]
        assert cells == table.row(bug, buggy, fixed)
        assert buggy.startswith(f"red: {bug.label} (")
        assert bug.tag in buggy.partition("(")[2].rstrip(")").split(", ")
        assert fixed == "green: success"


def test_each_bug_has_a_system_of_its_own_that_knows_nothing_of_us(table: Any) -> None:
    bugs = {bug.id: bug for bug in table.read_bugs()}
    files = {path.stem: path for path in (PLACE / "systems").glob("*.py")}
    assert files.keys() == bugs.keys()
    for path in files.values():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
        names = {alias.name.partition(".")[0] for node in imports for alias in node.names}
        names |= {
            (node.module or "").partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
        }
        assert not names & OURS, path
        assert names - sys.stdlib_module_names, path


def test_each_bug_is_shown_by_a_case_that_there_is(table: Any) -> None:
    asked = {bug.case for bug in table.read_bugs()}
    there = {
        f"{path.stem}::{case}" for path in (PLACE / "cases").glob("*.yaml") for case in load_own(path).truths
    }
    assert asked == there


@pytest.mark.parametrize(
    ("code", "label", "tags"),
    [(0, "stale", ("one",)), (1, "partial", ("one",)), (1, "stale", ("other",)), (4, "stale", ("one",))],
    ids=["passed", "another label", "another tag", "no run"],
)
def test_what_fails_in_another_way_is_not_the_bug(
    table: Any, code: int, label: str, tags: tuple[str, ...]
) -> None:
    about = {"library": "x", "buggy": "1", "fixed": "2", "issue": "", "wrong": "", "case": ""}
    bug = table.Bug(id="x", label="stale", tag="one", **about)
    assert table.is_red(bug, table.Seen(code=1, label="stale", tags=("one", "more")))
    assert not table.is_red(bug, table.Seen(code=code, label=label, tags=tags))
    assert not table.is_green(table.Seen(code=1, label="success", tags=()))
