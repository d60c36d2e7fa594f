"""One system, one corpus: the same labels whatever the seed, order, workers, slots and neighbours are."""

from __future__ import annotations

import pytest

from .project import OURS, ROOT, TWELVE, XDIST, Project

EXPECTED = {
    **{f"K0{number}": "success" for number in range(1, 6)},
    "K06": "correct_refusal",
    **{f"S0{number}": "success" for number in (1, 2, 3, 4, 6)},
    "S05": "correct_refusal",
}
ASYNCIO = ("-o", "asyncio_default_fixture_loop_scope=function")

RANDOMLY = ("-p", "pytest_randomly")
# Whatever seed, order, workers, slots and isolation there are: each way has several of them.
WAYS: dict[str, tuple[str, ...]] = {
    "one slot, errors for warnings": ("--webretrieval-slots=1", "-W", "error"),
    "four slots, another order": ("--webretrieval-slots=4", *RANDOMLY, "--randomly-seed=1"),
    "session, another order": (
        *("--webretrieval-isolation=session", "--webretrieval-slots=2"),
        *(*RANDOMLY, "--randomly-seed=2"),
    ),
    "workers": XDIST,
    "workers, session": (*XDIST, "--webretrieval-isolation=session"),
}


@pytest.mark.parametrize(("seed", "way"), list(enumerate(WAYS, 1)), ids=WAYS)
def test_the_labels_are_the_same(project: Project, seed: int, way: str) -> None:
    """A worker writes evidence, the controller the shared files: together one whole folder."""
    run = project.pytest("--lane=fixture", "-v", f"--webretrieval-fixture-seed={seed}", *TWELVE, *WAYS[way])
    assert run.code == 0, run.output
    assert run.labels() == EXPECTED
    assert run.folder is not None
    for row in run.rows():
        assert (run.folder / row["evidence"] / "evidence.json").is_file()
    for name in ("manifest.json", "results.jsonl", "attempts.jsonl", "summary.json"):
        assert (run.folder / name).is_file()
    assert len(project.run_folders()) == 1
    lines = [line for line in run.lines if line.startswith("corpus/") and "::" in line]
    order = [line.split("::")[1].split()[0] for line in lines]
    if "workers" not in way:
        assert sorted(order) == sorted(EXPECTED)
        assert (order != sorted(EXPECTED)) == ("another order" in way)
    assert project.left() == []


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
import urllib.request


class System:
    """Wrong in the first two runs of each case, right in the third; it counts in the slot's own home."""

    def retrieve(self, task):
        count = len(open("trials.txt").read().split()) if os.path.exists("trials.txt") else 0
        with open("trials.txt", "a") as file:
            file.write("x ")
        if count < 2:
            return "No idea."
        page = urllib.request.urlopen(task.start_urls[0]).read().decode()
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
