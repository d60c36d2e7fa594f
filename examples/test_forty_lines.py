"""A ratchet: the benchmark runs on the system beside this file, and what it can do today must not get lost.

    pytest examples

Whoever starts with a new system writes down what passes, and moves cases up as they begin to pass.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PASSES = {"K01", "K06"}
NOT_YET = {"K02": "no_answer", "S03": "contradicted", "S05": "unsafe_answer"}


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The label of each case, from one run of the benchmark."""
    output = tmp_path_factory.mktemp("webretrieval")
    cases = [f"--webretrieval-case=web-retrieval-v1::{case}" for case in sorted(PASSES | set(NOT_YET))]
    system = ["--webretrieval-system=forty_line_system:System", f"--webretrieval-output={output}"]
    command = [sys.executable, "-m", "pytest", "--lane=fixture", f"--rootdir={HERE}", *system, *cases]
    subprocess.run(command, cwd=HERE, timeout=120, check=False)
    (results,) = output.rglob("results.jsonl")
    records = map(json.loads, results.read_text(encoding="utf-8").splitlines())
    return {record["case"]: record["label"] for record in records}


@pytest.mark.parametrize("case", sorted(PASSES))
def test_what_passed_still_passes(case: str, labels: dict[str, str]) -> None:
    assert labels[case] in ("success", "correct_refusal")


@pytest.mark.parametrize("case", sorted(NOT_YET))
def test_what_fails_fails_in_the_known_way(case: str, labels: dict[str, str]) -> None:
    assert labels[case] == NOT_YET[case]
