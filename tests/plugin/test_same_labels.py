"""One system, one corpus: the same labels whatever the seed, order, workers, slots and neighbours are."""

from __future__ import annotations

import pytest

from .project import OURS, ROOT, TWELVE, XDIST, Project, Run

EXPECTED = {
    **{f"K0{number}": "success" for number in range(1, 6)},
    "K06": "correct_refusal",
    **{f"S0{number}": "success" for number in (1, 2, 3, 4, 6)},
    "S05": "correct_refusal",
}
ASYNCIO = ("-o", "asyncio_default_fixture_loop_scope=function")

WAYS: dict[str, tuple[str, ...]] = {
    **{f"seed {seed}": (f"--webretrieval-fixture-seed={seed}",) for seed in range(1, 6)},
    "xdist": XDIST,
    "one slot": ("--webretrieval-slots=1",),
    "four slots": ("--webretrieval-slots=4", "--webretrieval-fixture-seed=9"),
    "session": ("--webretrieval-isolation=session", "--webretrieval-slots=2"),
    "errors for warnings": ("-W", "error"),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_labels_are_the_same(project: Project, way: str) -> None:
    run = project.pytest("--lane=fixture", "-q", *TWELVE, *WAYS[way])
    assert run.code == 0, run.output
    assert run.labels() == EXPECTED
    assert project.left() == []


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_does_not_matter(project: Project, seed: int) -> None:
    run = project.pytest(
        "--lane=fixture", "-v", f"--randomly-seed={seed}", *TWELVE, plugins=(*OURS, "-p", "pytest_randomly")
    )
    order = [
        line.split("::")[1].split()[0] for line in run.lines if line.startswith("corpus/") and "::" in line
    ]
    assert run.code == 0, run.output
    assert run.labels() == EXPECTED
    assert sorted(order) == sorted(EXPECTED)
    assert order != sorted(EXPECTED)


# A test with sync Playwright leaves a loop running in the main thread for the rest of the session.
PLAYWRIGHT = """
import asyncio

import pytest


@pytest.mark.asyncio
async def test_asyncio() -> None:
    await asyncio.sleep(0)


@pytest.mark.vcr
def test_recording() -> None:
    pass


def test_sync_playwright(playwright) -> None:
    assert playwright.chromium.name == "chromium"
    assert asyncio.get_running_loop().is_running()
"""


def test_beside_the_plugins_that_people_have(project: Project) -> None:
    project.write("test_beside.py", PLAYWRIGHT)
    run = project.pytest(
        "--lane=fixture", "-v", "-W", "error", *ASYNCIO, "-p", "no:randomly", "--reruns=2", "--block-network",
        "test_beside.py", str(ROOT / "corpus" / "web-retrieval-v1.yaml"), "-k", "beside or K0 or S0",
        plugins=(),
    )  # fmt: skip
    assert run.code == 0, run.output
    assert run.labels() == EXPECTED
    assert len(run.starting("test_beside.py::")) == 3
    assert project.left() == []


FLAKY = '''
import os
import re

import httpx


class System:
    """Wrong in the first two runs of each case, right in the third; it counts in the slot's own home."""

    def retrieve(self, task):
        count = len(open("trials.txt").read().split()) if os.path.exists("trials.txt") else 0
        with open("trials.txt", "a") as file:
            file.write("x ")
        if count < 2:
            return "No idea."
        page = httpx.get(task.start_urls[0]).text
        date = re.search(r"[Pp]ublished[^0-9]*(\\d{1,2} \\w+ \\d{4})", re.sub(r"<[^>]+>", " ", page))
        return f"Published on {date[1]} ([source]({task.start_urls[0]}))."
'''


@pytest.mark.parametrize("workers", [(), XDIST], ids=["one", "xdist"])
def test_every_rerun_is_a_row_and_gates_see_all(project: Project, workers: tuple[str, ...]) -> None:
    project.write("flaky.py", FLAKY)
    run = project.pytest(
        "--lane=fixture", "-q", "--reruns=2", "--webretrieval-system=flaky:System", *workers,
        "--webretrieval-case=web-retrieval-v1::K01", plugins=(*OURS, "-p", "pytest_rerunfailures"),
    )  # fmt: skip
    rows = [(row["key"]["trial"], row["label"]) for row in run.rows()]
    assert rows == [(0, "no_answer"), (1, "no_answer"), (2, "success")], run.output
    assert run.gate("labels_match") == "FAIL 1 of 3: K01"
    assert run.code == 1
    assert "2 rerun" in run.lines[-1]


def test_the_run_is_the_same_in_both_processes_of_a_worker_run(project: Project) -> None:
    """A worker writes evidence, the controller the shared files: together one whole folder."""
    run: Run = project.pytest("--lane=fixture", "-q", "-m", "known_url", *XDIST)
    assert run.folder is not None, run.output
    for row in run.rows():
        assert (run.folder / row["evidence"] / "evidence.json").is_file()
    for name in ("manifest.json", "results.jsonl", "attempts.jsonl", "summary.json"):
        assert (run.folder / name).is_file()
    assert len(project.run_folders()) == 1
